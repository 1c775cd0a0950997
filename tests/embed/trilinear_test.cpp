#include "embed/trilinear.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace fascia::embedding {
namespace {

/// A block of n^3 points at the centres of unit cells.
struct Block {
    int n;
    std::vector<Vec3d> centers;
    std::vector<std::uint32_t> first{0}, to;

    explicit Block(int size) : n(size) {
        for (int z = 0; z < n; ++z)
            for (int y = 0; y < n; ++y)
                for (int x = 0; x < n; ++x) {
                    centers.push_back({x + 0.5, y + 0.5, z + 0.5});
                    if (x > 0) to.push_back(at(x - 1, y, z));
                    if (x + 1 < n) to.push_back(at(x + 1, y, z));
                    if (y > 0) to.push_back(at(x, y - 1, z));
                    if (y + 1 < n) to.push_back(at(x, y + 1, z));
                    if (z > 0) to.push_back(at(x, y, z - 1));
                    if (z + 1 < n) to.push_back(at(x, y, z + 1));
                    first.push_back(std::uint32_t(to.size()));
                }
    }
    std::uint32_t at(int x, int y, int z) const { return std::uint32_t((z * n + y) * n + x); }
    Trilinear bind(const std::vector<Vec3>& vertices) const {
        std::vector<std::uint32_t> homes;
        for (const Vec3 v : vertices)
            homes.push_back(at(std::min(n - 1, int(v.x)), std::min(n - 1, int(v.y)), std::min(n - 1, int(v.z))));
        return bind_trilinear({{first, to, 1}, centers, 1.0, vertices, homes});
    }
};

std::vector<Vec3> random_vertices(int n, int count) {
    std::mt19937 random(11);
    std::uniform_real_distribution<float> at(0.001f, float(n) - 0.001f);
    std::vector<Vec3> out;
    for (int k = 0; k < count; ++k) out.push_back({at(random), at(random), at(random)});
    return out;
}

struct Channels {
    std::vector<float> from, to, rotations;
    Carriers view(std::size_t n) const { return {n, from, to, rotations}; }
};

/// Points moved by a rigid map.
Channels rigid(const Block& block, Quat q, Vec3d t) {
    const std::size_t n = block.centers.size();
    Channels out{std::vector<float>(3 * n), std::vector<float>(3 * n), std::vector<float>(4 * n)};
    for (std::size_t i = 0; i < n; ++i) {
        const Vec3d p = block.centers[i], m = rotate(q, p) + t;
        const double a[3] = {p.x, p.y, p.z}, b[3] = {m.x, m.y, m.z}, r[4] = {q.w, q.x, q.y, q.z};
        for (std::size_t c = 0; c < 3; ++c) out.from[c * n + i] = float(a[c]), out.to[c * n + i] = float(b[c]);
        for (std::size_t c = 0; c < 4; ++c) out.rotations[c * n + i] = float(r[c]);
    }
    return out;
}

TEST(Trilinear, WeightsAreTrilinearInsideAndSumToOne) {
    const Block block(5);
    const std::vector<Vec3> vertices = random_vertices(5, 400);
    const Trilinear bound = block.bind(vertices);
    for (std::size_t v = 0; v < vertices.size(); ++v) {
        double sum = 0;
        Vec3d mean;
        for (int k = 0; k < 8; ++k) {
            const float w = bound.weights[8 * v + k];
            EXPECT_GE(w, 0);
            sum += w;
            mean += block.centers[bound.points[8 * v + k]] * double(w);
        }
        EXPECT_NEAR(sum, 1, 1e-6);
        const Vec3 p = vertices[v];
        const auto within = [](float x) { return x > 0.5f && x < 4.5f; };
        if (within(p.x) && within(p.y) && within(p.z)) {
            // Trilinear interpolation reproduces the position itself.
            EXPECT_NEAR(mean.x, p.x, 1e-5);
            EXPECT_NEAR(mean.y, p.y, 1e-5);
            EXPECT_NEAR(mean.z, p.z, 1e-5);
        }
    }
}

TEST(Trilinear, RigidMotionIsExact) {
    const Block block(6);
    const std::vector<Vec3> vertices = random_vertices(6, 300);
    const Trilinear bound = block.bind(vertices);
    const Quat q = normalized(Quat{0.3, -0.5, 0.7, 0.2});
    const Vec3d t{4, -3, 2};
    const Channels moved = rigid(block, q, t);
    std::vector<Vec3> out(vertices.size()), normals(vertices.size(), Vec3{0, 0, 1}), turned(vertices.size());
    carry_positions_reference(bound, moved.view(block.centers.size()), vertices, out);
    carry_directions_reference(bound, moved.view(block.centers.size()), normals, turned);
    const Vec3d normal = rotate(q, {0, 0, 1});
    for (std::size_t v = 0; v < vertices.size(); ++v) {
        EXPECT_LT(length(to_double(out[v]) - (rotate(q, to_double(vertices[v])) + t)), 1e-5 * 6);
        EXPECT_LT(length(to_double(turned[v]) - normal), 1e-5);
    }
}

TEST(Trilinear, ATranslatedFieldIsInterpolatedContinuously) {
    // Points displaced along x by x^2 / 20: the surface follows without steps at cell borders.
    const Block block(6);
    std::vector<Vec3> vertices;
    for (int k = 0; k <= 500; ++k) vertices.push_back({0.6f + 4.8f * float(k) / 500, 2.3f, 3.1f});
    const Trilinear bound = block.bind(vertices);
    Channels moved = rigid(block, {}, {});
    for (std::size_t i = 0; i < block.centers.size(); ++i)
        moved.to[i] += float(block.centers[i].x * block.centers[i].x / 20);
    std::vector<Vec3> out(vertices.size());
    carry_positions_reference(bound, moved.view(block.centers.size()), vertices, out);
    for (std::size_t k = 1; k < out.size(); ++k) {
        const float step = out[k].x - out[k - 1].x;
        EXPECT_GT(step, 0.0096f);
        EXPECT_LT(step, 0.0154f);
    }
}

TEST(Trilinear, OnlyPointsJoinedToTheHomeCarry) {
    // All links between x = 2 and x = 3 are cut: a vertex just left of the cut is not affected by the right half.
    Block block(6);
    std::vector<std::uint32_t> first{0}, to;
    for (std::uint32_t i = 0; i < block.centers.size(); ++i) {
        for (std::uint32_t k = block.first[i]; k < block.first[i + 1]; ++k)
            if ((block.centers[i].x < 3) == (block.centers[block.to[k]].x < 3)) to.push_back(block.to[k]);
        first.push_back(std::uint32_t(to.size()));
    }
    block.first = first;
    block.to = to;
    const std::vector<Vec3> vertices{{2.9f, 2.7f, 2.4f}, {3.1f, 2.7f, 2.4f}};
    const Trilinear bound = block.bind(vertices);
    for (int k = 0; k < 8; ++k) {
        if (bound.weights[k] > 0) {
            EXPECT_LT(block.centers[bound.points[k]].x, 3);
        }
        if (bound.weights[8 + k] > 0) {
            EXPECT_GT(block.centers[bound.points[8 + k]].x, 3);
        }
    }
}

TEST(Trilinear, PointsThatOnlyADetourReachesDoNotCarry) {
    // The cut between x = 2 and x = 3 ends at y = 3, like an armpit: a vertex just below it still belongs to its own
    // side.
    Block block(6);
    std::vector<std::uint32_t> first{0}, to;
    for (std::uint32_t i = 0; i < block.centers.size(); ++i) {
        for (std::uint32_t k = block.first[i]; k < block.first[i + 1]; ++k) {
            const Vec3d a = block.centers[i], b = block.centers[block.to[k]];
            if ((a.x < 3) == (b.x < 3) || a.y > 3) to.push_back(block.to[k]);
        }
        first.push_back(std::uint32_t(to.size()));
    }
    block.first = first;
    block.to = to;
    const std::vector<Vec3> vertices{{2.9f, 2.7f, 2.4f}};
    const Trilinear bound = block.bind(vertices);
    double across_below = 0, across_above = 0;
    for (int k = 0; k < 8; ++k) {
        const Vec3d p = block.centers[bound.points[k]];
        if (p.x > 3) (p.y > 3 ? across_above : across_below) += double(bound.weights[k]);
    }
    EXPECT_EQ(across_below, 0);
    EXPECT_GT(across_above, 0.01) << "above the cut the sides are joined";
}

TEST(Trilinear, AVertexOutsideIsCarriedByItsHome) {
    const Block block(3);
    const std::vector<Vec3> vertices{{9, 9, 9}};
    const std::vector<std::uint32_t> homes{block.at(2, 2, 2)};
    const Trilinear bound = bind_trilinear({{block.first, block.to, 1}, block.centers, 1.0, vertices, homes});
    EXPECT_EQ(bound.points[0], homes[0]);
    EXPECT_FLOAT_EQ(bound.weights[0], 1);
    const Quat q = quat_from_axis_angle({0, 1, 0}, 1.0);
    const Channels moved = rigid(block, q, {1, 2, 3});
    std::vector<Vec3> out(1);
    carry_positions_reference(bound, moved.view(block.centers.size()), vertices, out);
    EXPECT_LT(length(to_double(out[0]) - (rotate(q, {9, 9, 9}) + Vec3d{1, 2, 3})), 1e-5);
}

}  // namespace
}  // namespace fascia::embedding
