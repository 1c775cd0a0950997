// Bodies of other builds in motions that come down on feet, hands, knees and seat.
#include <cmath>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

#include "character/fleshed_puppet.h"
#include "character/motion_quality.h"
#include "character/source_contacts.h"
#include "character/stunts.h"
#include "fascia/pose.h"

namespace fascia {
namespace {

using namespace test;

Clip clip_of(const Character& character, const Motion& motion, bool raw = false) {
    RetargetOptions options;
    options.raw = raw;
    auto result = retarget(character, motion, options);
    if (result) return std::move(result->clip);
    ADD_FAILURE() << result.error().message;
    return {};
}

std::vector<Motion> stunts() {
    return {jump(), sit_down(), crawl(), cartwheel(), walk()};
}

class Builds : public testing::TestWithParam<Build> {};

TEST_P(Builds, NothingSinksIntoTheFloor) {
    const Character body = fleshed_puppet(GetParam());
    for (const Motion& motion : stunts())
        EXPECT_LT(quality_of(body, motion, clip_of(body, motion)).depth, 0.015) << motion.name;
}

TEST_P(Builds, PlantedFeetSlideNoMoreThanTheSources) {
    const Character body = fleshed_puppet(GetParam());
    for (const Motion& motion : stunts())
        EXPECT_LT(quality_of(body, motion, clip_of(body, motion)).excess, 0) << motion.name;
}

TEST_P(Builds, CorrectionsDoNotJerk) {
    const Character body = fleshed_puppet(GetParam());
    for (const Motion& motion : stunts()) {
        const double plain = quality_of(body, motion, clip_of(body, motion, true)).jerk;
        // A body may jerk by a tenth of a percent of its height when it comes down on parts that the plain motion lets
        // through the floor.
        EXPECT_LT(quality_of(body, motion, clip_of(body, motion)).jerk, 1.15 * plain + 0.002) << motion.name;
    }
}

TEST_P(Builds, AJumpLeavesTheFloorAsHighInLegs) {
    const Character body = fleshed_puppet(GetParam());
    const Motion motion = jump();
    const std::vector<Pose> poses = poses_of(body, clip_of(body, motion));
    const double ground = extent_of(body, rest_pose(body)).low;
    const auto low_at = [&](double t) {
        return extent_of(body, poses[static_cast<std::size_t>(t / kFrame)]).low - ground;
    };
    EXPECT_NEAR(low_at((kTakeOff + kLanding) / 2), kJumpHeight * GetParam().legs, 0.05 * kJumpHeight);
    EXPECT_NEAR(low_at(0.1), 0, 0.1);
    EXPECT_NEAR(low_at(2.9), 0, 0.1);
}

/// Whichever part of the source touches, the lowest vertex of a body that can reach the floor is on it.
TEST_P(Builds, WhatTouchesInTheSourceTouches) {
    const Character body = fleshed_puppet(GetParam());
    for (const Motion& motion : {sit_down(), crawl(), cartwheel()})
        EXPECT_LT(quality_of(body, motion, clip_of(body, motion)).float_height, 0.08) << motion.name;
}

TEST_P(Builds, KneesAndElbowsBendAsTheyDid) {
    const Character body = fleshed_puppet(GetParam());
    const auto bend = [](const Pose& pose, const char* upper, const char* lower, const char* end) {
        return cross(direction(pose, upper, lower), direction(pose, lower, end));
    };
    for (const Motion& motion : stunts()) {
        const std::vector<Pose> plain = poses_of(body, clip_of(body, motion, true)),
                                planted = poses_of(body, clip_of(body, motion));
        for (std::size_t f = 0; f < plain.size(); ++f) {
            for (const auto& [upper, lower, end] :
                 {std::array{"LeftUpLeg", "LeftLeg", "LeftFoot"}, std::array{"RightUpLeg", "RightLeg", "RightFoot"},
                  std::array{"LeftArm", "LeftForeArm", "LeftHand"}}) {
                const Vec3d before = bend(plain[f], upper, lower, end), after = bend(planted[f], upper, lower, end);
                if (length(before) < 0.3 || length(after) < 0.05) continue;
                EXPECT_GT(dot(normalized(before), normalized(after)), 0.5) << motion.name << f << lower;
            }
            // Straight knees bend forwards if they have to: the shin ends up behind the thigh.
            const Pose& pose = planted[f];
            const Vec3d left = normalized(place_of(pose, "LeftUpLeg") - place_of(pose, "RightUpLeg"));
            EXPECT_GT(dot(bend(pose, "LeftUpLeg", "LeftLeg", "LeftFoot"), left), -0.1) << motion.name << f;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, Builds, testing::ValuesIn(all_builds()),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(Grounding, PlainRetargetingSinksAndSlides) {
    // What the tests above would measure without it.
    const Build bear = all_builds()[3];
    const Character body = fleshed_puppet(bear);
    const MotionQuality quality = quality_of(body, cartwheel(), clip_of(body, cartwheel(), true));
    EXPECT_GT(quality.depth, 0.3);
    EXPECT_GT(quality.excess, 0.03);
}

TEST(Grounding, TheSameBodyMovesAsTheSourceDoes) {
    const Character body = fleshed_puppet({});
    for (const Motion& motion : {walk(), jump()}) {
        const std::vector<Pose> poses = poses_of(body, clip_of(body, motion));
        MotionFrame frame;
        for (std::size_t f = 0; f < poses.size(); ++f) {
            ASSERT_TRUE(evaluate_motion(motion, f, frame));
            for (std::size_t j = 0; j < poses[f].joints.size(); ++j) {
                if (motion.joints[j].name.find("Toe") != std::string::npos) continue;  // the puppet's are lower
                const Vec3d there = frame.positions[j] - frame.positions[0] + Vec3d{0, frame.positions[0].y, 0};
                const Vec3d here = translation_of(poses[f].joints[j]) - translation_of(poses[f].joints[0]) +
                                   Vec3d{0, translation_of(poses[f].joints[0]).y, 0};
                EXPECT_LT(length(here - there), 0.05) << motion.name << f << motion.joints[j].name;
            }
        }
    }
}

TEST(Grounding, AFloorThatDriftsIsLevelled) {
    Motion motion = walk();
    for (std::size_t f = 0; f < motion.frame_count(); ++f) root_place(motion, f).y += 0.004 * static_cast<double>(f);
    const Character body = fleshed_puppet(all_builds()[1]);
    const MotionQuality quality = quality_of(body, motion, clip_of(body, motion));
    EXPECT_LT(quality.depth, 0.01);
    EXPECT_LT(quality.float_height, 0.01);
}

TEST(Grounding, BodiesThatLackSomethingStayFinite) {
    std::mt19937 random(3);
    const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
    int taken = 0;
    for (int round = 0; round < 60; ++round) {
        Character body = fleshed_puppet(all_builds()[below(5)]);
        Motion motion = stunts()[below(5)];
        if (below(4) == 0) {  // a single frame
            motion.rotations.resize(motion.joints.size());
            motion.translations.resize(motion.joints.size());
        }
        const auto spoil = [&](const char* part) {
            if (below(3) != 0) return;
            for (Joint& joint : body.joints) {
                if (joint.name.find(part) == std::string::npos) continue;
                joint.name = body.nodes[joint.node].name = "bone";  // a limb that is not recognised as one
            }
        };
        for (const char* part : {"Foot", "Toe", "Hand", "UpLeg", "ForeArm", "Hips"}) spoil(part);
        if (below(3) == 0) {  // bones without length
            Node& node = body.nodes[below(static_cast<unsigned>(body.nodes.size()))];
            node.translation = {};
            for (std::size_t j = 0; j < body.joints.size(); ++j) {
                const int parent = body.joints[j].parent;
                const Affine above = parent < 0 ? Affine{} : body.joints[parent].rest;
                body.joints[j].rest = above * compose(body.nodes[j].translation, {}, {1, 1, 1});
            }
        }
        if (below(4) == 0) body.mesh = {}, body.weights = {};
        if (below(4) == 0) motion.frame_time = below(2) ? 0 : 10;
        const auto result = retarget(body, motion);
        if (!result) continue;
        ++taken;
        for (const Channel& channel : result->clip.channels)
            for (float value : channel.values) ASSERT_TRUE(std::isfinite(value)) << round;
    }
    EXPECT_GT(taken, 30);
}

// ---- contacts of the source ----------------------------------------------------------------------

SourceContacts contacts_of(const Motion& motion) {
    const MotionStart start = *start_of(motion, MotionRest::automatic);
    std::vector<MotionFrame> frames(motion.frame_count());
    for (std::size_t f = 0; f < frames.size(); ++f) EXPECT_TRUE(evaluate_motion(motion, f, frames[f]));
    return find_contacts(motion, start, frames, motion.frame_time, {0, 1, 0});
}

TEST(SourceContacts, AWalkStandsOnOneFootAfterTheOther) {
    const SourceContacts contacts = contacts_of(walk());
    for (std::size_t f = 0; f < contacts.ends[left_foot].planted.size(); ++f) {
        const double x = static_cast<double>(f) * kFrame, in_step = x / 0.5 - std::floor(x / 0.5);
        if (in_step < 0.2 || in_step > 0.8) continue;  // both stand for a moment
        const bool left = static_cast<int>(x / 0.5) % 2 == 0;
        EXPECT_EQ(contacts.ends[left_foot].planted[f], left) << f;
        EXPECT_EQ(contacts.ends[right_foot].planted[f], !left) << f;
    }
}

TEST(SourceContacts, ACrawlIsCarriedByHandsAndKnees) {
    const SourceContacts contacts = contacts_of(crawl());
    for (std::size_t f = 0; f < contacts.carriers[left_knee].lift.size(); ++f) {
        const auto lower = [&](int a, int b) {
            return std::min(contacts.carriers[a].lift[f], contacts.carriers[b].lift[f]);
        };
        EXPECT_LT(lower(left_knee, right_knee), 0.02 * contacts.leg) << f;
        EXPECT_LT(lower(left_hand, right_hand), 0.05 * contacts.leg) << f;
        EXPECT_GT(contacts.carriers[trunk].lift[f], 0.2 * contacts.leg) << f;
    }
}

TEST(SourceContacts, AJumpTouchesNothing) {
    const SourceContacts contacts = contacts_of(jump());
    const auto apex = static_cast<std::size_t>((kTakeOff + kLanding) / 2 / kFrame);
    for (const CarrierTrack& track : contacts.carriers) EXPECT_GT(track.lift[apex], 0.9 * kJumpHeight);
    EXPECT_LT(contacts.carriers[left_foot].lift[0], 1e-9);
}

}  // namespace
}  // namespace fascia
