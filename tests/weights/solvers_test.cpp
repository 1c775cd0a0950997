// The three solvers on voxels against brute force in double.
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "weights/biharmonic.h"
#include "weights/body.h"
#include "weights/chamfer.h"
#include "weights/diffusion.h"

namespace fascia::weights {
namespace {

using test::VoxelBody;

struct Way {
    std::size_t from, to;
    int steps;
};

/// All pairs of nodes that touch, found by comparing every node with every other.
std::vector<Way> brute_ways(const VoxelBody& body) {
    std::vector<Way> ways;
    for (std::size_t i = 0; i < body.size(); ++i)
        for (std::size_t j = 0; j < body.size(); ++j) {
            int steps = 0, far = 0;
            for (std::size_t a = 0; a < 3; ++a) {
                const int off = std::abs(body.cells[i][a] - body.cells[j][a]);
                steps += off;
                far = std::max(far, off);
            }
            if (far == 1) ways.push_back({j, i, steps + 2});
        }
    return ways;
}

/// Shortest paths from each joint, by relaxing every pair until nothing changes. [joints][nodes]
std::vector<std::vector<int>> brute_distances(const VoxelBody& body, std::size_t joints) {
    const std::vector<Way> ways = brute_ways(body);
    std::vector<std::vector<int>> all(joints, std::vector<int>(body.size(), 1 << 20));
    for (const NodeJoint& c : body.cores) all[c.joint][c.node] = 0;
    for (std::vector<int>& d : all)
        for (bool changed = true; changed;) {
            changed = false;
            for (const Way& w : ways)
                if (d[w.from] + w.steps < d[w.to]) d[w.to] = d[w.from] + w.steps, changed = true;
        }
    return all;
}

TEST(Geodesic, WeightsFollowTheShortestWays) {
    const VoxelBody few = test::voxel_corner(14, 3, 3);
    const std::vector<float> thickness(few.size(), 1.5f);
    const NearestBone nearest = nearest_bones(few.neighbours, few.cores);
    const SpreadInput input{.neighbours = few.neighbours,
                            .cores = few.cores,
                            .thickness = thickness,
                            .unit = 0.5,
                            .eps = 0.75,
                            .cutoff = 100,
                            .slots = 8};
    const Influences out = spread_weights(input, nearest);
    const auto d = brute_distances(few, few.joints);
    for (std::size_t i = 0; i < few.size(); ++i) {
        int least = 1 << 20;
        for (const auto& of : d) least = std::min(least, of[i]);
        EXPECT_EQ(nearest.distance[i], least);
        std::vector<double> expected;
        for (const auto& of : d) {
            const double far = (of[i] - least) / 3.0 / 1.5 / 0.5 + 0.75;
            expected.push_back(std::pow(0.5 * far + 0.5 * far * far, -2));
        }
        const double sum = std::accumulate(expected.begin(), expected.end(), 0.0);
        for (std::size_t s = 0; s < few.joints; ++s)
            EXPECT_NEAR(out.weights[i * 8 + s], expected[out.joints[i * 8 + s]] / sum, 1e-6);
    }
}

TEST(Geodesic, BonesBeyondTheCutOffAreNotFollowed) {
    const VoxelBody body = test::voxel_corner(14, 3, 3);
    const std::vector<float> thickness(body.size(), 1.5f);
    const NearestBone nearest = nearest_bones(body.neighbours, body.cores);
    const Influences out = spread_weights(
        {.neighbours = body.neighbours, .cores = body.cores, .thickness = thickness, .cutoff = 2, .slots = 8}, nearest);
    std::size_t dropped = 0;
    const auto distances = brute_distances(body, body.joints);
    for (std::size_t j = 0; j < body.joints; ++j) {
        const auto& d = distances[j];
        for (std::size_t i = 0; i < body.size(); ++i) {
            bool there = false;
            for (int s = 0; s < 8; ++s) there |= out.weights[i * 8 + s] > 0 && out.joints[i * 8 + s] == j;
            EXPECT_EQ(there, (d[i] - nearest.distance[i]) / 3.0 / 1.5 <= 2) << i;
            dropped += !there;
        }
    }
    EXPECT_GT(dropped, body.size());
}

TEST(Geodesic, MoreJointsThanFitSideBySide) {
    VoxelBody body = test::voxel_corner(24, 3, 3);
    body.cores.clear();
    for (std::uint32_t i = 0; i < 40; ++i) body.cores.push_back({i * 7, std::uint16_t(i)});
    const std::vector<float> thickness(body.size(), 1.5f);
    const NearestBone nearest = nearest_bones(body.neighbours, body.cores);
    const Influences out = spread_weights(
        {.neighbours = body.neighbours, .cores = body.cores, .thickness = thickness, .cutoff = 50, .slots = 8},
        nearest);
    const auto d = brute_distances(body, 40);
    for (std::size_t i = 0; i < body.size(); ++i) {
        std::vector<int> all;
        for (const auto& of : d) all.push_back(of[i]);
        std::sort(all.begin(), all.end());
        for (std::size_t s = 0; s < 8; ++s) EXPECT_EQ(d[out.joints[i * 8 + s]][i], all[s]);
    }
}

/// Mean over the neighbours of a node, with nearer ones weighted more.
template <class Value>
double mean_around(const VoxelBody& body, std::size_t i, Value value) {
    double mean = 0, weight = 0;
    for (std::size_t k = 0; k < 27; ++k) {
        const std::int32_t n = body.neighbours[i * 27 + k];
        if (n < 0 || k == 13) continue;
        double d2 = 0;
        for (std::size_t a = 0; a < 3; ++a) d2 += std::pow(body.cells[i][a] - body.cells[n][a], 2);
        weight += 1 / (1 + std::sqrt(d2));
        mean += double(value(std::size_t(n))) / (1 + std::sqrt(d2));
    }
    return mean / weight;
}

TEST(Diffusion, IsHarmonicBetweenTheBones) {
    const VoxelBody body = test::voxel_corner(14, 3, 3);
    const auto clamps = equal_shares(body.cores);
    ThreadPool pool(1);
    const Dense out = diffusion_weights({body.neighbours, clamps, body.joints}, pool);
    std::vector<bool> clamped(body.size(), false);
    for (const Clamp& c : clamps) {
        clamped[c.node] = true;
        EXPECT_EQ(out.values[c.node * body.joints + c.joint], c.share);
    }
    for (std::size_t i = 0; i < body.size(); ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < body.joints; ++j) sum += out.values[i * body.joints + j];
        EXPECT_NEAR(sum, 1, 1e-3);
        if (clamped[i]) continue;
        for (std::size_t j = 0; j < body.joints; ++j) {
            const double mean = mean_around(body, i, [&](std::size_t n) { return out.values[n * body.joints + j]; });
            EXPECT_NEAR(out.values[i * body.joints + j], mean, 3e-4);
        }
    }
}

/// Sets each free node to the mean of its neighbours, from a given start until nothing changes.
std::vector<double> brute_harmonic(const VoxelBody& body, const std::vector<Clamp>& clamps, std::size_t joint,
                                   double start) {
    std::vector<double> e(body.size(), start);
    std::vector<bool> clamped(body.size(), false);
    for (const Clamp& c : clamps) {
        if (!clamped[c.node]) e[c.node] = 0;
        clamped[c.node] = true;
        if (c.joint == joint) e[c.node] = c.share;
    }
    for (double moved = 1; moved > 1e-10;) {
        moved = 0;
        for (std::size_t i = 0; i < body.size(); ++i) {
            if (clamped[i]) continue;
            const double mean = mean_around(body, i, [&](std::size_t n) { return e[n]; });
            moved = std::max(moved, std::abs(mean - e[i]));
            e[i] = mean;
        }
    }
    return e;
}

/// Wherever relaxation starts, it ends where the solver does: the solution is unique.
TEST(Diffusion, TheLargestAreTheSameWithoutTheOthers) {
    VoxelBody body = test::voxel_corner(14, 3, 3);
    for (NodeJoint& core : body.cores) core.joint = std::uint16_t(core.joint * 9);
    const std::size_t joints = body.joints * 9 + 40;  // of which most hold nothing
    const std::vector<Clamp> clamps = equal_shares(body.cores);
    for (const int threads : {1, 3}) {
        ThreadPool pool(threads);
        const DiffusionInput input{body.neighbours, clamps, joints};
        const Influences all = keep_largest(diffusion_weights(input, pool), 6, 0.01f);
        const Influences some = largest_diffusion_weights(input, 6, 0.01f, pool);
        EXPECT_EQ(some.slots, all.slots);
        EXPECT_EQ(some.joints, all.joints);
        EXPECT_EQ(some.weights, all.weights);
        EXPECT_GT(*std::max_element(all.joints.begin(), all.joints.end()), 16) << "more than one chunk";
    }
}

TEST(Diffusion, IsUnique) {
    const VoxelBody body = test::voxel_corner(14, 3, 3);
    const auto clamps = equal_shares(body.cores);
    ThreadPool pool(1);
    const Dense out = diffusion_weights({body.neighbours, clamps, body.joints}, pool);
    for (std::size_t j = 0; j < body.joints; ++j)
        for (const double start : {0.0, 1.0, -7.0}) {
            const std::vector<double> twin = brute_harmonic(body, clamps, j, start);
            for (std::size_t i = 0; i < body.size(); ++i) {
                EXPECT_NEAR(out.values[i * body.joints + j], twin[i], 1e-3) << i;
                EXPECT_GE(out.values[i * body.joints + j], -1e-6);
            }
        }
}

/// min w^T L L w with bounds, by updating the nodes one after another until nothing changes.
std::vector<double> brute_biharmonic(const VoxelBody& body, const std::vector<Clamp>& clamps, std::size_t joint) {
    const std::size_t n = body.size();
    std::vector<double> dense(n * n, 0), q(n * n, 0), w(n, 0);
    std::vector<bool> clamped(n, false);
    for (std::size_t i = 0; i < n; ++i)
        for (const std::uint32_t j : body.links().of(i)) dense[i * n + j] -= 1, dense[i * n + i] += 1;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = 0; k < n; ++k)
            if (dense[i * n + k] != 0)
                for (std::size_t j = 0; j < n; ++j) q[i * n + j] += dense[i * n + k] * dense[k * n + j];
    for (const Clamp& c : clamps) {
        clamped[c.node] = true;
        if (c.joint == joint) w[c.node] = c.share;
    }
    for (double moved = 1; moved > 1e-9;) {
        moved = 0;
        for (std::size_t i = 0; i < n; ++i) {
            if (clamped[i]) continue;
            double force = 0;
            for (std::size_t j = 0; j < n; ++j) force += q[i * n + j] * w[j];
            const double to = std::clamp(w[i] - 1.6 * force / q[i * n + i], 0.0, 1.0);  // over-relaxed
            moved = std::max(moved, std::abs(to - w[i]));
            w[i] = to;
        }
    }
    return w;
}

