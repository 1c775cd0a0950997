#include "weights/influences.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <tuple>

#include <gtest/gtest.h>

#include "weights/from_surface.h"
#include "weights/geodesic.h"
#include "weights/nearest.h"

namespace fascia::weights {
namespace {

/// Nodes in a row, each linked to the next.
struct Chain {
    std::vector<std::uint32_t> first{0}, to;
    std::vector<Vec3d> centers;
    explicit Chain(int n) {
        for (int i = 0; i < n; ++i) {
            if (i > 0) to.push_back(std::uint32_t(i - 1));
            if (i + 1 < n) to.push_back(std::uint32_t(i + 1));
            first.push_back(std::uint32_t(to.size()));
            centers.push_back({double(i), 0, 0});
        }
    }
    Links links() const { return {first, to, 1}; }
};

TEST(Geodesic, MatchesTheFormulaOnAChain) {
    const Chain chain(20);
    const std::vector<JointCore> cores{{3, {0, 0, 0}, {4, 0, 0}, {0, 1, 2, 3, 4}},
                                       {7, {10, 0, 0}, {12, 0, 0}, {10, 11, 12}}};
    const double step = 0.7, eps = 0.5;
    const Influences out = geodesic_weights({chain.links(), chain.centers, step, eps, 4}, cores);
    for (int i = 0; i < 20; ++i) {
        const double a = std::max(0, i - 4) * step + eps, b = std::max({0, 10 - i, i - 12}) * step + eps;
        const double wa = std::pow(0.5 * a + 0.5 * a * a, -2), wb = std::pow(0.5 * b + 0.5 * b * b, -2);
        double found[2] = {0, 0};
        for (int k = 0; k < 4; ++k) {
            if (out.weights[4 * i + k] == 0) continue;
            ASSERT_TRUE(out.joints[4 * i + k] == 3 || out.joints[4 * i + k] == 7);
            found[out.joints[4 * i + k] == 7] += out.weights[4 * i + k];
        }
        EXPECT_NEAR(found[0], wa / (wa + wb), 1e-6) << i;
        EXPECT_NEAR(found[1], wb / (wa + wb), 1e-6) << i;
        EXPECT_GE(out.weights[4 * i], out.weights[4 * i + 1]);
    }
}

TEST(Geodesic, DistancesAreNotThroughTheAir) {
    // A hairpin: nodes 0..9 out, 10..19 back right beside them; the bone at 0 is far from 19 along the chain.
    Chain chain(20);
    for (int i = 10; i < 20; ++i) chain.centers[i] = {double(19 - i), 1, 0};
    const std::vector<JointCore> cores{{0, {0, 0, 0}, {0, 0, 0}, {0}}, {1, {9, 0, 0}, {9, 0, 0}, {9}}};
    const Influences out = geodesic_weights({chain.links(), chain.centers, 1, 1, 4}, cores);
    EXPECT_EQ(out.joints[4 * 19], 1);
    EXPECT_GT(out.weights[4 * 19], 0.8f);
}

TEST(Geodesic, AnIslandFollowsTheNearestBoneAlone) {
    Chain chain(4);
    chain.first = {0, 1, 2, 2, 2};  // 0 - 1, then two islands
    chain.to = {1, 0};
    chain.centers = {{0, 0, 0}, {1, 0, 0}, {5, 0, 0}, {20, 0, 0}};
    const std::vector<JointCore> cores{{2, {0, 0, 0}, {1, 0, 0}, {0}}, {5, {18, 0, 0}, {19, 0, 0}, {1}}};
    const Influences out = geodesic_weights({chain.links(), chain.centers, 1, 1, 4}, cores);
    EXPECT_EQ(out.joints[4 * 2], 2);
    EXPECT_FLOAT_EQ(out.weights[4 * 2], 1);
    EXPECT_EQ(out.joints[4 * 3], 5);
    EXPECT_FLOAT_EQ(out.weights[4 * 3], 1);
}

TEST(Geodesic, KeepsTheLargestFour) {
    const Chain chain(12);
    std::vector<JointCore> cores;
    for (std::uint16_t j = 0; j < 6; ++j) cores.push_back({j, {}, {}, {std::uint32_t(2 * j)}});
    const Influences out = geodesic_weights({chain.links(), chain.centers, 1, 1, 4}, cores);
    for (int i = 0; i < 12; ++i) {
        double sum = 0;
        for (int k = 0; k < 4; ++k) sum += out.weights[4 * i + k];
        EXPECT_NEAR(sum, 1, 1e-6);
    }
    EXPECT_EQ(out.joints[0], 0);
    EXPECT_EQ(out.joints[4 * 10], 5);
}

TEST(NearestOnTriangle, OfALineIsThatOfTheLine) {
    const Vec3d a{0, 0, 0}, b{2, 0, 0}, p{0.5, 1, 0};
    for (const auto& [x, y, z] : {std::tuple{a, a, b}, {a, b, a}, {b, a, a}, {a, b, b}}) {
        const Barycentric found = nearest_on_triangle(p, x, y, z);
        const Vec3d at = x * found.a + y * found.b + z * found.c;
        EXPECT_NEAR(at.x, 0.5, 1e-12);
        EXPECT_NEAR(found.a + found.b + found.c, 1, 1e-12);
    }
    const Barycentric point = nearest_on_triangle(p, a, a, a);
    EXPECT_NEAR(point.a + point.b + point.c, 1, 1e-12);
}

TEST(NearestOnTriangle, BeatsASearchOverTheTriangle) {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> at(-1, 1);
    for (int round = 0; round < 200; ++round) {
        const Vec3d a{at(random), at(random), at(random)}, b{at(random), at(random), at(random)},
            c{at(random), at(random), at(random)}, p{2 * at(random), 2 * at(random), 2 * at(random)};
        const Barycentric found = nearest_on_triangle(p, a, b, c);
        EXPECT_NEAR(found.a + found.b + found.c, 1, 1e-12);
        EXPECT_GE(std::min({found.a, found.b, found.c}), -1e-12);
        const double mine = length(p - (a * found.a + b * found.b + c * found.c));
        double best = 1e9;
        for (int i = 0; i <= 60; ++i)
            for (int j = 0; j + i <= 60; ++j)
                best = std::min(best, length(p - (a * (i / 60.0) + b * (j / 60.0) + c * ((60 - i - j) / 60.0))));
        EXPECT_LE(mine, best + 1e-12);
        EXPECT_GE(mine, best - 0.06);
    }
}

/// A cube of n^3 nodes whose outer nodes hold one small triangle each, painted as a function of the position.
struct PaintedCube {
    int n;
    std::vector<Vec3d> centers;
    std::vector<std::uint32_t> first{0}, to, triangle_first{0}, node_triangles;
    std::vector<Vec3> positions;
    std::vector<std::uint32_t> triangles;
    std::vector<std::uint16_t> joints;
    std::vector<float> weights;

