// Weights as skinning uses them: checked and normalised at bind time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "skin/skin_source.h"

namespace fascia {

/// `influences` slots per vertex in ascending order of joints, the order in which every code path sums. Unused slots
/// come last with weight 0 and repeat the last joint.
struct BoundWeights {
    int influences = 0;
    std::vector<std::uint16_t> joints;  ///< [vertices * influences]
    std::vector<float> weights;         ///< [vertices * influences]
    std::vector<std::uint16_t> pivots;  ///< [vertices] joint of the largest weight
    std::size_t unweighted = 0;         ///< vertices without any weight: attached to joint 0

    std::size_t vertex_count() const { return pivots.size(); }
};

BoundWeights bind_weights(const SkinSource& source);

/// Centre of the bounding box, rounded to float: rest positions are stored relative to it, so that a mesh far from the
/// origin keeps its digits.
Vec3 rest_centre(std::span<const Vec3> positions);

}  // namespace fascia
