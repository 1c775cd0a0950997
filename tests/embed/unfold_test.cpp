#include "embed/unfold.h"

#include <limits>

#include <gtest/gtest.h>

namespace fascia::embedding {
namespace {

constexpr int side = 9;

/// A flat sheet of squares of edge 1, each of two triangles.
struct Sheet {
    std::vector<Vec3> rest;
    std::vector<std::uint32_t> triangles;

    Sheet() {
        for (int y = 0; y < side; ++y)
            for (int x = 0; x < side; ++x) rest.push_back({float(x), float(y), 0});
        for (std::uint32_t y = 0; y + 1 < side; ++y)
            for (std::uint32_t x = 0; x + 1 < side; ++x) {
                const std::uint32_t a = at(x, y), b = at(x + 1, y), c = at(x, y + 1), d = at(x + 1, y + 1);
                triangles.insert(triangles.end(), {a, b, c, b, d, c});
            }
    }
    static std::uint32_t at(std::uint32_t x, std::uint32_t y) { return y * side + x; }

    std::vector<Vec3> unfolded(std::vector<Vec3> surface) const {
        UnfoldScratch scratch;
        Unfolding(Fans(rest, triangles)).apply(rest, surface, scratch);
        return surface;
    }
    int turned_over(const std::vector<Vec3>& p) const {
        int count = 0;
        for (std::size_t t = 0; t < triangles.size(); t += 3) {
            const Vec3 a = p[triangles[t]], b = p[triangles[t + 1]], c = p[triangles[t + 2]];
            count += cross(b - a, c - a).z < 0;
        }
        return count;
    }
};

TEST(Unfold, AFoldIsLaidFlatAndWhatLiesFartherOffKeepsItsBits) {
    const Sheet sheet;
    std::vector<Vec3> folded = sheet.rest;
    folded[Sheet::at(4, 4)].x += 1.6f;  // over its neighbour
    ASSERT_GT(sheet.turned_over(folded), 0);
    const std::vector<Vec3> flat = sheet.unfolded(folded);
    EXPECT_EQ(sheet.turned_over(flat), 0);
    for (std::uint32_t y = 0; y < side; ++y) {
        EXPECT_EQ(flat[Sheet::at(0, y)], folded[Sheet::at(0, y)]);
        EXPECT_EQ(flat[Sheet::at(side - 1, y)], folded[Sheet::at(side - 1, y)]);
    }
    // As much to one side as to the other: nothing is gained or lost as a whole.
    Vec3 sum;
    for (std::size_t v = 0; v < flat.size(); ++v) sum += flat[v] - folded[v];
    EXPECT_LT(length(sum), 1e-4f);
}

TEST(Unfold, WithoutAFoldNothingMoves) {
    const Sheet sheet;
    std::vector<Vec3> bulge = sheet.rest;
    for (Vec3& p : bulge) p.z += 0.05f * p.x * p.y, p.x *= 0.3f;
    EXPECT_EQ(sheet.unfolded(bulge), bulge);
}

TEST(Unfold, ASteepFoldIsOpened) {
    const Sheet sheet;
    std::vector<Vec3> folded = sheet.rest;
    for (std::uint32_t y = 0; y < side; ++y) folded[Sheet::at(4, y)] += Vec3{1.2f, 0, 2};
    ASSERT_GT(sheet.turned_over(folded), 0);
    const std::vector<Vec3> flat = sheet.unfolded(folded);
    EXPECT_EQ(sheet.turned_over(flat), 0);
    // It may still stand up, but by less.
    EXPECT_LT(flat[Sheet::at(4, 4)].z, 2 - 0.1f);
    EXPECT_GT(flat[Sheet::at(4, 4)].z, 0.3f);
}

TEST(Unfold, SeamsStayClosed) {
    // The right half has vertices of its own.
    Sheet sheet;
    const std::vector<std::uint32_t> whole = sheet.triangles;
    std::vector<std::uint32_t> copy(sheet.rest.size());
    for (std::uint32_t v = 0; v < copy.size(); ++v) {
        copy[v] = v;
        if (v % side != 4) continue;
        copy[v] = std::uint32_t(sheet.rest.size());
        sheet.rest.push_back(sheet.rest[v]);
    }
    for (std::size_t t = 0; t < whole.size(); t += 6)
        if (whole[t] % side >= 4)
            for (std::size_t k = t; k < t + 6; ++k) sheet.triangles[k] = copy[whole[k]];
    std::vector<Vec3> folded = sheet.rest;
    folded[Sheet::at(4, 4)].x += 1.6f;
    folded[copy[Sheet::at(4, 4)]].x += 1.6f;
    const std::vector<Vec3> flat = sheet.unfolded(folded);
    EXPECT_EQ(sheet.turned_over(flat), 0);
    EXPECT_NE(flat[Sheet::at(4, 4)], folded[Sheet::at(4, 4)]);
    for (std::uint32_t y = 0; y < side; ++y) EXPECT_EQ(flat[Sheet::at(4, y)], flat[copy[Sheet::at(4, y)]]);
}

/// What a step restores, divided by how fast it grows: of a triangle that is nearly a point that would be far away.
TEST(Unfold, ATriangleThatIsNearlyAPointIsNotFlungApart) {
    const Sheet sheet;
    std::vector<Vec3> folded = sheet.rest;
    const Vec3 middle{4.3f, 4.3f, 0};
    folded[Sheet::at(4, 4)] = middle;
    folded[Sheet::at(5, 4)] = middle + Vec3{-1e-4f, 0, 0};  // the other way round
    folded[Sheet::at(4, 5)] = middle + Vec3{0, 1e-4f, 0};
    ASSERT_GT(sheet.turned_over(folded), 0);
    const std::vector<Vec3> flat = sheet.unfolded(folded);
    for (std::size_t v = 0; v < flat.size(); ++v) EXPECT_LT(length(flat[v] - sheet.rest[v]), 2.0f) << v;
}

TEST(Unfold, TrianglesThatAreAPointOrNotANumberDoNoHarm) {
    Sheet sheet;
    sheet.triangles.insert(sheet.triangles.end(), {0, 0, 0, 1, 1, 2});
    std::vector<Vec3> folded = sheet.rest;
    folded[Sheet::at(4, 4)].x += 1.6f;
    folded[Sheet::at(0, 8)].y = std::numeric_limits<float>::quiet_NaN();
    const std::vector<Vec3> flat = sheet.unfolded(folded);
    for (std::uint32_t v = 0; v < flat.size(); ++v) EXPECT_TRUE(flat[v] == flat[v] || v == Sheet::at(0, 8)) << v;
}

}  // namespace
}  // namespace fascia::embedding
