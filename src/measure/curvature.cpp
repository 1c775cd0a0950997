#include <algorithm>
#include <cmath>

#include "fascia/measure.h"
#include "measure/index_table.h"

namespace fascia {

namespace {

Vec3d area_normal(std::span<const Vec3> p, const std::uint32_t* t) {
    const Vec3d a = to_double(p[t[0]]);
    return cross(to_double(p[t[1]]) - a, to_double(p[t[2]]) - a);
}

double angle_between(Vec3d a, Vec3d b) {
    return std::atan2(length(cross(a, b)), dot(a, b));  // exact near 0 and pi, where acos is not
}

/// Calls body(edge) for the three welded edges of a triangle, with the two ends of each.
template <class Body>
void for_edges(std::span<const std::uint32_t> triangles, const Weld& weld, std::size_t t, Body&& body) {
    for (std::size_t k = 0; k < 3; ++k) body(weld.id[triangles[3 * t + k]], weld.id[triangles[3 * t + (k + 1) % 3]]);
}

}  // namespace

double joint_curvature(std::span<const Vec3> positions, std::span<const std::uint32_t> triangles, const Weld& weld,
                       std::span<const std::uint32_t> connected) {
    // Only the edges of connected triangles are kept; every triangle is then held against those it shares one with.
    EdgeTable edges(3 * connected.size());
    std::vector<std::vector<std::uint32_t>> owners;
    for (const std::uint32_t t : connected)
        for_edges(triangles, weld, t, [&](std::uint32_t a, std::uint32_t b) {
            const std::uint32_t e = edges.find_or_add(a, b);
            if (e == owners.size()) owners.emplace_back();
            owners[e].push_back(t);
        });
    double worst = 0;
    for (std::uint32_t t = 0; t < triangles.size() / 3; ++t) {
        const Vec3d normal = area_normal(positions, &triangles[3 * t]);
        if (!(dot(normal, normal) > 0)) continue;
        for_edges(triangles, weld, t, [&](std::uint32_t a, std::uint32_t b) {
            const std::uint32_t e = edges.find(a, b);
            if (e == IndexTable::none) return;
            for (const std::uint32_t owner : owners[e]) {
                if (owner == t) continue;
                const Vec3d other = area_normal(positions, &triangles[3 * owner]);
                if (dot(other, other) > 0) worst = std::max(worst, angle_between(normal, other));
            }
        });
    }
    return worst;
}

}  // namespace fascia
