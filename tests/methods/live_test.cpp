// Settings, fades and pulling on a running instance.
#include "fascia/live.h"

#include <cmath>

#include <gtest/gtest.h>

#include "fascia/measure.h"
#include "methods/allocation_count.h"
#include "methods/layers/layers_engine.h"
#include "methods/layers_egg.h"
#include "support/flesh.h"
#include "support/points.h"
#include "support/steady_body.h"

namespace fascia {
namespace {

using test::Actor;
using test::all_finite;
using test::at_resolution;
using test::bound;
using test::make_egg;
using test::moved;
using test::rest_joints;

std::vector<Affine> sway(const Character& egg, int k) {
    return moved(rest_joints(egg), compose({0.1 * std::sin(0.25 * k), 0, 0.05 * std::cos(0.4 * k)}, {}, {1, 1, 1}));
}

double offset(Actor& actor) {
    actor.look();
    return surface_offset(actor.positions, actor.skinned, 1).max;
}

/// The vertex that is furthest along an axis (0, 1, 2).
std::size_t furthest(const Character& character, int axis) {
    const auto at = [&](std::size_t v) {
        const Vec3 p = character.mesh.positions[v];
        return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
    };
    std::size_t best = 0;
    for (std::size_t v = 0; v < character.mesh.positions.size(); ++v)
        if (at(v) > at(best)) best = v;
    return best;
}

// ---- retune ----------------------------------------------------------------------------------------------------
TEST(LiveRetune, SameSettingsGoOnAsIfNothingHadHappened) {
    const Character egg = make_egg();
    const RigPtr rig = bound(egg, at_resolution(16));
    const auto again = retune(rig, at_resolution(16));
    ASSERT_TRUE(again.ok()) << again.error().message;
    Actor one(rig), two(rig);
    for (int k = 0; k < 120; ++k) {
        if (k == 40) two.rig = *again;
        one.go(sway(egg, std::min(k, 60)), 1.0 / 60);
        two.go(sway(egg, std::min(k, 60)), 1.0 / 60);
    }
    EXPECT_EQ(hash(one.state), hash(two.state));
    EXPECT_EQ(one.state.counters.steps, two.state.counters.steps);
}

TEST(LiveRetune, EqualsABindWithTheNewSettings) {
    const Character egg = make_egg();
    LayersSettings other = at_resolution(16);
    other.layers[1].frequency = 2.5;
    other.layers[2].damping = 0.4;
    other.layers[0].amount = 0.5;
    other.gravity = {0, -2, 0};
    const auto retuned = retune(bound(egg, at_resolution(16)), other);
    ASSERT_TRUE(retuned.ok()) << retuned.error().message;
    Actor one(*retuned), two(bound(egg, other));
    for (int k = 0; k < 30; ++k) {
        one.go(sway(egg, k), 1.0 / 60);
        two.go(sway(egg, k), 1.0 / 60);
    }
    EXPECT_EQ(hash(one.state), hash(two.state));
}

TEST(LiveRetune, TheSurfaceDoesNotJump) {
    const Character egg = make_egg();
    const RigPtr rig = bound(egg, at_resolution(16));
    Actor actor(rig);
    for (int k = 0; k < 40; ++k) actor.go(sway(egg, k), 1.0 / 60);
    actor.look();
    const auto before = actor.positions;
    LayersSettings other = at_resolution(16);
    for (LayerSettings& layer : other.layers) layer.frequency *= 0.4, layer.damping = 0.05;
    actor.rig = *retune(rig, other);
    actor.look();
    EXPECT_EQ(surface_offset(actor.positions, before, 1).max, 0);
    // Nor in the next frame: the change does not throw the flesh about.
    Actor unchanged(rig);
    unchanged.state = actor.state;
    actor.go(sway(egg, 40), 1.0 / 60);
    unchanged.go(sway(egg, 40), 1.0 / 60);
    actor.look();
    unchanged.look();
    EXPECT_LT(surface_offset(actor.positions, unchanged.positions, 1).max, 0.01);
    EXPECT_GT(surface_offset(actor.positions, unchanged.positions, 1).max, 1e-4) << "the new settings must be felt";
}

TEST(LiveRetune, WakesASleeperThatNowHangsDifferently) {
    const Character egg = make_egg();
    const RigPtr rig = bound(egg, at_resolution(16));
    Actor actor(rig);
    actor.reset_to(rest_joints(egg));
    for (int k = 0; k < 60; ++k) actor.go(rest_joints(egg), 1.0 / 60);
    ASSERT_EQ(actor.state.asleep, 1u);
    LayersSettings heavy = at_resolution(16);
    heavy.gravity = {0, -9.81, 0};
    actor.rig = *retune(rig, heavy);
    for (int k = 0; k < 300; ++k) actor.go(rest_joints(egg), 1.0 / 60);
    EXPECT_EQ(actor.state.asleep, 1u);
    EXPECT_GT(offset(actor), 0.005);
}

TEST(LiveRetune, WhatIsBuiltInIsNamed) {
    const RigPtr rig = bound(make_egg(), at_resolution(12));
    const auto refused = [&](auto&& change) {
        LayersSettings other = at_resolution(12);
        change(other);
        const auto out = retune(rig, other);
        return out.ok() ? std::string() : out.error().message;
    };
    EXPECT_NE(refused([](LayersSettings& f) { f.resolution = 16; }).find("resolution"), std::string::npos);
    EXPECT_NE(refused([](LayersSettings& f) { f.region_width = 5; }).find("region_width"), std::string::npos);
    EXPECT_NE(refused([](LayersSettings& f) { f.bone_width = 0.1; }).find("bone_width"), std::string::npos);
    EXPECT_NE(refused([](LayersSettings& f) { f.muscle = 0.9; }).find("muscle"), std::string::npos);
    EXPECT_NE(refused([](LayersSettings& f) {
                  f.parts.push_back({"chest", {}, 0.1, {}, {}});
              }).find("chest"),
              std::string::npos);
    EXPECT_NE(refused([](LayersSettings& f) { f.layers.pop_back(); }).find("layers"), std::string::npos);
    EXPECT_NE(refused([](LayersSettings& f) { f.mode = Mode::paper; }).find("mode"), std::string::npos);
    EXPECT_NE(refused([](LayersSettings& f) { f.layers[1].amount = 7; }).find("amount"), std::string::npos);
    EXPECT_EQ(refused([](LayersSettings& f) { f.parts.push_back({"chest", {}, {}, 0.5, {}}); }), "");
    EXPECT_FALSE(retune(rig, LbsSettings{}).ok());
    EXPECT_FALSE(retune(*bind(make_egg(), LbsSettings{}), LbsSettings{}).ok());
}

// ---- fade ------------------------------------------------------------------------------------------------------
/// The share of the other's offset from the skinned surface that is shown.
double share_of(const Actor& part, const Actor& whole) {
    double top = 0, bottom = 0;
    for (std::size_t v = 0; v < part.positions.size(); ++v) {
        const Vec3 all = whole.positions[v] - whole.skinned[v];
        top += dot(part.positions[v] - part.skinned[v], all);
        bottom += dot(all, all);
    }
    return top / bottom;
}

TEST(LiveFade, OutAndInWithoutAPop) {
    const Character egg = make_egg();
    Actor actor(bound(egg, at_resolution(16))), free(actor.rig);
    for (int k = 1; k < 200; ++k) {
        if (k == 31 || k == 121) {
            ASSERT_TRUE(fade(*actor.rig, "*", k == 31 ? 0 : 1, 0.5, actor.state).ok());
        }
        actor.go(sway(egg, k), 1.0 / 60);
        free.go(sway(egg, k), 1.0 / 60);
        actor.look();
        free.look();
        const double t = std::clamp((k - (k > 120 ? 120 : 30)) / 30.0, 0.0, 1.0), smooth = t * t * (3 - 2 * t);
        EXPECT_NEAR(share_of(actor, free), k > 120 ? smooth : 1 - smooth, 0.01) << k;
        if (k >= 60 && k <= 120) {
            EXPECT_EQ(surface_offset(actor.positions, actor.skinned, 1).max, 0) << k;
        }
    }
    // What was hidden has moved on as if it had been visible.
    EXPECT_EQ(surface_offset(actor.positions, free.positions, 1).max, 0);
    EXPECT_EQ(hash(actor.state), hash(free.state));
    EXPECT_GT(offset(actor), 0.005);
}

TEST(LiveFade, NormalsGoToo) {
    const Character egg = make_egg();
    Actor actor(bound(egg, at_resolution(16)));
    for (int k = 0; k < 40; ++k) actor.go(sway(egg, k), 1.0 / 60);
    std::vector<Vec3> skinned(actor.normals.size());
    actor.rig->embed_skinned(actor.state, {actor.skinned, skinned, {}}, actor.work);
    actor.look();
    EXPECT_GT(surface_offset(actor.normals, skinned, 1).max, 1e-3);
    ASSERT_TRUE(fade(*actor.rig, "*", 0, 0, actor.state).ok());
    actor.look();
    EXPECT_LT(surface_offset(actor.normals, skinned, 1).max, 1e-6);
}

TEST(LayersSurface, TangentsTurnWithTheNormals) {
    Character egg = make_egg();
    for (const Vec3 n : egg.mesh.normals) {
        const Vec3 t = normalized(cross(n, std::abs(n.y) < 0.9f ? Vec3{0, 1, 0} : Vec3{1, 0, 0}));
        egg.mesh.tangents.push_back({t.x, t.y, t.z, -1});
    }
    Actor actor(bound(egg, at_resolution(16)));
    for (int k = 0; k < 40; ++k) actor.go(sway(egg, k), 1.0 / 60);
    std::vector<Vec4> tangents(actor.normals.size()), skinned(tangents.size());
    embed(*actor.rig, actor.state, {actor.positions, actor.normals, tangents}, actor.work);
    actor.rig->embed_skinned(actor.state, {actor.skinned, {}, skinned}, actor.work);
    float turned = 0;
    for (std::size_t v = 0; v < tangents.size(); ++v) {
        const Vec3 t{tangents[v].x, tangents[v].y, tangents[v].z};
        EXPECT_NEAR(dot(t, actor.normals[v]), 0, 2e-3);
        EXPECT_NEAR(length(t), 1, 1e-5);
        EXPECT_EQ(tangents[v].w, -1);
        turned = std::max(turned, length(t - Vec3{skinned[v].x, skinned[v].y, skinned[v].z}));
    }
    EXPECT_GT(turned, 0.05f);
}

TEST(LiveFade, SoloLeavesTheOthersSkinned) {
    const Character egg = make_egg();
    Actor actor(bound(egg, at_resolution(16)));
    ASSERT_TRUE(solo(*actor.rig, "che*", 0.2, actor.state).ok());
    for (int k = 0; k < 60; ++k) actor.go(sway(egg, k), 1.0 / 60);
    actor.look();
    double chest = 0, hips = 0;
    for (std::size_t v = 0; v < egg.mesh.positions.size(); ++v) {
        const double off = length(actor.positions[v] - actor.skinned[v]);
        if (egg.mesh.positions[v].y > 0.3f) chest = std::max(chest, off);
        if (egg.mesh.positions[v].y < -0.35f) hips = std::max(hips, off);
    }
    EXPECT_GT(chest, 0.005);
    EXPECT_LT(hips, 2e-4);
}

TEST(LiveFade, WrongWordsAreNamed) {
    Actor actor(bound(make_egg(), at_resolution(8)));
    const auto status = solo(*actor.rig, "chst", 1, actor.state);
    ASSERT_FALSE(status.ok());
    EXPECT_NE(status.error().message.find("chest"), std::string::npos);
    EXPECT_TRUE(actor.state.fades.empty());
    EXPECT_FALSE(fade(*actor.rig, "*", 1.5, 1, actor.state).ok());
    EXPECT_FALSE(fade(*actor.rig, "*", std::nan(""), 1, actor.state).ok());
    EXPECT_FALSE(fade(*actor.rig, "*", 1, -1, actor.state).ok());
}

TEST(LiveFade, TimeAndValueAreInTheHash) {
    Actor actor(bound(make_egg(), at_resolution(8)));
    const auto shown = hash(actor.state);
    ASSERT_TRUE(fade(*actor.rig, "*", 0, 1, actor.state).ok());
    const auto begun = hash(actor.state);
    EXPECT_NE(shown, begun);
    actor.state.fades[0].elapsed = 0.5f;
    EXPECT_NE(begun, hash(actor.state));
}

// ---- pull ------------------------------------------------------------------------------------------------------
RigPtr egg_of(const std::string& method, int resolution, double hips = 1) {
    return *fascia::bind(make_egg(), method,
                         test::flesh_with("default", {{"resolution", resolution}, {"parts.hips.amount", hips}}));
}

class LivePull : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Methods, LivePull, ::testing::ValuesIn(steady::methods_with_flesh()));

/// An egg at rest whose front is held.
struct Held : Actor {
    Character egg = make_egg();
    std::vector<Affine> joints = rest_joints(egg);
    std::size_t front = furthest(egg, 2);
    Vec3d start = to_double(egg.mesh.positions[front]);

