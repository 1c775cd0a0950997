// Weights of points such that what is trilinear between them is what vertices have.
#pragma once

#include <cstdint>
#include <vector>

#include "methods/volumetric/volumetric_body.h"

namespace fascia {

/// As many slots as a vertex may have: a point lies among several vertices.
struct PointWeights {
    static constexpr std::size_t slots = 8;
    /// Joints of the vertices around one point that are fitted: of more, those that most of the surface there follows.
    static constexpr std::size_t most_joints = 64;
    std::vector<std::uint16_t> joints;  ///< [points * slots]
    std::vector<float> weights;         ///< [points * slots] not negative, of sum 1
    std::size_t crowded = 0;            ///< points around which there were more joints
};

/// Points that carry no vertex keep the weights of the body. Those that do begin with these, and go as far as the
/// vertices in their cells ask: what vertices say nothing about stays smooth.
PointWeights fitted_weights(const VolumetricBody& body);

}  // namespace fascia
