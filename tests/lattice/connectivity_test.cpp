#include "lattice/connectivity.h"

#include <set>

#include <gtest/gtest.h>

#include "lattice/locate.h"
#include "lattice/meshes.h"
#include "lattice/regions.h"

namespace fascia::lattice {
namespace {

using test::box;
using test::TestMesh;

struct Scene {
    TestMesh mesh;
    std::vector<std::uint16_t> part;
    Relations related;
    std::vector<std::int32_t> shell;
    std::size_t parts = 0;
    Grid grid;
    Tissue tissue;

    void add(const TestMesh& piece, std::uint16_t p) {
        mesh.add(piece);
        part.resize(mesh.triangles.size() / 3, p);
        parts = std::max<std::size_t>(parts, p + 1u);
    }
    void connect(std::initializer_list<std::pair<int, int>> pairs) {
        related = Relations(parts, {pairs.begin(), pairs.end()});
        const SurfaceCells surface = conservative_cells(mesh.positions, mesh.triangles, grid);
        const SolidCells solid = solid_cells(mesh.positions, mesh.triangles, grid, surface, false);
        // The boxes share no corners: each has its own vertices.
        tissue = lattice::connect(mesh.positions, mesh.triangles, grid, surface, solid,
                                  {mesh.triangles, part, related, shell});
    }
    std::set<std::uint32_t> reachable(std::uint32_t from) const {
        std::set<std::uint32_t> seen{from};
        std::vector<std::uint32_t> queue{from};
        while (!queue.empty()) {
            const std::uint32_t n = queue.back();
            queue.pop_back();
            for (int d = 0; d < 6; ++d)
                for (const std::uint32_t m : tissue.through(n, d))
                    if (seen.insert(m).second) queue.push_back(m);
        }
        return seen;
    }
};

Scene unit_cells(int n) {
    Scene scene;
    scene.grid.h = 1;
    scene.grid.nx = scene.grid.ny = scene.grid.nz = n;
    return scene;
}

/// Two fingers along z, `gap` apart in x, of cells 3..3 and beyond.
Scene fingers(float gap) {
    Scene scene = unit_cells(16);
    scene.add(box({3.1f, 3.1f, 3.1f}, {4.9f, 4.9f, 9.9f}), 0);
    scene.add(box({4.9f + gap, 3.1f, 3.1f}, {6.7f + gap, 4.9f, 9.9f}), 1);
    return scene;
}

TEST(Connectivity, AFilledBoxLinksAllNeighbours) {
    Scene scene = unit_cells(10);
    scene.add(box({2.5f, 2.5f, 2.5f}, {6.5f, 6.5f, 6.5f}), 0);
    scene.connect({});
    ASSERT_EQ(scene.tissue.size(), 125u);
    std::size_t links = 0, neighbours = 0;
    for (std::uint32_t n = 0; n < 125; ++n)
        for (int k = 0; k < 27; ++k) neighbours += scene.tissue.neighbours[n * 27 + k] >= 0;
    links = scene.tissue.links.size();
    EXPECT_EQ(links, 2u * 3 * 4 * 25);                 // in both directions through each inner face
    EXPECT_EQ(neighbours, std::size_t(13 * 13 * 13));  // 3 * 5 - 2 pairs along each axis
    for (std::uint32_t n = 0; n < 125; ++n)
        for (int dz = -1; dz <= 1; ++dz)
            for (int dy = -1; dy <= 1; ++dy)
                for (int dx = -1; dx <= 1; ++dx) {
                    const std::int32_t m = scene.tissue.neighbours[n * 27 + block_place(dx, dy, dz)];
                    if (m < 0) continue;
                    const Cell a = scene.tissue.cells[n], b = scene.tissue.cells[m];
                    EXPECT_EQ(b.x - a.x, dx);
                    EXPECT_EQ(b.y - a.y, dy);
                    EXPECT_EQ(b.z - a.z, dz);
                }
}

TEST(Connectivity, FingersOneEmptyCellApartAreApart) {
    Scene scene = fingers(1.2f);
    scene.connect({});
    EXPECT_TRUE(scene.tissue.meetings.empty());
    EXPECT_EQ(scene.reachable(0).size(), scene.tissue.size() / 2);
    // Wide regions do not reach across the gap either.
    const Regions regions = find_regions(scene.tissue, 7);
    const std::set<std::uint32_t> first = scene.reachable(0);
    for (std::uint32_t r = 0; r < scene.tissue.size(); ++r)
        for (std::uint32_t k = regions.member_first[r]; k < regions.member_first[r + 1]; ++k)
            EXPECT_EQ(first.count(r), first.count(regions.members[k]));
}

TEST(Connectivity, FingersInNeighbouringCellsDoNotWeld) {
    Scene scene = fingers(0.2f);  // one ends at 4.9, the other begins at 5.1: no common cell, common faces
    scene.connect({});
    EXPECT_EQ(scene.reachable(0).size(), scene.tissue.size() / 2);
    for (std::uint32_t n = 0; n < scene.tissue.size(); ++n)
        for (int k = 0; k < 27; ++k) {
            const std::int32_t m = scene.tissue.neighbours[n * 27 + k];
            if (m >= 0) {
                EXPECT_EQ(scene.reachable(0).count(n), scene.reachable(0).count(std::uint32_t(m)));
            }
        }
}

TEST(Connectivity, FingersInOneCellBecomeTwoSheets) {
    Scene scene = unit_cells(16);
    scene.add(box({3.1f, 3.1f, 3.1f}, {4.4f, 4.9f, 9.9f}), 0);
    scene.add(box({4.6f, 3.1f, 3.1f}, {6.2f, 4.9f, 9.9f}), 1);
    scene.connect({});
    // Cells x = 3, 4 of the one and 4, 5, 6 of the other, 2 x 7 of each.
    EXPECT_EQ(scene.tissue.size(), std::size_t(5 * 2 * 7));
    EXPECT_EQ(scene.reachable(0).size(), std::size_t(2 * 2 * 7));
    ASSERT_EQ(scene.tissue.meetings.size(), 1u);
    EXPECT_EQ(scene.tissue.meetings[0].cells, std::size_t(2 * 7));
    EXPECT_NEAR(scene.tissue.meetings[0].gap, 0.2, 1e-5);

    // Every vertex finds the sheet of its own finger.
    const auto homes = locate_vertices(scene.grid, scene.tissue, scene.mesh.positions, scene.mesh.triangles);
    const std::set<std::uint32_t> first = scene.reachable(0);
    for (std::size_t v = 0; v < homes.size(); ++v) EXPECT_EQ(first.count(homes[v]), v < 8 ? 1u : 0u);
}

/// A limb folded at rest: two neighbours in the skeleton that face each other, `gap` apart, on one piece of surface.
Scene folded(float gap, std::int32_t first, std::int32_t second) {
    Scene scene = fingers(gap);
    scene.shell.assign(12, first);
    scene.shell.resize(24, second);
    scene.connect({{0, 1}});
    return scene;
}

TEST(Connectivity, AFoldedLimbDoesNotWeld) {
    // 4.9 to 5.1: in neighbouring cells. 4.9 to 4.95: in the same cell.
    for (const float gap : {0.2f, 0.05f}) {
        const Scene fold = folded(gap, 1, 1);
        EXPECT_EQ(fold.reachable(0).size(), std::size_t(2 * 2 * 7)) << gap;
        EXPECT_LT(fold.reachable(0).size(), fold.tissue.size()) << gap;
        EXPECT_TRUE(fold.tissue.meetings.empty()) << "neighbours may touch";
        // If they face inwards, body lies between them; two separate pieces of surface are skin and cloth.
        const Scene inside = folded(gap, -1, -1), cloth = folded(gap, 1, 2), unknown = folded(gap, 0, 0);
        EXPECT_EQ(inside.reachable(0).size(), inside.tissue.size()) << gap;
        EXPECT_EQ(cloth.reachable(0).size(), cloth.tissue.size()) << gap;
        EXPECT_EQ(unknown.reachable(0).size(), unknown.tissue.size()) << gap;
    }
}

TEST(Connectivity, AFoldOfOnePartDoesNotWeldEither) {
    // 4.9 to 4.95: in one cell. Both follow part 0.
    Scene scene = fingers(0.05f);
    scene.part.assign(24, 0);
    scene.shell.assign(24, 1);
    scene.connect({});
    EXPECT_EQ(scene.reachable(0).size(), std::size_t(2 * 2 * 7));
    EXPECT_LT(scene.reachable(0).size(), scene.tissue.size());
    ASSERT_EQ(scene.tissue.folds.size(), 1u);
    EXPECT_EQ(scene.tissue.folds[0].cells, std::size_t(2 * 7));
    EXPECT_NEAR(scene.tissue.folds[0].gap, 0.05, 1e-5);
}

TEST(Connectivity, ACreaseIsNoFold) {
    // Two fingers on a common base: next to it they are connected, further out they are not.
    Scene scene = fingers(0.2f);
    scene.add(box({3.1f, 3.1f, 2.1f}, {6.9f, 4.9f, 3.3f}), 0);
    scene.shell.assign(36, 1);
    scene.connect({{0, 1}});
    const auto across = [&](int z) {
        for (std::uint32_t n = 0; n < scene.tissue.size(); ++n)
            if (scene.tissue.cells[n] == Cell{4, 3, z}) return scene.tissue.through(n, 1).size();
        return std::size_t(99);
    };
    EXPECT_EQ(across(4), 1u);
    EXPECT_EQ(across(6), 0u);
    EXPECT_EQ(across(8), 0u);
}

TEST(Connectivity, BothSidesOfAThinPartStayTogether) {
    Scene scene = unit_cells(16);
    scene.add(box({3.1f, 3.1f, 3.1f}, {3.9f, 8.9f, 8.9f}), 0);
    for (std::size_t t = 8; t < 10; ++t) scene.part[t] = 1;  // the side of low x follows the neighbour
    scene.parts = 2;
    scene.shell.assign(12, 1);
    scene.connect({{0, 1}});
    EXPECT_EQ(scene.tissue.size(), std::size_t(6 * 6));
    EXPECT_EQ(scene.reachable(0).size(), scene.tissue.size());
}

TEST(Connectivity, RelatedPartsShareTheirCells) {
    Scene scene = unit_cells(16);
    scene.add(box({3.1f, 3.1f, 3.1f}, {4.4f, 4.9f, 9.9f}), 0);
    scene.add(box({4.6f, 3.1f, 3.1f}, {6.2f, 4.9f, 9.9f}), 1);
    scene.connect({{0, 1}});
    EXPECT_EQ(scene.tissue.size(), std::size_t(4 * 2 * 7));
    EXPECT_EQ(scene.reachable(0).size(), scene.tissue.size());
    EXPECT_TRUE(scene.tissue.meetings.empty());
}

TEST(Connectivity, AnInnerCellBelongsToTheNearerSheet) {
    // A thick body whose side shares cells with a thin unrelated part: its inner cells link to its own sheet.
    Scene scene = unit_cells(16);
    scene.add(box({2.5f, 2.5f, 2.5f}, {7.3f, 7.5f, 7.5f}), 0);
    scene.add(box({7.5f, 4.2f, 4.2f}, {7.8f, 5.8f, 5.8f}), 1);
    scene.connect({});
    const auto body = scene.reachable(0);
    std::size_t strangers = 0;
    for (std::uint32_t n = 0; n < scene.tissue.size(); ++n) {
        if (!scene.tissue.on_surface[n]) {
            EXPECT_TRUE(body.count(n));
            continue;
        }
        const bool stranger = scene.part[scene.tissue.triangles_of(n)[0]] == 1;
        strangers += stranger;
        EXPECT_EQ(body.count(n), stranger ? 0u : 1u);
    }
    EXPECT_EQ(strangers, 4u);
}

TEST(Connectivity, NeighboursAreMutual) {
    Scene scene = unit_cells(20);
    scene.add(box({3.1f, 3.1f, 3.1f}, {9.4f, 9.4f, 5.2f}), 0);
    scene.add(box({3.3f, 3.3f, 5.0f}, {5.4f, 8.4f, 12.2f}), 1);
    scene.add(box({5.6f, 3.3f, 5.0f}, {8.4f, 8.4f, 12.2f}), 2);
    scene.connect({{0, 1}, {0, 2}});
    for (std::uint32_t n = 0; n < scene.tissue.size(); ++n)
        for (int k = 0; k < 27; ++k) {
            const std::int32_t m = scene.tissue.neighbours[n * 27 + k];
            if (m >= 0) {
                EXPECT_EQ(scene.tissue.neighbours[std::size_t(m) * 27 + (26 - k)], std::int32_t(n));
            }
        }
}

// ---- regions ---------------------------------------------------------------------------------------------------
TEST(Regions, OfABoxAreTheWholeNeighbourhood) {
    Scene scene = unit_cells(12);
    scene.add(box({2.5f, 2.5f, 2.5f}, {8.5f, 7.5f, 6.5f}), 0);
    scene.connect({});
    for (const int width : {2, 3, 4, 5, 9}) {
        const Regions regions = find_regions(scene.tissue, width);
        const int below = (width - 1) / 2;
        for (std::uint32_t r = 0; r < scene.tissue.size(); ++r) {
            std::vector<std::uint32_t> expected;
            const Cell c = scene.tissue.cells[r];
            for (std::uint32_t n = 0; n < scene.tissue.size(); ++n) {
                const Cell at = scene.tissue.cells[n];
                const auto in = [&](int d) { return d >= -below && d <= width - 1 - below; };
                if (in(at.x - c.x) && in(at.y - c.y) && in(at.z - c.z)) expected.push_back(n);
            }
            const std::vector<std::uint32_t> found(regions.members.begin() + regions.member_first[r],
                                                   regions.members.begin() + regions.member_first[r + 1]);
            ASSERT_EQ(found, expected) << "width " << width;
        }
        // The transpose holds the same pairs.
        std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
        for (std::uint32_t r = 0; r < scene.tissue.size(); ++r)
            for (std::uint32_t k = regions.member_first[r]; k < regions.member_first[r + 1]; ++k)
                pairs.insert({regions.members[k], r});
        for (std::uint32_t n = 0; n < scene.tissue.size(); ++n)
            for (std::uint32_t k = regions.owner_first[n]; k < regions.owner_first[n + 1]; ++k)
                EXPECT_EQ(pairs.erase({n, regions.owners[k]}), 1u);
        EXPECT_TRUE(pairs.empty());
    }
}

TEST(Regions, SpacedOnesAreFewAndHoldEveryNode) {
    Scene scene = unit_cells(24);
    scene.add(box({2.5f, 2.5f, 2.5f}, {21.5f, 18.5f, 14.5f}), 0);
    scene.connect({});
    for (const int width : {4, 5, 9, 12}) {
        const int spacing = region_spacing(width);
        const Regions dense = find_regions(scene.tissue, width), regions = find_regions(scene.tissue, width, spacing);
        std::size_t anchors = 0;
        for (std::uint32_t n = 0; n < scene.tissue.size(); ++n) {
            EXPECT_GE(regions.owner_first[n + 1] - regions.owner_first[n], 1u);
            if (regions.member_first[n] == regions.member_first[n + 1]) continue;
            ++anchors;
            // A region is the same whether or not its neighbours have one.
            ASSERT_EQ(regions.member_first[n + 1] - regions.member_first[n],
                      dense.member_first[n + 1] - dense.member_first[n]);
            EXPECT_TRUE(std::equal(regions.members.begin() + regions.member_first[n],
                                   regions.members.begin() + regions.member_first[n + 1],
                                   dense.members.begin() + dense.member_first[n]));
        }
        EXPECT_LE(double(anchors), 2.5 * double(scene.tissue.size()) / (spacing * spacing * spacing)) << width;
        // A node lies in about (width / spacing)^3 of them; at the border, anchors move one cell closer together.
        double held = 0;
        for (std::uint32_t n = 0; n < scene.tissue.size(); ++n)
            held = std::max(held, double(regions.owner_first[n + 1] - regions.owner_first[n]));
        EXPECT_LE(held, std::pow(std::ceil(double(width) / spacing) + 1, 3)) << width;
    }
}

TEST(Regions, DoNotLeaveTheirBoxToComeBack) {
    // A U: its arms are connected only through the bottom, three cells away.
    Scene scene = unit_cells(16);
    scene.add(box({3.5f, 3.5f, 3.5f}, {3.6f, 3.6f, 9.5f}), 0);
    scene.add(box({5.5f, 3.5f, 3.5f}, {5.6f, 3.6f, 9.5f}), 0);
    scene.add(box({3.5f, 3.5f, 3.4f}, {5.6f, 3.6f, 3.6f}), 0);
    scene.connect({});
    const Regions regions = find_regions(scene.tissue, 5);
    for (std::uint32_t r = 0; r < scene.tissue.size(); ++r) {
        const Cell c = scene.tissue.cells[r];
        if (c.z < 6 || c.x != 3) continue;
        for (std::uint32_t k = regions.member_first[r]; k < regions.member_first[r + 1]; ++k)
            EXPECT_EQ(scene.tissue.cells[regions.members[k]].x, 3) << "z " << c.z;
    }
}

}  // namespace
}  // namespace fascia::lattice