    explicit Held(const std::string& method, int resolution = 16) : Actor(egg_of(method, resolution)) {
        reset_to(joints);
    }
    void run(double seconds, double fps = 60) {
        for (int k = 0; k < int(seconds * fps + 0.5); ++k) go(joints, 1 / fps);
        look();
    }
    Vec3d way() const { return to_double(positions[front]) - start; }
};

TEST_P(LivePull, FleshFollowsTheHandAndSpringsBack) {
    for (const Vec3d by : {Vec3d{0, 0, 0.06}, Vec3d{0.06, 0, 0}, Vec3d{0, -0.04, -0.04}}) {
        Held held(GetParam());
        ASSERT_TRUE(pull(*held.rig, held.start, held.start + by, 1, held.state));
        held.run(1.5);
        const double along = dot(held.way(), by) / dot(by, by);
        EXPECT_GT(along, 0.5);
        EXPECT_LT(along, 1.05);
        EXPECT_LT(length(held.way() - by * along), 0.15 * length(by));
        release(held.state);
        held.run(3);
        EXPECT_LT(length(held.way()), 1e-3);
        EXPECT_EQ(held.state.asleep, 1u);
    }
}

TEST_P(LivePull, AStrongerHandGetsFurther) {
    double last = 0;
    for (const double strength : {0.1, 1.0, 5.0}) {
        Held held(GetParam());
        ASSERT_TRUE(pull(*held.rig, held.start, held.start + Vec3d{0, 0, 0.06}, strength, held.state));
        held.run(1.5);
        EXPECT_GT(held.way().z, last + 0.003) << strength;
        last = held.way().z;
    }
}

TEST_P(LivePull, TakingHoldPullsAtNothing) {
    Held held(GetParam());
    ASSERT_TRUE(pull(*held.rig, held.start, held.start, 5, held.state));
    held.run(1);
    EXPECT_LT(length(held.way()), 1e-4);
}

TEST_P(LivePull, FallsOffSmoothlyAndReachesOnlyWhatIsNear) {
    Held held(GetParam(), 24);
    ASSERT_TRUE(pull(*held.rig, held.start, held.start + Vec3d{0, 0, 0.1}, 3, held.state));
    held.run(1.5);
    const double top = held.way().z;
    for (std::size_t v = 0; v < held.positions.size(); ++v) {
        const double from = length(to_double(held.egg.mesh.positions[v]) - held.start);
        const double off = length(held.positions[v] - held.egg.mesh.positions[v]);
        EXPECT_LT(off, 1.05 * top);
        if (from > 0.6) {
            EXPECT_LT(off, 0.15 * top);
        }
    }
    // No edge is torn out of the surface.
    const SurfaceMeter meter(held.egg.mesh.positions, held.egg.mesh.triangles, 1);
    EXPECT_LT(meter.edge_strain(held.positions).max, 1.0);
    EXPECT_EQ(meter.flipped_triangles(held.positions, held.egg.mesh.positions), 0u);
}

TEST_P(LivePull, AMovingHandIsFollowedAtAnyFrameRate) {
    std::vector<Vec3d> ends;
    for (const double fps : {24.0, 60.0, 144.0}) {
        Held held(GetParam());
        ASSERT_TRUE(pull(*held.rig, held.start, held.start, 2, held.state));
        double roughest = 0;
        Vec3d last, speed;
        for (int k = 1; k <= int(fps); ++k) {
            const double t = k / fps;
            move_pull(held.start + Vec3d{0.06 * std::sin(6.2831853 * t), 0.05 * t, 0}, held.state);
            held.go(held.joints, 1 / fps);
            held.look();
            const Vec3d next = (held.way() - last) * fps;
            if (t > 0.25) roughest = std::max(roughest, length(next - speed) * fps);
            speed = next;
            last = held.way();
        }
        EXPECT_LT(roughest, 6) << fps;  // the hand's own acceleration is 2.4
        ends.push_back(held.way());
    }
    EXPECT_LT(length(ends[0] - ends[1]), 0.004);
    EXPECT_LT(length(ends[2] - ends[1]), 0.004);
}

TEST_P(LivePull, AbsurdHandsDoNoHarm) {
    const double huge = 1e300, none = std::nan("");
    for (const Vec3d target : {Vec3d{1000, 0, 0}, Vec3d{0, huge, -huge}, Vec3d{0, -1e9, 0}, Vec3d{0, 0, -50}})
        for (const double strength : {1.0, 1e9}) {
            Held held(GetParam());
            ASSERT_TRUE(pull(*held.rig, held.start, target, strength, held.state));
            for (int k = 0; k < 60; ++k) {
                held.run(1.0 / 60);
                ASSERT_TRUE(all_finite(held.state.positions));
                ASSERT_LT(surface_offset(held.positions, held.skinned, 1).max, 0.25);
            }
            move_pull({none, 0, 0}, held.state);
            held.run(0.1);
            EXPECT_TRUE(all_finite(held.state.positions));
            release(held.state);
            held.run(4);
            EXPECT_LT(length(held.way()), 1e-3);
        }
    Held held(GetParam());
    EXPECT_FALSE(pull(*held.rig, Vec3d{none, 0, 0}, held.start, 1, held.state));
    EXPECT_FALSE(pull(*held.rig, held.start, {0, none, 0}, 1, held.state));
    EXPECT_FALSE(pull(*held.rig, held.start, held.start, none, held.state));
    EXPECT_FALSE(pull(*held.rig, held.start, held.start, -1, held.state));
    EXPECT_FALSE(is_held(held.state));
    // Far outside there is nothing to hold; a little outside the nearest flesh is held, but not swung on a long arm.
    EXPECT_FALSE(pull(*held.rig, Vec3d{0, 0, 1e6}, held.start, 1, held.state));
    EXPECT_FALSE(pull(*held.rig, held.start + Vec3d{0, 0, 0.5}, held.start, 1, held.state));
    EXPECT_FALSE(is_held(held.state));
    ASSERT_TRUE(pull(*held.rig, held.start + Vec3d{0, 0, 0.05}, held.start, 1, held.state));
    held.run(1);
    EXPECT_LT(surface_offset(held.positions, held.skinned, 1).max, 0.25);
}

TEST_P(LivePull, BonesAreNotMoved) {
    Held held(GetParam()), free(GetParam());
    ASSERT_TRUE(pull(*held.rig, held.start, {0, 0, 100}, 1e9, held.state));
    held.run(1);
    free.run(1);
    const auto layers = held.rig->inside()->point_layers();
    std::vector<Vec3> with(layers.size()), without(layers.size());
    test::point_positions(*held.rig, held.state, with);
    test::point_positions(*free.rig, free.state, without);
    double flesh = 0;
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const double off = length(with[i] - without[i]);
        if (layers[i] == 0) {
            EXPECT_EQ(off, 0);
        }
        flesh = std::max(flesh, off);
    }
    EXPECT_GT(flesh, 0.05);
}

