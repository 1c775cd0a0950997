// Weights without a volume: each point follows the bone that is nearest through the air.
#pragma once

#include <cstdint>
#include <span>

#include "fascia/math.h"

namespace fascia::weights {

struct Segment {
    Vec3d a, b;
    std::uint16_t joint = 0;
};

double squared_distance(Vec3d p, const Segment& segment);
/// The joint of the nearest segment, the first among equals; 0 where there is none.
std::uint16_t nearest_joint(Vec3d p, std::span<const Segment> segments);

}  // namespace fascia::weights
