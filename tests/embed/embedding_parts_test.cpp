// What the ways to carry a surface are built from: samples, domains, rays, mixed points.
#include <cmath>

#include <gtest/gtest.h>

#include "embed/combined_points.h"
#include "embed/domains.h"
#include "embed/ray_hit.h"

namespace fascia::embedding {
namespace {

/// A half tube along x: rows of vertices, two triangles between four of them. Its samples are its vertices.
struct Gutter {
    static constexpr std::uint32_t across = 9;
    std::vector<Vec3> positions;
    std::vector<std::uint32_t> triangles;
    std::vector<std::uint16_t> joints;
    std::vector<SurfaceSample> samples;
    std::vector<Vec3d> places;

    /// bulge: of the half tube; 0: a flat strip. Returns its first vertex.
    std::uint32_t add(double from, std::uint32_t rows, std::uint16_t joint, double bulge = 1) {
        const auto first = std::uint32_t(positions.size());
        for (std::uint32_t r = 0; r < rows; ++r)
            for (std::uint32_t a = 0; a < across; ++a) {
                const double y = double(a) - 0.5 * (across - 1);
                positions.push_back({float(from + r), float(y), float(bulge * (16 - y * y) / 4)});
                joints.push_back(joint);
                samples.push_back({{first + r * across + a, 0, 0}, {1, 0, 0}});
                places.push_back(to_double(positions.back()));
            }
        for (std::uint32_t r = 0; r + 1 < rows; ++r) join(first + r * across, first + (r + 1) * across);
        return first;
    }
    /// Triangles between two rows, `columns` of them.
    void join(std::uint32_t one, std::uint32_t other, std::uint32_t columns = across - 1) {
        for (std::uint32_t a = 0; a < columns; ++a)
            for (const std::uint32_t v : {one + a, other + a, one + a + 1, one + a + 1, other + a, other + a + 1})
                triangles.push_back(v);
    }
    Domains domains(double width = 1) const {
        return find_domains({positions, triangles, joints, samples, places, width});
    }
};

/// Four vertices between two long pieces: four edges connect them with the first, one with the other.
TEST(Domains, ASmallOneGoesToTheLongestBorder) {
    for (const bool turned : {false, true}) {
        Gutter gutter;
        const std::uint32_t big = gutter.add(0, 5, turned ? 4 : 2), other = gutter.add(20, 5, turned ? 2 : 4);
        const std::uint32_t small = gutter.add(5, 1, 3);
        gutter.join(big + 4 * Gutter::across, small, 3);
        gutter.join(small + 3, other, 1);
        const Domains domains = gutter.domains();
        EXPECT_EQ(domains.samples.size(), 2u);
        EXPECT_EQ(domains.of_vertex[small], domains.of_vertex[big]) << turned;
        EXPECT_NE(domains.of_vertex[small], domains.of_vertex[other]) << turned;
    }
}

/// Enough samples, but a system has no solution across a plane.
TEST(Domains, AFlatOneIsMerged) {
    for (const double bulge : {0.0, 1.0}) {
        Gutter gutter;
        const std::uint32_t round = gutter.add(0, 3, 1), flat = gutter.add(3, 4, 2, bulge);
        gutter.join(round + 2 * Gutter::across, flat);
        EXPECT_EQ(gutter.domains().samples.size(), bulge > 0 ? 2u : 1u);
    }
}

/// Vertices that textures or normals have cut apart are one place, and both pieces are connected there.
TEST(Domains, ASeamIsNoBorder) {
    Gutter gutter;
    const std::uint32_t one = gutter.add(0, 5, 1), copy = gutter.add(4, 1, 1), other = gutter.add(5, 5, 2);
    gutter.join(copy, other);
    const Domains domains = gutter.domains(3);
    const std::uint32_t seam = one + 4 * Gutter::across;
    for (std::uint32_t a = 0; a < Gutter::across; ++a) {
        const std::uint32_t first = domains.first[seam + a], same = domains.first[copy + a];
        ASSERT_EQ(domains.first[seam + a + 1] - first, 2u) << "both domains count at their border";
        ASSERT_EQ(domains.first[copy + a + 1] - same, 2u);
        for (std::uint32_t k = 0; k < 2; ++k)
            EXPECT_EQ(domains.shares[first + k].share, domains.shares[same + k].share);
    }
}

TEST(SurfaceSamples, LieInTheirTriangles) {
    Gutter gutter;
    gutter.add(0, 6, 0);
    const SurfaceSamples found = sample_surface(gutter.positions, gutter.triangles, 100);
    EXPECT_EQ(found.samples.size(), 100u);
    for (const SurfaceSample& sample : found.samples) {
        double sum = 0;
        for (const double share : sample.shares) {
            EXPECT_GE(share, 0);
            sum += share;
        }
        EXPECT_NEAR(sum, 1, 1e-12);
    }
}

TEST(RayHit, IsTheNearestInFront) {
    std::vector<Vec3> positions;
    std::vector<std::uint32_t> triangles;
    for (const float z : {3.0f, 2.0f, -1.0f})
        for (const Vec3 p : {Vec3{0, 0, z}, Vec3{1, 0, z}, Vec3{0, 1, z}})
            triangles.push_back(std::uint32_t(positions.size())), positions.push_back(p);
    const auto hit = first_hit({0.2, 0.3, 0}, {0, 0, 0.5}, positions, triangles);
    ASSERT_TRUE(hit.has_value());
    EXPECT_DOUBLE_EQ(*hit, 4);
    EXPECT_FALSE(first_hit({0.6, 0.6, 0}, {0, 0, 1}, positions, triangles)) << "beyond the long side";
    EXPECT_FALSE(first_hit({-0.1, 0.5, 0}, {0, 0, 1}, positions, triangles));
    EXPECT_FALSE(first_hit({0.2, 0.3, 4}, {0, 0, 1}, positions, triangles)) << "all of them lie behind";
    EXPECT_FALSE(first_hit({0.2, 0.3, 0}, {1, 0, 0}, positions, triangles)) << "alongside";
}

/// Weights are 1 / distance; at a point itself, that point alone counts.
TEST(CombinedPoints, NearestPointsCountByTheirDistance) {
    const std::vector<Vec3d> points{{0, 0, 0}, {1, 0, 0}, {4, 0, 0}};
    CombinedPoints mixed;
    add_nearest(points, {1, 0, 0}, mixed);
    ASSERT_EQ(mixed.first[1], 1u);
    EXPECT_EQ(mixed.points[0], 1u);
    EXPECT_EQ(mixed.weights[0], 1);
    add_nearest(points, {2, 0, 0}, mixed);  // distances 2, 1, 2
    ASSERT_EQ(mixed.first[2], 4u);
    EXPECT_DOUBLE_EQ(mixed.weights[1], 0.25);
    EXPECT_DOUBLE_EQ(mixed.weights[2], 0.5);
    EXPECT_DOUBLE_EQ(mixed.weights[3], 0.25);
}

}  // namespace
}  // namespace fascia::embedding
