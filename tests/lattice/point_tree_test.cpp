// The tree against looking at every point.
#include "lattice/point_tree.h"

#include <random>
#include <set>

#include <gtest/gtest.h>

namespace fascia::lattice {
namespace {

double distance2(Vec3d a, Vec3d b) {
    return dot(a - b, a - b);
}

/// Points in space, in a plane, on a line, and all in one place.
TEST(PointTree, FindsWhatALookAtEveryPointFinds) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> unit(-1, 1);
    for (const Vec3d spread : {Vec3d{1, 1, 1}, Vec3d{1, 0, 1}, Vec3d{0, 1, 0}, Vec3d{0, 0, 0}})
        for (const std::size_t count : {1u, 8u, 9u, 500u}) {
            std::vector<Vec3d> points;
            for (std::size_t k = 0; k < count; ++k)
                points.push_back({spread.x * unit(random), spread.y * unit(random), spread.z * unit(random)});
            const PointTree tree(points);
            for (int k = 0; k < 50; ++k) {
                const Vec3d p{unit(random), unit(random), unit(random)};
                const double bound = 0.5 * (1 + unit(random)), reach = 0.3 * (1 + unit(random));
                double least = bound;
                std::set<std::size_t> near, found;
                for (std::size_t i = 0; i < count; ++i) {
                    least = std::min(least, distance2(p, points[i]));
                    if (distance2(p, points[i]) <= reach) near.insert(i);
                }
                EXPECT_EQ(tree.nearest(p, bound), least);
                tree.within(p, reach, [&](std::size_t i) { EXPECT_TRUE(found.insert(i).second); });
                EXPECT_EQ(found, near);
            }
        }
}

TEST(PointTree, ReachesPointsExactlyAtTheBound) {
    std::vector<Vec3d> points;
    for (int k = 0; k < 100; ++k) points.push_back({k % 10 * 0.5, k / 10 * 0.5, 0});
    std::size_t found = 0;
    PointTree(points).within({1, 1, 0}, 0.25, [&](std::size_t) { ++found; });
    EXPECT_EQ(found, 5u);
    PointTree empty({});
    EXPECT_EQ(empty.nearest({}, 7), 7);
}

}  // namespace
}  // namespace fascia::lattice