TEST_P(LivePull, ARayHoldsWhatItMeetsFirst) {
    Held held(GetParam());
    const Ray ray{{0.02, 0.03, 5}, {0, 0, -2}};
    const auto place = pick(*held.rig, ray, held.state, held.work);
    ASSERT_TRUE(place.has_value());
    EXPECT_NEAR(place->z, 0.4, 0.01);  // the near side, not the far one
    EXPECT_NEAR(place->x, 0.02, 1e-9);
    EXPECT_FALSE(pick(*held.rig, {{0, 0, 5}, {0, 0, 1}}, held.state, held.work).has_value());
    EXPECT_FALSE(pick(*held.rig, {{0, 2, 5}, {0, 0, -1}}, held.state, held.work).has_value());
    EXPECT_FALSE(pick(*held.rig, {{0, 0, 5}, {0, std::nan(""), -1}}, held.state, held.work).has_value());
    ASSERT_TRUE(pull(*held.rig, ray, *place + Vec3d{0, 0, 0.06}, 1, held.state, held.work));
    held.run(1);
    EXPECT_GT(held.way().z, 0.02);
    // Now the surface is closer: it is hit where it is, not where it was.
    const auto nearer = pick(*held.rig, ray, held.state, held.work);
    ASSERT_TRUE(nearer.has_value());
    EXPECT_GT(nearer->z, place->z + 0.015);
    EXPECT_FALSE(pull(*held.rig, Ray{{0, 2, 5}, {0, 0, -1}}, {}, 1, held.state, held.work));
    EXPECT_FALSE(is_held(held.state)) << "a miss lets go";
}

