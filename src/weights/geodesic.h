// Weights from distances through the tissue. docs/formulas.md A3:
//     w(b, i) = [ 1 / ((1 - alpha) d' + alpha d'^2) ]^2,  d' = d(b, i) + eps,  alpha = 1/2, then normalised over b
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/links.h"
#include "fascia/math.h"
#include "weights/influences.h"

namespace fascia::weights {

struct GeodesicInput {
    Links links;
    std::span<const Vec3d> centers;  ///< [nodes] rest positions, for islands that no joint reaches
    double step = 1;                 ///< length of one link, in the unit of d
    double eps = 1;                  ///< raised: joints bend over a longer stretch
    int slots = 4;
};

/// Nodes through which the bones of one joint pass.
struct JointCore {
    std::uint16_t joint = 0;
    Vec3d a, b;  ///< a bone of it, for islands
    std::vector<std::uint32_t> nodes;
};

/// A node gets no weight from joints it has no path to; a node that no joint reaches follows only the nearest bone
/// through the air.
Influences geodesic_weights(const GeodesicInput& input, std::span<const JointCore> cores);

}  // namespace fascia::weights
