// What a frame costs a game: pose, advance and embed of one instance and of crowds, at 60 frames per second.
#pragma once

#include <string>
#include <vector>

#include "fascia/method.h"

namespace fascia::cli {

/// Instances of one rig on this many threads. Milliseconds per instance, each from the least disturbed frame.
struct CrowdRow {
    std::string character, rig;  ///< "bunny", "layers 32, fast"
    std::size_t vertices = 0, points = 0, instances = 1;
    int threads = 1;
    double pose_ms = 0, advance_ms = 0, embed_ms = 0;
    double state_kb = 0;  ///< memory of one instance

    double sum_ms() const { return pose_ms + advance_ms + embed_ms; }
};

/// The rigs that are compared: plain skinning, `layers` and `lattice` at resolution 32, both qualities. Rigs that
/// cannot be bound to the character are left out.
struct NamedRig {
    std::string name;
    RigPtr rig;
};
std::vector<NamedRig> crowd_rigs(const Character& character);

/// `seconds`: about how long each of the three is measured.
CrowdRow measure_crowd(const Character& character, const NamedRig& rig, std::size_t instances, int threads,
                       double seconds);

/// A motion that keeps everything moving; null if there is none.
const Clip* lively_clip(const Character& character);

}  // namespace fascia::cli
