// From a file's joint slots to our weights: largest first, sum 1, nothing out of range.
#pragma once

#include "fascia/character.h"
#include "io/gltf_scene.h"

namespace fascia::io {

/// What was found while reading weights, summed over all parts.
struct WeightFindings {
    std::size_t out_of_range = 0;           ///< slots whose joint does not exist
    std::size_t out_of_range_weighted = 0;  ///< of those, slots that carried weight
    std::size_t off_one = 0;                ///< vertices whose weights did not sum to 1
    std::size_t missing = 0;                ///< vertices without any weight
    std::size_t cut = 0;                    ///< vertices with more than 8 influences
};

/// Appends the vertices of `primitive` to `out`, always with 8 slots. `rest` are the positions in scene space, for
/// vertices without weights: those follow the nearest joint.
void append_weights(const Primitive& primitive, const BoundSkin& skin, const std::vector<Joint>& joints,
                    const std::vector<Vec3>& rest, SkinWeights& out, WeightFindings& findings);

/// Drops to 4 slots if no vertex uses more.
void trim_weights(SkinWeights& weights);

void remark_weights(const WeightFindings& findings, Remarks& remarks);

}  // namespace fascia::io
