// Weights of all joints at all nodes while they are being solved for, and the few that are kept.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weights/influences.h"

namespace fascia::weights {

/// A node whose weight is known: a share for each of the joints that pass through it, sum 1.
struct Clamp {
    std::uint32_t node = 0;
    std::uint16_t joint = 0;
    float share = 1;
};

/// The joints that pass through each node, with equal shares; ascending by node, then joint.
struct NodeJoint {
    std::uint32_t node = 0;
    std::uint16_t joint = 0;
};
std::vector<Clamp> equal_shares(std::vector<NodeJoint> cores);

/// values: [nodes * joints]
struct Dense {
    std::size_t joints = 0;
    std::vector<float> values;
};

/// The largest `slots` weights of each node above `least`, normalised; nodes without any keep zeros.
Influences keep_largest(const Dense& dense, int slots, float least);

}  // namespace fascia::weights
