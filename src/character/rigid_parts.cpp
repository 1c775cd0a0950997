#include "fascia/pose.h"

namespace fascia {

namespace {

Vec3d row(const Affine& a, int r) {
    return {a.m[r][0], a.m[r][1], a.m[r][2]};
}

/// Normals are transformed by the cofactors: the inverse transpose up to a factor, and valid even if a part is scaled
/// flat.
struct NormalMap {
    explicit NormalMap(const Affine& a)
        : x(cross(row(a, 1), row(a, 2))),
          y(cross(row(a, 2), row(a, 0))),
          z(cross(row(a, 0), row(a, 1))),
          sign(determinant(a) < 0 ? -1 : 1) {}
    Vec3 operator()(Vec3 n) const {
        const Vec3d v = to_double(n);
        return to_float(normalized(Vec3d{dot(x, v), dot(y, v), dot(z, v)} * sign));
    }
    Vec3d x, y, z;
    double sign;
};

}  // namespace

void place_rigid_parts(const Mesh& rigid, const Pose& pose, std::span<Vec3> positions, std::span<Vec3> normals) {
    for (const Part& part : rigid.parts) {
        const Affine& placed = pose.nodes[static_cast<std::size_t>(part.node)];
        const NormalMap normal_map(placed);
        const auto first = static_cast<std::size_t>(part.first_vertex);
        for (std::size_t i = first; i < first + static_cast<std::size_t>(part.vertex_count); ++i) {
            positions[i] = to_float(transform_point(placed, to_double(rigid.positions[i])));
            normals[i] = normal_map(rigid.normals[i]);
        }
    }
}

}  // namespace fascia
