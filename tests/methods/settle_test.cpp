// Flesh at rest: settled before the first frame, asleep soon after the last one, and awake while it swings.
#include "support/steady_body.h"

namespace fascia {
namespace {

using steady::Actor;
using steady::Body;

constexpr double fps = 60;

class Settle : public ::testing::TestWithParam<std::string> {
protected:
    /// Change of the offset from the skinned surface since the last look, divided by the size.
    static double change(Actor& actor, std::vector<Vec3>& last) {
        actor.look();
        double most = 0;
        for (std::size_t v = 0; v < last.size(); ++v) {
            const Vec3 now = actor.positions[v] - actor.skinned[v];
            most = std::max(most, double(length(now - last[v])));
            last[v] = now;
        }
        return most / actor.body.puppet.size();
    }
};
INSTANTIATE_TEST_SUITE_P(Methods, Settle, ::testing::ValuesIn(steady::methods_with_memory()), steady::method_name);

TEST_P(Settle, SettledFleshStaysWhereItIs) {
    const Body body(GetParam(), "bunny", 16);
    Actor settled(body), held(body);
    const auto joints = body.clip("dance", 0.4);
    reset_settled(*body.rig, joints, settled.state, settled.work);
    const std::uint64_t steps = settled.state.counters.steps;
    EXPECT_LT(steps, 480u) << "much sooner than its own damping";
    held.reset_to(joints);
    for (int k = 0; k < 4 * fps; ++k) held.go(joints, 1 / fps);
    EXPECT_TRUE(held.state.asleep);
    settled.look();
    held.look();
    EXPECT_LT(surface_offset(settled.positions, held.positions, body.puppet.size()).max, 3e-4);
    EXPECT_GT(held.look().max, 3e-3) << "so that there is something to settle";
}

TEST_P(Settle, AMotionInFullSwingBeginsWithoutAJolt) {
    const Body body(GetParam(), "bunny", 16);
    for (const char* clip : {"dance", "walk", "spin"}) {
        Actor actor(body);
        reset_settled(*body.rig, body.clip(clip, 0.3), actor.state, actor.work);
        std::vector<Vec3> last(body.rig->vertex_count());
        change(actor, last);
        double first = 0, later = 0;
        for (int k = 1; k <= fps; ++k) {
            actor.go(body.clip(clip, 0.3 + k / fps), 1 / fps);
            const double now = change(actor, last);
            (k == 1 ? first : later) = std::max(k == 1 ? first : later, now);
        }
        EXPECT_LT(first, 0.6 * later) << clip;
        EXPECT_GT(later, 1e-4) << clip;
    }
}

TEST_P(Settle, AHeldPoseAfterAMotionComesToRest) {
    const Body body(GetParam(), "gnome", 16);
    Actor actor(body);
    actor.reset_to(body.clip("jump", 0.7));
    for (int k = 1; k <= 20; ++k) actor.go(body.clip("jump", 0.7 + k / fps), 1 / fps);
    const auto joints = body.clip("jump", 0.7 + 20 / fps);
    actor.go(joints, 1 / fps);
    actor.look();
    const std::vector<Vec3> skinned = actor.skinned;
    // From here on the skinned surface does not move, either.
    for (int k = 0; k < 3 * fps; ++k) {
        actor.go(joints, 1 / fps);
        if (k % 10 == 0) {
            actor.look();
            EXPECT_LT(surface_offset(actor.skinned, skinned, body.puppet.size()).max, 1e-6) << k;
        }
    }
    EXPECT_TRUE(actor.state.asleep);
}

TEST_P(Settle, NobodyFallsAsleepWhereFleshTurnsBack) {
    // At 240 frames per second some frame of a swing has next to no speed. Asleep means at rest: where it would settle.
    const Body body(GetParam(), "bloat", 12);
    Actor actor(body);
    const auto joints = body.clip("shake", 0);
    actor.reset_to(joints);
    const auto aside = steady::moved(joints, compose({0.02 * body.puppet.size(), 0, 0}, {}, {1, 1, 1}));
    actor.go(aside, 1 / fps);
    int frames = 0;
    for (; frames < 240 * 4 && !actor.state.asleep; ++frames) actor.go(aside, 1 / 240.0);
    ASSERT_TRUE(actor.state.asleep);
    EXPECT_GT(frames, 24) << "a tenth of a second is the least";
    actor.look();
    const std::vector<Vec3> slept = actor.positions;
    reset_settled(*body.rig, aside, actor.state, actor.work);
    actor.look();
    EXPECT_LT(surface_offset(slept, actor.positions, body.puppet.size()).max, 2e-4);
}

}  // namespace
}  // namespace fascia
