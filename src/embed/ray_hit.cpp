#include "embed/ray_hit.h"

#include <cmath>

namespace fascia::embedding {

namespace {

/// Solves origin + t direction = a + u (b - a) + v (c - a) by Cramer's rule.
std::optional<double> hit(Vec3d origin, Vec3d direction, Vec3d a, Vec3d b, Vec3d c) {
    const Vec3d ab = b - a, ac = c - a, from = origin - a;
    const Vec3d p = cross(direction, ac);
    const double det = dot(ab, p);
    if (!(std::abs(det) > 0)) return std::nullopt;
    const double u = dot(from, p) / det;
    if (!(u >= 0 && u <= 1)) return std::nullopt;
    const Vec3d q = cross(from, ab);
    const double v = dot(direction, q) / det, t = dot(ac, q) / det;
    if (!(v >= 0 && u + v <= 1 && t >= 0)) return std::nullopt;
    return t;
}

}  // namespace

std::optional<double> first_hit(Vec3d origin, Vec3d direction, std::span<const Vec3> positions,
                                std::span<const std::uint32_t> triangles) {
    std::optional<double> nearest;
    for (std::size_t k = 0; k + 2 < triangles.size(); k += 3) {
        const auto t = hit(origin, direction, to_double(positions[triangles[k]]),
                           to_double(positions[triangles[k + 1]]), to_double(positions[triangles[k + 2]]));
        if (t && (!nearest || *t < *nearest)) nearest = t;
    }
    return nearest;
}

}  // namespace fascia::embedding
