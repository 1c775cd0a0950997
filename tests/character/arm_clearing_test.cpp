// Arms of a stout body in motions of a slender one.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "character/fleshed_puppet.h"
#include "character/motion_quality.h"
#include "character/source_contacts.h"
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

/// Largest change of a hand's speed from frame to frame.
double jolt(const std::vector<Pose>& poses) {
    double most = 0;
    for (std::size_t f = 1; f + 1 < poses.size(); ++f) {
        const auto at = [&](std::size_t k) { return place_of(poses[k], "LeftHand"); };
        most = std::max(most, length(at(f + 1) - at(f) * 2 + at(f - 1)));
    }
    return most;
}

TEST(ArmClearing, ArmsGlideAlongTheBody) {
    const Character body = fleshed_puppet(stout());
    EXPECT_LT(jolt(poses_with(body, arms_down(), true)), 1.2 * jolt(poses_with(body, arms_down(), false)));
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

/// A sheet behind the back, from one arm to the other, whose outer side looks backwards.
void add_cape(Character& character) {
    constexpr int kCells = 8;
    const auto first = static_cast<std::uint32_t>(character.mesh.positions.size());
    for (int row = 0; row <= kCells; ++row) {
        for (int column = 0; column <= kCells; ++column) {
            character.mesh.positions.push_back(
                to_float({-5 + 10.0 * column / kCells, 15 - 8.0 * row / kCells, -kTrunk - 0.3}));
            character.mesh.normals.push_back({0, 0, -1});
            for (int slot = 0; slot < 4; ++slot) {
                character.weights.joints.push_back(slot == 0 ? static_cast<std::uint16_t>(puppet_joint("Spine1"))
                                                             : std::uint16_t{0});
                character.weights.weights.push_back(slot == 0 ? 1.0f : 0.0f);
            }
        }
    }
    for (std::uint32_t row = 0; row < kCells; ++row) {
        for (std::uint32_t column = 0; column < kCells; ++column) {
            const std::uint32_t p = first + row * (kCells + 1) + column, below = p + kCells + 1;
            for (std::uint32_t corner : {p, p + 1, below, p + 1, below + 1, below})
                character.mesh.triangles.push_back(corner);
        }
    }
    character.mesh.parts[0].vertex_count = static_cast<int>(character.mesh.positions.size());
    character.mesh.parts[0].triangle_count = static_cast<int>(character.mesh.triangles.size() / 3);
}

TEST(ArmClearing, NothingIsInsideACape) {
    const Character body = fleshed_puppet({});
    Character caped = body;
    add_cape(caped);
    const auto a = retarget(body, arms_down()), b = retarget(caped, arms_down());
    ASSERT_TRUE(a && b);
    for (std::size_t c = 0; c < a->clip.channels.size(); ++c)
        EXPECT_EQ(a->clip.channels[c].values, b->clip.channels[c].values);
}

TEST(ArmClearing, HandsThatCarryTheBodyStay) {
    Build bear{"bear"};
    bear.legs = 0.5;
    bear.arms = 0.75;
    bear.trunk_width = 2.2;
    const Character body = fleshed_puppet(bear);
    const Motion motion = crawl();
    const std::vector<Pose> with = poses_with(body, motion, true), without = poses_with(body, motion, false);
    const MotionStart start = *start_of(motion, MotionRest::automatic);
    std::vector<MotionFrame> frames(motion.frame_count());
    for (std::size_t f = 0; f < frames.size(); ++f) ASSERT_TRUE(evaluate_motion(motion, f, frames[f]));
    const SourceContacts contacts = find_contacts(motion, start, frames, motion.frame_time, {0, 1, 0});
    double elsewhere = 0;
    int planted = 0;
    for (std::size_t f = 0; f < with.size(); ++f) {
        const double moved = length(place_of(with[f], "LeftHand") - place_of(without[f], "LeftHand"));
        if (contacts.ends[left_hand].planted[f]) {
            EXPECT_LT(moved, 0.02) << f;
            ++planted;
        } else {
            elsewhere = std::max(elsewhere, moved);
        }
    }
    EXPECT_GT(planted, 10);
    EXPECT_GT(elsewhere, 0.1);
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
