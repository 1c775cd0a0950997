#include "lattice/voxelise.h"

#include <algorithm>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "lattice/meshes.h"
#include "lattice/winding.h"

namespace fascia::lattice {
namespace {

using test::box;
using test::sphere;
using test::TestMesh;

Grid grid_of(const TestMesh& mesh, int resolution) {
    Vec3d low{1e9, 1e9, 1e9}, high{-1e9, -1e9, -1e9};
    for (const Vec3 p : mesh.positions) {
        low = {std::min(low.x, double(p.x)), std::min(low.y, double(p.y)), std::min(low.z, double(p.z))};
        high = {std::max(high.x, double(p.x)), std::max(high.y, double(p.y)), std::max(high.z, double(p.z))};
    }
    return make_grid(low, high, resolution);
}

/// Without separating axes: clips the triangle by the six half spaces of the cell and checks whether anything is left.
/// `slack` widens the cell.
bool clip_leaves_something(const Vec3d (&corner)[3], Vec3d center, double half) {
    std::vector<Vec3d> polygon(corner, corner + 3);
    const auto axis = [](Vec3d v, int k) { return k == 0 ? v.x : k == 1 ? v.y : v.z; };
    for (int k = 0; k < 6; ++k) {
        const double sign = k % 2 ? 1 : -1;
        const auto inside = [&](Vec3d p) { return half - sign * (axis(p, k / 2) - axis(center, k / 2)); };
        std::vector<Vec3d> next;
        for (std::size_t i = 0; i < polygon.size(); ++i) {
            const Vec3d a = polygon[i], b = polygon[(i + 1) % polygon.size()];
            const double da = inside(a), db = inside(b);
            if (da >= 0) next.push_back(a);
            if ((da > 0 && db < 0) || (da < 0 && db > 0)) next.push_back(a + (b - a) * (da / (da - db)));
        }
        polygon = next;
    }
    return !polygon.empty();
}

TEST(Grid, LongestSideGetsTheResolution) {
    const Grid grid = make_grid({-1, 0, 0}, {3, 2, 1}, 32);
    EXPECT_EQ(grid.nx, 32 + 4);
    EXPECT_NEAR(grid.h, 4.0 / 32, 1e-6);
    EXPECT_EQ(grid.ny, 16 + 4);
    EXPECT_EQ(grid.nz, 8 + 4);
    const Vec3d middle = grid.origin + Vec3d{grid.nx * grid.h, grid.ny * grid.h, grid.nz * grid.h} * 0.5;
    EXPECT_NEAR(middle.x, 1, 1e-12);
    EXPECT_NEAR(middle.y, 1, 1e-12);
    EXPECT_NEAR(middle.z, 0.5, 1e-12);
}

TEST(Grid, ABoxWithoutExtentIsOneCell) {
    const Grid grid = make_grid({1, 2, 3}, {1, 2, 3}, 32);
    EXPECT_EQ(grid.nx, 5);
    EXPECT_GT(grid.h, 0);
}

TEST(ConservativeCells, AgreeWithClippingOnRandomTriangles) {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> at(-1, 1);
    for (int round = 0; round < 200; ++round) {
        TestMesh mesh;
        for (int k = 0; k < 3; ++k) mesh.positions.push_back({at(random), at(random), at(random)});
        if (round % 5 == 1) mesh.positions[2] = mesh.positions[1];                               // a segment
        if (round % 5 == 2) mesh.positions[1] = mesh.positions[2] = mesh.positions[0];           // a point
        if (round % 5 == 3) mesh.positions[2] = (mesh.positions[0] + mesh.positions[1]) * 0.5f;  // a sliver
        mesh.triangles = {0, 1, 2};
        const Grid grid = make_grid({-1, -1, -1}, {1, 1, 1}, 7);
        const SurfaceCells cells = conservative_cells(mesh.positions, mesh.triangles, grid);
        const std::set<std::uint32_t> found(cells.cells.begin(), cells.cells.end());
        const Vec3d corner[3] = {to_double(mesh.positions[0]), to_double(mesh.positions[1]),
                                 to_double(mesh.positions[2])};
        for (std::size_t k = 0; k < grid.cell_count(); ++k) {
            const Vec3d c = grid.center(grid.cell(k));
            if (clip_leaves_something(corner, c, 0.5 * grid.h * (1 - 1e-6))) {
                EXPECT_TRUE(found.count(std::uint32_t(k))) << "round " << round;
            }
            if (!clip_leaves_something(corner, c, 0.5 * grid.h * (1 + 1e-6))) {
                EXPECT_FALSE(found.count(std::uint32_t(k))) << "round " << round;
            }
        }
    }
}

TEST(ConservativeCells, TouchingCountsOnBothSides) {
    // A triangle in the plane between two layers of cells touches both.
    Grid grid;
    grid.h = 1;
    grid.nx = grid.ny = grid.nz = 6;
    const std::vector<Vec3> positions{{2.2f, 2.2f, 3}, {2.8f, 2.2f, 3}, {2.2f, 2.8f, 3}};
    const std::vector<std::uint32_t> triangles{0, 1, 2};
    const SurfaceCells cells = conservative_cells(positions, triangles, grid);
    ASSERT_EQ(cells.cells.size(), 2u);
    EXPECT_EQ(cells.cells[0], grid.index({2, 2, 2}));
    EXPECT_EQ(cells.cells[1], grid.index({2, 2, 3}));
}

TEST(SolidCells, SphereFillsAsTheClosedFormSays) {
    // Occupied over true volume is 1 + 2.25 h / r (docs/formulas.md A1): 1.283, 1.141, 1.070.
    const TestMesh mesh = sphere(6);
    for (const auto& [resolution, expected] : {std::pair{16, 1.283}, {32, 1.141}, {64, 1.070}}) {
        const Grid grid = grid_of(mesh, resolution);
        const SurfaceCells surface = conservative_cells(mesh.positions, mesh.triangles, grid);
        const SolidCells solid = solid_cells(mesh.positions, mesh.triangles, grid, surface, false);
        const auto occupied =
            std::count_if(solid.kinds.begin(), solid.kinds.end(), [](CellKind k) { return k != CellKind::outside; });
        EXPECT_NEAR(double(occupied) * grid.h * grid.h * grid.h / (4.18879), expected, 0.02) << resolution;
    }
}

TEST(SolidCells, NoPathFromOutsideToAnInnerCell) {
    TestMesh mesh = sphere(4);
    mesh.add(box({-0.2f, -1.4f, -0.2f}, {0.3f, 1.3f, 0.1f}));
    for (const int resolution : {4, 9, 33}) {
        const Grid grid = grid_of(mesh, resolution);
        const SurfaceCells surface = conservative_cells(mesh.positions, mesh.triangles, grid);
        const SolidCells solid = solid_cells(mesh.positions, mesh.triangles, grid, surface, false);
        for (std::size_t k = 0; k < solid.kinds.size(); ++k) {
            if (solid.kinds[k] != CellKind::inside) continue;
            const Cell c = grid.cell(k);
            for (const Cell d : face_directions)
                EXPECT_NE(solid.kinds[grid.index({c.x + d.x, c.y + d.y, c.z + d.z})], CellKind::outside);
        }
        for (const Vec3 p : mesh.positions)
            EXPECT_EQ(solid.kinds[grid.index(grid.cell_at(to_double(p)))], CellKind::surface);
    }
}

TEST(SolidCells, AHoleDoesNotEmptyTheBody) {
    TestMesh mesh = sphere(5);
    const Grid grid = grid_of(mesh, 32);
    const auto fill = [&](bool open) {
        const SurfaceCells surface = conservative_cells(mesh.positions, mesh.triangles, grid);
        return solid_cells(mesh.positions, mesh.triangles, grid, surface, open);
    };
    const auto inside = [](const SolidCells& s) {
        return std::count(s.kinds.begin(), s.kinds.end(), CellKind::inside);
    };
    const auto whole = inside(fill(false));
    // Cut a hole of several cells at the north pole.
    std::vector<std::uint32_t> kept;
    for (std::size_t t = 0; t < mesh.triangles.size(); t += 3)
        if (mesh.positions[mesh.triangles[t]].y < 0.93f)
            kept.insert(kept.end(), mesh.triangles.begin() + std::ptrdiff_t(t),
                        mesh.triangles.begin() + std::ptrdiff_t(t) + 3);
    mesh.triangles = kept;
    EXPECT_EQ(inside(fill(false)), 0) << "the flood was expected to come in";
    const SolidCells repaired = fill(true);
    EXPECT_GT(inside(repaired), 0.97 * double(whole));
    EXPECT_LT(inside(repaired), 1.02 * double(whole));
    EXPECT_GT(repaired.leaked_cells, 1000u);
}

TEST(SolidCells, AirThatTheFloodCannotReachIsEmptied) {
    // Two walls that face each other across air: the flood cannot reach it, but the winding number is right.
    TestMesh mesh = box({0, 0, 0}, {10, 10, 10}), cave = box({3, 3, 3}, {7, 7, 7});
    const std::size_t outer = mesh.triangles.size();
    for (std::size_t t = 0; t < cave.triangles.size(); t += 3) std::swap(cave.triangles[t], cave.triangles[t + 1]);
    mesh.add(cave);
    const Grid grid = grid_of(mesh, 20);
    const SurfaceCells surface = conservative_cells(mesh.positions, mesh.triangles, grid);
    const SolidCells flooded = solid_cells(mesh.positions, mesh.triangles, grid, surface, false);
    const std::size_t middle = grid.index(grid.cell_at({5, 5, 5})), wall = grid.index(grid.cell_at({1.4, 5, 5}));
    ASSERT_EQ(flooded.kinds[middle], CellKind::inside);

    SolidCells emptied = flooded;
    EXPECT_GT(empty_pockets(WindingField(mesh.positions, mesh.triangles), grid, emptied), 100u);
    EXPECT_EQ(emptied.kinds[middle], CellKind::outside);
    EXPECT_EQ(emptied.kinds[wall], CellKind::inside);

    // Without the inner wall, what it encloses is body.
    mesh.triangles.resize(outer);
    SolidCells filled = flooded;
    EXPECT_EQ(empty_pockets(WindingField(mesh.positions, mesh.triangles), grid, filled), 0u);
    EXPECT_EQ(filled.kinds, flooded.kinds);
}

TEST(Winding, MatchesTheSumOfSolidAngles) {
    TestMesh mesh = sphere(4);
    mesh.triangles.resize(mesh.triangles.size() / 2 / 3 * 3);  // an open half
    const WindingField field(mesh.positions, mesh.triangles);
    std::mt19937 random(3);
    std::uniform_real_distribution<double> at(-1.5, 1.5);
    for (int round = 0; round < 300; ++round) {
        const Vec3d p{at(random), at(random), at(random)};
        double sum = 0;
        for (std::size_t t = 0; t < mesh.triangles.size(); t += 3)
            sum += solid_angle(to_double(mesh.positions[mesh.triangles[t]]),
                               to_double(mesh.positions[mesh.triangles[t + 1]]),
                               to_double(mesh.positions[mesh.triangles[t + 2]]), p);
        EXPECT_NEAR(field.at(p), sum / (4 * 3.14159265358979), 0.02);
    }
}

TEST(Winding, SolidAngleOfAnOctant) {
    EXPECT_NEAR(solid_angle({1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}), 3.14159265358979 / 2, 1e-12);
    EXPECT_NEAR(solid_angle({0, 1, 0}, {1, 0, 0}, {0, 0, 1}, {0, 0, 0}), -3.14159265358979 / 2, 1e-12);
}

}  // namespace
}  // namespace fascia::lattice
