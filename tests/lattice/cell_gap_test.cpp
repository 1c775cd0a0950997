#include "lattice/cell_gap.h"

#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace fascia::lattice {
namespace {

const std::array<std::uint32_t, 1> first{0}, second{1};

/// Between two triangles within the cell of half a unit around the origin.
double gap(const std::vector<Vec3>& corners) {
    const std::vector<std::uint32_t> triangles{0, 1, 2, 3, 4, 5};
    return std::sqrt(CellGap(corners, triangles).between(first, second, {}, 0.5, 1e300));
}

TEST(CellGap, OfWallsWhoseCornersAreFarApart) {
    EXPECT_NEAR(gap({{-9, 0, -9}, {9, 0, -9}, {0, 0, 9}, {-5, 0.25f, 7}, {5, 0.25f, 7}, {0, 0.25f, -8}}), 0.25, 1e-9);
}

TEST(CellGap, WhatMeetsOutsideOfTheCellDoesNotCount) {
    // They share a corner three units away, and are nearest at that end of the cell: 2.5 along the slope.
    const std::vector<Vec3> wedge{{-3, 0, 0}, {3, 0, -3}, {3, 0, 3}, {-3, 0, 0}, {3, 1, -3}, {3, 1, 3}};
    EXPECT_NEAR(gap(wedge), 2.5 * std::sin(std::atan2(1.0, 6.0)), 1e-6);
}

TEST(CellGap, IsNothingWhereTheyTouch) {
    EXPECT_EQ(gap({{-1, 0, -1}, {1, 0, -1}, {0, 0, 1}, {-1, 0, -1}, {1, 0, -1}, {0, 0, 1}}), 0);
}

TEST(CellGap, IsNoMoreThanItsBound) {
    const std::vector<Vec3> corners{{-9, 0, -9}, {9, 0, -9}, {0, 0, 9}, {-5, 1, 7}, {5, 1, 7}, {0, 1, -8}};
    const std::vector<std::uint32_t> triangles{0, 1, 2, 3, 4, 5};
    EXPECT_EQ(CellGap(corners, triangles).between(first, second, {}, 0.5, 0.01), 0.01);
}

}  // namespace
}  // namespace fascia::lattice
