// Arms of a stout body in motions of a slender one.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "character/fleshed_puppet.h"
#include "character/motion_quality.h"
#include "character/stunts.h"
#include "fascia/pose.h"

namespace fascia {
namespace {

using namespace test;

constexpr double kTrunk = 1.5, kLimb = 0.6;  // the puppet's radii

Build stout() {
    Build build{"stout"};
    build.trunk_width = 2.2;
    build.arms = 1.5;
    return build;
}

/// Both arms sink from a T until they hang.
Motion arms_down() {
    return stunt("arms down", 2, [](Motion& motion, std::size_t f, double t) {
        const double angle = 0.5 * std::numbers::pi * ramp(t, 0.2, 1.2);
        rotation(motion, f, "LeftArm") = about_z(-angle);
        rotation(motion, f, "RightArm") = about_z(angle);
    });
}

std::vector<Pose> poses_with(const Character& body, const Motion& motion, bool clear) {
    RetargetOptions options;
    options.clear = clear;
    const auto made = retarget(body, motion, options);
    EXPECT_TRUE(made) << made.error().message;
    return poses_of(body, made->clip);
}

double distance_to_segment(Vec3d p, Vec3d a, Vec3d b) {
    const double t = std::clamp(dot(p - a, b - a) / dot(b - a, b - a), 0.0, 1.0);
    return length(p - a - (b - a) * t);
}

/// How far the middle of the forearms, from a share of their length on, is from the skin of the trunk (a row of
/// capsules) in the worst frame.
double least_distance(const Build& build, const std::vector<Pose>& poses, double first_share) {
    double least = 1e9;
    for (const Pose& pose : poses)
        for (const char* side : {"Left", "Right"})
            for (double share : {first_share, 1.0}) {
                const Vec3d elbow = place_of(pose, std::string(side) + "ForeArm");
                const Vec3d place = elbow + (place_of(pose, std::string(side) + "Hand") - elbow) * share;
                const double from_spine = distance_to_segment(place, place_of(pose, "Hips"), place_of(pose, "Neck"));
                least = std::min(least, from_spine - kTrunk * build.trunk_width);
            }
    return least;
}

TEST(ArmClearing, ForearmsStayOutOfAStoutTrunk) {
    const Character body = fleshed_puppet(stout());
    EXPECT_LT(least_distance(stout(), poses_with(body, arms_down(), false), 0), -2 * kLimb);
    // The elbow may lie at the skin, and the lower half shows half of its thickness, less what spreading points over
    // the skin and smoothing over time cost.
    const std::vector<Pose> cleared = poses_with(body, arms_down(), true);
    EXPECT_GT(least_distance(stout(), cleared, 0), -0.5 * kLimb);
    EXPECT_GT(least_distance(stout(), cleared, 0.67), 0.35 * kLimb);
}

TEST(ArmClearing, ArmsGlideAlongTheBody) {
    const Character body = fleshed_puppet(stout());
    RetargetOptions with, without;
    without.clear = false;
    const auto cleared = retarget(body, arms_down(), with), plain = retarget(body, arms_down(), without);
    ASSERT_TRUE(cleared && plain);
    EXPECT_LT(quality_of(body, arms_down(), cleared->clip).jerk,
              quality_of(body, arms_down(), plain->clip).jerk + 0.002);
}

TEST(ArmClearing, ASlenderBodyMovesAsBefore) {
    const Character body = fleshed_puppet({});
    for (const Motion& motion : {walk(), jump(), cartwheel()}) {
        RetargetOptions without;
        without.clear = false;
        const auto a = retarget(body, motion), b = retarget(body, motion, without);
        ASSERT_TRUE(a && b);
        for (std::size_t c = 0; c < a->clip.channels.size(); ++c)
            EXPECT_EQ(a->clip.channels[c].values, b->clip.channels[c].values) << motion.name;
    }
}

TEST(ArmClearing, HandsThatCarryTheBodyStay) {
    Build bear{"bear"};
    bear.legs = 0.5;
    bear.arms = 0.75;
    bear.trunk_width = 2.2;
    const Character body = fleshed_puppet(bear);
    const Motion motion = crawl();
    const MotionQuality plain = quality_of(body, motion, [&] {
        RetargetOptions options;
        options.clear = false;
        return retarget(body, motion, options)->clip;
    }());
    const MotionQuality cleared = quality_of(body, motion, retarget(body, motion)->clip);
    EXPECT_LT(cleared.depth, plain.depth + 1e-3);
    EXPECT_LT(cleared.excess, plain.excess + 1e-3);
    EXPECT_LT(cleared.float_height, plain.float_height + 1e-3);
}

TEST(ArmClearing, SaysHowFar) {
    const Character body = fleshed_puppet(stout());
    const auto made = retarget(body, arms_down());
    ASSERT_TRUE(made);
    const auto says = [](const std::string& warning) { return warning.find("arms are turned by up to") == 0; };
    EXPECT_EQ(std::count_if(made->warnings.begin(), made->warnings.end(), says), 1);
    const auto slender = retarget(fleshed_puppet({}), walk());
    ASSERT_TRUE(slender);
    EXPECT_EQ(std::count_if(slender->warnings.begin(), slender->warnings.end(), says), 0);
}

}  // namespace
}  // namespace fascia
