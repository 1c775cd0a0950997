// Bodies among solids: an egg of flesh, by every method whose flesh yields.
#include "fascia/world.h"

#include <cmath>

#include <gtest/gtest.h>

#include "fascia/live.h"
#include "methods/layers_egg.h"

namespace fascia {
namespace {

constexpr double frame = 1 / 60.0, egg_low = -0.5;  ///< the egg is one unit tall

class Worlds : public testing::TestWithParam<std::string> {
protected:
    Character egg_ = test::make_egg();
    RigPtr rig_ = [this] {
        Flesh flesh = *preset("default");
        test::name_frequencies(flesh);
        (void)set_field(flesh, "resolution", "20");
        return *fascia::bind(egg_, GetParam(), flesh);
    }();
    Workspace work_;

    std::vector<Affine> pose(Vec3d shift = {}, double scale = 1) const {
        std::vector<Affine> out;
        for (const Joint& joint : egg_.joints) out.push_back(compose(shift, {}, {scale, scale, scale}) * joint.rest);
        return out;
    }
    std::vector<Vec3> surface(const State& state) {
        std::vector<Vec3> out(rig_->vertex_count());
        embed(*rig_, state, {out, {}, {}}, work_);
        return out;
    }
    double lowest(const State& state) {
        double out = 1e9;
        for (const Vec3 p : surface(state)) out = std::min(out, double(p.y));
        return out;
    }
    static World world_of(const Collider& collider) { return *World::make({.colliders = {collider}}); }
    static Collider plane_at(double height) {
        Collider out;
        out.name = "floor", out.shape = ColliderShape::plane, out.place = {0, height, 0};
        return out;
    }
    static Collider ball_at(Vec3d place, double radius = 0.15) {
        Collider out;
        out.name = "ball", out.radius = radius, out.place = place;
        return out;
    }
    /// Held in one pose.
    void hold(int frames, World& world, State& state, const std::vector<Affine>& joints) {
        for (int k = 0; k < frames; ++k) {
            world.begin_frame(frame);
            advance(*rig_, joints, frame, world, state, work_);
        }
    }
};

TEST_P(Worlds, WhatIsFarChangesNoBit) {
    World world = world_of(plane_at(-20));
    State with = make_state(*rig_), without = with;
    for (int k = 0; k < 20; ++k) {
        const auto joints = pose({0.1 * std::sin(0.5 * k), 0.05 * std::cos(0.4 * k), 0});
        world.begin_frame(frame);
        advance(*rig_, joints, frame, world, with, work_);
        advance(*rig_, joints, frame, without, work_);
    }
    EXPECT_EQ(hash(with), hash(without));
}

TEST_P(Worlds, AFloorFlattensWhatIsPressedAgainstIt) {
    const double floor = egg_low + 0.04;
    World world = world_of(plane_at(floor));
    State state = make_state(*rig_);
    reset(*rig_, pose(), state, work_);
    EXPECT_NEAR(lowest(state), egg_low, 0.003);
    hold(90, world, state, pose());
    EXPECT_GT(lowest(state), floor - 0.01);
    EXPECT_LT(lowest(state), floor + 0.01) << "it does not hover";
    hold(240, world, state, pose());
    // The volumes of `particles` and the floor go on pulling at each other, too little to be seen.
    const bool creeps = GetParam() == "particles";
    EXPECT_TRUE(creeps || state.asleep) << "pressed flesh comes to rest";
    const auto rest = surface(state);
    hold(5, world, state, pose());
    const auto later = surface(state);
    for (std::size_t v = 0; v < rest.size(); ++v) EXPECT_LE(length(later[v] - rest[v]), creeps ? 2e-5f : 0.0f);
    world.put(0, {0, -20, 0});
    hold(240, world, state, pose());
    EXPECT_NEAR(lowest(state), egg_low, 0.004) << "and swings back";
}

TEST_P(Worlds, ABallThatIsSuddenlyInsidePushesOutWithoutAJump) {
    World world = world_of(ball_at({0.36, 0, 0}, 0.08));  // up to 0.12 deep: the egg ends at 0.4
    State state = make_state(*rig_);
    reset(*rig_, pose(), state, work_);
    auto before = surface(state);
    double most = 0;
    for (int k = 0; k < 30; ++k) {
        hold(1, world, state, pose());
        const auto now = surface(state);
        for (std::size_t v = 0; v < now.size(); ++v) most = std::max(most, double(length(now[v] - before[v])));
        before = now;
    }
    EXPECT_LT(most, 0.02);
    EXPECT_GT(most, 0.002) << "it does push";
    double deepest = 0;
    for (const Vec3 p : before) deepest = std::max(deepest, -world.distance(0, to_double(p)));
    EXPECT_LT(deepest, 0.035) << "half a second is enough";
}

TEST_P(Worlds, AFastBallDoesNotTunnel) {
    // 20 sizes per second, through the upper half of the egg's rim; at 240 Hz it goes 0.083 per step.
    double with = 0;
    for (const double phase : {0.0, 0.03, 0.06}) {
        World world = world_of(ball_at({0.38, 0.2, -2 + phase}, 0.03));
        State state = make_state(*rig_);
        reset(*rig_, pose(), state, work_);
        double most = 0;
        for (int k = 1; k <= 12; ++k) {
            world.begin_frame(frame);
            world.move(0, {0.38, 0.2, -2 + phase + 20 * frame * k});
            advance(*rig_, pose(), frame, world, state, work_);
            std::vector<Vec3> skinned(rig_->vertex_count());
            embed_skinned(*rig_, state, {skinned, {}, {}}, work_);
            const auto now = surface(state);
            for (std::size_t v = 0; v < now.size(); ++v) most = std::max(most, double(length(now[v] - skinned[v])));
        }
        EXPECT_GT(most, 0.004) << phase;
        EXPECT_LT(most, 0.3) << phase;
        with = std::max(with, most);
    }
    EXPECT_LT(with, 0.3);
}

TEST_P(Worlds, FrictionTakesFleshAlong) {
    double along[2];
    for (const int rough : {0, 1}) {
        Collider plate = plane_at(egg_low + 0.04);
        plate.friction = rough;
        World world = world_of(plate);
        State state = make_state(*rig_);
        reset(*rig_, pose(), state, work_);
        hold(60, world, state, pose());
        // The floor slides away under the egg.
        for (int k = 1; k <= 12; ++k) {
            world.begin_frame(frame);
            world.move(0, {0.006 * k, egg_low + 0.04, 0});
            advance(*rig_, pose(), frame, world, state, work_);
        }
        along[rough] = 0;
        std::size_t count = 0;
        const auto now = surface(state);
        for (std::size_t v = 0; v < now.size(); ++v)
            if (egg_.mesh.positions[v].y < egg_low + 0.03) along[rough] += now[v].x - egg_.mesh.positions[v].x, ++count;
        along[rough] /= double(count);
    }
    EXPECT_NEAR(along[0], 0, 0.002);
    EXPECT_GT(along[1], 0.006);
}

/// What lies on a rough floor goes as far as the floor does, in every step of a frame.
TEST_P(Worlds, ARoughFloorTakesFleshAsFarAsItGoes) {
    Collider plate = plane_at(egg_low + 0.06);
    plate.friction = 1000;
    World world = world_of(plate);
    State state = make_state(*rig_);
    reset(*rig_, pose(), state, work_);
    hold(60, world, state, pose());
    const auto before = surface(state);
    constexpr double way = 0.004;
    world.begin_frame(frame);
    world.move(0, {way, plate.place.y, 0});
    advance(*rig_, pose(), frame, world, state, work_);
    const auto now = surface(state);
    double most = 0;
    for (std::size_t v = 0; v < now.size(); ++v) most = std::max(most, double(now[v].x - before[v].x));
    EXPECT_GT(most, 0.7 * way);
    EXPECT_LT(most, 1.05 * way);
}

TEST_P(Worlds, ColliderOfAJointGoesWithItAndLeavesItsOwnFleshAlone) {
    Collider ring = ball_at({0.4, 0.2, 0}, 0.1);
    ring.joint = "chest";
    World world = world_of(ring);
    State state = make_state(*rig_), free = state;
    for (int k = 0; k < 30; ++k) {
        const auto joints = pose({0.02 * k, 0, 0});
        world.begin_frame(frame);
        advance(*rig_, joints, frame, world, state, work_);
        advance(*rig_, joints, frame, free, work_);
    }
    const auto with = surface(state), without = surface(free);
    double upper = 0, lower = 0;
    for (std::size_t v = 0; v < with.size(); ++v) {
        const double off = length(with[v] - without[v]);
        (egg_.mesh.positions[v].y > 0.02 ? upper : lower) =
            std::max(egg_.mesh.positions[v].y > 0.02 ? upper : lower, off);
    }
    EXPECT_LT(upper, 0.03) << "only what neighbours hand on";
    Collider unknown = ring;
    unknown.joint = "wing";
    World nothing = world_of(unknown);
    State alone = make_state(*rig_), plain = alone;
    nothing.begin_frame(frame);
    advance(*rig_, pose(), frame, nothing, alone, work_);
    advance(*rig_, pose(), frame, plain, work_);
    EXPECT_EQ(hash(alone), hash(plain));
}

TEST_P(Worlds, AnyThreadCountGivesTheSameBits) {
    std::uint64_t first = 0;
    for (const int threads : {1, 3}) {
        Workspace work(threads);
        World world = *World::make({.colliders = {plane_at(egg_low + 0.03), ball_at({0.45, 0.1, 0})},
                                    .wind = {.push = {1, 0, 0}, .turbulence = 3}});
        State state = make_state(*rig_);
        for (int k = 0; k < 12; ++k) {
            world.begin_frame(frame);
            world.move(1, {0.45 - 0.01 * k, 0.1, 0});
            advance(*rig_, pose({0, 0.02 * std::sin(0.7 * k), 0}), frame, world, state, work);
        }
        if (threads == 1) first = hash(state);
        EXPECT_EQ(hash(state), first);
    }
}

TEST_P(Worlds, ACrowdMeetsTheWorldAsOneBodyDoes) {
    World world = *World::make({.colliders = {plane_at(egg_low + 0.03)}, .wind = {.push = {1, 0, 0}}});
    std::vector<State> alone(3, make_state(*rig_)), crowd = alone;
    std::vector<std::vector<Affine>> poses;
    for (const double x : {0.0, 0.1, 0.2}) poses.push_back(pose({x, -0.01, 0}));
    Workspace many(3);
    std::vector<InstanceFrame> frames;
    for (std::size_t k = 0; k < crowd.size(); ++k)
        frames.push_back({.rig = rig_.get(), .joints = poses[k], .dt = frame, .state = &crowd[k], .surface = {}});
    for (int step = 0; step < 4; ++step) {
        world.begin_frame(frame);
        advance_many(frames, world, many);
        for (std::size_t k = 0; k < alone.size(); ++k) advance(*rig_, poses[k], frame, world, alone[k], work_);
    }
    for (std::size_t k = 0; k < alone.size(); ++k) EXPECT_EQ(hash(crowd[k]), hash(alone[k])) << k;
    // Afterwards neither workspace knows of the world.
    Workspace fresh;
    State free = alone[0];
    advance(*rig_, poses[0], frame, free, fresh);
    advance(*rig_, poses[0], frame, alone[0], work_);
    advance_many(frames, many);
    EXPECT_EQ(hash(alone[0]), hash(free));
    EXPECT_EQ(hash(crowd[0]), hash(free));
}

/// q and -q are one turn, and between two turns there is a shorter way.
TEST_P(Worlds, ATurnGoesTheShorterWay) {
    Collider plate;
    plate.name = "plate", plate.shape = ColliderShape::box, plate.size = {1, 0.1, 1}, plate.place = {0, egg_low, 0};
    std::uint64_t hashes[2];
    for (const double sign : {1.0, -1.0}) {
        World world = world_of(plate);
        State state = make_state(*rig_);
        for (int k = 0; k < 4; ++k) {
            const Quat q = quat_from_axis_angle({0, 0, 1}, 0.02 * k);
            const double side = k % 2 == 1 ? sign : 1;
            world.begin_frame(frame);
            world.move(0, plate.place, {side * q.w, side * q.x, side * q.y, side * q.z});
            advance(*rig_, pose(), frame, world, state, work_);
        }
        hashes[sign < 0] = hash(state);
    }
    EXPECT_EQ(hashes[0], hashes[1]);
}

TEST_P(Worlds, AnyScaleDentsAlike) {
    double dents[3];
    int count = 0;
    for (const double scale : {0.01, 1.0, 100.0}) {
        Character egg = test::make_egg(scale);
        Flesh flesh = *preset("default");
        test::name_frequencies(flesh);
        (void)set_field(flesh, "resolution", "20");
        const RigPtr rig = *fascia::bind(egg, GetParam(), flesh);
        World world = world_of(plane_at((egg_low + 0.04) * scale));
        State state = make_state(*rig);
        std::vector<Affine> joints;
        for (const Joint& joint : egg.joints) joints.push_back(joint.rest);
        for (int k = 0; k < 60; ++k) {
            world.begin_frame(frame);
            advance(*rig, joints, frame, world, state, work_);
        }
        std::vector<Vec3> now(rig->vertex_count());
        embed(*rig, state, {now, {}, {}}, work_);
        double low = 1e9;
        for (const Vec3 p : now) low = std::min(low, double(p.y) / scale);
        dents[count++] = low;
    }
    EXPECT_NEAR(dents[0], dents[1], 2e-3);
    EXPECT_NEAR(dents[2], dents[1], 2e-3);
}

TEST_P(Worlds, WindHoldsFleshAsideAsGravityDoes) {
    World world = *World::make({.wind = {.push = {2, 0, 0}}});
    State state = make_state(*rig_);
    reset(*rig_, pose(), state, work_);
    hold(400, world, state, pose());
    const auto blown = surface(state);
    const RigPtr heavy = *retune(rig_, "gravity", "2,0,0");
    State sagging = make_state(*heavy);
    reset(*heavy, pose(), sagging, work_);
    for (int k = 0; k < 400; ++k) advance(*heavy, pose(), frame, sagging, work_);
    std::vector<Vec3> sagged(rig_->vertex_count());
    embed(*heavy, sagging, {sagged, {}, {}}, work_);
    double most = 0, apart = 0;
    for (std::size_t v = 0; v < blown.size(); ++v) {
        most = std::max(most, double(blown[v].x - egg_.mesh.positions[v].x));
        apart = std::max(apart, double(length(blown[v] - sagged[v])));
    }
    EXPECT_GT(most, 1e-4);
    EXPECT_LT(apart, 0.02 * most + 2e-6);
}

TEST_P(Worlds, GravitySagsByTwiceItsDeflectionUpsideDownAndNotAtRest) {
    World world = *World::make({.gravity = {0, -3, 0}});
    const auto settled_shift = [&](const std::vector<Affine>& joints, World* in, const RigPtr& rig) {
        State state = make_state(*rig);
        reset(*rig, joints, state, work_);
        for (int k = 0; k < 400; ++k) {
            world.begin_frame(frame);
            in ? advance(*rig, joints, frame, *in, state, work_) : advance(*rig, joints, frame, state, work_);
        }
        std::vector<Vec3> now(rig->vertex_count()), skinned = now;
        embed(*rig, state, {now, {}, {}}, work_);
        embed_skinned(*rig, state, {skinned, {}, {}}, work_);
        double sum = 0;
        for (std::size_t v = 0; v < now.size(); ++v) sum += now[v].y - skinned[v].y;
        return sum / double(now.size());
    };
    // Upside down, and on its side.
    std::vector<Affine> over, aside;
    for (const Joint& joint : egg_.joints) {
        over.push_back(compose({}, quat_from_axis_angle({1, 0, 0}, 3.14159265358979), {1, 1, 1}) * joint.rest);
        aside.push_back(compose({}, quat_from_axis_angle({1, 0, 0}, 3.14159265358979 / 2), {1, 1, 1}) * joint.rest);
    }
    EXPECT_NEAR(settled_shift(pose(), &world, rig_), 0, 1e-6);
    const double twice = settled_shift(over, &world, rig_), sideways = settled_shift(aside, &world, rig_);
    const RigPtr plain = *retune(rig_, "gravity", "0,-6,0");
    EXPECT_LT(twice, -1e-4);
    EXPECT_NEAR(twice, settled_shift(over, nullptr, plain), 0.02 * std::abs(twice)) << "as twice the gravity";
    EXPECT_LT(sideways, 0.3 * twice);
    EXPECT_GT(sideways, 0.7 * twice);
}

INSTANTIATE_TEST_SUITE_P(World, Worlds, testing::Values("layers", "lattice", "particles"),
                         [](const auto& info) { return info.param; });

TEST(World, EddiesAreSeededAndNeitherGatherNorSpread) {
    const World a = *World::make({.wind = {.turbulence = 4, .eddy = 0.3, .seed = 7}}), b = a;
    const World c = *World::make({.wind = {.turbulence = 4, .eddy = 0.3, .seed = 8}});
    EXPECT_EQ(a.field({0.3, 0.2, 0.1}), b.field({0.3, 0.2, 0.1}));
    EXPECT_FALSE(a.field({0.3, 0.2, 0.1}) == c.field({0.3, 0.2, 0.1}));
    double square = 0;
    int count = 0;
    constexpr double step = 1e-4;
    for (double x = -3; x < 3; x += 0.31)
        for (double y = -3; y < 3; y += 0.29)
            for (double z = -3; z < 3; z += 0.33) {
                const Vec3d f = a.field({x, y, z});
                square += dot(f, f), ++count;
                const double spread = a.field({x + step, y, z}).x - a.field({x - step, y, z}).x +
                                      a.field({x, y + step, z}).y - a.field({x, y - step, z}).y +
                                      a.field({x, y, z + step}).z - a.field({x, y, z - step}).z;
                EXPECT_NEAR(spread / (2 * step), 0, 1e-4);
            }
    EXPECT_NEAR(std::sqrt(square / count), 4, 0.4);
}

TEST(World, AnAttractorPullsMostAtItsRadius) {
    const World world =
        *World::make({.attractors = {{.name = "moon", .place = {1, 0, 0}, .radius = 0.5, .strength = 6}}});
    EXPECT_NEAR(world.field({0.5, 0, 0}).x, 6, 1e-12);
    EXPECT_NEAR(world.field({1, 0, 0}).x, 0, 1e-12);
    EXPECT_LT(world.field({0.6, 0, 0}).x, 6);
    EXPECT_LT(world.field({0.4, 0, 0}).x, 6);
    EXPECT_NEAR(world.field({1, -1, 0}).y, 6 * 2 * 2 / 5.0, 1e-12);
}

TEST(World, RefusesWhatIsNotSolid) {
    const auto said = [](Collider collider) {
        const Result<World> world = World::make({.colliders = {std::move(collider)}});
        return world ? std::string() : world.error().message;
    };
    Collider c;
    c.name = "it";
    EXPECT_EQ(said(c), "");
    c.radius = -1;
    EXPECT_EQ(said(c), "collider 'it' needs a radius above 0");
    c.radius = std::nan("");
    EXPECT_NE(said(c), "");
    c.shape = ColliderShape::hull;
    EXPECT_EQ(said(c), "collider 'it' is a hull of points that lie in one plane; it needs a volume");
    c.shape = ColliderShape::mesh;
    c.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    c.triangles = {0, 1, 2};
    EXPECT_EQ(said(c), "collider 'it' is an open mesh, which has no inside; close its holes, or use a hull");
    World world = *World::make({.colliders = {Collider{}}});
    EXPECT_FALSE(world.move(0, {std::nan(""), 0, 0}));
    EXPECT_FALSE(world.move(0, {}, {0, 0, 0, 0}));
    EXPECT_FALSE(world.move(1, {}));
    EXPECT_TRUE(world.move(0, {1, 2, 3}));
}

TEST(World, RefusesNumbersThatFloatsCannotHold) {
    Collider tetrahedron;
    tetrahedron.shape = ColliderShape::mesh;
    tetrahedron.points.assign(4, Vec3{1, 2, 3});
    tetrahedron.triangles = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    const Result<World> point = World::make({.colliders = {tetrahedron}});
    ASSERT_FALSE(point.ok());
    EXPECT_EQ(point.error().message, "collider 0 is a mesh whose points all lie in one place; give it a size");
    Collider tiny;
    tiny.radius = 1e-300;
    EXPECT_FALSE(World::make({.colliders = {tiny}}).ok());
    EXPECT_FALSE(World::make({.attractors = {{.radius = 1e-310}}}).ok());
    // The one seed from which the dice would roll nothing but zeros.
    const World unlucky = *World::make({.wind = {.turbulence = 1, .seed = 0x6778a64cc8dc5f0bull}});
    const World windy = *World::make({.wind = {.push = {1, 0, 0}, .turbulence = 1e9, .eddy = 1e-6, .pace = 1e9}});
    for (const double far : {0.0, 1e9, 1e15, 1e300})
        for (const World* world : {&unlucky, &windy}) {
            const Vec3d f = world->field({far, -far, far});
            EXPECT_TRUE(length(f) < 1e11) << far;
        }
}

/// Two worlds with one thing at one place, which is larger in the second.
TEST_P(Worlds, ASleeperWakesInAWorldWhoseThingsAreLarger) {
    World thin = world_of(ball_at({0.52, 0, 0}, 0.13)), thick = world_of(ball_at({0.52, 0, 0}, 0.2));
    State state = make_state(*rig_);
    reset(*rig_, pose(), state, work_);
    hold(300, thin, state, pose());
    if (GetParam() == "particles") return;  // which creep, and do not sleep under pressure
    ASSERT_TRUE(state.asleep);
    hold(2, thick, state, pose());
    EXPECT_FALSE(state.asleep);
    double deepest = 0;
    hold(120, thick, state, pose());
    for (const Vec3 p : surface(state)) deepest = std::max(deepest, -thick.distance(0, to_double(p)));
    EXPECT_LT(deepest, 0.06);
}

TEST(World, WhatIsDrawnLiesOnTheSurface) {
    Collider capsule, box;
    capsule.name = "c", capsule.shape = ColliderShape::capsule;
    box.name = "b", box.shape = ColliderShape::box, box.place = {1, 2, 3},
    box.turn = quat_from_axis_angle({0, 0, 1}, 0.4);
    const World world = *World::make({.colliders = {capsule, box}});
    for (const std::size_t k : {0u, 1u}) {
        const ColliderSurface drawn = surface_of(world, k, 1);
        for (std::size_t v = 0; v < drawn.positions.size(); ++v) {
            EXPECT_NEAR(world.distance(k, to_double(drawn.positions[v])), 0, 1e-6);
            EXPECT_GT(world.distance(k, to_double(drawn.positions[v] + drawn.normals[v] * 0.01f)), 0.005);
        }
        for (std::size_t t = 0; t < drawn.triangles.size(); t += 3) {
            const Vec3 a = drawn.positions[drawn.triangles[t]], b = drawn.positions[drawn.triangles[t + 1]],
                       c = drawn.positions[drawn.triangles[t + 2]];
            EXPECT_GE(dot(cross(b - a, c - a), drawn.normals[drawn.triangles[t]]), -1e-9f) << "it looks outward";
        }
    }
}

}  // namespace
}  // namespace fascia
