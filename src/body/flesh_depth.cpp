#include "body/flesh_depth.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace fascia {

namespace {

constexpr double deepest_share = 0.1;  ///< of the surface
constexpr std::size_t enough = 5000;   ///< triangles: a finer surface is sampled evenly

double squared_distance(Vec3d p, const lattice::Bone& bone) {
    const Vec3d along = bone.b - bone.a, from = p - bone.a;
    const double l2 = dot(along, along), t = l2 > 0 ? std::clamp(dot(from, along) / l2, 0.0, 1.0) : 0.0;
    const Vec3d off = from - along * t;
    return dot(off, off);
}

}  // namespace

double deep_flesh(const Character& character, std::span<const lattice::Bone> bones) {
    const Mesh& mesh = character.mesh;
    std::vector<std::pair<double, double>> depths;  // squared distance at the middle of each triangle, its area
    double total = 0;
    const std::size_t stride = 3 * std::max<std::size_t>(1, mesh.triangle_count() / enough);
    for (std::size_t t = 0; t + 2 < mesh.triangles.size(); t += stride) {
        const Vec3d a = to_double(mesh.positions[mesh.triangles[t]]),
                    b = to_double(mesh.positions[mesh.triangles[t + 1]]);
        const Vec3d c = to_double(mesh.positions[mesh.triangles[t + 2]]);
        const double area = length(cross(b - a, c - a)) / 2;
        double nearest = 1e300;
        for (const lattice::Bone& bone : bones)
            nearest = std::min(nearest, squared_distance((a + b + c) * (1.0 / 3), bone));
        depths.emplace_back(nearest, area);
        total += area;
    }
    std::sort(depths.begin(), depths.end());
    double left = deepest_share * total;
    for (std::size_t k = depths.size(); k-- > 0;)
        if ((left -= depths[k].second) <= 0) return std::sqrt(depths[k].first) / character.size();
    return 0;
}

}  // namespace fascia
