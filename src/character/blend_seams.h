// Zones end without a seam: bones blending fades out before it reaches neighbours on the surface that turn with another
// joint, or with none.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "character/blend_zones.h"
#include "fascia/character.h"
#include "fascia/measure.h"

namespace fascia {

/// Lowers fades so that they change slowly along the edges and reach 0 where neighbours would move apart. attached:
/// [vertices]
void fade_towards_seams(const Character& character, std::span<const BlendZone> zones, std::span<Attachment> attached);

/// An edge between two vertices of different places; length at rest.
struct SurfaceEdge {
    std::uint32_t a, b;
    double length;
};
std::vector<SurfaceEdge> surface_edges(const Mesh& mesh, const Weld& weld);

/// The most that a fade may change along an edge in a zone.
double fade_step(const BlendZone& zone, double length);

/// Lowers limits until none is too steep. attached: [vertices] those that turn with no joint pass nothing on. most:
/// [places]
void spread_fades(std::span<const SurfaceEdge> edges, const Weld& weld, std::span<const BlendZone> zones,
                  std::span<const Attachment> attached, std::span<double> most);

/// Snaps a fade that is almost 1 to 1 and one that is almost 0 to 0.
double rounded_fade(double fade);

}  // namespace fascia
