// What carries a surface, and how well the points that carry it are solved: for pictures and panels.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "fascia/method.h"

FASCIA_API_BEGIN
namespace fascia {

/// Of a rig that was bound with EmbedOptions; all empty otherwise.
struct SurfaceCarriers {
    std::vector<std::uint32_t> domains;  ///< [vertices] the part of the surface that each belongs to, or empty
    std::vector<std::uint32_t> samples;  ///< the vertices nearest to the samples, or to the centres, of smooth ways
};
SurfaceCarriers surface_carriers(const Rig& rig);

/// Of a method whose points are solved for in every frame.
struct SolvedFrame {
    int rounds = 0;         ///< of turning and moving
    int volume_rounds = 0;  ///< of giving volume back, after these
    double energy = 0;      ///< squares of what edges are off, in edges, summed around a point: mean of all that turn
};
/// Of the frame that `state` holds; nothing for other methods.
std::optional<SolvedFrame> solved_frame(const Rig& rig, const State& state, Workspace& work);

}  // namespace fascia
FASCIA_API_END
