// The reference tube of docs/formulas.md 0.7: radius 1, length 8, axis x, two joints, the second one at the origin.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "fascia/character.h"

namespace fascia::test {

struct TubeShape {
    int rings = 160, sides = 64;
    double half_width = 1;  ///< b: weight of the second bone = clamp((x + b) / 2b, 0, 1)
};

/// Closed by a fan at each end; outward orientation. One vertex per position.
inline Mesh tube_mesh(const TubeShape& shape) {
    Mesh mesh;
    for (int i = 0; i <= shape.rings; ++i) {
        for (int k = 0; k < shape.sides; ++k) {
            const double a = 2 * std::numbers::pi * k / shape.sides;
            const Vec3 n{0, static_cast<float>(std::cos(a)), static_cast<float>(std::sin(a))};
            mesh.positions.push_back({static_cast<float>(-4 + 8.0 * i / shape.rings), n.y, n.z});
            mesh.normals.push_back(n);
            mesh.tangents.push_back({1, 0, 0, k % 2 == 0 ? 1.0f : -1.0f});
        }
    }
    const auto at = [&](int ring, int side) {
        return static_cast<std::uint32_t>(ring * shape.sides + side % shape.sides);
    };
    for (int i = 0; i < shape.rings; ++i)
        for (int k = 0; k < shape.sides; ++k)
            for (const std::uint32_t v :
                 {at(i, k), at(i + 1, k), at(i, k + 1), at(i, k + 1), at(i + 1, k), at(i + 1, k + 1)})
                mesh.triangles.push_back(v);
    for (const int end : {0, shape.rings}) {
        const auto cap = static_cast<std::uint32_t>(mesh.positions.size());
        const float side = end == 0 ? -1.0f : 1.0f;
        mesh.positions.push_back({4 * side, 0, 0});
        mesh.normals.push_back({side, 0, 0});
        mesh.tangents.push_back({0, 1, 0, 1});
        for (int k = 0; k < shape.sides; ++k) {
            const std::uint32_t a = at(end, k), b = at(end, k + 1);
            for (const std::uint32_t v : {cap, end == 0 ? a : b, end == 0 ? b : a}) mesh.triangles.push_back(v);
        }
    }
    // The winding above runs inwards: flip every triangle.
    for (std::size_t t = 0; t < mesh.triangles.size(); t += 3) std::swap(mesh.triangles[t + 1], mesh.triangles[t + 2]);
    return mesh;
}

inline Character tube_character(const TubeShape& shape) {
    Character c;
    c.name = "tube";
    c.nodes.resize(2);
    c.nodes[1].parent = 0;
    c.joints.resize(2);
    c.joints[0].name = "lower";
    c.joints[0].rest.m[0][3] = -4;
    c.joints[1].name = "upper";
    c.joints[1].node = 1;
    c.joints[1].parent = 0;
    c.mesh = tube_mesh(shape);
    c.weights.influences = 4;
    for (const Vec3 p : c.mesh.positions) {
        const auto w = static_cast<float>(std::clamp((p.x + shape.half_width) / (2 * shape.half_width), 0.0, 1.0));
        const bool upper = w > 0.5f;
        for (const int joint : {upper ? 1 : 0, upper ? 0 : 1, 0, 0})
            c.weights.joints.push_back(static_cast<std::uint16_t>(joint));
        for (const float weight : {upper ? w : 1 - w, upper ? 1 - w : w, 0.0f, 0.0f})
            c.weights.weights.push_back(weight);
    }
    return c;
}

}  // namespace fascia::test
