// Many pieces of surface in one place: the work stays bounded by their number.
#include <gtest/gtest.h>

#include "lattice/locate.h"
#include "lattice/meshes.h"
#include "lattice/sheets.h"

namespace fascia::lattice {
namespace {

using test::TestMesh;

/// Closed shells of two parts that overlap in the cell around the origin, each a little off the one before it.
struct Heap {
    TestMesh mesh;
    std::vector<std::uint16_t> part;
    std::vector<std::int32_t> shell, body;
    Relations related{2, {}};
    Grid grid;

    explicit Heap(int count, bool two_parts = true) {
        grid.origin = {-0.5, -0.5, -0.5};
        grid.h = 1;
        grid.nx = grid.ny = grid.nz = 1;
        for (int k = 0; k < count; ++k) {
            TestMesh ball = test::sphere(1, 0.3f);
            const float off = 0.1f * float(k) / float(count);
            for (Vec3& p : ball.positions) p = p + Vec3{off, 0.7f * off, -off};
            mesh.add(ball);
            part.resize(mesh.triangles.size() / 3, std::uint16_t(two_parts ? k % 2 : 0));
            shell.resize(part.size(), k + 1);
        }
        body.assign(part.size(), 1);
    }

    struct Found {
        int sheets = 0;
        std::size_t crowded = 0, looks = 0;
        std::vector<int> sheet;
    };
    Found find() const {
        const SurfaceParts parts{
            .corners = mesh.triangles, .part = part, .related = related, .shell = shell, .body = body};
        const SurfaceFans fans = find_fans(mesh.positions, mesh.triangles, mesh.triangles);
        const Folds folds(mesh.positions, mesh.triangles, shell, body, fans.piece, grid.h);
        SheetFinder finder(mesh.positions, mesh.triangles, grid, parts, fans, folds);
        std::vector<std::uint32_t> cell(part.size());
        for (std::size_t t = 0; t < cell.size(); ++t) cell[t] = std::uint32_t(t);
        Found out;
        out.sheets = finder.find(cell, {0, 0, 0}, out.sheet);
        out.crowded = finder.crowded();
        out.looks = folds.looks();
        return out;
    }
};

TEST(Crowds, EachPieceIsLookedAtOnceForEachOther) {
    for (const int count : {2, 4, 8}) {
        const Heap::Found once = Heap(count).find(), twice = Heap(2 * count).find();
        EXPECT_EQ(once.crowded, 0u);
        EXPECT_GT(once.looks, 0u);
        EXPECT_LT(twice.looks, 4.5 * double(once.looks)) << count << ": pairs of pieces, not more";
    }
}

TEST(Crowds, TooManyPiecesAreJoinedWithoutALookAndThatIsSaid) {
    const int most = SheetFinder::most_patches;
    EXPECT_EQ(Heap(most).find().crowded, 0u);
    for (const int count : {most + 1, 2 * most, 8 * most}) {
        const Heap heap(count);
        const Heap::Found found = heap.find();
        EXPECT_EQ(found.crowded, 1u);
        EXPECT_EQ(found.looks, 0u);
        ASSERT_EQ(found.sheets, 2) << "one for each part";
        for (std::size_t t = 0; t < heap.part.size(); ++t) EXPECT_EQ(found.sheet[t], heap.part[t]);
        EXPECT_EQ(Heap(count, false).find().sheets, 1);
    }
}

TEST(Crowds, RelativesAreOneThere) {
    Heap heap(SheetFinder::most_patches + 1);
    heap.related = Relations(2, {{0, 1}});
    EXPECT_EQ(heap.find().sheets, 1);
}

// Vertices that no triangle uses may lie anywhere.
TEST(Crowds, VerticesOutsideTheBodyGoToTheNearestCell) {
    TestMesh mesh = test::sphere(2, 3);
    std::uint32_t seed = 1;
    const auto random = [&] { return float((seed = seed * 1664525u + 1013904223u) >> 8) / float(1 << 24) * 20 - 10; };
    for (int k = 0; k < 300; ++k) mesh.positions.push_back({random(), random(), random()});
    const Grid grid = make_grid({-10, -10, -10}, {10, 10, 10}, 20);
    const SurfaceCells surface = conservative_cells(mesh.positions, mesh.triangles, grid);
    const SolidCells solid = solid_cells(mesh.positions, mesh.triangles, grid, surface, false);
    const std::vector<std::uint16_t> part(mesh.triangles.size() / 3, 0);
    const Relations related(1, {});
    const Tissue tissue = connect(mesh.positions, mesh.triangles, grid, surface, solid,
                                  {.corners = mesh.triangles, .part = part, .related = related});
    const std::vector<std::uint32_t> homes = locate_vertices(grid, tissue, mesh.positions, mesh.triangles);
    for (std::size_t v = 0; v < homes.size(); ++v) {
        const Vec3d p = to_double(mesh.positions[v]);
        const auto away = [&](std::size_t n) { return length(grid.center(tissue.cells[n]) - p); };
        double least = 1e300;
        for (std::size_t n = 0; n < tissue.size(); ++n) least = std::min(least, away(n));
        EXPECT_LT(away(homes[v]) - least, 1e-9) << v;  // a vertex may lie on a face between two
    }
}

}  // namespace
}  // namespace fascia::lattice
