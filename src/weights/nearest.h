// Weights without a volume: each point follows the bone that is nearest through the air.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fascia/math.h"

namespace fascia::weights {

struct Segment {
    Vec3d a, b;
    std::uint16_t joint = 0;
};

double squared_distance(Vec3d p, const Segment& segment);

/// Finds the nearest of many segments, in time that grows with the logarithm of their number if they are far apart.
class NearestSegment {
public:
    explicit NearestSegment(std::span<const Segment> segments);

    /// The joint of the nearest segment, the first in a tie; 0 if there is none.
    std::uint16_t joint_at(Vec3d p) const;

private:
    /// Segments first to last of order_; the halves are boxes left and left + 1. left = 0: a leaf.
    struct Box {
        Vec3d low, high;
        std::uint32_t first = 0, last = 0, left = 0;
    };
    struct Best {
        double least = 1e300;
        std::uint32_t segment = ~std::uint32_t{0};
    };
    void enclose(Box& box) const;
    void split(std::uint32_t box);
    void look(std::uint32_t box, Vec3d p, Best& best) const;
    static double squared_distance(Vec3d p, const Box& box);

    std::span<const Segment> segments_;
    std::vector<std::uint32_t> order_;
    std::vector<Box> boxes_;
};

}  // namespace fascia::weights
