// Weights of points whose trilinear interpolation gives the weights of the vertices.
#pragma once

#include <cstdint>
#include <vector>

#include "methods/volumetric/volumetric_body.h"

namespace fascia {

/// As many slots as a vertex may have, because a point serves several vertices.
struct PointWeights {
    static constexpr std::size_t slots = 8;
    /// Most joints to fit around one point; if its vertices have more, those that most of the surface there follows.
    static constexpr std::size_t most_joints = 64;
    std::vector<std::uint16_t> joints;  ///< [points * slots]
    std::vector<float> weights;         ///< [points * slots] not negative, sum 1
    std::size_t crowded = 0;            ///< points around which there were more joints
};

/// Points that carry no vertex keep the weights of the body. The others start from these and change as far as the
/// vertices in their cells ask: whatever the vertices leave open stays smooth.
PointWeights fitted_weights(const VolumetricBody& body);

}  // namespace fascia
