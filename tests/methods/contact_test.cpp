// Flesh that meets flesh of the same body: an arm that swings into the trunk beside it.
#include <cmath>

#include <gtest/gtest.h>

#include "fascia/live.h"
#include "fascia/method.h"
#include "support/armed_trunk.h"
#include "support/twice_covered.h"

namespace fascia {
namespace {

struct ContactBody {
    Character character = test::ArmedTrunk(0.08, false).character();

    RigPtr bound(bool contact) const {
        LayersSettings settings;
        settings.resolution = 24;
        settings.bone_width = 0.01;
        settings.anatomy = Anatomies::names;
        settings.contact = contact;
        for (const auto& [name, hz] : {std::pair{"muscle", 8.0}, {"fat", 4.0}, {"skin", 4.5}}) {
            LayerSettings layer;
            layer.name = name;
            layer.frequency = hz;
            settings.layers.push_back(layer);
        }
        return *fascia::bind(character, settings);
    }

    /// The arm turned about its upper end, positive towards the trunk; the whole shifted.
    std::vector<Affine> pose(double angle, Vec3d shift = {}) const {
        std::vector<Affine> out;
        for (const Joint& joint : character.joints) out.push_back(joint.rest);
        const Vec3d pivot = translation_of(out[1]);
        const Affine there = compose(pivot, quat_from_axis_angle({0, 0, 1}, -angle), {1, 1, 1});
        out[1] = there * compose(pivot * -1, {}, {1, 1, 1}) * out[1];
        for (Affine& joint : out) joint = compose(shift, {}, {1, 1, 1}) * joint;
        return out;
    }

    /// Share of the body that the surface covers twice, beyond what it does at rest.
    double twice(const Rig& rig, const State& state, Workspace& work) const {
        std::vector<Vec3> surface(rig.vertex_count());
        embed(rig, state, {surface, {}, {}}, work);
        const auto& triangles = character.mesh.triangles;
        const test::Covered now = test::covered_by(surface, triangles, 0.005);
        const test::Covered rest = test::covered_by(character.mesh.positions, triangles, 0.005);
        return (now.twice - rest.twice) / rest.once;
    }
};

constexpr double pressed_angle = 0.22, frame = 1 / 60.0;

/// Swings the arm in, within half a second if nothing else is said.
void swing_in(const ContactBody& body, const Rig& rig, State& state, Workspace& work, int frames = 30) {
    reset(rig, body.pose(0), state, work);
    for (int k = 1; k <= frames; ++k) advance(rig, body.pose(pressed_angle * k / frames), frame, state, work);
}

TEST(Contact, WhereNothingTouchesTheBitsAreThoseWithout) {
    const ContactBody body;
    const RigPtr on = body.bound(true), off = body.bound(false);
    State with = make_state(*on), without = make_state(*off);
    Workspace work;
    for (int k = 0; k < 40; ++k) {
        const auto pose = body.pose(-0.2 - 0.1 * std::sin(0.3 * k), {0.05 * std::sin(0.4 * k), 0, 0});
        advance(*on, pose, frame, with, work);
        advance(*off, pose, frame, without, work);
    }
    EXPECT_EQ(hash(with), hash(without));
}

TEST(Contact, AnArmPressedIntoTheTrunkDentsBoth) {
    const ContactBody body;
    const RigPtr on = body.bound(true), off = body.bound(false);
    State with = make_state(*on), without = make_state(*off);
    Workspace work;
    swing_in(body, *on, with, work);
    swing_in(body, *off, without, work);
    const double overlap = body.twice(*off, without, work);
    EXPECT_GT(overlap, 0.003);
    EXPECT_LT(body.twice(*on, with, work), 0.6 * overlap);
}

/// Two, four and eight times as fast: the trunk is thick enough to stop what it meets too late.
TEST(Contact, AnArmThatStrikesIsStoppedToo) {
    const ContactBody body;
    const RigPtr on = body.bound(true), off = body.bound(false);
    Workspace work;
    for (const int frames : {15, 8, 4}) {
        State with = make_state(*on), without = make_state(*off);
        swing_in(body, *on, with, work, frames);
        swing_in(body, *off, without, work, frames);
        for (int k = 0; k < 15; ++k) {
            advance(*on, body.pose(pressed_angle), frame, with, work);
            advance(*off, body.pose(pressed_angle), frame, without, work);
        }
        EXPECT_LT(body.twice(*on, with, work), 0.6 * body.twice(*off, without, work)) << frames;
    }
}

TEST(Contact, APressedPoseThatIsHeldFallsAsleep) {
    const ContactBody body;
    const RigPtr rig = body.bound(true);
    State state = make_state(*rig);
    Workspace work;
    swing_in(body, *rig, state, work);
    for (int k = 0; k < 240 && !state.asleep; ++k) advance(*rig, body.pose(pressed_angle), frame, state, work);
    EXPECT_TRUE(state.asleep);
}

/// A reset puts everything where the skeleton has it, arm in trunk. They part without violence.
TEST(Contact, AResetInOverlapPartsWithinHalfASecond) {
    const ContactBody body;
    const RigPtr on = body.bound(true), off = body.bound(false);
    State with = make_state(*on), without = make_state(*off);
    Workspace work;
    reset(*on, body.pose(pressed_angle), with, work);
    reset(*off, body.pose(pressed_angle), without, work);
    std::vector<Vec3> last(on->vertex_count()), now(on->vertex_count());
    embed(*on, with, {last, {}, {}}, work);
    for (int k = 0; k < 30; ++k) {
        advance(*on, body.pose(pressed_angle), frame, with, work);
        advance(*off, body.pose(pressed_angle), frame, without, work);
        embed(*on, with, {now, {}, {}}, work);
        for (std::size_t v = 0; v < now.size(); ++v) EXPECT_LT(length(now[v] - last[v]), 0.04f) << k;
        last = now;
    }
    EXPECT_LT(body.twice(*on, with, work), 0.6 * body.twice(*off, without, work));
}

TEST(Contact, ThreadsAndARestoredStateGiveTheSameBits) {
    const ContactBody body;
    const RigPtr rig = body.bound(true);
    State state = make_state(*rig);
    Workspace one, three(3);
    swing_in(body, *rig, state, one);
    // In the middle of a step: seven milliseconds are no whole number of steps.
    advance(*rig, body.pose(pressed_angle), 0.007, state, one);
    const auto saved = save_state(*rig, state);
    State again = *load_state(*rig, saved), threaded = state;
    for (int k = 0; k < 20; ++k) {
        const auto pose = body.pose(pressed_angle - 0.01 * k);
        advance(*rig, pose, 0.011, state, one);
        advance(*rig, pose, 0.011, threaded, three);
    }
    Workspace fresh;
    for (int k = 0; k < 20; ++k) advance(*rig, body.pose(pressed_angle - 0.01 * k), 0.011, again, fresh);
    EXPECT_EQ(hash(threaded), hash(state));
    EXPECT_EQ(hash(again), hash(state));
}

TEST(Contact, CanBeSwitchedWhileRunning) {
    const ContactBody body;
    const RigPtr off = body.bound(false), on = *retune(off, "contact", "true");
    State state = make_state(*off);
    Workspace work;
    swing_in(body, *off, state, work);
    const double before = body.twice(*off, state, work);
    for (int k = 0; k < 30; ++k) advance(*on, body.pose(pressed_angle), frame, state, work);
    EXPECT_LT(body.twice(*on, state, work), 0.6 * before);
}

}  // namespace
}  // namespace fascia
