// The nearest of many points, in time that grows with the logarithm of their number.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "fascia/math.h"

namespace fascia::lattice {

/// A balanced k-d tree. Distances are squared, and rounded as dot(off, off) is.
class PointTree {
public:
    explicit PointTree(const std::vector<Vec3d>& points);

    /// To the nearest point, or `bound` if none is nearer than that.
    double nearest(Vec3d p, double bound) const { return nearest(p, bound, 0, points_.size(), 0); }

    /// Calls found(index) for every point that is no farther than `reach`, in no particular order.
    template <class Found>
    void within(Vec3d p, double reach, Found&& found) const {
        within(p, reach, found, 0, points_.size(), 0);
    }

private:
    static constexpr std::size_t leaf_size = 8;
    struct Point {
        Vec3d place;
        std::uint32_t index = 0;
    };
    static double along(Vec3d p, int axis) { return axis == 0 ? p.x : axis == 1 ? p.y : p.z; }
    static double distance(Vec3d p, Vec3d q) {
        const Vec3d off = p - q;
        return dot(off, off);
    }
    /// Distance to the plane that halves a range: no point beyond it is nearer, even after rounding.
    static double to_plane(double off) { return off * off; }

    void build(std::size_t first, std::size_t last, int axis);
    double nearest(Vec3d p, double bound, std::size_t first, std::size_t last, int axis) const;

    template <class Found>
    void within(Vec3d p, double reach, Found& found, std::size_t first, std::size_t last, int axis) const {
        if (last - first <= leaf_size) {
            for (std::size_t k = first; k < last; ++k)
                if (distance(p, points_[k].place) <= reach) found(points_[k].index);
            return;
        }
        const std::size_t half = first + (last - first) / 2;
        const double off = along(p, axis) - along(points_[half].place, axis);
        if (off <= 0 || to_plane(off) <= reach) within(p, reach, found, first, half, (axis + 1) % 3);
        if (off >= 0 || to_plane(off) <= reach) within(p, reach, found, half + 1, last, (axis + 1) % 3);
        if (distance(p, points_[half].place) <= reach) found(points_[half].index);
    }

    std::vector<Point> points_;  ///< the middle of each range halves it
};

}  // namespace fascia::lattice
