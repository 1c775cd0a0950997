#include "fascia/measure.h"

namespace fascia {

namespace {

/// Calls body(a, b, c) with the corners of every triangle of a closed component.
template <class Body>
void for_closed_triangles(std::span<const Vec3> positions, std::span<const std::uint32_t> triangles,
                          const Components& components, Body&& body) {
    for (std::size_t t = 0; t < components.of_triangle.size(); ++t) {
        if (!components.closed[components.of_triangle[t]]) continue;
        body(to_double(positions[triangles[3 * t]]), to_double(positions[triangles[3 * t + 1]]),
             to_double(positions[triangles[3 * t + 2]]));
    }
}

}  // namespace

std::optional<double> closed_volume(std::span<const Vec3> positions, std::span<const std::uint32_t> triangles,
                                    const Components& components) {
    // About the centroid: far from the origin the terms would be huge and cancel.
    Vec3d centroid;
    std::size_t count = 0;
    for_closed_triangles(positions, triangles, components, [&](Vec3d a, Vec3d b, Vec3d c) {
        centroid += a + b + c;
        count += 3;
    });
    if (count == 0) return std::nullopt;
    centroid = centroid * (1.0 / static_cast<double>(count));
    double six_volumes = 0;
    for_closed_triangles(positions, triangles, components, [&](Vec3d a, Vec3d b, Vec3d c) {
        six_volumes += dot(a - centroid, cross(b - centroid, c - centroid));
    });
    return six_volumes / 6;
}

}  // namespace fascia
