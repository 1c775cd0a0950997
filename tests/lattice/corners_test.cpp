#include "lattice/corners.h"

#include <set>

#include <gtest/gtest.h>

namespace fascia::lattice {
namespace {

/// Cells that are connected to all their face neighbours, except where `apart` says otherwise.
template <class Apart>
Tissue tissue_of(const std::vector<Cell>& cells, Apart&& apart) {
    Tissue out;
    out.cells = cells;
    out.neighbours.assign(27 * cells.size(), -1);
    for (std::size_t i = 0; i < cells.size(); ++i)
        for (std::size_t j = 0; j < cells.size(); ++j) {
            const int dx = cells[j].x - cells[i].x, dy = cells[j].y - cells[i].y, dz = cells[j].z - cells[i].z;
            if (std::abs(dx) > 1 || std::abs(dy) > 1 || std::abs(dz) > 1 || apart(cells[i], cells[j])) continue;
            out.neighbours[27 * i + std::size_t(block_place(dx, dy, dz))] = std::int32_t(j);
        }
    return out;
}
Tissue tissue_of(const std::vector<Cell>& cells) {
    return tissue_of(cells, [](Cell, Cell) { return false; });
}

std::vector<Cell> box_of_cells(int nx, int ny, int nz) {
    std::vector<Cell> out;
    for (int z = 0; z < nz; ++z)
        for (int y = 0; y < ny; ++y)
            for (int x = 0; x < nx; ++x) out.push_back({x, y, z});
    return out;
}

TEST(Corners, ABoxHasOneParticleForEachCorner) {
    const CornerLattice c = find_corners(tissue_of(box_of_cells(4, 3, 2)));
    EXPECT_EQ(c.size(), 5u * 4 * 3);
    int inner = 0;
    for (std::size_t p = 0; p < c.size(); ++p) inner += !c.on_boundary(p);
    EXPECT_EQ(inner, 3 * 2 * 1);
    std::size_t edges = 0;
    for (std::size_t p = 0; p < c.size(); ++p) edges += c.edge_first[p + 1] - c.edge_first[p];
    EXPECT_EQ(edges, 2u * (4 * 4 * 3 + 5 * 3 * 3 + 5 * 4 * 2));
}

TEST(Corners, EveryCellFindsItsOwnCorners) {
    const std::vector<Cell> cells = box_of_cells(3, 3, 2);
    const CornerLattice c = find_corners(tissue_of(cells));
    for (std::uint32_t i = 0; i < cells.size(); ++i)
        for (int k = 0; k < 8; ++k) {
            const std::uint32_t p = c.of_cell[8 * i + std::uint32_t(k)];
            EXPECT_TRUE((c.places[p] == Cell{cells[i].x + (k & 1), cells[i].y + (k >> 1 & 1), cells[i].z + (k >> 2)}));
            EXPECT_EQ(c.octants[8 * p + std::uint32_t(7 - k)], i);
        }
}

TEST(Corners, CellsThatOnlyTouchKeepTheirOwn) {
    // Two fingers side by side on a palm: they share the corners at the palm, not those above.
    const std::vector<Cell> cells{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
    const CornerLattice joined = find_corners(tissue_of(cells));
    const CornerLattice parted =
        find_corners(tissue_of(cells, [](Cell a, Cell b) { return a.y == 1 && b.y == 1 && a.x != b.x; }));
    EXPECT_EQ(joined.size(), 18u);
    EXPECT_EQ(parted.size(), 20u);  // the two between the fingertips exist twice
}

TEST(Corners, TwoSheetsOfOneCellStayApart) {
    // Both are connected to the cell beside them; only one of them can be its neighbour.
    Tissue t = tissue_of({{0, 0, 0}, {1, 0, 0}});
    t.cells.push_back({1, 0, 0});
    t.neighbours.resize(27 * 3, -1);
    t.neighbours[27 * 2 + 13] = 2;
    const CornerLattice c = find_corners(t);
    EXPECT_EQ(c.size(), 12u + 8u);
}

TEST(Corners, NeighboursAreMutual) {
    const std::vector<Cell> cells{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
    const CornerLattice c =
        find_corners(tissue_of(cells, [](Cell a, Cell b) { return a.y == 1 && b.y == 1 && a.x != b.x; }));
    for (std::size_t p = 0; p < c.size(); ++p)
        for (std::size_t k = 0; k < 27; ++k)
            if (c.neighbours[27 * p + k] >= 0) {
                EXPECT_EQ(c.neighbours[27 * std::size_t(c.neighbours[27 * p + k]) + 26 - k], std::int32_t(p));
            }
}

TEST(Corners, BallsHoldAllWithinTheirRadius) {
    const CornerLattice c = find_corners(tissue_of(box_of_cells(5, 5, 5)));
    for (const int radius : {1, 2, 3}) {
        const Balls balls = edge_balls(c, radius);
        for (std::size_t p = 0; p < c.size(); ++p) {
            std::set<std::uint32_t> wanted;
            for (std::uint32_t q = 0; q < c.size(); ++q)
                if (std::abs(c.places[p].x - c.places[q].x) + std::abs(c.places[p].y - c.places[q].y) +
                        std::abs(c.places[p].z - c.places[q].z) <=
                    radius)
                    wanted.insert(q);
            const std::set<std::uint32_t> found(balls.members.begin() + balls.first[p],
                                                balls.members.begin() + balls.first[p + 1]);
            ASSERT_EQ(found, wanted);
        }
    }
}

TEST(Corners, OutwardPointsOutOfTheBody) {
    const CornerLattice c = find_corners(tissue_of(box_of_cells(4, 4, 4)));
    std::vector<std::uint32_t> boundary;
    for (std::uint32_t p = 0; p < c.size(); ++p)
        if (c.on_boundary(p)) boundary.push_back(p);
    const auto steps = steps_along_edges(c, boundary);
    const std::vector<Vec3> out = outward_directions(c, steps);
    for (std::size_t p = 0; p < c.size(); ++p) {
        const Vec3 from_middle{float(c.places[p].x) - 2, float(c.places[p].y) - 2, float(c.places[p].z) - 2};
        if (length(from_middle) < 0.5f) {
            EXPECT_EQ(length(out[p]), 0);  // all sides are equally close
            continue;
        }
        EXPECT_NEAR(length(out[p]), 1, 1e-5);
        EXPECT_GT(dot(out[p], from_middle), 0);
    }
}

}  // namespace
}  // namespace fascia::lattice
