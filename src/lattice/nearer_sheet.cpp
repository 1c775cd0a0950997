#include "lattice/nearer_sheet.h"

#include <algorithm>
#include <cmath>

#include "lattice/nearest.h"

namespace fascia::lattice {

NearerSheet::NearerSheet(std::span<const Vec3> positions, std::span<const std::uint32_t> triangles,
                         const Tissue& tissue, std::span<const std::uint32_t> homes, double h)
    : positions_(positions), triangles_(triangles), tissue_(tissue), homes_(homes), h_(h) {
    spheres_.resize(triangles.size() / 3);
    for (std::uint32_t t = 0; t < spheres_.size(); ++t) {
        Sphere& sphere = spheres_[t];
        sphere.centre = (corner(t, 0) + corner(t, 1) + corner(t, 2)) * (1.0 / 3);
        for (int k = 0; k < 3; ++k) sphere.radius = std::max(sphere.radius, length(corner(t, k) - sphere.centre));
    }
}

bool NearerSheet::has(std::uint32_t t, std::uint32_t vertex) const {
    const auto corners = triangles_.subspan(3 * std::size_t(t), 3);
    return std::find(corners.begin(), corners.end(), vertex) != corners.end();
}

/// Walls that face the other way count as farther than any in these cells. Most triangles are too far away to be
/// measured: a cell of a fine mesh has hundreds.
double NearerSheet::distance2(std::uint32_t vertex, Vec3d facing, std::uint32_t node) const {
    const Vec3d p = to_double(positions_[vertex]);
    double least = 1e300, reach = 1e150;
    for (const std::uint32_t t : tissue_.triangles_of(node)) {
        if (has(t, vertex)) return 0;
        const double beyond = (spheres_[t].radius + reach) * (1 + 1e-9);
        const Vec3d to_centre = spheres_[t].centre - p;
        if (dot(to_centre, to_centre) > beyond * beyond) continue;
        const double away = dot(area(t), facing) > 0 ? 0 : 16 * h_ * h_;
        if (away >= least) continue;
        const Vec3d off = nearest_on_triangle(p, corner(t, 0), corner(t, 1), corner(t, 2)) - p;
        least = std::min(least, dot(off, off) + away);
        reach = std::sqrt(least);
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
