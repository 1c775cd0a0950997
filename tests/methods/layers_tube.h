// The tube of docs/formulas.md 0.7 as a character: radius 1, length 8 along x, a joint in the middle, weights that
// cross over from x = -b to x = b.
#pragma once

#include <algorithm>
#include <cmath>

#include "fascia/character.h"

namespace fascia::test {

inline Character make_tube(double b = 1, int rings = 97, int around = 48) {
    Character tube;
    tube.name = "test tube";
    for (int j = 0; j < 2; ++j) {
        Node node;
        node.name = j == 0 ? "lower" : "upper";
        node.parent = j - 1;
        node.translation = {j == 0 ? -4.0 : 4.0, 0, 0};
        tube.nodes.push_back(node);
        Joint joint;
        joint.name = node.name;
        joint.node = j;
        joint.parent = j - 1;
        joint.rest = compose({j == 0 ? -4.0 : 0.0, 0, 0}, {}, {1, 1, 1});
        joint.tail = {j == 0 ? 0.0 : 4.0, 0, 0};
        tube.joints.push_back(joint);
    }
    Mesh& mesh = tube.mesh;
    const auto add = [&](double x, double y, double z, Vec3 normal) {
        mesh.positions.push_back(to_float({x, y, z}));
        mesh.normals.push_back(normal);
        const float w = float(std::clamp((x + b) / (2 * b), 0.0, 1.0));
        tube.weights.joints.insert(tube.weights.joints.end(), {0, 1, 0, 0});
        tube.weights.weights.insert(tube.weights.weights.end(), {1 - w, w, 0, 0});
    };
    for (int r = 0; r < rings; ++r)
        for (int k = 0; k < around; ++k) {
            const double a = 2 * 3.14159265358979 * k / around, c = std::cos(a), s = std::sin(a);
            add(-4 + 8.0 * r / (rings - 1), c, s, to_float({0, c, s}));
        }
    const auto first_cap = std::uint32_t(mesh.positions.size());
    add(-4, 0, 0, {-1, 0, 0});
    add(4, 0, 0, {1, 0, 0});
    const auto at = [&](int r, int k) { return std::uint32_t(r * around + k % around); };
    for (int r = 0; r + 1 < rings; ++r)
        for (int k = 0; k < around; ++k)
            for (const std::uint32_t v :
                 {at(r, k), at(r + 1, k + 1), at(r + 1, k), at(r, k), at(r, k + 1), at(r + 1, k + 1)})
                mesh.triangles.push_back(v);
    for (int k = 0; k < around; ++k) {
        for (const std::uint32_t v : {first_cap, at(0, k + 1), at(0, k)}) mesh.triangles.push_back(v);
        for (const std::uint32_t v : {first_cap + 1, at(rings - 1, k), at(rings - 1, k + 1)})
            mesh.triangles.push_back(v);
    }
    tube.weights.influences = 4;
    Part part;
    part.name = "tube";
    part.skin = 0;
    part.vertex_count = int(mesh.positions.size());
    part.triangle_count = int(mesh.triangles.size() / 3);
    mesh.parts.push_back(part);
    return tube;
}

/// Joint matrices with the upper half turned about the middle.
inline std::vector<Affine> turned_tube(Vec3d axis, double angle) {
    return {compose({-4, 0, 0}, {}, {1, 1, 1}), compose({0, 0, 0}, quat_from_axis_angle(axis, angle), {1, 1, 1})};
}

}  // namespace fascia::test