TEST(Biharmonic, IsTheSmoothestWithinItsBounds) {
    const VoxelBody body = test::voxel_corner(12, 3, 2);
    const auto clamps = equal_shares(body.cores);
    ThreadPool pool(1);
    const BiharmonicResult out = biharmonic_weights({body.links(), clamps, body.joints}, pool);
    double bounded = 0;
    for (std::size_t j = 0; j < body.joints; ++j) {
        const auto expected = brute_biharmonic(body, clamps, j);
        for (std::size_t i = 0; i < body.size(); ++i) {
            EXPECT_NEAR(out.dense.values[i * body.joints + j], expected[i], 0.002) << i << " " << j;
            bounded += expected[i] == 0;
        }
    }
    EXPECT_GT(bounded, 20);  // the bounds matter here
}

/// Threads share the nodes of joints that fit side by side; more joints are distributed joint by joint.
class Threads : public ::testing::TestWithParam<int> {};

TEST_P(Threads, GiveTheSameBits) {
    const VoxelBody body = test::voxel_corner(40, 6, GetParam());
    const auto clamps = equal_shares(body.cores);
    ASSERT_GT(body.links().node_count(), 3 * 8 * sum_block) << "too small for three threads";
    ThreadPool one(1), two(2), three(3);
    const auto diffusion = [&](ThreadPool& pool) {
        return diffusion_weights({body.neighbours, clamps, body.joints}, pool).values;
    };
    const std::vector<float> expected = diffusion(one);
    EXPECT_EQ(diffusion(two), expected);
    EXPECT_EQ(diffusion(three), expected);
    const auto biharmonic = [&](ThreadPool& pool) {
        return biharmonic_weights({body.links(), clamps, body.joints}, pool).dense.values;
    };
    EXPECT_EQ(biharmonic(two), biharmonic(one));
}
INSTANTIATE_TEST_SUITE_P(Bones, Threads, ::testing::Values(5, 12));

}  // namespace
}  // namespace fascia::weights
