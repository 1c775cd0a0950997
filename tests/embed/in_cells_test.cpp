#include "embed/in_cells.h"

#include <gtest/gtest.h>

namespace fascia::embedding {
namespace {

/// One unit cell, its corners in the order of their bits.
struct Cube {
    std::vector<Vec3d> lower{{0, 0, 0}};
    std::vector<std::uint32_t> corners{0, 1, 2, 3, 4, 5, 6, 7}, homes;
    std::vector<Vec3> vertices{{0.2f, 0.3f, 0.9f}, {0.5f, 0.5f, 0.5f}, {1, 0, 0.25f}};
    Trilinear bound;
    PointSides sides;

    Cube() {
        homes.assign(vertices.size(), 0);
        bound = bind_in_cells({lower, corners, 1, vertices, homes});
        for (std::uint32_t k = 0; k < 8; ++k) {
            sides.points.push_back(k);
            for (const std::uint32_t axis : {1u, 2u, 4u}) sides.ends.insert(sides.ends.end(), {k & ~axis, k | axis});
        }
    }
    static Vec3 corner(std::uint32_t k) { return {k & 1 ? 1.0f : 0.0f, k & 2 ? 1.0f : 0.0f, k & 4 ? 1.0f : 0.0f}; }
    /// The corners under a map, channel by channel.
    template <class Map>
    std::vector<float> moved(Map map) const {
        std::vector<float> out(24);
        for (std::uint32_t k = 0; k < 8; ++k) {
            const Vec3 p = map(corner(k));
            out[k] = p.x, out[8 + k] = p.y, out[16 + k] = p.z;
        }
        return out;
    }
    std::vector<float> lines_of(const std::vector<float>& to) const {
        std::vector<float> out(8 * line_floats);
        lines_of_places(sides, 8, to, 0, 8, out);
        return out;
    }
};

// Stretched, sheared and turned: no rotation comes near it.
constexpr Vec3 column_x{2, 0.5f, 0}, column_y{-0.75f, 1, 0.25f}, column_z{0, -1, 0.5f};

Vec3 mapped(Vec3 v) {
    return column_x * v.x + column_y * v.y + column_z * v.z;
}

TEST(InCells, NormalsStayNormalToASurfaceThatIsStretchedAndSheared) {
    const Cube cube;
    const auto lines = cube.lines_of(cube.moved(mapped));
    const std::vector<Vec3> in{{0, 0, 1}, normalized(Vec3{1, 2, -1}), {-1, 0, 0}};
    std::vector<Vec3> out(3);
    turn_normals_reference(cube.bound, cube.bound.points, lines, in, out);
    for (std::size_t v = 0; v < 3; ++v) {
        // Two directions in the surface, before and after.
        const Vec3 a = normalized(cross(in[v], Vec3{0.3f, 0.9f, 0.2f})), b = cross(in[v], a);
        EXPECT_NEAR(dot(out[v], mapped(a)), 0, 2e-6) << v;
        EXPECT_NEAR(dot(out[v], mapped(b)), 0, 2e-6) << v;
        EXPECT_NEAR(length(out[v]), 1, 1e-6);
        EXPECT_GT(dot(out[v], cross(mapped(a), mapped(b))) * dot(in[v], cross(a, b)), 0) << "it still looks out";
        EXPECT_GT(length(out[v] - normalized(mapped(in[v]))), 0.05f) << "what the map does to a direction is no normal";
    }
}

TEST(InCells, TangentsGoWithTheSurface) {
    const Cube cube;
    const auto lines = cube.lines_of(cube.moved(mapped));
    const std::vector<Vec3> in{{1, 0, 0}, {0, 0.6f, 0.8f}, {0, 0, -1}};
    std::vector<Vec3> out(3);
    turn_tangents_reference(cube.bound, cube.bound.points, lines, in, out);
    for (std::size_t v = 0; v < 3; ++v) EXPECT_LT(length(out[v] - normalized(mapped(in[v]))), 1e-6f) << v;
}

TEST(InCells, VerticesAreWhereTheMapTakesThem) {
    const Cube cube;
    const auto to = cube.moved([](Vec3 p) { return mapped(p) + Vec3{3, 0, p.x * p.y}; });  // trilinear, not affine
    const std::vector<Vec3> nowhere(3);
    std::vector<Vec3> out(3);
    carry_in_cells_reference(cube.bound, cube.bound.points, cube.lines_of(to), nowhere, out);
    for (std::size_t v = 0; v < 3; ++v) {
        const Vec3 p = cube.vertices[v];
        EXPECT_LT(length(out[v] - (mapped(p) + Vec3{3, 0, p.x * p.y})), 2e-6f) << v;
    }
}

}  // namespace
}  // namespace fascia::embedding
