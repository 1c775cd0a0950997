// A surface in cells whose corners turn.
#include "skin/turned_cells.h"

#include <cmath>

#include <gtest/gtest.h>

#include "skin/packed_skin.h"

namespace fascia {
namespace {

/// q and -q are one rotation: what is shown does not depend on which of them each corner has.
TEST(TurnedCells, TheSidesOfQuaternionsDoNotMatter) {
    constexpr std::size_t vertices = 5, stride = 8;
    std::vector<std::uint32_t> points;
    std::vector<float> weights;
    std::vector<Vec3> normals;
    for (std::size_t v = 0; v < vertices; ++v) {
        const float x = 0.15f * float(v), y = 0.9f - x, z = 0.4f;
        for (std::uint32_t k = 0; k < 8; ++k) {
            points.push_back(k);
            weights.push_back((k & 1 ? x : 1 - x) * (k & 2 ? y : 1 - y) * (k & 4 ? z : 1 - z));
        }
        normals.push_back({0, 0.6f, 0.8f});
    }
    const TurnedCells cells = pack_turned_cells(points, weights);
    const Floats packed = pack_for_dqs(normals);
    Workspace work;
    const auto shown = [&](std::uint32_t flipped) {
        Floats places(3 * stride), rotations(4 * stride, 0), lines(cells.cells.size() * 8 * turned_floats);
        for (std::uint32_t k = 0; k < 8; ++k) {
            for (std::size_t axis = 0; axis < 3; ++axis) places[axis * stride + k] = float(k >> axis & 1);
            const float half = 0.05f * float(k), side = flipped >> k & 1 ? -1.0f : 1.0f;
            rotations[k] = side * std::cos(half), rotations[stride + k] = side * std::sin(half);
        }
        lines_of_cells(cells, stride, places, rotations, lines, work);
        std::vector<Vec3> positions(vertices), directions(vertices);
        place_in_turned_cells(cells, lines, {1, 2, 3}, packed.data(), &positions[0].x, &directions[0].x, work);
        EXPECT_NEAR(positions[0].x, 1, 1e-6);
        EXPECT_NEAR(positions[0].y, 2.9, 1e-6);
        EXPECT_NEAR(positions[0].z, 3.4, 1e-6);
        return directions;
    };
    const std::vector<Vec3> same = shown(0);
    // Turned about x by the blend of 0 to 0.7.
    for (const Vec3 n : same) {
        EXPECT_NEAR(length(n), 1, 1e-6);
        EXPECT_LT(n.y, 0.6f);
        EXPECT_GT(n.z, 0.8f);
    }
    for (const std::uint32_t flipped : {0x02u, 0x5au, 0xffu}) {
        const std::vector<Vec3> other = shown(flipped);
        for (std::size_t v = 0; v < vertices; ++v) EXPECT_LT(length(other[v] - same[v]), 1e-6f) << flipped << " " << v;
    }
}

}  // namespace
}  // namespace fascia