TEST_P(LivePull, TheTargetIsInTheScene) {
    // A body that stands elsewhere, turned and three times as large, is pulled in the same way.
    const Character egg = make_egg();
    const Affine place = compose({40, -3, 7}, quat_from_axis_angle({0, 1, 0}, 1.1), {3, 3, 3});
    Held home(GetParam());
    Actor away(home.rig);
    away.reset_to(moved(rest_joints(egg), place));
    const Vec3d at{0.03, 0.04, 0.39}, to = at + Vec3d{0.03, 0.02, 0.05};
    ASSERT_TRUE(pull(*home.rig, at, to, 2, home.state));
    ASSERT_TRUE(pull(*away.rig, transform_point(place, at), transform_point(place, to), 2, away.state));
    home.run(1);
    for (int k = 0; k < 60; ++k) away.go(moved(rest_joints(egg), place), 1.0 / 60);
    away.look();
    for (std::size_t v = 0; v < home.positions.size(); ++v)
        EXPECT_LT(length(to_double(away.positions[v]) - transform_point(place, to_double(home.positions[v]))), 3e-3);
}

TEST_P(LivePull, IsDeterministicAndInTheHash) {
    std::vector<std::uint64_t> hashes;
    for (const int threads : {1, 2}) {
        Held held(GetParam());
        Workspace work(threads);
        ASSERT_TRUE(pull(*held.rig, held.start, {0, 0.3, 1}, 1, held.state));
        for (int k = 0; k < 30; ++k) advance(*held.rig, sway(held.egg, k), 1.0 / 60, held.state, work);
        hashes.push_back(hash(held.state));
        State other = held.state;
        other.grip.target.x = std::nextafter(other.grip.target.x, 9.0);
        EXPECT_NE(hash(other), hash(held.state));
        release(other);
        EXPECT_NE(hash(other), hash(held.state));
    }
    EXPECT_EQ(hashes[0], hashes[1]);
}

