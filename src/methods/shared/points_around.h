// Where the points of one body are among those of another body of the same character, to carry a State from one
// resolution to another.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fascia/math.h"

namespace fascia {

/// The points of a body at rest. Channels have `stride` numbers, in units of h about the centre, axes permuted by
/// `turn`.
struct RestPoints {
    double h = 1;
    Vec3d centre;
    int turn = 0;
    std::size_t stride = 0;
    std::span<const std::uint32_t> slots;   ///< [points] places in channels
    std::span<const float> rest;            ///< [3 * stride]
    std::span<const std::uint16_t> joints;  ///< [4 * stride] joints that carry a point, or empty
    std::span<const float> weights;         ///< [4 * stride]

    Vec3d place(std::size_t slot) const;
};

/// For each point of a body, the points of another around it; nearer ones and those that follow the same joints have
/// larger shares. Shares of a point sum to 1; far from all others it has none.
struct PointsAround {
    std::vector<std::uint32_t> first;  ///< [points + 1]
    std::vector<std::uint32_t> slots;  ///< places in the other's channels
    std::vector<float> shares;
};
PointsAround points_around(const RestPoints& points, const RestPoints& others);

}  // namespace fascia
