// Ten minutes each of what a body may have to endure. A method without cells or particles, which solves a system of
// equations per step, takes a hundred times as long: it endures violence for ten minutes and the rest for one.
#include "support/steady_body.h"

namespace fascia {
namespace {

using steady::Actor;
using steady::Body;

constexpr double fps = 60, minutes = 10;
constexpr int frames = int(minutes * 60 * fps);

/// The bounds that a run of many frames must keep.
class Watch {
public:
    Watch(Actor& actor, double reach) : actor_(actor), reach_(reach), resets_(actor.state.counters.resets) {}

    /// Looks at every ninth frame: nine shares no factor with the frequencies of the motion.
    void frame(int k) {
        ASSERT_TRUE(actor_.finite()) << "frame " << k;
        if (k % 9 != 0) return;
        const Offset offset = actor_.look();
        ASSERT_LE(offset.max, reach_) << "frame " << k;
        ++looks_;
        moving_ += offset.max > 1e-3;
        most_ = std::max(most_, offset.max);
    }
    void finish() {
        EXPECT_GT(moving_, 0.9 * looks_);
        EXPECT_EQ(actor_.state.counters.resets, resets_);
        std::printf("most %.3f of the size, moving in %.1f %% of the frames, %.3f %% of points at the limit\n", most_,
                    100.0 * moving_ / looks_,
                    100.0 * double(actor_.state.counters.limited_points) /
                        (double(actor_.state.counters.steps) * double(actor_.body.rig->point_count())));
    }

private:
    Actor& actor_;
    double reach_;
    std::uint64_t resets_;
    int looks_ = 0, moving_ = 0;
    double most_ = 0;
};

class Soak : public ::testing::TestWithParam<std::string> {
protected:
    static bool has_flesh() { return find_method_info(GetParam())->abilities.takes_hand; }
    static int frames_of_more() { return has_flesh() ? frames : frames / 10; }
};
INSTANTIATE_TEST_SUITE_P(Methods, Soak, ::testing::ValuesIn(steady::methods_with_memory()));

void run_violent(const Body& body, double reach) {
    Actor actor(body);
    actor.reset_to(body.puppet.violent(0));
    Watch watch(actor, reach);
    for (int k = 1; k <= frames && !::testing::Test::HasFatalFailure(); ++k) {
        actor.go(body.puppet.violent(k / fps), 1 / fps);
        watch.frame(k);
    }
    watch.finish();
}

TEST_P(Soak, TenMinutesOfViolentMotion) {
    run_violent(Body(GetParam(), "bloat"), 0.25);
}

TEST_P(Soak, TenMinutesOfViolentJelly) {
    if (!has_flesh()) return;  // no softness to be set
    run_violent(Body(GetParam(), "bunny", 12, "jelly"), 0.5);
}

TEST_P(Soak, TenMinutesOfNoisyCapture) {
    const Body body(GetParam(), "bunny");
    Actor actor(body);
    steady::Noise noise;
    actor.reset_to(body.clip("dance", 0));
    Watch watch(actor, 0.25);
    double last = 0;
    for (int k = 1; k <= frames_of_more() && !HasFatalFailure(); ++k) {
        if (noise.next() > 0.8) continue;  // one frame in ten is lost
        // Each joint is disturbed about its own position; its children follow.
        const std::vector<Affine> clean = body.clip("dance", k / fps);
        std::vector<Affine> noisy(clean.size());
        for (std::size_t j = 0; j < clean.size(); ++j) {
            const int p = body.character.joints[j].parent;
            const Vec3d axis = normalized(noise.vector(), {0, 1, 0});
            const Affine shake = compose(p < 0 ? noise.vector() * (0.01 * body.puppet.size() / 1.7320508) : Vec3d{},
                                         quat_from_axis_angle(axis, 3.0 / 57.29578 * noise.bell()), {1, 1, 1});
            noisy[j] = (p < 0 ? clean[j] : noisy[p] * inverse(clean[p]) * clean[j]) * shake;
        }
        actor.go(noisy, k / fps - last);
        last = k / fps;
        watch.frame(k);
    }
    watch.finish();
}

TEST_P(Soak, TeleportsAndFlipsEachSecond) {
    const Body body(GetParam(), "gnome");
    Actor actor(body);
    steady::Noise noise;
    Affine place;
    actor.reset_to(body.clip("dance", 0));
    Watch watch(actor, 0.25);
    const double far = 1000 * body.puppet.size();
    for (int k = 1; k <= frames_of_more() && !HasFatalFailure(); ++k) {
        if (k % 60 == 0) {
            const Vec3d axis = k % 120 == 0 ? Vec3d{0, 1, 0} : k % 180 == 0 ? Vec3d{1, 0, 0} : Vec3d{0, 0, 1};
            const Vec3d to{far * noise.next(), far * noise.next(), far * noise.next()};
            place = compose(to, quat_from_axis_angle(axis, steady::turn / 2), {1, 1, 1});
        }
        actor.go(steady::moved(body.clip("dance", k / fps), place), 1 / fps);
        watch.frame(k);
    }
    watch.finish();
}

TEST_P(Soak, SameBitsForAnyNumberOfThreadsAndNoneForAnUlp) {
    constexpr int last = 200;  // long runs on two threads: tests/golden
    for (const char* name : {"bunny", "gnome", "bloat"}) {
        const Body body(GetParam(), name, 12);
        std::vector<std::vector<Affine>> poses;
        for (int k = 0; k <= last; ++k) poses.push_back(body.clip("dance", k / fps));
        const auto run = [&](int threads, bool nudge) {
            Actor actor(body, threads);
            actor.reset_to(poses[0]);
            for (int k = 1; k <= last; ++k) {
                auto joints = poses[std::size_t(k)];
                if (nudge && k == last - 2) joints[0].m[1][3] = std::nextafter(float(joints[0].m[1][3]), 1e9f);
                actor.go(joints, 1 / fps);
            }
            return hash(actor.state);
        };
        const std::uint64_t one = run(1, false);
        EXPECT_EQ(run(2, false), one) << name;
        EXPECT_EQ(run(4, false), one) << name;
        EXPECT_NE(run(1, true), one) << name;
    }
}

}  // namespace
}  // namespace fascia
