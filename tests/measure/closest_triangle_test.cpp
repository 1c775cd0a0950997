#include "measure/closest_triangle.h"

#include <random>

#include <gtest/gtest.h>

namespace fascia {
namespace {

/// By brute force over a fine grid of points on the triangle.
double nearest_by_net(Vec3d p, Vec3d a, Vec3d b, Vec3d c) {
    double least = 1e300;
    constexpr int n = 60;
    for (int i = 0; i <= n; ++i)
        for (int j = 0; i + j <= n; ++j) {
            const Vec3d q = (a * i + b * j + c * (n - i - j)) * (1.0 / n);
            least = std::min(least, length(p - q));
        }
    return least;
}

TEST(ClosestTriangle, SharesGiveTheNearestPointOfATriangle) {
    std::mt19937 dice(5);
    std::uniform_real_distribution<double> any(-1, 1);
    const auto vector = [&] {
        const double x = any(dice), y = any(dice), z = any(dice);
        return Vec3d{x, y, z};
    };
    for (int k = 0; k < 200; ++k) {
        const Vec3d p = vector() * 2, a = vector(), b = vector(), c = k % 10 == 0 ? a : vector();
        const auto share = nearest_shares(p, a, b, c);
        EXPECT_NEAR(share[0] + share[1] + share[2], 1, 1e-12);
        for (const double s : share) EXPECT_GE(s, -1e-12);
        const double found = length(p - (a * share[0] + b * share[1] + c * share[2]));
        const double tried = nearest_by_net(p, a, b, c);
        EXPECT_LE(found, tried + 1e-12);
        EXPECT_GE(found, tried - 0.05);
    }
}

TEST(ClosestTriangle, TheTreeFindsWhatLookingAtAllFinds) {
    std::mt19937 dice(6);
    std::uniform_real_distribution<float> any(-1, 1);
    std::vector<Vec3> positions;
    std::vector<std::uint32_t> triangles;
    for (std::uint32_t t = 0; t < 300; ++t) {
        const Vec3 at{any(dice), any(dice), any(dice)};
        for (int k = 0; k < 3; ++k) {
            positions.push_back(at + Vec3{any(dice), any(dice), any(dice)} * 0.2f);
            triangles.push_back(3 * t + std::uint32_t(k));
        }
    }
    const ClosestTriangle tree(positions, triangles);
    for (int k = 0; k < 300; ++k) {
        const Vec3d p{any(dice) * 1.5, any(dice) * 1.5, any(dice) * 1.5};
        double least = 1e300;
        for (std::size_t t = 0; t < 300; ++t) {
            const Vec3d a = to_double(positions[3 * t]), b = to_double(positions[3 * t + 1]),
                        c = to_double(positions[3 * t + 2]);
            const auto share = nearest_shares(p, a, b, c);
            least = std::min(least, length(p - (a * share[0] + b * share[1] + c * share[2])));
        }
        const SurfacePoint found = tree.find(p);
        EXPECT_NEAR(found.distance, least, 1e-12);
        EXPECT_NEAR(length(p - found.point), least, 1e-12);
    }
}

}  // namespace
}  // namespace fascia
