#include "lattice/nearer_sheet.h"

#include <algorithm>

#include "lattice/nearest.h"

namespace fascia::lattice {

bool NearerSheet::has(std::uint32_t t, std::uint32_t vertex) const {
    const auto corners = triangles_.subspan(3 * std::size_t(t), 3);
    return std::find(corners.begin(), corners.end(), vertex) != corners.end();
}

/// Walls that face the other way count as farther than any in these cells.
double NearerSheet::distance2(std::uint32_t vertex, Vec3d facing, std::uint32_t node) const {
    const Vec3d p = to_double(positions_[vertex]);
    double least = 1e300;
    for (const std::uint32_t t : tissue_.triangles_of(node)) {
        if (has(t, vertex)) return 0;
        const Vec3d off = nearest_on_triangle(p, corner(t, 0), corner(t, 1), corner(t, 2)) - p;
        const double away = dot(area(t), facing) > 0 ? 0 : 16 * h_ * h_;
        least = std::min(least, dot(off, off) + away);
    }
    return least;
}

bool NearerSheet::operator()(std::uint32_t vertex, std::uint32_t a, std::uint32_t b) const {
    Vec3d facing;
    for (const std::uint32_t t : tissue_.triangles_of(homes_[vertex]))
        if (has(t, vertex)) facing += area(t);
    return distance2(vertex, facing, b) < distance2(vertex, facing, a);
}

}  // namespace fascia::lattice
