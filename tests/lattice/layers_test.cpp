#include "lattice/layers.h"

#include <cmath>

#include <gtest/gtest.h>

#include "lattice/meshes.h"

namespace fascia::lattice {
namespace {

using test::box;
using test::TestMesh;

/// A bar of cells 2..2+n-1 on each axis with one part.
struct Bar {
    Grid grid;
    TestMesh mesh;
    std::vector<std::uint16_t> part;
    Relations related{2, {{0, 1}}};
    Tissue tissue;

    Bar(int nx, int ny, int nz) {
        grid.h = 0.5;
        grid.nx = nx + 4;
        grid.ny = ny + 4;
        grid.nz = nz + 4;
        mesh = box({1.2f, 1.2f, 1.2f}, {0.5f * float(nx) + 0.8f, 0.5f * float(ny) + 0.8f, 0.5f * float(nz) + 0.8f});
        part.assign(mesh.triangles.size() / 3, 0);
        const SurfaceCells surface = conservative_cells(mesh.positions, mesh.triangles, grid);
        const SolidCells solid = solid_cells(mesh.positions, mesh.triangles, grid, surface, false);
        tissue = connect(mesh.positions, mesh.triangles, grid, surface, solid, {mesh.triangles, part, related});
    }
    Vec3d at(double x, double y, double z) const { return {(x + 2) * grid.h, (y + 2) * grid.h, (z + 2) * grid.h}; }
};

/// Without a queue: relaxes distances until nothing changes.
std::vector<int> relaxed_steps(const Tissue& tissue, const std::vector<bool>& source) {
    std::vector<int> steps(tissue.size(), 1 << 20);
    for (std::size_t i = 0; i < steps.size(); ++i)
        if (source[i]) steps[i] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (std::uint32_t i = 0; i < tissue.size(); ++i)
            for (int d = 0; d < 6; ++d)
                for (const std::uint32_t j : tissue.through(i, d))
                    if (steps[j] + 1 < steps[i]) steps[i] = steps[j] + 1, changed = true;
    }
    return steps;
}

LayerPlan plan(double width, double muscle) {
    LayerPlan p;
    p.shares = {0, 0};
    p.parts = {{width, muscle}, {width, muscle}};
    return p;
}

TEST(Layers, FollowTheirDefinitionOnABar) {
    const Bar bar(13, 9, 9);
    ASSERT_EQ(bar.tissue.size(), std::size_t(13 * 9 * 9));
    const std::vector<Bone> bones{{bar.at(0.5, 4.5, 4.5), bar.at(6.4, 4.5, 4.5), 0},
                                  {bar.at(6.6, 4.5, 4.5), bar.at(12.5, 4.5, 4.5), 1}};
    LayerPlan p = plan(0.5, 0.5);
    p.parts[1].bone_width = 1.0;
    const Layers layers = find_layers(bar.grid, bar.tissue, bones, p);

    std::vector<bool> core(bar.tissue.size()), bone(bar.tissue.size()), outer(bar.tissue.size());
    for (std::size_t i = 0; i < core.size(); ++i) {
        const Cell c = bar.tissue.cells[i];
        core[i] = c.y == 6 && c.z == 6;
        outer[i] = c.x == 2 || c.x == 14 || c.y == 2 || c.y == 10 || c.z == 2 || c.z == 10;
    }
    const std::vector<int> to_core = relaxed_steps(bar.tissue, core);
    for (std::size_t i = 0; i < core.size(); ++i) {
        EXPECT_EQ(layers.core[i], core[i]);
        const int part = bar.tissue.cells[i].x <= 8 ? 0 : 1;  // cell 8 is shared by both bones: the lower one wins
        EXPECT_EQ(layers.part[i], part);
        bone[i] = core[i] || (!outer[i] && to_core[i] <= (part == 0 ? 1 : 2));
    }
    const std::vector<int> a = relaxed_steps(bar.tissue, bone), s = relaxed_steps(bar.tissue, outer);
    for (std::size_t i = 0; i < core.size(); ++i) {
        EXPECT_EQ(layers.to_bone[i], a[i]);
        EXPECT_EQ(layers.to_skin[i], s[i]);
        const int expected = bone[i] ? 0 : outer[i] ? 3 : double(a[i]) / (a[i] + s[i]) <= 0.5 ? 1 : 2;
        EXPECT_EQ(layers.layer[i], expected);
    }
}

TEST(Layers, RaisingTheMuscleShareNeverTurnsMuscleIntoFat) {
    const Bar bar(15, 11, 11);
    const std::vector<Bone> bones{{bar.at(0.5, 5.5, 5.5), bar.at(14.5, 5.5, 5.5), 0}};
    std::vector<std::uint8_t> last(bar.tissue.size(), 0);
    std::size_t muscle_before = 0;
    for (const double share : {0.0, 0.3, 0.6, 1.0}) {
        const Layers layers = find_layers(bar.grid, bar.tissue, bones, plan(0.5, share));
        std::size_t muscle = 0;
        for (std::size_t i = 0; i < last.size(); ++i) {
            if (last[i] == 1) {
                EXPECT_EQ(layers.layer[i], 1);
            }
            muscle += layers.layer[i] == 1;
        }
        EXPECT_GE(muscle, muscle_before);
        muscle_before = muscle;
        last = layers.layer;
    }
    EXPECT_GT(muscle_before, 0u);
}

TEST(Layers, AnyNumberOfLayersSharesTheThickness) {
    const Bar bar(9, 25, 9);
    const std::vector<Bone> bones{{bar.at(0.5, 12.5, 4.5), bar.at(8.5, 12.5, 4.5), 0}};
    LayerPlan p = plan(0.0, 0.25);
    p.flesh_layers = 4;
    p.shares = {0, 1, 2, 1};
    const Layers layers = find_layers(bar.grid, bar.tissue, bones, p);
    // Outwards from the bone the layer number never decreases.
    for (std::uint32_t i = 0; i < bar.tissue.size(); ++i) {
        const Cell c = bar.tissue.cells[i];
        if (c.y < 14 || c.y >= 26) continue;
        const std::int32_t up = bar.tissue.neighbours[i * 27 + block_place(0, 1, 0)];
        if (c.x == 6 && c.z == 6) {
            EXPECT_LE(layers.layer[i], layers.layer[up]);
        }
    }
    std::vector<std::size_t> count(6, 0);
    for (const auto l : layers.layer) ++count[l];
    for (const auto c : count) EXPECT_GT(c, 0u);
}

TEST(Layers, APieceWithoutBoneBecomesBone) {
    Bar bar(5, 5, 5);
    bar.grid.nx += 10;
    bar.mesh.add(box({5.2f, 1.2f, 1.2f}, {6.3f, 2.3f, 2.3f}));
    bar.part.resize(bar.mesh.triangles.size() / 3, 0);
    const SurfaceCells surface = conservative_cells(bar.mesh.positions, bar.mesh.triangles, bar.grid);
    const SolidCells solid = solid_cells(bar.mesh.positions, bar.mesh.triangles, bar.grid, surface, false);
    bar.tissue = connect(bar.mesh.positions, bar.mesh.triangles, bar.grid, surface, solid,
                         {bar.mesh.triangles, bar.part, bar.related});
    const std::vector<Bone> bones{{bar.at(0.5, 2.5, 2.5), bar.at(4.5, 2.5, 2.5), 0}};
    const Layers layers = find_layers(bar.grid, bar.tissue, bones, plan(0.5, 0.5));
    EXPECT_EQ(layers.boneless.size(), 27u);
    for (const std::uint32_t i : layers.boneless) {
        EXPECT_EQ(layers.layer[i], bone_layer);
        EXPECT_GE(bar.tissue.cells[i].x, 10);
    }
}

TEST(Layers, ABoneOutsideTakesTheNearestNode) {
    const Bar bar(5, 5, 5);
    const std::vector<Bone> bones{{bar.at(-9, 2.5, 2.5), bar.at(-5, 2.5, 2.5), 0}};
    const auto cores = find_cores(bar.grid, bar.tissue, bones);
    ASSERT_EQ(cores[0].size(), 1u);
    EXPECT_TRUE((bar.tissue.cells[cores[0][0]] == Cell{2, 4, 4}));
}

TEST(InscribedRadius, OfABarIsHalfItsThickness) {
    const Bar bar(31, 9, 9);
    const std::vector<float> radius = inscribed_radius(bar.grid, bar.tissue);
    for (std::uint32_t i = 0; i < bar.tissue.size(); ++i) {
        const Cell c = bar.tissue.cells[i];
        if (c.y == 6 && c.z == 6 && c.x > 8 && c.x < 27) {
            EXPECT_FLOAT_EQ(radius[i], float(4.5 * bar.grid.h));
        }
        EXPECT_LE(radius[i], 4.5 * bar.grid.h + 1e-6);
    }
}

TEST(Smooth, KeepsConstantsAndSpreadsAPeak) {
    const Bar bar(11, 11, 11);
    std::vector<float> values(bar.tissue.size(), 3.0f);
    smooth(bar.grid, bar.tissue, 1.0, values);
    for (const float v : values) EXPECT_NEAR(v, 3, 1e-5);
    std::fill(values.begin(), values.end(), 0.0f);
    values[values.size() / 2] = 1;
    smooth(bar.grid, bar.tissue, 1.0, values);
    EXPECT_LT(values[values.size() / 2], 0.1f);
    EXPECT_GT(values[values.size() / 2], 0.0f);
}

}  // namespace
}  // namespace fascia::lattice
