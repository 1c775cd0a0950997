// What a body may have to endure, in short: faults, and how soon it recovers. The long runs are in tests/soak.
#include <limits>

#include "support/steady_body.h"

namespace fascia {
namespace {

using steady::Actor;
using steady::Body;

constexpr double fps = 60;
constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinite = std::numeric_limits<double>::infinity();

class Steady : public ::testing::TestWithParam<std::string> {
protected:
    static std::vector<Affine> dance(const Body& body, int k) { return body.clip("dance", k / fps); }

    /// Distance between two instances of one body, divided by the size.
    static double apart(Actor& a, Actor& b) {
        a.look();
        b.look();
        return surface_offset(a.positions, b.positions, a.body.puppet.size()).max;
    }

    /// Plays a dance with a fault in it beside one without. `fault` changes the pose of a frame, counted from the
    /// fault's start.
    template <class Fault>
    static void expect_recovery(const Body& body, int length, Fault&& fault) {
        Actor well(body), hurt(body);
        well.reset_to(dance(body, 0));
        hurt.reset_to(dance(body, 0));
        constexpr int begin = 30;
        for (int k = 1; k < begin + length + 60; ++k) {
            const auto joints = dance(body, k);
            well.go(joints, 1 / fps);
            auto bad = joints;
            if (k >= begin && k < begin + length) fault(bad, k - begin);
            hurt.go(bad, 1 / fps);
            ASSERT_TRUE(hurt.finite()) << k;
            if (k % 5 == 0) {
                ASSERT_LE(hurt.look().max, 0.25) << k;
            }
        }
        EXPECT_LT(apart(well, hurt), 0.01);
        EXPECT_EQ(well.state.counters.resets, hurt.state.counters.resets);
    }
};
INSTANTIATE_TEST_SUITE_P(Methods, Steady, ::testing::ValuesIn(steady::methods_with_memory()), steady::method_name);

TEST_P(Steady, BadJointsForOneFrameAndForAHundred) {
    const Body body(GetParam(), "bunny", 12);
    const std::size_t limb = body.puppet.limbs().front();
    const auto spoil = [&](int kind, std::size_t joint) {
        return [=](std::vector<Affine>& joints, int) {
            if (kind == 0) joints[joint].m[1][2] = nan;
            if (kind == 1) joints[joint].m[0][3] = infinite;
            if (kind == 2) joints[joint] = joints[joint] * compose({}, {}, {1, 0, 1});
            if (kind == 3) joints[joint] = joints[joint] * compose({}, {}, {-1, 1, 1});
        };
    };
    for (int kind = 0; kind < 4; ++kind)
        for (const int length : {1, 100}) {
            SCOPED_TRACE(std::to_string(kind) + ", " + std::to_string(length) + " frames");
            expect_recovery(body, length, spoil(kind, limb));
            expect_recovery(body, length, spoil(kind, 0));
        }
    Actor actor(body);
    auto joints = dance(body, 1);
    joints[limb].m[0][0] = nan;
    actor.go(joints, 1 / fps);
    EXPECT_EQ(actor.state.counters.refused_poses, 1u);
}

TEST_P(Steady, TeleportsAndFlips) {
    const Body body(GetParam(), "gnome", 12);
    const double far = 1000 * body.puppet.size();
    // There and back again: a second later nothing is left of it.
    expect_recovery(body, 20, [&](std::vector<Affine>& joints, int) {
        joints = steady::moved(joints, compose({far, -far, 0.3 * far}, {}, {1, 1, 1}));
    });
    expect_recovery(body, 20, [&](std::vector<Affine>& joints, int) {
        joints = steady::moved(joints, compose({}, quat_from_axis_angle({0, 1, 0}, steady::turn / 2), {1, 1, 1}));
    });
    expect_recovery(body, 20, [&](std::vector<Affine>& joints, int) {
        joints = steady::moved(joints, compose({}, quat_from_axis_angle({1, 0, 0}, steady::turn / 2), {1, 1, 1}));
    });
}

TEST_P(Steady, BoneScalesFromHalfToTwice) {
    const Body body(GetParam(), "bunny", 12);
    Actor actor(body);
    actor.reset_to(body.puppet.pose({}, body.puppet.still()));
    double last = 0;
    for (int k = 1; k <= 180; ++k) {
        auto local = body.puppet.still();
        for (std::size_t n = 0; n < body.puppet.limbs().size(); ++n) {
            const double s = k > 120 ? 1.0 : std::exp2(std::sin(0.1 * k + double(n)));
            local[body.puppet.limbs()[n]] = compose({}, {}, {s, s, s});
        }
        actor.go(body.puppet.pose({}, local), 1 / fps);
        ASSERT_TRUE(actor.finite());
        last = actor.look().max;
        ASSERT_LE(last, 0.25) << k;
    }
    EXPECT_LT(last, 0.01);
    EXPECT_EQ(actor.state.counters.refused_poses, 0u);
}

TEST_P(Steady, OddStepsOfTimeAndAPauseOfAnHour) {
    const Body body(GetParam(), "bloat", 12);
    for (const double odd : {0.0, 1e-6, 0.5, 10.0, 3600.0, -1.0, nan}) {
        Actor actor(body), well(body);
        actor.reset_to(dance(body, 0));
        well.reset_to(dance(body, 0));
        for (int k = 1; k < 120; ++k) {
            well.go(dance(body, k), 1 / fps);
            actor.go(dance(body, k), k > 20 && k < 26 ? odd : 1 / fps);
            ASSERT_TRUE(actor.finite()) << odd;
            if (k % 4 == 0) {
                ASSERT_LE(actor.look().max, 0.25) << odd << " " << k;
            }
        }
        EXPECT_LT(apart(well, actor), 0.02) << odd;
        EXPECT_EQ(actor.state.counters.resets, well.state.counters.resets);
    }
}

TEST_P(Steady, TenKilometresFromTheOrigin) {
    const Body body(GetParam(), "bunny", 12);
    const Affine far = compose({10000, 0, -10000}, {}, {1, 1, 1});
    Actor home(body), away(body);
    home.reset_to(dance(body, 0));
    away.reset_to(steady::moved(dance(body, 0), far));
    for (int k = 1; k < 60; ++k) {
        home.go(dance(body, k), 1 / fps);
        away.go(steady::moved(dance(body, k), far), 1 / fps);
    }
    home.look();
    away.look();
    // Floats are a thousandth apart out there: each vertex is at the nearest one to where it should be.
    for (std::size_t v = 0; v < home.positions.size(); ++v) {
        const Vec3d off = to_double(away.positions[v]) - transform_point(far, to_double(home.positions[v]));
        ASSERT_LT(std::max({std::abs(off.x), std::abs(off.y), std::abs(off.z)}), 6e-4);
    }
}

TEST_P(Steady, FewPointsReachTheirLimitInTheUsualMotions) {
    for (const char* name : {"bunny", "gnome", "bloat"}) {
        const Body body(GetParam(), name, 16);
        for (const char* motion : {"shake", "jump", "dance"}) {
            Actor actor(body);
            actor.reset_to(body.clip(motion, 0));
            double moving = 0;
            for (int k = 1; k <= 120; ++k) {
                actor.go(body.clip(motion, k / fps), 1 / fps);
                if (k % 10 == 0) moving += actor.look().max > 1e-3;
            }
            const double share = double(actor.state.counters.limited_points) /
                                 (double(actor.state.counters.steps) * double(body.rig->point_count()));
            EXPECT_LT(share, 0.01) << name << " " << motion;
            EXPECT_GE(moving, 10) << name << " " << motion;
        }
    }
}

}  // namespace
}  // namespace fascia
