#include "lattice/folds.h"

#include <gtest/gtest.h>

namespace fascia::lattice {
namespace {

/// Triangles of one shell around the origin, two patches of them.
struct Walls {
    std::vector<Vec3> positions;
    std::vector<std::uint32_t> triangles, a, b;

    /// A triangle around `middle` in the plane of `u` and `v`, whose outside is along u x v.
    void add(Vec3 middle, Vec3 u, Vec3 v, std::vector<std::uint32_t>& patch) {
        patch.push_back(std::uint32_t(triangles.size() / 3));
        for (const Vec3 corner : {middle - u - v, middle + u * 2.0f, middle + v * 2.0f}) {
            triangles.push_back(std::uint32_t(positions.size()));
            positions.push_back(corner);
        }
    }
    Between between() const {
        const std::size_t count = triangles.size() / 3;
        const std::vector<std::int32_t> shell(count, 1);
        const std::vector<std::uint32_t> piece(count, 0);
        std::vector<std::uint32_t> around(count);
        for (std::size_t t = 0; t < count; ++t) around[t] = std::uint32_t(t);
        Folds::Patch patch_a{a}, patch_b{b};
        return Folds(positions, triangles, shell, {}, piece, 1).between(patch_a, patch_b, {0, 0, 0}, around);
    }
};

constexpr Vec3 x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};

/// Two walls at a distance of 1, which look at one another.
Walls facing() {
    Walls out;
    out.add({-0.5f, 0, 0}, y, z, out.a);  // outside is +x
    out.add({0.5f, 0, 0}, z, y, out.b);   // outside is -x
    return out;
}

TEST(Folds, BetweenWallsThatLookAtOneAnotherIsSpace) {
    EXPECT_EQ(facing().between(), Between::space);
}

TEST(Folds, WallsCountOnlyWhereTheyAreAsNearAsAnything) {
    // Edges of both patches come much nearer to one another, and face neither way.
    Walls walls = facing();
    walls.add({-1.05f, 0, 0}, x * 0.5f, z, walls.a);
    walls.add({1.05f, 0, 0}, x * -0.5f, z, walls.b);
    EXPECT_EQ(walls.between(), Between::unclear);
    // At the walls' rims they are just as near, which does not count against them.
    Walls rims = facing();
    rims.add({-1.5f, 0, 0}, x * 0.5f, z, rims.a);
    rims.add({1.5f, 0, 0}, x * -0.5f, z, rims.b);
    EXPECT_EQ(rims.between(), Between::space);
}

}  // namespace
}  // namespace fascia::lattice
