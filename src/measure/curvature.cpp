#include <algorithm>
#include <cmath>

#include "fascia/measure.h"
#include "measure/half_edges.h"

namespace fascia {

namespace {

Vec3d area_normal(std::span<const Vec3> p, const std::uint32_t* t) {
    const Vec3d a = to_double(p[t[0]]);
    return cross(to_double(p[t[1]]) - a, to_double(p[t[2]]) - a);
}

double angle_between(Vec3d a, Vec3d b) {
    return std::atan2(length(cross(a, b)), dot(a, b));  // exact near 0 and pi, where acos is not
}

}  // namespace

/// [Kavan 2003, fig. 9]
double joint_curvature(std::span<const Vec3> positions, std::span<const std::uint32_t> triangles, const Weld& weld,
                       std::span<const std::uint32_t> connected) {
    std::vector<bool> is_connected(triangles.size() / 3, false);
    for (const std::uint32_t t : connected) is_connected[t] = true;
    const auto normal = [&](const HalfEdge& e) { return area_normal(positions, &triangles[3 * e.triangle()]); };
    const std::vector<HalfEdge> edges = sorted_half_edges(triangles, weld);
    double worst = 0;
    for_each_edge(edges, [&](std::span<const HalfEdge> uses) {
        for (std::size_t i = 0; i < uses.size(); ++i)
            for (std::size_t k = i + 1; k < uses.size(); ++k) {
                if (!is_connected[uses[i].triangle()] && !is_connected[uses[k].triangle()]) continue;
                const Vec3d a = normal(uses[i]), b = normal(uses[k]);
                if (dot(a, a) > 0 && dot(b, b) > 0) worst = std::max(worst, angle_between(a, b));
            }
    });
    return worst;
}

}  // namespace fascia
