#include "io/mesh_append.h"

#include <algorithm>
#include <utility>

namespace fascia::io {

namespace {

/// Normals are transformed by the inverse transpose; a singular map leaves them unchanged.
Vec3 transform_normal(const Affine& inverted, Vec3 normal) {
    const Vec3d n = to_double(normal);
    const auto& m = inverted.m;
    const Vec3d out{m[0][0] * n.x + m[1][0] * n.y + m[2][0] * n.z, m[0][1] * n.x + m[1][1] * n.y + m[2][1] * n.z,
                    m[0][2] * n.x + m[1][2] * n.y + m[2][2] * n.z};
    return to_float(normalized(out, n));
}

Vec4 transform_tangent(const Affine& map, Vec4 tangent, bool mirrored) {
    const Vec3d t{tangent.x, tangent.y, tangent.z};
    const Vec3 out = to_float(normalized(transform_vector(map, t), t));
    return {out.x, out.y, out.z, mirrored ? -tangent.w : tangent.w};
}

template <class T>
void append_optional(const std::vector<T>& piece, std::size_t vertices_before, std::size_t vertices_added, T neutral,
                     std::vector<T>& out) {
    if (piece.empty() && out.empty()) return;
    out.resize(vertices_before, neutral);
    out.insert(out.end(), piece.begin(), piece.end());
    out.resize(vertices_before + vertices_added, neutral);
}

}  // namespace

void transform_mesh(const Affine& map, Mesh& mesh) {
    const Affine inverted = inverse(map);
    const bool mirrored = determinant(map) < 0;
    for (Vec3& p : mesh.positions) p = to_float(transform_point(map, to_double(p)));
    for (Vec3& n : mesh.normals) n = transform_normal(inverted, n);
    for (Vec4& t : mesh.tangents) t = transform_tangent(map, t, mirrored);
    if (!mirrored) return;
    for (std::size_t i = 0; i + 2 < mesh.triangles.size(); i += 3)
        std::swap(mesh.triangles[i + 1], mesh.triangles[i + 2]);
}

void append_part(const Mesh& piece, Part part, Mesh& out) {
    const std::size_t before = out.positions.size(), added = piece.positions.size();
    part.first_vertex = static_cast<int>(before);
    part.vertex_count = static_cast<int>(added);
    part.first_triangle = static_cast<int>(out.triangle_count());
    part.triangle_count = static_cast<int>(piece.triangle_count());

    append_optional(piece.tangents, before, added, Vec4{1, 0, 0, 1}, out.tangents);
    append_optional(piece.uvs, before, added, Vec2{}, out.uvs);
    append_optional(piece.colors, before, added, Vec4{1, 1, 1, 1}, out.colors);
    append_optional(piece.mask_colors, before, added, Vec4{1, 1, 1, 1}, out.mask_colors);
    out.positions.insert(out.positions.end(), piece.positions.begin(), piece.positions.end());
    out.normals.insert(out.normals.end(), piece.normals.begin(), piece.normals.end());
    for (std::uint32_t index : piece.triangles) out.triangles.push_back(index + static_cast<std::uint32_t>(before));
    out.parts.push_back(std::move(part));
}

}  // namespace fascia::io
