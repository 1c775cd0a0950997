#include "sim/segments.h"

#include <map>
#include <random>
#include <set>
#include <tuple>

#include <gtest/gtest.h>

namespace fascia::sim {
namespace {

std::vector<Site> random_sites(unsigned seed, int n, double density) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> unit(0, 1);
    std::vector<Site> sites;
    for (int z = 0; z < n; ++z)
        for (int y = 0; y < n; ++y)
            for (int x = 0; x < 3 * n; ++x)
                if (unit(random) < density) sites.push_back({x, y, z, x % 5 == 0});
    std::shuffle(sites.begin(), sites.end(), random);
    return sites;
}

/// What a channel must deliver: the load at rows[dy, dz] + lane + dx is the point there, or a cell that no point
/// writes.
TEST(Segments, EveryNeighbourIsWhereTheLoadGoes) {
    for (double density : {0.05, 0.5, 1.0}) {
        const auto sites = random_sites(3, 6, density);
        const auto layout = build_segments(sites);
        std::map<std::tuple<int, int, int, int>, std::uint32_t> slot;
        std::set<std::uint32_t> used;
        for (std::size_t i = 0; i < sites.size(); ++i) {
            slot[{sites[i].sheet, sites[i].x, sites[i].y, sites[i].z}] = layout.slots[i];
            EXPECT_TRUE(used.insert(layout.slots[i]).second) << "two points in one slot";
            EXPECT_LE(layout.slots[i] + 8, layout.stride) << "a vector from here on leaves the channel";
        }
        for (std::size_t i = 0; i < sites.size(); ++i) {
            const std::size_t segment = layout.lane_of[i] / 8, lane = layout.lane_of[i] % 8;
            EXPECT_TRUE(layout.live[segment] >> lane & 1);
            for (int dz = -1; dz <= 1; ++dz)
                for (int dy = -1; dy <= 1; ++dy)
                    for (int dx = -1; dx <= 1; ++dx) {
                        const std::uint32_t place = layout.rows[segment * 9 + (dz + 1) * 3 + dy + 1] + lane + dx;
                        const auto found =
                            slot.find({sites[i].sheet, sites[i].x + dx, sites[i].y + dy, sites[i].z + dz});
                        if (found != slot.end()) {
                            EXPECT_EQ(place, found->second);
                        } else {
                            EXPECT_EQ(used.count(place), 0u);
                        }
                        EXPECT_LT(place + 8, layout.stride);
                    }
        }
    }
}

TEST(Segments, PlaneSegmentsCoverWhatTheSlicesRead) {
    const auto sites = random_sites(5, 6, 0.3);
    const auto layout = build_segments(sites);
    std::set<std::uint32_t> covered;
    for (std::size_t k = 0; k < layout.plane_segments(); ++k)
        for (std::uint32_t lane = 0; lane < 8; ++lane)
            EXPECT_TRUE(covered.insert(layout.plane_rows[k * 3 + 1] + lane).second)
                << "two plane segments write one cell";
    for (std::size_t k = 0; k < layout.segments(); ++k)
        for (std::uint32_t lane = 0; lane < 8; ++lane)
            EXPECT_TRUE((layout.live[k] >> lane & 1) == 0 || covered.count(layout.rows[k * 9 + 4] + lane));
}

TEST(Segments, RowsRunAlongTheBestFilledAxis) {
    std::vector<Site> column;
    for (int y = 0; y < 16; ++y) column.push_back({3, y, 5, 0});
    EXPECT_EQ(best_row_axis(column), 1);
    for (auto& s : column) s = turned(s, 1);
    EXPECT_EQ(build_segments(column).segments(), 2u);
    EXPECT_DOUBLE_EQ(build_segments(column).fill(), 1.0);
}

TEST(Segments, RowsOfABallHoldAllItsCells) {
    for (const int radius : {1, 2, 3}) {
        int cells = 0;
        for (const RowReach& row : ball_rows(radius)) {
            EXPECT_EQ(std::abs(row.dy) + std::abs(row.dz) + row.reach, radius);
            cells += 2 * row.reach + 1;
        }
        EXPECT_EQ(cells, radius == 1 ? 7 : radius == 2 ? 25 : 63);
    }
}

}  // namespace
}  // namespace fascia::sim