TEST_P(LivePull, WhatHasNoAmountDoesNotGiveWay) {
    const Character egg = make_egg();
    Actor actor(egg_of(GetParam(), 16, 0));
    actor.reset_to(rest_joints(egg));
    ASSERT_TRUE(pull(*actor.rig, Vec3d{0, -0.5, 0}, {0, -2, 0}, 8, actor.state));
    for (int k = 0; k < 60; ++k) actor.go(rest_joints(egg), 1.0 / 60);
    EXPECT_LT(offset(actor), 0.03);
}

TEST_P(LivePull, AdvanceAllocatesNothingWhilePullingAndFading) {
    const Character egg = make_egg();
    Actor actor(*fascia::bind(egg, GetParam(), test::flesh_with("default", {{"resolution", 12}, {"gravity", 9.81}})));
    ASSERT_TRUE(fade(*actor.rig, "chest", 0.3, 0.5, actor.state).ok());
    ASSERT_TRUE(pull(*actor.rig, Vec3d{0, 0, 0.4}, {0, 0, 1}, 1, actor.state));
    std::vector<std::vector<Affine>> poses;
    for (int k = 0; k < 60; ++k) poses.push_back(sway(egg, k));
    actor.go(poses[0], 1.0 / 60);
    actor.look();
    const std::size_t before = test::allocation_count();
    for (int k = 1; k < 60; ++k) {
        move_pull({0.01 * k, 0, 1}, actor.state);
        actor.go(poses[std::size_t(k)], 1.0 / 60);
        actor.look();
    }
    release(actor.state);
    actor.go(poses[0], 1.0 / 60);
    EXPECT_EQ(test::allocation_count() - before, 0u);
}

