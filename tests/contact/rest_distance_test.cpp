#include "contact/rest_distance.h"

#include <cmath>

#include <gtest/gtest.h>

namespace fascia::contact {
namespace {

/// The nearest of many points of a triangle.
float nearest_by_trial(Vec3 p, Vec3 a, Vec3 b, Vec3 c) {
    float best = 1e30f;
    const int n = 200;
    for (int i = 0; i <= n; ++i)
        for (int k = 0; k <= n - i; ++k) {
            const float u = float(i) / n, v = float(k) / n;
            best = std::min(best, length(p - (a + (b - a) * u + (c - a) * v)));
        }
    return best;
}

TEST(RestDistance, TheNearestPointOfATriangleIsTheNearestOfMany) {
    const Vec3 a{0, 0, 0}, b{2, 0.3f, 0}, c{0.4f, 1.5f, 0.6f};
    for (int k = 0; k < 60; ++k) {
        const Vec3 p{std::sin(float(k)) * 2, std::cos(float(3 * k)) * 2, std::sin(float(7 * k))};
        EXPECT_NEAR(length(p - nearest_on_triangle(p, a, b, c)), nearest_by_trial(p, a, b, c), 0.01f) << k;
    }
    // No area: a corner, not NaN.
    EXPECT_EQ(nearest_on_triangle({5, 5, 5}, a, a, a), a);
}

TEST(RestDistance, NewsOfTheOnlyTriangleReachesAllWantedCells) {
    const RestGrid grid{{0, 0, 0}, 8, 3, 3};
    const Vec3 positions[3] = {{0, 0, 0}, {0, 2, 0}, {0, 0, 2}};
    const std::uint32_t triangle[3] = {0, 1, 2};
    const std::vector<std::uint8_t> wanted(grid.size(), 1), none(grid.size(), 0);
    const auto all = nearest_places(grid, positions, triangle, wanted);
    EXPECT_FLOAT_EQ(all[grid.index(7, 0, 0)].distance, 7);
    EXPECT_FLOAT_EQ(all[grid.index(7, 1, 1)].distance, 7);
    const Vec3 at_the_end[3] = {{7, 0, 0}, {7, 2, 0}, {7, 0, 2}};
    const auto back = nearest_places(grid, at_the_end, triangle, wanted);
    EXPECT_FLOAT_EQ(back[grid.index(0, 0, 0)].distance, 7);
    EXPECT_FLOAT_EQ(back[grid.index(0, 1, 1)].distance, 7);
    const auto few = nearest_places(grid, positions, triangle, none);
    EXPECT_FLOAT_EQ(few[grid.index(1, 1, 1)].distance, 1);
    EXPECT_GT(few[grid.index(3, 1, 1)].distance, 1e29f);
}

TEST(RestDistance, AroundABallItIsTheDistanceToItsSurface) {
    const RestGrid grid{{-8, -8, -8}, 17, 17, 17};
    std::vector<float> distance(grid.size());
    for (int z = 0; z < 17; ++z)
        for (int y = 0; y < 17; ++y)
            for (int x = 0; x < 17; ++x)
                distance[grid.index(x, y, z)] = length(Vec3{float(x - 8), float(y - 8), float(z - 8)}) - 5;
    const RestDistance field(grid, distance);
    for (int k = 1; k < 50; ++k) {
        const Vec3 way = normalized(Vec3{std::sin(float(k)), std::cos(float(2 * k)), std::sin(float(5 * k) + 1)});
        const float r = 2.5f + 0.06f * float(k);
        EXPECT_NEAR(field.at(way * r), r - 5, 0.1f);
        if (r < 5.2f) {
            EXPECT_GT(dot(normalized(field.gradient_at(way * r)), way), 0.98f);
        }
    }
    EXPECT_EQ(field.at({7.9f, 0, 0}), RestDistance::far);
    EXPECT_EQ(field.at({100, 0, 0}), RestDistance::far);
}

}  // namespace
}  // namespace fascia::contact
