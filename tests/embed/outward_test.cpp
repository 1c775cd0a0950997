// Normals that a body gives, against the surface that they belong to.
#include "embed/outward.h"

#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace fascia::embedding {
namespace {

/// A flat hexagon around a vertex, seen from above.
struct Hexagon {
    std::vector<Vec3> positions{{0, 0, 0},  {1, 0, 0},         {0.5f, 0.9f, 0}, {-0.5f, 0.9f, 0},
                                {-1, 0, 0}, {-0.5f, -0.9f, 0}, {0.5f, -0.9f, 0}};
    std::vector<std::uint32_t> triangles;
    std::vector<Vec3> normals{7, {0, 0, 1}};

    Hexagon() {
        for (std::uint32_t k = 0; k < 6; ++k) triangles.insert(triangles.end(), {0, 1 + k, 1 + (k + 1) % 6});
    }
    OutwardNormals watching(std::vector<std::uint8_t> watched) const {
        return {positions, normals, Fans(positions, triangles), watched};
    }
};

TEST(OutwardNormals, WhatLeansAwayIsTurnedBackAndTheRestStays) {
    const Hexagon flat;
    ThreadPool pool(1);
    std::vector<Vec3> normals = flat.normals;
    normals[0] = {0, 0, -1};
    normals[1] = {0.8f, 0, -0.6f};
    normals[2] = {0.6f, 0, 0.8f};
    normals[3] = {0.6f, 0, -0.8f};
    flat.watching({1, 1, 1, 0, 1, 1, 1}).correct(flat.positions, normals, pool);
    EXPECT_NEAR(normals[0].z, 1, 1e-6);
    EXPECT_NEAR(length(normals[1]), 1, 1e-6);
    EXPECT_NEAR(normals[1].z / normals[1].x, 0.25 / 0.8, 1e-5);
    EXPECT_EQ(normals[2].x, 0.6f);
    EXPECT_EQ(normals[2].z, 0.8f);
    EXPECT_EQ(normals[3].z, -0.8f) << "not watched";
}

TEST(OutwardNormals, TrianglesMayBeWoundTheOtherWay) {
    Hexagon flat;
    for (std::size_t k = 0; k < flat.triangles.size(); k += 3) std::swap(flat.triangles[k + 1], flat.triangles[k + 2]);
    ThreadPool pool(1);
    std::vector<Vec3> normals = flat.normals;
    const OutwardNormals outward = flat.watching(std::vector<std::uint8_t>(7, 1));
    outward.correct(flat.positions, normals, pool);
    for (const Vec3 n : normals) EXPECT_EQ(n.z, 1.0f);
    normals[0] = {0, 0, -1};
    outward.correct(flat.positions, normals, pool);
    EXPECT_NEAR(normals[0].z, 1, 1e-6);
}

TEST(OutwardNormals, WhatIsAPointOrNotANumberDoesNoHarm) {
    const Hexagon flat;
    ThreadPool pool(1);
    std::vector<Vec3> normals(7, Vec3{0, 0, -1});
    const OutwardNormals outward = flat.watching(std::vector<std::uint8_t>(7, 1));
    outward.correct(std::vector<Vec3>(7), normals, pool);
    for (const Vec3 n : normals) EXPECT_EQ(n.z, -1.0f);
    std::vector<Vec3> broken = flat.positions;
    broken[0].x = std::numeric_limits<float>::quiet_NaN();
    outward.correct(broken, normals, pool);
    for (const Vec3 n : normals) EXPECT_EQ(n.z, -1.0f);
}

}  // namespace
}  // namespace fascia::embedding
