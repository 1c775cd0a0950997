// A surface in cells: the kernel against the plain twin.
#include "skin/cell_carriers.h"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "embed/in_cells.h"
#include "skin/packed_skin.h"
#include "skin/skinned_surface.h"

namespace fascia {
namespace {

enum class Corners { anywhere, of_few_cells };

/// Vertices with random corners among a few points whose lines are random; or every second block of 16 in one cell
/// or in two beside each other.
struct Cells {
    explicit Cells(std::size_t vertices, Corners corners = Corners::anywhere) {
        std::mt19937 random(4);
        std::uniform_real_distribution<float> unit(-1, 1);
        constexpr std::uint32_t count = 60;
        for (std::uint32_t p = 0; p < count; ++p) points.push_back(3 * p + 1);
        for (std::size_t k = 0; k < count * cell_floats; ++k) rows.push_back(0.3f * unit(random));
        for (std::uint32_t p = 0; p < count; ++p)
            for (std::size_t d = 0; d < 9; d += 4) rows[p * cell_floats + d] += 1;
        for (std::size_t v = 0; v < vertices; ++v) {
            positions.push_back({unit(random), unit(random), unit(random)});
            directions.push_back(normalized(Vec3{unit(random), unit(random), unit(random)}));
            for (std::size_t k = 0; k < cell_corners; ++k) {
                const bool few = corners == Corners::of_few_cells && v / 16 % 2 == 1;
                const auto line = few ? std::uint32_t(v / 16 % 40 + (v / 16 % 4 == 1 ? 0 : v % 2) + k)
                                      : std::uint32_t(random() % count);
                bound.points.push_back(points[line]);
                line_of.push_back(line);
                bound.weights.push_back(k == 5 ? 0.0f : 0.14f * (1 + 0.2f * unit(random)));
            }
        }
        packed = pack_cell_carriers(bound.points, bound.weights, points);
        carry = packed.carry();
        carry.rows = rows.data();
    }
    embedding::Trilinear bound;
    std::vector<std::uint32_t> points, line_of;
    Floats rows;
    CellCarriers packed;
    CellCarry carry;
    std::vector<Vec3> positions, directions;
};

float* floats(std::vector<Vec3>& v) {
    return &v[0].x;
}

bool same(Vec3 a, Vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/// Also with a last block that is not full, nothing is written past the last vertex.
TEST(CellCarriers, GiveTheBitsOfThePlainTwin) {
    for (const auto& [vertices, corners] : {std::pair<std::size_t, Corners>{1, Corners::anywhere},
                                            {16, Corners::anywhere},
                                            {1000, Corners::anywhere},
                                            {1000, Corners::of_few_cells},
                                            {505, Corners::of_few_cells}}) {
        Cells cells(vertices, corners);
        const auto sharing = std::count_if(cells.packed.blocks.begin(), cells.packed.blocks.end(),
                                           [](const SharedLines& block) { return block.count > 0; });
        if (corners == Corners::of_few_cells) {
            EXPECT_GE(std::size_t(sharing), vertices / 64) << "nothing else is tried otherwise";
        }
        const std::vector<Vec3> none(vertices);
        std::vector<Vec3> moved(vertices), turned(vertices), expected(vertices);
        for (const int threads : {1, 3}) {
            Workspace work(threads);
            const Floats directions = pack_for_dqs(cells.directions);
            cells.carry.tangents = false;
            place_in_cells(cells.carry, vertices, directions.data(), floats(moved), floats(turned), work);
            embedding::carry_in_cells_reference(cells.bound, cells.line_of, cells.rows, none, expected);
            for (std::size_t v = 0; v < vertices; ++v) ASSERT_TRUE(same(moved[v], expected[v])) << v;
            embedding::turn_normals_reference(cells.bound, cells.line_of, cells.rows, cells.directions, expected);
            for (std::size_t v = 0; v < vertices; ++v) ASSERT_TRUE(same(turned[v], expected[v])) << v;
            cells.carry.tangents = true;
            place_in_cells(cells.carry, vertices, directions.data(), nullptr, floats(turned), work);
            embedding::turn_tangents_reference(cells.bound, cells.line_of, cells.rows, cells.directions, expected);
            for (std::size_t v = 0; v < vertices; ++v) ASSERT_TRUE(same(turned[v], expected[v])) << v;
        }
    }
}

TEST(CellCarriers, WhereCellsAreCrushedToAPointDirectionsStay) {
    constexpr std::size_t vertices = 40;
    Cells cells(vertices);
    for (std::size_t k = 0; k < cells.rows.size(); ++k)
        if (k % cell_floats < 9) cells.rows[k] = 0;
    std::vector<Vec3> turned(vertices);
    Workspace work;
    const Floats directions = pack_for_dqs(cells.directions);
    for (const bool tangents : {false, true}) {
        cells.carry.tangents = tangents;
        place_in_cells(cells.carry, vertices, directions.data(), nullptr, floats(turned), work);
        for (std::size_t v = 0; v < vertices; ++v) EXPECT_TRUE(same(turned[v], cells.directions[v])) << v;
    }
}

/// Skinned first: a joint that carries everything along a way, then the cells, an arm's own move and the origin.
TEST(CellCarriers, CarryWhatIsSkinned) {
    constexpr std::size_t vertices = 333;
    Cells cells(vertices);
    Floats extra(block_count(vertices) * 48, 0);
    std::vector<Vec3> more;
    std::mt19937 random(8);
    std::uniform_real_distribution<float> unit(-1, 1);
    for (std::size_t v = 0; v < vertices; ++v) {
        more.push_back({unit(random), unit(random), unit(random)});
        float* block = &extra[v / 16 * 48 + v % 16];
        block[0] = more[v].x, block[16] = more[v].y, block[32] = more[v].z;
    }
    cells.carry.extra = extra.data();
    cells.carry.origin[1] = 4;
    const std::vector<std::uint16_t> joints(vertices, 0);
    const std::vector<float> ones(vertices, 1);
    std::vector<Vec4> tangents;
    for (const Vec3 d : cells.directions) tangents.push_back({d.x, d.y, d.z, -1});
    SkinSource source;
    source.positions = cells.positions;
    source.normals = cells.directions;
    source.tangents = tangents;
    source.influences = 1;
    source.joints = joints;
    source.weights = ones;
    const std::vector<Affine> rest(1), pose(1, compose({2, 0, 0}, {}, {1, 1, 1}));
    const LbsSurface surface(source, rest);
    std::vector<Vec3> skinned(vertices), moved(vertices), normals(vertices), skinned_normals(vertices),
        expected(vertices);
    std::vector<Vec4> turned(vertices);
    Workspace work;
    surface.skin(pose, {skinned, skinned_normals, {}}, work);
    Carry carry;
    carry.cells = &cells.carry;
    surface.skin(pose, {moved, normals, turned}, work, &carry);
    embedding::carry_in_cells_reference(cells.bound, cells.line_of, cells.rows, skinned, expected);
    for (std::size_t v = 0; v < vertices; ++v) {
        const Vec3 at = expected[v] + more[v];
        EXPECT_TRUE(same(moved[v], {at.x, float(double(at.y) + 4), at.z})) << v;
    }
    embedding::turn_normals_reference(cells.bound, cells.line_of, cells.rows, skinned_normals, expected);
    for (std::size_t v = 0; v < vertices; ++v) EXPECT_TRUE(same(normals[v], expected[v])) << v;
    embedding::turn_tangents_reference(cells.bound, cells.line_of, cells.rows, skinned_normals, expected);
    for (std::size_t v = 0; v < vertices; ++v) {
        EXPECT_LT(length(Vec3{turned[v].x, turned[v].y, turned[v].z} - expected[v]), 1e-6f) << v;
        EXPECT_EQ(turned[v].w, -1);
    }
}

}  // namespace
}  // namespace fascia
