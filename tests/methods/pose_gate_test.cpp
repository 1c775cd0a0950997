#include "methods/shared/pose_gate.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace fascia {
namespace {

std::vector<Joint> chain() {
    std::vector<Joint> joints(3);
    for (int j = 0; j < 3; ++j) {
        joints[j].name = std::to_string(j);
        joints[j].parent = j - 1;
        joints[j].rest = compose({0, double(j), 0}, {}, {1, 1, 1});
    }
    return joints;
}

double difference(const Affine& a, const Affine& b) {
    double worst = 0;
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 4; ++c) worst = std::max(worst, std::abs(a.m[r][c] - b.m[r][c]));
    return worst;
}

std::vector<Affine> moved_chain(double x) {
    std::vector<Affine> pose;
    for (int j = 0; j < 3; ++j)
        pose.push_back(compose({x, double(j), 0}, quat_from_axis_angle({0, 0, 1}, 0.1 * x), {1, 1, 1}));
    return pose;
}

TEST(PoseGate, AcceptsGoodPosesAndRemembersTheLast) {
    const auto joints = chain();
    const PoseGate gate(joints);
    State state;
    gate.make(state);
    EXPECT_EQ(difference(state.joints[2], joints[2].rest), 0);
    gate.advance(moved_chain(1), state);
    gate.advance(moved_chain(2), state);
    for (int j = 0; j < 3; ++j) {
        EXPECT_EQ(difference(state.joints[j], moved_chain(2)[j]), 0);
        EXPECT_EQ(difference(state.previous_joints[j], moved_chain(1)[j]), 0);
    }
    EXPECT_EQ(state.counters.refused_poses, 0u);
    gate.reset(moved_chain(5), state);
    EXPECT_EQ(difference(state.previous_joints[1], moved_chain(5)[1]), 0);
}

TEST(PoseGate, RefusesWhatCannotBeUsed) {
    const auto joints = chain();
    const PoseGate gate(joints);
    const double inf = std::numeric_limits<double>::infinity();
    std::vector<Affine> bad(7, joints[1].rest);
    bad[0].m[1][1] = std::nan("");
    bad[1].m[0][3] = inf;
    bad[2].m[0][3] = -inf;
    bad[3] = compose({}, {}, {1, 0, 1});   // singular
    bad[4] = compose({}, {}, {-1, 1, 1});  // mirrored
    bad[5].m[2][3] = 1e200;                // too large for a float
    bad[6] = compose({}, {}, {0, 0, 0});
    for (std::size_t i = 0; i < bad.size(); ++i) EXPECT_FALSE(gate.accepts(1, bad[i])) << i;
    EXPECT_TRUE(gate.accepts(1, compose({1e4, 0, 0}, {}, {100, 100, 100})));
    EXPECT_TRUE(gate.accepts(1, compose({}, {}, {1e-4, 1e-4, 1e-4})));
}

TEST(PoseGate, TakesAMirroredRestForWhatItIs) {
    auto joints = chain();
    joints[1].rest = compose({}, {}, {-1, 1, 1});
    const PoseGate gate(joints);
    EXPECT_TRUE(gate.accepts(1, compose({3, 0, 0}, {}, {-2, 2, 2})));
    EXPECT_FALSE(gate.accepts(1, Affine{}));
}

TEST(PoseGate, ARefusedJointGoesWithItsParent) {
    const auto joints = chain();
    const PoseGate gate(joints);
    State state;
    gate.make(state);
    gate.advance(moved_chain(1), state);
    auto pose = moved_chain(7);
    pose[1].m[0][0] = std::nan("");
    gate.advance(pose, state);
    EXPECT_EQ(state.counters.refused_poses, 1u);
    const Affine expected = moved_chain(7)[0] * inverse(moved_chain(1)[0]) * moved_chain(1)[1];
    EXPECT_LT(difference(state.joints[1], expected), 1e-12);
    EXPECT_EQ(difference(state.joints[2], moved_chain(7)[2]), 0);  // a good child of a bad parent stays as it is
    // A refused root stays where it was.
    pose = moved_chain(9);
    pose[0].m[0][0] = std::nan("");
    gate.advance(pose, state);
    EXPECT_EQ(difference(state.joints[0], moved_chain(7)[0]), 0);
    EXPECT_EQ(state.counters.refused_poses, 2u);
    // It recovers.
    gate.advance(moved_chain(3), state);
    EXPECT_EQ(difference(state.joints[0], moved_chain(3)[0]), 0);
    EXPECT_EQ(state.counters.refused_poses, 2u);
}

/// In the axes of a parent that is crushed to nothing, a child that stays where it was would be endlessly far away.
TEST(PoseGate, AChildDoesNotStayBehindACrushedParent) {
    const auto joints = chain();
    const PoseGate gate(joints);
    State state;
    gate.make(state);
    auto pose = moved_chain(0);
    for (Affine& joint : pose) joint = compose({}, {}, {1e-9, 1e-9, 1e-9}) * joint;
    gate.advance(pose, state);
    EXPECT_EQ(state.counters.refused_poses, 0u) << "a body that is small as a whole";
    gate.advance(moved_chain(0), state);
    pose = moved_chain(0);
    pose[0] = pose[0] * compose({}, {}, {1e-20, 1e-20, 1e-20});
    gate.advance(pose, state);
    EXPECT_EQ(state.counters.refused_poses, 2u) << "nor does its own child";
    for (const std::size_t j : {1u, 2u})
        EXPECT_LT(length(translation_of(state.joints[j]) - translation_of(state.joints[0])), 1e-15);
}

TEST(PoseGate, MissingJointsCountAsRefused) {
    const auto joints = chain();
    const PoseGate gate(joints);
    State state;  // never made: starts from rest
    gate.advance(std::vector<Affine>{moved_chain(4)[0]}, state);
    EXPECT_EQ(state.counters.refused_poses, 2u);
    ASSERT_EQ(state.joints.size(), 3u);
    EXPECT_LT(difference(state.joints[2], moved_chain(4)[0] * joints[2].rest), 1e-12);
}

}  // namespace
}  // namespace fascia
