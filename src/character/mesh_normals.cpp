#include "character/mesh_normals.h"

#include <cmath>

#include "fascia/measure.h"

namespace fascia {

namespace {

bool usable(Vec3 normal) {
    const float l = length(normal);
    return std::isfinite(l) && l > 1e-12f;
}

/// Twice the area times the unit normal; in doubles, since areas of small meshes underflow in float.
Vec3d triangle_normal(const Mesh& mesh, std::size_t first_corner) {
    const Vec3d a = to_double(mesh.positions[mesh.triangles[first_corner]]);
    return cross(to_double(mesh.positions[mesh.triangles[first_corner + 1]]) - a,
                 to_double(mesh.positions[mesh.triangles[first_corner + 2]]) - a);
}

/// Normals of the triangles, weighted by area and summed at the welded vertices.
std::vector<Vec3d> position_normals(const Mesh& mesh, const Weld& weld) {
    std::vector<Vec3d> sum(weld.count);
    for (std::size_t t = 0; t + 2 < mesh.triangles.size(); t += 3) {
        const Vec3d normal = triangle_normal(mesh, t);
        for (int c = 0; c < 3; ++c) sum[weld.id[mesh.triangles[t + static_cast<std::size_t>(c)]]] += normal;
    }
    return sum;
}

/// Shares of the area whose normals at the corners point to the front of the face, and to its back.
struct Agreement {
    double front = 0, back = 0;
};

Agreement agreement_of(const Mesh& mesh, const std::vector<Vec3>& normals) {
    Agreement sum;
    double all = 0;
    for (std::size_t t = 0; t + 2 < mesh.triangles.size(); t += 3) {
        const Vec3d face = triangle_normal(mesh, t);
        Vec3d corners;
        for (std::size_t c = 0; c < 3; ++c) corners += to_double(normals[mesh.triangles[t + c]]);
        const double area = length(face), side = dot(face, corners);
        all += area;
        if (side > 0) sum.front += area;
        if (side < 0) sum.back += area;
    }
    return all > 0 ? Agreement{sum.front / all, sum.back / all} : Agreement{};
}

std::vector<Vec3> normals_of_faces(const Mesh& mesh) {
    const Weld weld = weld_by_position(mesh.positions);
    const std::vector<Vec3d> sum = position_normals(mesh, weld);
    std::vector<Vec3> out(mesh.positions.size());
    for (std::size_t v = 0; v < out.size(); ++v) out[v] = to_float(normalized(sum[weld.id[v]], Vec3d{0, 1, 0}));
    return out;
}

}  // namespace

bool replace_contrary_normals(Mesh& mesh) {
    constexpr double most = 1.0 / 3;
    if (agreement_of(mesh, mesh.normals).back <= most) return false;
    const std::vector<Vec3> anew = normals_of_faces(mesh);
    if (agreement_of(mesh, anew).front < 1 - most) return false;
    // Seen from the other side a texture is mirrored.
    for (std::size_t v = 0; v < mesh.tangents.size(); ++v)
        if (dot(anew[v], mesh.normals[v]) < 0) mesh.tangents[v].w = -mesh.tangents[v].w;
    mesh.normals = anew;
    return true;
}

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

}  // namespace fascia
