// Automatic weights through the public interface: on shapes with known answers, on shapes that are broken, and against
// the artists' weights of the shared data.
#include <cmath>

#include <gtest/gtest.h>

#include "fascia/bundled.h"
#include "fascia/method.h"
#include "fascia/weights.h"
#include "support/sound_weights.h"
#include "support/tube.h"

namespace fascia {
namespace {

const std::vector<std::string> volume_methods{"geodesic", "diffusion", "biharmonic"};

void expect_sound(const ComputedWeights& w, const Character& c) {
    test::expect_sound(w.weights, c);
}
bool tells(const ComputedWeights& w, const std::string& words) {
    for (const std::string& note : w.notes)
        if (note.find(words) != std::string::npos) return true;
    return false;
}

double weight_at(const SkinWeights& w, std::size_t v, int joint) {
    double sum = 0;
    for (std::size_t k = v * w.influences; k < (v + 1) * w.influences; ++k)
        if (w.joints[k] == joint) sum += w.weights[k];
    return sum;
}

Character long_tube() {
    Character c = test::tube_character({64, 24, 1});
    c.joints[0].tail = {0, 0, 0};
    c.joints[1].tail = {4, 0, 0};
    return c;
}

class VolumeWeights : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, VolumeWeights, ::testing::ValuesIn(volume_methods));

TEST_P(VolumeWeights, OfATubeMeetInTheMiddle) {
    const Character c = long_tube();
    const auto w = compute_weights(c, {.method = GetParam(), .resolution = 24});
    ASSERT_TRUE(w.ok());
    expect_sound(*w, c);
    EXPECT_EQ(w->fallback_vertices, 0u);
    for (std::size_t v = 0; v < c.mesh.vertex_count(); ++v) {
        const float x = c.mesh.positions[v].x;
        const double upper = weight_at(w->weights, v, 1);
        if (x < -2) {
            EXPECT_LT(upper, 0.1) << x;
        }
        if (x > 2) {
            EXPECT_GT(upper, 0.9) << x;
        }
        if (x == 0) {
            EXPECT_NEAR(upper, 0.5, 0.31);  // within half a voxel
        }
        if (x > 0.5) {
            EXPECT_GT(upper, 0.5) << x;
        }
    }
}

TEST_P(VolumeWeights, EveryMethodBindsWithThem) {
    Character c = long_tube();
    c.weights = compute_weights(c, {.method = GetParam(), .resolution = 16})->weights;
    for (const Settings& settings :
         {Settings{LbsSettings{}}, Settings{DqsSettings{}}, Settings{BonesBlendingSettings{}}})
        EXPECT_TRUE(fascia::bind(c, settings).ok());
}

TEST_P(VolumeWeights, BrokenInputGivesWeightsAndWords) {
    Character c = long_tube();
    c.mesh.triangles.resize(c.mesh.triangles.size() / 2);  // open, and half of the vertices without a triangle
    c.joints[1].rest.m[1][3] = 30;                         // a bone far outside
    c.joints[1].tail = {0, 34, 0};
    const auto w = compute_weights(c, {.method = GetParam(), .resolution = 16});
    ASSERT_TRUE(w.ok());
    expect_sound(*w, c);
    EXPECT_TRUE(tells(*w, "open"));
    EXPECT_TRUE(tells(*w, "outside the body"));
}

TEST_P(VolumeWeights, APieceWithoutABoneMovesAsOne) {
    Character c = long_tube();
    const auto tube_vertices = std::uint32_t(c.mesh.vertex_count());
    const Mesh ball = test::tube_mesh({2, 8, 1});
    for (const Vec3 p : ball.positions)
        c.mesh.positions.push_back({p.x * 0.1f + 3, p.y * 0.4f + 4, p.z * 0.4f}), c.mesh.normals.push_back({0, 1, 0}),
            c.mesh.tangents.push_back({1, 0, 0, 1});
    for (const std::uint32_t v : ball.triangles) c.mesh.triangles.push_back(v + tube_vertices);
    const auto w = compute_weights(c, {.method = GetParam(), .resolution = 24});
    ASSERT_TRUE(w.ok());
    expect_sound(*w, c);
    EXPECT_TRUE(tells(*w, "without a bone"));
    EXPECT_EQ(w->fallback_vertices, ball.positions.size());
    for (std::size_t v = tube_vertices; v < c.mesh.vertex_count(); ++v)
        EXPECT_NEAR(weight_at(w->weights, v, 1), weight_at(w->weights, tube_vertices, 1), 1e-6);
    EXPECT_GT(weight_at(w->weights, tube_vertices, 1), 0.9);
}

TEST_P(VolumeWeights, BonesInOneVoxelShareIt) {
    Character c = long_tube();
    for (int k = 0; k < 2; ++k) {  // two short bones at one point beside the others
        Joint extra = c.joints[1];
        extra.name = "twin" + std::to_string(k);
        extra.parent = 1;
        extra.rest.m[0][3] = 3 + 0.01 * k;
        extra.tail = {3.05, 0, 0};
        c.joints.push_back(extra);
    }
    const auto w = compute_weights(c, {.method = GetParam(), .resolution = 16});
    ASSERT_TRUE(w.ok());
    expect_sound(*w, c);
    EXPECT_TRUE(tells(*w, "same voxels"));
    EXPECT_FALSE(tells(*compute_weights(long_tube(), {.method = GetParam(), .resolution = 16}), "same voxels"));
}

TEST_P(VolumeWeights, NonManifoldMeshes) {
    Character c = long_tube();
    const auto n = std::uint32_t(c.mesh.vertex_count());
    c.mesh.positions.push_back({0, 3, 0});  // a fin on an edge that has two triangles already
    c.mesh.normals.push_back({0, 0, 1});
    c.mesh.tangents.push_back({1, 0, 0, 1});
    for (const std::uint32_t v : {c.mesh.triangles[0], c.mesh.triangles[1], n}) c.mesh.triangles.push_back(v);
    for (int k = 0; k < 3; ++k) c.mesh.triangles.push_back(c.mesh.triangles[3]);  // no area at all
    const auto w = compute_weights(c, {.method = GetParam(), .resolution = 16});
    ASSERT_TRUE(w.ok());
    expect_sound(*w, c);
    EXPECT_TRUE(tells(*w, "not manifold"));
}

TEST_P(VolumeWeights, SelfIntersectingMeshes) {
    Character c = long_tube();
    const auto n = std::uint32_t(c.mesh.vertex_count());
    const std::vector<std::uint32_t> triangles = c.mesh.triangles;
    for (std::uint32_t v = 0; v < n; ++v) {  // the same tube again, crossing the first
        const Vec3 p = c.mesh.positions[v];
        c.mesh.positions.push_back({p.y, p.x, p.z});
        c.mesh.normals.push_back(c.mesh.normals[v]);
        c.mesh.tangents.push_back(c.mesh.tangents[v]);
    }
    for (const std::uint32_t v : triangles) c.mesh.triangles.push_back(v + n);
    const auto w = compute_weights(c, {.method = GetParam(), .resolution = 16});
    ASSERT_TRUE(w.ok());
    expect_sound(*w, c);
    EXPECT_EQ(w->fallback_vertices, 0u);  // one body where they cross
    EXPECT_TRUE(tells(*w, "runs through itself"));
    EXPECT_FALSE(tells(*compute_weights(long_tube(), {.method = GetParam(), .resolution = 16}), "runs through itself"));
}

TEST(VolumeWeightsSize, AMillionTriangles) {
    Character c = test::tube_character({700, 720, 1});
    c.joints[0].tail = {0, 0, 0};
    c.joints[1].tail = {4, 0, 0};
    ASSERT_GT(c.mesh.triangle_count(), 1000000u);
    const auto w = compute_weights(c, {.method = "geodesic", .resolution = 24, .threads = 2});
    ASSERT_TRUE(w.ok());
    expect_sound(*w, c);
    EXPECT_EQ(w->fallback_vertices, 0u);
}

TEST(VolumeWeightsNearest, FollowsTheNearestBone) {
    const Character c = long_tube();
    const auto w = compute_weights(c, {.method = "nearest"});
    ASSERT_TRUE(w.ok());
    for (std::size_t v = 0; v < c.mesh.vertex_count(); ++v)
        if (c.mesh.positions[v].x != 0) {
            EXPECT_EQ(weight_at(w->weights, v, 1), c.mesh.positions[v].x > 0 ? 1.0 : 0.0);
        }
}

TEST(VolumeWeightsNames, UnknownOnesAreAnswered) {
    const auto w = compute_weights(long_tube(), {.method = "geodesik"});
    ASSERT_FALSE(w.ok());
    EXPECT_NE(w.error().message.find("geodesic"), std::string::npos);
}

TEST(VolumeWeightsThreads, SameWeightsForAnyNumber) {
    const Character c = long_tube();
    for (const std::string& method : volume_methods)
        EXPECT_EQ(compute_weights(c, {.method = method, .resolution = 20, .threads = 1})->weights.weights,
                  compute_weights(c, {.method = method, .resolution = 20, .threads = 3})->weights.weights);
}

/// The legs of the bundled characters, whose names are known: nothing passes between them.
TEST_P(VolumeWeights, NothingLeaksBetweenTheLegs) {
    const auto c = bundled_character("gnome");
    ASSERT_TRUE(c.ok());
    const auto w = compute_weights(*c, {.method = GetParam(), .resolution = 32});
    ASSERT_TRUE(w.ok());
    EXPECT_LT(w->fallback_share, 0.01);
    const auto side = [&](int joint) {
        for (; joint >= 0; joint = c->joints[joint].parent) {
            if (c->joints[joint].name == "left_upper_leg") return 1;
            if (c->joints[joint].name == "right_upper_leg") return 2;
        }
        return 0;
    };
    for (std::size_t v = 0; v < c->mesh.vertex_count(); ++v) {
        double legs[3] = {0, 0, 0};
        for (int k = 0; k < 4; ++k) legs[side(w->weights.joints[4 * v + k])] += w->weights.weights[4 * v + k];
        ASSERT_LT(std::min(legs[1], legs[2]), 0.05);
    }
}

}  // namespace
}  // namespace fascia
