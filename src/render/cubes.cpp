#include "fascia/picture.h"

namespace fascia {

void Cubes::add(Vec3 center, float half_size, Vec4 color) {
    for (int axis = 0; axis < 3; ++axis) {
        for (const float side : {-1.0f, 1.0f}) {
            // The face's normal n and two directions u, v with u x v = n.
            const float n[3] = {axis == 0 ? side : 0, axis == 1 ? side : 0, axis == 2 ? side : 0};
            const Vec3 normal{n[0], n[1], n[2]};
            const Vec3 u{n[1] * n[1], n[2] * n[2], n[0] * n[0]};
            const Vec3 v = cross(normal, u);
            const auto first = static_cast<std::uint32_t>(positions.size());
            for (const Vec2 corner : {Vec2{-1, -1}, Vec2{1, -1}, Vec2{1, 1}, Vec2{-1, 1}}) {
                positions.push_back(center + (normal + u * corner.x + v * corner.y) * half_size);
                normals.push_back(normal);
                colors.push_back(color);
            }
            for (const std::uint32_t k : {0u, 1u, 2u, 0u, 2u, 3u}) triangles.push_back(first + k);
        }
    }
}

Shot Cubes::shot() const {
    Shot shot;
    shot.positions = positions;
    shot.normals = normals;
    shot.triangles = triangles;
    shot.colors = colors;
    return shot;
}

}  // namespace fascia