TEST_P(LivePull, SavedAndRestoredItGoesOnTheSame) {
    const Character egg = make_egg();
    const Flesh usual = test::flesh_with("default", {{"resolution", 12}});
    const Flesh other = test::flesh_with("default", {{"resolution", 12}, {"layers.fat.frequency", 3}});
    const Settings settings = *settings_for(GetParam(), usual);
    const RigPtr rig = *retune(*fascia::bind(egg, settings), *settings_for(GetParam(), other));
    const auto saved = save_rig(*rig);
    ASSERT_TRUE(saved.ok());
    const auto loaded = load_rig(*saved, "egg");
    ASSERT_TRUE(loaded.ok()) << loaded.error().message;
    Actor one(rig), two(*loaded);
    ASSERT_TRUE(fade(*rig, "hips", 0.2, 1, one.state).ok());
    ASSERT_TRUE(pull(*rig, Vec3d{0.1, 0, 0.4}, {0, 0.3, 1}, 1, one.state));
    for (int k = 0; k < 20; ++k) one.go(sway(egg, k), 1.0 / 60);
    const auto state = load_state(**loaded, save_state(*rig, one.state), "egg");
    ASSERT_TRUE(state.ok()) << state.error().message;
    two.state = *state;
    for (int k = 20; k < 40; ++k) {
        one.go(sway(egg, k), 1.0 / 60);
        two.go(sway(egg, k), 1.0 / 60);
    }
    EXPECT_EQ(hash(one.state), hash(two.state));
    one.look();
    two.look();
    EXPECT_EQ(surface_offset(one.positions, two.positions, 1).max, 0);
    // A loaded rig can be retuned just like the one that was saved.
    EXPECT_TRUE(retune(*loaded, settings).ok());

    one.state.grip.points[0] = 1u << 30;
    EXPECT_FALSE(load_state(**loaded, save_state(*rig, one.state), "egg").ok());
}

