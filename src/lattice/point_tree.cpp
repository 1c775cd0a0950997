#include "lattice/point_tree.h"

namespace fascia::lattice {

PointTree::PointTree(const std::vector<Vec3d>& points) {
    points_.reserve(points.size());
    for (std::size_t k = 0; k < points.size(); ++k) points_.push_back({points[k], std::uint32_t(k)});
    build(0, points_.size(), 0);
}

void PointTree::build(std::size_t first, std::size_t last, int axis) {
    if (last - first <= leaf_size) return;
    const std::size_t half = first + (last - first) / 2;
    const auto begin = points_.begin();
    std::nth_element(begin + std::ptrdiff_t(first), begin + std::ptrdiff_t(half), begin + std::ptrdiff_t(last),
                     [axis](const Point& a, const Point& b) { return along(a.place, axis) < along(b.place, axis); });
    build(first, half, (axis + 1) % 3);
    build(half + 1, last, (axis + 1) % 3);
}

double PointTree::nearest(Vec3d p, double bound, std::size_t first, std::size_t last, int axis) const {
    if (last - first <= leaf_size) {
        for (std::size_t k = first; k < last; ++k) bound = std::min(bound, distance(p, points_[k].place));
        return bound;
    }
    const std::size_t half = first + (last - first) / 2;
    const double off = along(p, axis) - along(points_[half].place, axis);
    const int next = (axis + 1) % 3;
    bound = std::min(bound, distance(p, points_[half].place));
    bound = off < 0 ? nearest(p, bound, first, half, next) : nearest(p, bound, half + 1, last, next);
    if (to_plane(off) >= bound) return bound;
    return off < 0 ? nearest(p, bound, half + 1, last, next) : nearest(p, bound, first, half, next);
}

}  // namespace fascia::lattice
