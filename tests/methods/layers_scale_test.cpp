// Scaled bones, and bones that turn by more than half a turn.
#include <cmath>

#include <gtest/gtest.h>

#include "fascia/live.h"
#include "fascia/measure.h"
#include "methods/layers_egg.h"
#include "methods/layers_tube.h"
#include "support/flesh.h"

namespace fascia {
namespace {

using test::Actor;
using test::at_resolution;
using test::bound;
using test::make_egg;
using test::moved;
using test::rest_joints;

/// The upper half of the egg, scaled about its joint.
std::vector<Affine> swollen(const Character& egg, Vec3d scale) {
    auto joints = rest_joints(egg);
    joints[1] = joints[1] * compose({}, {}, scale);
    return joints;
}

std::vector<Affine> shaken(std::vector<Affine> joints, int k) {
    return moved(std::move(joints), compose({0, 0, k < 120 ? 0.1 * std::sin(0.15 * k) : 0}, {}, {1, 1, 1}));
}

TEST(LayersScale, AScaledBoneScalesItsFleshAndRestsThere) {
    const Character egg = make_egg();
    for (const Vec3d scale : {Vec3d{2, 2, 2}, Vec3d{0.5, 0.5, 0.5}, Vec3d{1.3, 0.8, 1.1}}) {
        Actor actor(bound(egg, at_resolution(16)));
        actor.reset_to(swollen(egg, scale));
        actor.look();
        EXPECT_LT(surface_offset(actor.positions, actor.skinned, 1).max, 1e-6);
        // The top of the egg is held by the upper joint alone, so it is where the scaled bone puts it.
        std::size_t top = 0;
        for (std::size_t v = 0; v < egg.mesh.positions.size(); ++v)
            if (egg.mesh.positions[v].y > egg.mesh.positions[top].y) top = v;
        EXPECT_NEAR(actor.positions[top].y, 0.5 * scale.y, 1e-4);
        double most = 0;
        for (int k = 1; k <= 420; ++k) {
            actor.go(shaken(swollen(egg, scale), k), 1.0 / 60);
            actor.look();
            most = std::max(most, surface_offset(actor.positions, actor.skinned, 1).max);
        }
        EXPECT_GT(most, 0.005) << scale.x;
        EXPECT_EQ(actor.state.asleep, 1u);
        EXPECT_LT(surface_offset(actor.positions, actor.skinned, 1).max, 2e-3) << scale.x;
    }
}

TEST(LayersScale, SwingsGrowWithTheBone) {
    const Character egg = make_egg();
    double swing[2];
    for (const int big : {0, 1}) {
        Actor actor(bound(egg, at_resolution(16)));
        const auto joints = big ? swollen(egg, {1.5, 1.5, 1.5}) : rest_joints(egg);
        actor.reset_to(joints);
        std::size_t front = 0;
        for (std::size_t v = 0; v < egg.mesh.positions.size(); ++v)
            if (egg.mesh.positions[v].z + egg.mesh.positions[v].y >
                egg.mesh.positions[front].z + egg.mesh.positions[front].y)
                front = v;
        swing[big] = 0;
        for (int k = 1; k <= 120; ++k) {
            actor.go(shaken(joints, k), 1.0 / 60);
            actor.look();
            swing[big] = std::max(swing[big], double(length(actor.positions[front] - actor.skinned[front])));
        }
    }
    EXPECT_NEAR(swing[1] / swing[0], 1.5, 0.1);
}

class BoneScale : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Methods, BoneScale, testing::Values("layers", "lattice", "particles"));

/// Points are shown where the scaled bones carry them: just below the surface everywhere.
TEST_P(BoneScale, PointsAreInsideTheScaledBody) {
    const Character egg = make_egg();
    Actor actor(*fascia::bind(egg, GetParam(), test::flesh_with("default", {{"resolution", 16}})));
    actor.reset_to(swollen(egg, {2, 2, 2}));
    actor.look();
    std::vector<Vec3> points(actor.rig->point_count());
    actor.rig->inside()->point_positions(actor.state, points, actor.work);
    double worst = 0;
    for (const Vec3 v : actor.positions) {
        float nearest = 1e9f;
        for (const Vec3 p : points) nearest = std::min(nearest, length(v - p));
        worst = std::max(worst, double(nearest));
    }
    EXPECT_LT(worst, 2 * 1.3 * actor.rig->inside()->point_spacing()) << "cells are twice as large up there";
}

/// A hand takes hold of the point it touches: held in place, nothing moves; pulled, the flesh comes along.
TEST_P(BoneScale, AHandHoldsWhatItTouches) {
    const Character egg = make_egg();
    const auto joints = swollen(egg, {2, 2, 2});
    Actor actor(*fascia::bind(egg, GetParam(), test::flesh_with("default", {{"resolution", 16}})));
    actor.reset_to(joints);
    const auto point = pick(*actor.rig, {{0, 0.5, 5}, {0, 0, -1}}, actor.state, actor.work);
    ASSERT_TRUE(point.has_value());
    ASSERT_TRUE(pull(*actor.rig, *point, *point, 1, actor.state));
    for (int k = 0; k < 60; ++k) actor.go(joints, 1.0 / 60);
    actor.look();
    EXPECT_LT(surface_offset(actor.positions, actor.skinned, 1).max, 2e-3);
    move_pull(*point + Vec3d{0, 0, 0.3}, actor.state);
    for (int k = 0; k < 60; ++k) actor.go(joints, 1.0 / 60);
    actor.look();
    std::size_t farthest = 0;
    for (std::size_t v = 0; v < actor.positions.size(); ++v)
        if (length(actor.positions[v] - actor.skinned[v]) > length(actor.positions[farthest] - actor.skinned[farthest]))
            farthest = v;
    EXPECT_GT(length(actor.positions[farthest] - actor.skinned[farthest]), 0.02f);
    EXPECT_LT(length(to_double(actor.skinned[farthest]) - *point), 0.35) << "what moves most is what was touched";
}

/// Every bone scaled by the same factor is the body at another size.
TEST(LayersScale, AllBonesScaledIsABiggerBody) {
    const Character egg = make_egg();
    const RigPtr rig = bound(egg, at_resolution(16));
    const double s = 1.5;
    Actor plain(rig), scaled(rig);
    const auto at = [&](int k, double by) {
        auto joints = rest_joints(egg);
        joints[1] = joints[1] * compose({}, quat_from_axis_angle({1, 0, 0}, 0.4 * std::sin(0.2 * k)), {1, 1, 1});
        return moved(moved(joints, compose({0, 0, 0.1 * std::sin(0.15 * k)}, {}, {1, 1, 1})),
                     compose({}, {}, {by, by, by}));
    };
    plain.reset_to(at(0, 1));
    scaled.reset_to(at(0, s));
    for (int k = 1; k <= 60; ++k) {
        plain.go(at(k, 1), 1.0 / 60);
        scaled.go(at(k, s), 1.0 / 60);
    }
    plain.look();
    scaled.look();
    for (std::size_t v = 0; v < plain.positions.size(); ++v)
        EXPECT_LT(length(scaled.positions[v] - plain.positions[v] * float(s)), 1e-3f);
}

/// A bone whose scale keeps changing does not shake its flesh off.
TEST(LayersScale, ChangingScalesStayWithinReach) {
    const Character egg = make_egg();
    Actor actor(bound(egg, at_resolution(16)));
    actor.reset_to(rest_joints(egg));
    for (int k = 1; k <= 300; ++k) {
        const double s = std::exp2(std::sin(0.4 * k));  // 0.5 to 2
        actor.go(shaken(swollen(egg, {s, s, s}), k), 1.0 / 60);
        actor.look();
        ASSERT_TRUE(test::all_finite(actor.state.positions));
        ASSERT_LT(surface_offset(actor.positions, actor.skinned, 1).max, 0.25) << k;
    }
    EXPECT_EQ(actor.state.counters.refused_poses, 0u);
}

// ---- more than half a turn ---------------------------------------------------------------------------------------
double largest_jump(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    double most = 0;
    for (std::size_t v = 0; v < a.size(); ++v) most = std::max(most, double(length(a[v] - b[v])));
    return most;
}

TEST(LayersTwist, ASlowTwistGoesThroughHalfATurnWithoutAJump) {
    const Character tube = test::make_tube();
    Actor actor(bound(tube, at_resolution(20)));
    actor.reset_to(test::turned_tube({1, 0, 0}, 0));
    std::vector<Vec3> last, last_skinned;
    // Four seconds from 120 to 300 degrees, after getting to 120 quickly.
    for (int k = 1; k <= 60; ++k) actor.go(test::turned_tube({1, 0, 0}, k / 60.0 * 2.0944), 1.0 / 60);
    actor.look();
    const double step = 3.14159 / 240;
    for (int k = 1; k <= 240; ++k) {
        last = actor.positions;
        last_skinned = actor.skinned;
        actor.go(test::turned_tube({1, 0, 0}, 2.0944 + step * k), 1.0 / 60);
        actor.look();
        // No vertex moves further than a few times as far as the end that turns.
        ASSERT_LT(largest_jump(actor.skinned, last_skinned), 4 * step) << k;
        ASSERT_LT(largest_jump(actor.positions, last), 6 * step) << k;
    }
    // A copy goes on from there; a reset takes the short way.
    const auto end = test::turned_tube({1, 0, 0}, 2.0944 + 3.14159);
    Actor fresh(actor.rig);
    fresh.reset_to(end);
    fresh.look();
    EXPECT_GT(largest_jump(fresh.skinned, actor.skinned), 0.3);
    auto restored = load_state(*actor.rig, save_state(*actor.rig, actor.state));
    ASSERT_TRUE(restored.ok());
    fresh.state = *restored;
    fresh.look();
    EXPECT_EQ(largest_jump(fresh.positions, actor.positions), 0);
}

}  // namespace
}  // namespace fascia
