#include "character/flip_repair.h"

#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include "character/puppet.h"

namespace fascia {
namespace {

using namespace test;

Motion waving(double seconds_between = 1.0 / 30) {
    Motion motion = puppet_motion(40);
    motion.frame_time = seconds_between;
    for (std::size_t f = 0; f < motion.frame_count(); ++f)
        rotation(motion, f, "LeftHand") =
            quat_from_axis_angle({0, 1, 0}, 0.5 * std::sin(9 * seconds_between * static_cast<double>(f)));
    return motion;
}

double degrees_between(Quat a, Quat b) {
    return 360 / std::numbers::pi * std::acos(std::min(1.0, std::abs(dot(normalized(a), normalized(b)))));
}

TEST(FlipRepair, ASingleFrameThatFlipsIsPutBetweenItsNeighbours) {
    for (double degrees : {70.0, 120.0, 180.0}) {
        const Motion clean = waving();
        Motion motion = clean;
        const Quat flip = quat_from_axis_angle({1, 0, 0}, degrees * std::numbers::pi / 180);
        for (std::size_t f : {7u, 20u}) rotation(motion, f, "LeftHand") = rotation(motion, f, "LeftHand") * flip;
        const FlipRepair repair = repair_flips(motion, 0);
        EXPECT_EQ(repair.flips, 2u);
        EXPECT_EQ(repair.joints, std::vector<int>{puppet_joint("LeftHand")});
        for (std::size_t i = 0; i < motion.rotations.size(); ++i)
            EXPECT_LT(degrees_between(motion.rotations[i], clean.rotations[i]), 2);
    }
}

TEST(FlipRepair, AFewFramesOfAFastCaptureCountAsOne) {
    Motion motion = waving(1.0 / 120);
    const Quat flip = quat_from_axis_angle({0, 0, 1}, std::numbers::pi);
    for (std::size_t f : {10u, 11u, 12u}) rotation(motion, f, "LeftHand") = rotation(motion, f, "LeftHand") * flip;
    EXPECT_EQ(repair_flips(motion, 0).flips, 1u);
    for (std::size_t f = 1; f < motion.frame_count(); ++f)
        EXPECT_LT(degrees_between(rotation(motion, f, "LeftHand"), rotation(motion, f - 1, "LeftHand")), 15);
    // At 30 frames per second three frames count as a movement.
    Motion slow = waving();
    for (std::size_t f : {10u, 11u, 12u}) rotation(slow, f, "LeftHand") = rotation(slow, f, "LeftHand") * flip;
    EXPECT_EQ(repair_flips(slow, 0).flips, 0u);
}

TEST(FlipRepair, MotionsThatDoNotComeBackAreKept) {
    const auto kept = [](Motion motion) {
        const Motion before = motion;
        EXPECT_EQ(repair_flips(motion, 0).flips, 0u);
        for (std::size_t i = 0; i < motion.rotations.size(); ++i)
            EXPECT_EQ(dot(motion.rotations[i], before.rotations[i]), dot(before.rotations[i], before.rotations[i]));
    };
    kept(waving());
    Motion spin = puppet_motion(30), turn = puppet_motion(30), small = waving(), ends = waving();
    for (std::size_t f = 0; f < 30; ++f) {
        rotation(spin, f, "Hips") =
            quat_from_axis_angle({0, 1, 0}, 1.3 * static_cast<double>(f));  // 74 degrees a frame
        if (f >= 15) rotation(turn, f, "Hips") = quat_from_axis_angle({0, 1, 0}, 2);
    }
    rotation(small, 9, "LeftHand") = quat_from_axis_angle({1, 0, 0}, 0.9);  // 52 degrees
    rotation(ends, 0, "LeftHand") = rotation(ends, 39, "LeftHand") = {0, 1, 0, 0};
    for (const Motion& motion : {spin, turn, small, ends}) kept(motion);
}

TEST(FlipRepair, TheRestFrameAndBrokenFramesAreLeftAlone) {
    Motion motion = waving();
    rotation(motion, 1, "LeftHand") = {0, 1, 0, 0};
    EXPECT_EQ(repair_flips(motion, 1).flips, 0u);  // frame 1 is the first that plays; nothing is known before it
    rotation(motion, 12, "LeftHand").w = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(repair_flips(motion, 2).flips, 0u);
    Motion single = puppet_motion(1);
    EXPECT_EQ(repair_flips(single, 0).flips, 0u);
}

TEST(FlipRepair, RetargetingWarnsAndRawMotionKeepsTheFlip) {
    Motion motion = waving();
    rotation(motion, 20, "LeftHand") = quat_from_axis_angle({1, 0, 0}, std::numbers::pi);
    const Character character = puppet_character();
    const auto turned = [&](const Retargeted& result) {
        Pose before, flipped;
        evaluate(character, &result.clip, result.clip.channels[0].times[19], before);
        evaluate(character, &result.clip, result.clip.channels[0].times[20], flipped);
        const int hand = puppet_joint("LeftHand");
        return dot(transform_vector(before.joints[hand], {0, 1, 0}), transform_vector(flipped.joints[hand], {0, 1, 0}));
    };
    const auto smooth = retarget(character, motion);
    ASSERT_TRUE(smooth.ok());
    EXPECT_GT(turned(*smooth), 0.9);
    bool warned = false;
    for (const std::string& warning : smooth->warnings)
        warned =
            warned || (warning.find("1 flip") != std::string::npos && warning.find("LeftHand") != std::string::npos);
    EXPECT_TRUE(warned);
    RetargetOptions options;
    options.raw = true;
    const auto raw = retarget(character, motion, options);
    ASSERT_TRUE(raw.ok());
    EXPECT_LT(turned(*raw), -0.9);
    for (const std::string& warning : raw->warnings) EXPECT_EQ(warning.find("flip"), std::string::npos);
}

}  // namespace
}  // namespace fascia
