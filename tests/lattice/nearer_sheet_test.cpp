#include "lattice/nearer_sheet.h"

#include <vector>

#include <gtest/gtest.h>

namespace fascia::lattice {
namespace {

/// Two walls that lie on one another: the plane x = 0 seen from the left, and from the right. Each has a triangle in
/// the lower cell and one in the upper cell.
struct Walls {
    std::vector<Vec3> positions;
    std::vector<std::uint32_t> triangles;
    Tissue tissue;

    Walls() {
        for (const float y : {0.0f, 1.2f})
            for (const bool left : {true, false}) {
                const auto first = std::uint32_t(positions.size());
                const float x = left ? -0.01f : 0.01f;
                positions.insert(positions.end(), {{x, y, 0}, {x, y + 0.6f, 0}, {x, y, 0.6f}});
                const std::uint32_t second = left ? first + 2 : first + 1;
                triangles.insert(triangles.end(), {first, second, first + 1 + first + 2 - second});
            }
        // One node below, of the whole end of the slit; two above.
        tissue.cells = {{0, 0, 0}, {0, 1, 0}, {0, 1, 0}};
        tissue.on_surface = {1, 1, 1};
        tissue.triangle_first = {0, 2, 3, 4};
        tissue.triangles = {0, 1, 2, 3};
    }
};

TEST(NearerSheet, IsTheOneThatFacesAsTheVertexDoes) {
    const Walls walls;
    const std::vector<std::uint32_t> homes(walls.positions.size(), 0);
    const NearerSheet nearer(walls.positions, walls.triangles, walls.tissue, homes, 1);
    const std::uint32_t on_left = 1, on_right = 4;
    EXPECT_FALSE(nearer(on_left, 1, 2));
    EXPECT_TRUE(nearer(on_left, 2, 1));
    EXPECT_TRUE(nearer(on_right, 1, 2));
    EXPECT_FALSE(nearer(on_right, 2, 1));
    EXPECT_FALSE(nearer(on_right, 2, 2)) << "of equals the first";
}

TEST(NearerSheet, IsTheOneWithATriangleOfTheVertex) {
    Walls walls;
    walls.triangles[9] = 1;  // the right wall above begins at a vertex of the left wall below
    const std::vector<std::uint32_t> homes(walls.positions.size(), 0);
    const NearerSheet nearer(walls.positions, walls.triangles, walls.tissue, homes, 1);
    EXPECT_TRUE(nearer(1, 1, 2));
}

TEST(NearerSheet, ALargeTriangleIsNearThoughItsMiddleIsNot) {
    Walls walls;
    const auto add = [&](float x, float size) {  // parallel to the left wall
        const auto first = std::uint32_t(walls.positions.size());
        walls.positions.insert(walls.positions.end(), {{x, 0.6f, 0}, {x, 0.6f, size}, {x, 0.6f + size, 0}});
        walls.triangles.insert(walls.triangles.end(), {first, first + 1, first + 2});
    };
    add(-0.6f, 0.1f), add(-0.1f, 9), add(-0.3f, 0.1f);
    walls.tissue.triangle_first = {0, 2, 4, 5};
    walls.tissue.triangles = {0, 1, 4, 5, 6};
    const std::vector<std::uint32_t> homes(walls.positions.size(), 0);
    const NearerSheet nearer(walls.positions, walls.triangles, walls.tissue, homes, 1);
    EXPECT_TRUE(nearer(1, 2, 1));
    EXPECT_FALSE(nearer(1, 1, 2));
}

}  // namespace
}  // namespace fascia::lattice
