// Whatever poses, times, worlds and hands a program comes with: what is shown is finite, and a reset makes it good.
#include <cmath>
#include <limits>
#include <memory>

#include <gtest/gtest.h>

#include "fascia/live.h"
#include "fascia/world.h"
#include "support/small_anatomy.h"
#include "support/small_character.h"
#include "support/steady_body.h"

namespace fascia {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();

class Dice {
public:
    explicit Dice(std::uint64_t seed) : state_(seed) {}
    std::size_t below(std::size_t n) {
        state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
        return std::size_t(state_ >> 33) % n;
    }
    double share() { return double(below(1 << 20)) / (1 << 20); }

private:
    std::uint64_t state_;
};

RigPtr rig_of(const Character& character, const std::string& method) {
    Flesh flesh = *preset("default");
    (void)set_field(flesh, "resolution", "8");
    return *fascia::bind(character, method, flesh);
}

void spoil(std::vector<Affine>& pose, Dice& dice) {
    constexpr double numbers[] = {nan, inf, -inf, 0, 1e-300, 1e-20, -1, 1e14, 1e16, 1e300};
    Affine& joint = pose[dice.below(pose.size())];
    switch (dice.below(5)) {
        case 0: joint.m[dice.below(3)][dice.below(4)] = numbers[dice.below(std::size(numbers))]; break;
        case 1: joint = Affine{{{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}}}; break;
        case 2: {
            constexpr double scales[] = {1e-12, 1e-6, 1e-3, 1e3, 1e6};
            const double s = scales[dice.below(std::size(scales))];
            for (Affine& each : pose) each = compose({}, {}, {s, s, s}) * each;
            break;
        }
        case 3:
            for (Affine& each : pose) each.m[dice.below(3)][3] += 1e7 * (dice.share() - 0.5);
            break;
        default: joint = joint * compose({}, {}, {1, 1 + 50 * dice.share(), 1}); break;
    }
}

double time_of(Dice& dice) {
    constexpr double odd[] = {0, -1, nan, inf, 1e-12, 1e9, 0.2, 3};
    return dice.below(3) == 0 ? odd[dice.below(std::size(odd))] : 1 / 60.0;
}

World make_world() {
    Collider ball, floor, box;
    ball.name = "ball", ball.radius = 0.4, ball.place = {0.5, 1, 0};
    floor.name = "floor", floor.shape = ColliderShape::plane, floor.place = {0, 0.2, 0};
    box.name = "box", box.shape = ColliderShape::box, box.joint = "upper", box.place = {0.3, 0.5, 0};
    return *World::make({.colliders = {ball, floor, box},
                         .wind = {.push = {3, 0, 0}, .turbulence = 5},
                         .attractors = {{.name = "moon", .place = {0, 3, 0}, .strength = 1e6}},
                         .gravity = {0, -9.81, 0}});
}

void disturb(World& world, Dice& dice) {
    constexpr double far[] = {0, 1, -1, 1e8, nan};
    const std::size_t which = dice.below(4);
    const Vec3d place{far[dice.below(5)], far[dice.below(5)], far[dice.below(5)]};
    if (dice.below(2) == 0) {
        world.move(which, place, {dice.share(), dice.share(), 0, 0});
    } else {
        world.put(which, {dice.share() - 0.5, 2 * dice.share(), 0});
    }
    world.move_attractor(0, place);
}

class Abuse : public ::testing::TestWithParam<std::string> {};

TEST_P(Abuse, WhatIsShownIsFinite) {
    Character character = test::small_character();
    character.scene = std::make_shared<const AnatomyScene>(test::bones_and_muscle());
    const RigPtr rig = rig_of(character, GetParam());
    Workspace work(2);
    State state = make_state(*rig);
    World world = make_world();
    Dice dice(7);
    Pose pose;
    std::vector<Vec3> positions(rig->vertex_count()), normals(rig->vertex_count());
    const Surface out{positions, normals, {}};
    for (int k = 0; k < 400; ++k) {
        evaluate(character, &character.clips[0], dice.share(), pose);
        if (dice.below(2) == 0) spoil(pose.joints, dice);
        const double dt = time_of(dice);
        world.begin_frame(dt);
        if (dice.below(4) == 0) disturb(world, dice);
        if (dice.below(40) == 0) reset(*rig, pose.joints, state, work);
        if (dice.below(40) == 0) settle(*rig, world, state, work);
        if (rig->live() != nullptr && dice.below(20) == 0) (void)fade(*rig, "*", dice.share(), dice.share(), state);
        if (dice.below(30) == 0) state = *load_state(*rig, save_state(*rig, state));
        if (dice.below(2) == 0)
            advance(*rig, pose.joints, dt, world, state, work);
        else
            advance(*rig, pose.joints, dt, state, work);
        embed(*rig, state, out, work);
        for (std::size_t v = 0; v < positions.size(); ++v) {
            ASSERT_TRUE(std::isfinite(positions[v].x + positions[v].y + positions[v].z)) << "frame " << k;
            ASSERT_TRUE(std::isfinite(normals[v].x + normals[v].y + normals[v].z)) << "frame " << k;
        }
    }
    // A reset forgets all of it.
    State fresh = make_state(*rig);
    for (State* each : {&state, &fresh}) {
        each->fades.clear();
        for (int k = 0; k < 3; ++k) {
            evaluate(character, &character.clips[0], k / 60.0, pose);
            k == 0 ? reset(*rig, pose.joints, *each, work) : advance(*rig, pose.joints, 1 / 60.0, *each, work);
        }
    }
    std::vector<Vec3> right(rig->vertex_count());
    embed(*rig, state, {positions, {}, {}}, work);
    embed(*rig, fresh, {right, {}, {}}, work);
    for (std::size_t v = 0; v < right.size(); ++v) ASSERT_LT(length(positions[v] - right[v]), 1e-5f) << v;
}

std::vector<std::string> every_method() {
    std::vector<std::string> out;
    for (const MethodInfo& method : methods()) out.push_back(method.name);
    return out;
}
INSTANTIATE_TEST_SUITE_P(Methods, Abuse, ::testing::ValuesIn(every_method()), steady::method_name);

}  // namespace
}  // namespace fascia
