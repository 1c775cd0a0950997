// Small closed meshes for the tests of this folder.
#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "fascia/math.h"

namespace fascia::test {

struct TestMesh {
    std::vector<Vec3> positions;
    std::vector<std::uint32_t> triangles;

    void add(const TestMesh& other) {
        const auto base = static_cast<std::uint32_t>(positions.size());
        positions.insert(positions.end(), other.positions.begin(), other.positions.end());
        for (const std::uint32_t t : other.triangles) triangles.push_back(base + t);
    }
};

/// A box with outward triangles.
inline TestMesh box(Vec3 low, Vec3 high) {
    TestMesh mesh;
    for (int k = 0; k < 8; ++k)
        mesh.positions.push_back({k & 1 ? high.x : low.x, k & 2 ? high.y : low.y, k & 4 ? high.z : low.z});
    mesh.triangles = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                      2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    return mesh;
}

/// An octahedron subdivided `levels` times and pushed onto the sphere.
inline TestMesh sphere(int levels, float radius = 1) {
    TestMesh mesh;
    mesh.positions = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    mesh.triangles = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
    for (int level = 0; level < levels; ++level) {
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middle;
        const auto between = [&](std::uint32_t a, std::uint32_t b) {
            const auto key = std::minmax(a, b);
            const auto [it, fresh] = middle.try_emplace({key.first, key.second}, std::uint32_t(mesh.positions.size()));
            if (fresh) mesh.positions.push_back(normalized(mesh.positions[a] + mesh.positions[b]));
            return it->second;
        };
        std::vector<std::uint32_t> next;
        for (std::size_t t = 0; t < mesh.triangles.size(); t += 3) {
            const std::uint32_t a = mesh.triangles[t], b = mesh.triangles[t + 1], c = mesh.triangles[t + 2];
            const std::uint32_t ab = between(a, b), bc = between(b, c), ca = between(c, a);
            for (const std::uint32_t v : {a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca}) next.push_back(v);
        }
        mesh.triangles = next;
    }
    for (Vec3& p : mesh.positions) p *= radius;
    return mesh;
}

}  // namespace fascia::test
