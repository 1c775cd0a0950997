// Weights as skinning uses them: checked at bind time, sum 1, the pivot (largest weight) first.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "skin/skin_source.h"

namespace fascia {

struct BoundWeights {
    int influences = 0;                 ///< slots per vertex, 1..8
    std::vector<std::uint16_t> joints;  ///< [vertices * influences] unused slots repeat the pivot
    std::vector<float> weights;         ///< [vertices * influences] unused slots 0
    std::size_t unweighted = 0;         ///< vertices without any weight: attached to joint 0

    std::size_t vertex_count() const {
        return influences > 0 ? weights.size() / static_cast<std::size_t>(influences) : 0;
    }
};

BoundWeights bind_weights(const SkinSource& source);

/// Centre of the bounding box, rounded to float: rest positions are stored relative to it, so that a mesh far from the
/// origin keeps its digits.
Vec3 rest_centre(std::span<const Vec3> positions);

}  // namespace fascia
