#include "shells.h"

#include <cmath>

#include "trig.h"

namespace fascia::test {

using characters::Color;

namespace {

void add_vertex(Character& character, Vec3d position, Vec3d normal, int joint, Color color) {
    Mesh& mesh = character.mesh;
    mesh.positions.push_back(to_float(position));
    mesh.normals.push_back(to_float(normalized(normal, {0, 1, 0})));
    mesh.colors.push_back({float(color.r), float(color.g), float(color.b), 1});
    for (int s = 0; s < character.weights.influences; ++s) {
        character.weights.joints.push_back(s == 0 ? std::uint16_t(joint) : std::uint16_t{0});
        character.weights.weights.push_back(s == 0 ? 1.0f : 0.0f);
    }
}

void add_quad(Mesh& mesh, std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    for (const std::uint32_t v : {a, b, c, a, c, d}) mesh.triangles.push_back(v);
}

}  // namespace

void add_plate(Character& character, const Plate& plate, int joint, Color color) {
    const int n = plate.cuts;
    for (int axis = 0; axis < 3; ++axis)
        for (const int side : {-1, 1}) {
            const auto first = std::uint32_t(character.mesh.vertex_count());
            const auto place = [&](int i, int j) {
                double at[3];
                at[axis] = side;
                at[(axis + 1) % 3] = 2.0 * i / n - 1;
                at[(axis + 2) % 3] = side * (2.0 * j / n - 1);  // outward on both sides
                return Vec3d{at[0] * plate.half.x, at[1] * plate.half.y, at[2] * plate.half.z};
            };
            const Vec3d normal{axis == 0 ? 1.0 * side : 0, axis == 1 ? 1.0 * side : 0, axis == 2 ? 1.0 * side : 0};
            for (int i = 0; i <= n; ++i)
                for (int j = 0; j <= n; ++j)
                    add_vertex(character, plate.centre + rotate(plate.turn, place(i, j)), rotate(plate.turn, normal),
                               joint, color);
            const auto at = [&](int i, int j) { return first + std::uint32_t(i * (n + 1) + j); };
            for (int i = 0; i < n; ++i)
                for (int j = 0; j < n; ++j)
                    add_quad(character.mesh, at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
        }
}

void add_ball(Character& character, const Ball& ball, int joint, Color color, Color pupil) {
    constexpr int rings = 12, segments = 20;
    const auto first = std::uint32_t(character.mesh.vertex_count());
    // Poles along z, so that the pupil is round.
    for (int i = 0; i <= rings; ++i)
        for (int k = 0; k < (i == 0 || i == rings ? 1 : segments); ++k) {
            const double s = characters::wave(0.5 * i / rings), c = characters::cowave(0.5 * i / rings);
            const double turn = double(k) / segments;
            const Vec3d n{s * characters::cowave(turn), s * characters::wave(turn), c};
            add_vertex(character, ball.centre + n * ball.radius, n, joint, i <= 2 ? pupil : color);
        }
    const auto at = [&](int i, int k) {
        if (i == 0) return first;
        if (i == rings) return first + 1 + std::uint32_t((rings - 1) * segments);
        return first + 1 + std::uint32_t((i - 1) * segments + k % segments);
    };
    for (int i = 0; i < rings; ++i)
        for (int k = 0; k < segments; ++k) {
            auto& t = character.mesh.triangles;
            if (i > 0) t.insert(t.end(), {at(i, k), at(i + 1, k), at(i, k + 1)});
            if (i + 1 < rings) t.insert(t.end(), {at(i, k + 1), at(i + 1, k), at(i + 1, k + 1)});
        }
}

}  // namespace fascia::test