    template <class Paint>
    PaintedCube(int size, Paint&& share_of_joint_1) : n(size) {
        const auto index = [&](int x, int y, int z) { return std::uint32_t((z * n + y) * n + x); };
        for (int z = 0; z < n; ++z)
            for (int y = 0; y < n; ++y)
                for (int x = 0; x < n; ++x) {
                    centers.push_back({x + 0.5, y + 0.5, z + 0.5});
                    if (x > 0) to.push_back(index(x - 1, y, z));
                    if (x + 1 < n) to.push_back(index(x + 1, y, z));
                    if (y > 0) to.push_back(index(x, y - 1, z));
                    if (y + 1 < n) to.push_back(index(x, y + 1, z));
                    if (z > 0) to.push_back(index(x, y, z - 1));
                    if (z + 1 < n) to.push_back(index(x, y, z + 1));
                    first.push_back(std::uint32_t(to.size()));
                    const bool outer = x == 0 || y == 0 || z == 0 || x == n - 1 || y == n - 1 || z == n - 1;
                    if (outer) {
                        node_triangles.push_back(std::uint32_t(triangles.size() / 3));
                        const Vec3 c = to_float(centers.back());
                        for (const Vec3 d : {Vec3{0, 0, 0}, Vec3{0.1f, 0, 0}, Vec3{0, 0.1f, 0}}) {
                            triangles.push_back(std::uint32_t(positions.size()));
                            positions.push_back(c + d);
                            const float w = float(share_of_joint_1(centers.back()));
                            joints.insert(joints.end(), {0, 1});
                            weights.insert(weights.end(), {1 - w, w});
                        }
                    }
                    triangle_first.push_back(std::uint32_t(node_triangles.size()));
                }
    }
    Influences run() const {
        return weights_from_surface({positions, triangles, 2, joints, weights},
                                    {{first, to, 1}, centers, 1.0, triangle_first, node_triangles, 4});
    }
    double share(const Influences& out, std::size_t i) const {
        double sum = 0;
        for (int k = 0; k < 4; ++k) sum += out.joints[4 * i + k] == 1 ? double(out.weights[4 * i + k]) : 0.0;
        return sum;
    }
};

TEST(FromSurface, AConstantStaysConstant) {
    const PaintedCube cube(7, [](Vec3d) { return 0.3; });
    const Influences out = cube.run();
    for (std::size_t i = 0; i < out.size(); ++i) EXPECT_NEAR(cube.share(out, i), 0.3, 1e-5);
}

TEST(FromSurface, ALinearPaintingStaysLinearInside) {
    // A linear function equals the mean of its neighbours: diffusion must not bend it.
    const PaintedCube cube(9, [](Vec3d p) { return p.x / 9; });
    const Influences out = cube.run();
    for (std::size_t i = 0; i < out.size(); ++i) EXPECT_NEAR(cube.share(out, i), cube.centers[i].x / 9, 0.04) << i;
}

TEST(FromSurface, InnerWeightsLieBetweenThoseOfTheSurface) {
    const PaintedCube cube(8, [](Vec3d p) { return p.y > 4 ? 1.0 : 0.0; });
    const Influences out = cube.run();
    for (std::size_t i = 0; i < out.size(); ++i) {
        EXPECT_GE(cube.share(out, i), -1e-6);
        EXPECT_LE(cube.share(out, i), 1 + 1e-6);
    }
    const auto at = [&](int x, int y, int z) { return cube.share(out, std::size_t((z * 8 + y) * 8 + x)); };
    for (int y = 1; y < 7; ++y) EXPECT_LE(at(4, y - 1, 4), at(4, y, 4) + 1e-6);
}

// Thousands of joints at one point, as they come: every sum is that of its joint, after a store and a new beginning,
// too.
TEST(Mixture, SumsByJointWhereThereAreMany) {
    std::mt19937 random(3);
    Mixture mixture;
    for (const std::uint32_t joints : {40u, 3000u, 10u, 65000u}) {
        mixture.clear();
        std::vector<double> sum(joints, 0);
        for (int k = 0; k < 6000; ++k) {
            const std::uint32_t joint = random() % joints, weight = random() % 1000 + 1;
            sum[joint] += weight;
            mixture.add(std::uint16_t(joint), weight);
        }
        std::vector<std::uint32_t> order(joints);
        std::iota(order.begin(), order.end(), 0u);
        std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return sum[a] > sum[b]; });
        const std::size_t kept = std::min<std::size_t>(joints, 30);
        double all = 0;
        for (std::size_t k = 0; k < kept; ++k) all += sum[order[k]];
        std::vector<std::uint16_t> found(30);
        std::vector<float> weights(30);
        EXPECT_TRUE(mixture.store(found, weights));
        for (std::size_t k = 0; k < kept; ++k) {
            EXPECT_EQ(found[k], order[k]) << joints;
            EXPECT_FLOAT_EQ(weights[k], float(sum[order[k]] / all)) << joints;
        }
        // What is added after a store finds what was there.
        mixture.add(std::uint16_t(order[kept - 1]), 1e6);
        EXPECT_TRUE(mixture.store(found, weights));
        EXPECT_EQ(found[0], order[kept - 1]);
        EXPECT_FLOAT_EQ(weights[0], float((sum[order[kept - 1]] + 1e6) / (all + 1e6)));
    }
}

TEST(NearestSegment, IsTheOneThatAPlainSearchFinds) {
    std::mt19937 random(4);
    // Whole numbers: many places are equally far from several segments, and the first of them counts.
    const auto number = [&](std::uint32_t most) { return double(random() % most); };
    for (const std::size_t count : {1u, 7u, 9u, 40u, 1000u}) {
        std::vector<Segment> segments;
        for (std::size_t k = 0; k < count; ++k) {
            const Vec3d a{number(20), number(20), number(20)};
            const Vec3d along = k % 3 == 0 ? Vec3d{} : Vec3d{number(5), number(5), number(5)};
            segments.push_back({a, a + along, std::uint16_t(k)});
        }
        const NearestSegment tree(segments);
        for (int k = 0; k < 500; ++k) {
            const Vec3d p{number(30) - 5, number(30) - 5, number(30) - 5};
            double least = 1e300;
            std::uint16_t plain = 0;
            for (const Segment& s : segments)
                if (const double d = squared_distance(p, s); d < least) least = d, plain = s.joint;
            ASSERT_EQ(tree.joint_at(p), plain) << count;
        }
    }
    EXPECT_EQ(NearestSegment({}).joint_at({1, 2, 3}), 0);
}

}  // namespace
}  // namespace fascia::weights