// ---- gravity ---------------------------------------------------------------------------------------------------
/// Where the flesh of an egg that stands at `place` hangs, in the scene.
std::vector<Vec3d> hang(const LayersSettings& settings, const Affine& place, Engine engine = Engine::segments) {
    const Character egg = make_egg();
    auto rig = bind_layers_by(egg, settings, engine);
    EXPECT_TRUE(rig.ok());
    Actor actor(*rig);
    actor.reset_to(moved(rest_joints(egg), place));
    for (int k = 0; k < 240; ++k) actor.go(moved(rest_joints(egg), place), 1.0 / 60);
    EXPECT_EQ(actor.state.asleep, 1u);
    actor.look();
    std::vector<Vec3d> out;
    for (std::size_t v = 0; v < egg.mesh.positions.size(); ++v)
        out.push_back(to_double(actor.positions[v]) - to_double(actor.skinned[v]));
    return out;
}

LayersSettings heavy(double g) {
    LayersSettings settings = at_resolution(16);
    settings.gravity = {0, -g, 0};
    return settings;
}

TEST(LayersGravity, FleshHangsByGOverW2) {
    // At the front, where the softest motion is largest: a free weight on a spring of 4 Hz sags by g / (2 pi 4)^2.
    const std::size_t front = furthest(make_egg(), 2);
    for (const double g : {2.0, 4.0}) {
        const Vec3d sag = hang(heavy(g), {})[front];
        EXPECT_NEAR(sag.y, -g / (25.13 * 25.13), 0.1 * g / (25.13 * 25.13));
    }
    LayersSettings still = heavy(9.81);
    for (LayerSettings& layer : still.layers) layer.amount = 0;
    EXPECT_LT(length(hang(still, {})[front]), 1e-6);
}

TEST(LayersGravity, DownIsDownForATurnedAndScaledBody) {
    const std::vector<Vec3d> upright = hang(heavy(3), {});
    const std::size_t front = furthest(make_egg(), 2);
    // Half a turn about z: what sagged towards the feet sags towards the head.
    const auto turned = hang(heavy(3), compose({5, 1, 0}, quat_from_axis_angle({0, 0, 1}, 3.14159265), {1, 1, 1}));
    EXPECT_LT(turned[front].y, 0.7 * upright[front].y);
    // About y the front is elsewhere, and sags as before: its stiffness turns with it.
    const auto quarter = hang(heavy(3), compose({}, quat_from_axis_angle({0, 1, 0}, 1.5707963), {1, 1, 1}));
    EXPECT_LT(length(quarter[front] - Vec3d{upright[front].z, upright[front].y, -upright[front].x}), 2e-4);
    // Scene units: a body ten times as large needs ten times the pull to sag as far relative to its size.
    const auto large = hang(heavy(30), compose({}, {}, {10, 10, 10}));
    EXPECT_NEAR(large[front].y, 10 * upright[front].y, 0.01 * std::abs(10 * upright[front].y));
}

TEST(LayersGravity, BothEnginesHangAlike) {
    const auto vectors = hang(heavy(3), {}), plain = hang(heavy(3), {}, Engine::reference);
    for (std::size_t v = 0; v < vectors.size(); ++v) EXPECT_LT(length(vectors[v] - plain[v]), 1e-4);
}

}  // namespace
}  // namespace fascia
