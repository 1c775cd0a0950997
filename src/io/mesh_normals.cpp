#include "io/mesh_normals.h"

#include <cmath>

#include "fascia/measure.h"

namespace fascia::io {

namespace {

bool usable(Vec3 normal) {
    const float l = length(normal);
    return std::isfinite(l) && l > 1e-12f;
}

/// Twice the area times the unit normal of each triangle, summed at the welded vertices; doubles, since areas of small
/// meshes underflow in float.
std::vector<Vec3d> position_normals(const Mesh& mesh, const Weld& weld) {
    std::vector<Vec3d> sum(weld.count);
    for (std::size_t t = 0; t + 2 < mesh.triangles.size(); t += 3) {
        const Vec3d a = to_double(mesh.positions[mesh.triangles[t]]);
        const Vec3d normal = cross(to_double(mesh.positions[mesh.triangles[t + 1]]) - a,
                                   to_double(mesh.positions[mesh.triangles[t + 2]]) - a);
        for (int c = 0; c < 3; ++c) sum[weld.id[mesh.triangles[t + static_cast<std::size_t>(c)]]] += normal;
    }
    return sum;
}

}  // namespace

std::size_t make_missing_normals(Mesh& mesh) {
    mesh.normals.resize(mesh.positions.size());
    std::vector<std::uint32_t> missing;
    for (std::size_t v = 0; v < mesh.normals.size(); ++v) {
        if (usable(mesh.normals[v])) {
            mesh.normals[v] = normalized(mesh.normals[v]);
        } else {
            missing.push_back(static_cast<std::uint32_t>(v));
        }
    }
    if (missing.empty()) return 0;
    const Weld weld = weld_by_position(mesh.positions);
    const std::vector<Vec3d> sum = position_normals(mesh, weld);
    for (std::uint32_t v : missing) mesh.normals[v] = to_float(normalized(sum[weld.id[v]], Vec3d{0, 1, 0}));
    return missing.size();
}

}  // namespace fascia::io
