#include <cmath>
#include <limits>
#include <memory>
#include <numbers>

#include <gtest/gtest.h>

#include "character/allocation_count.h"
#include "fascia/pose.h"

namespace fascia {
namespace {

constexpr double kPi = std::numbers::pi;

void expect_near(Vec3d a, Vec3d b, double tolerance = 1e-12) {
    EXPECT_NEAR(a.x, b.x, tolerance);
    EXPECT_NEAR(a.y, b.y, tolerance);
    EXPECT_NEAR(a.z, b.z, tolerance);
}

void expect_near(const Affine& a, const Affine& b, double tolerance = 1e-12) {
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 4; ++c) EXPECT_NEAR(a.m[r][c], b.m[r][c], tolerance) << r << ' ' << c;
}

/// An armature, turned and scaled, with a joint and its child; a rigid node is attached to the child.
Character two_joints() {
    Character character;
    character.name = "two";
    character.nodes.resize(4);
    character.nodes[0].rotation = quat_from_axis_angle({1, 0, 0}, -kPi / 2);
    character.nodes[0].scale = {2, 2, 2};
    character.nodes[1].parent = 0;
    character.nodes[1].translation = {1, 0, 0};
    character.nodes[2].parent = 1;
    character.nodes[2].translation = {0, 1, 0};
    character.nodes[3].parent = 2;
    character.nodes[3].translation = {0, 0, 1};
    Pose pose;
    evaluate(character, nullptr, 0, pose);
    character.joints.resize(2);
    for (int j = 0; j < 2; ++j) {
        character.joints[j].name = j ? "child" : "root";
        character.joints[j].node = j + 1;
        character.joints[j].parent = j - 1;
        character.joints[j].rest = pose.nodes[j + 1];
    }
    return character;
}

Channel rotation_channel(int node, std::vector<float> times, const std::vector<Quat>& keys) {
    Channel channel;
    channel.node = node;
    channel.times = std::move(times);
    for (Quat q : keys)
        for (double v : {q.x, q.y, q.z, q.w}) channel.values.push_back(static_cast<float>(v));
    return channel;
}

Channel translation_channel(int node, Channel::Interpolation kind, std::vector<float> times,
                            std::vector<float> values) {
    Channel channel;
    channel.node = node;
    channel.path = Channel::Path::translation;
    channel.interpolation = kind;
    channel.times = std::move(times);
    channel.values = std::move(values);
    return channel;
}

/// Where the second joint is when the clip has only this channel.
Vec3d child_at(const Character& character, const Channel& channel, double seconds) {
    Clip clip;
    clip.channels = {channel};
    Pose pose;
    evaluate(character, &clip, seconds, pose);
    return translation_of(pose.joints[1]);
}

TEST(Evaluate, DefaultPoseMultipliesFromTheRootDown) {
    const Character character = two_joints();
    Pose pose;
    evaluate(character, nullptr, 12, pose);
    // The armature maps (x, y, z) to 2 (x, z, -y).
    expect_near(translation_of(pose.joints[0]), {2, 0, 0});
    expect_near(translation_of(pose.joints[1]), {2, 0, -2});
    expect_near(translation_of(pose.nodes[3]), {2, 2, -2});
}

TEST(Evaluate, StepHoldsTheKeyUntilTheNextOne) {
    const Character character = two_joints();
    const Channel channel =
        translation_channel(2, Channel::Interpolation::step, {1, 2, 3}, {0, 1, 0, 0, 2, 0, 0, 3, 0});
    EXPECT_DOUBLE_EQ(child_at(character, channel, 1.999999).z, -2);
    EXPECT_DOUBLE_EQ(child_at(character, channel, 2).z, -4);
    EXPECT_DOUBLE_EQ(child_at(character, channel, 2.999999).z, -4);
    EXPECT_DOUBLE_EQ(child_at(character, channel, 3).z, -6);
}

TEST(Evaluate, TimesOutsideTheKeysAreClamped) {
    const Character character = two_joints();
    for (auto kind : {Channel::Interpolation::step, Channel::Interpolation::linear, Channel::Interpolation::cubic}) {
        std::vector<float> values{0, 1, 0, 0, 3, 0};
        if (kind == Channel::Interpolation::cubic) values = {9, 9, 9, 0, 1, 0, 9, 9, 9, 9, 9, 9, 0, 3, 0, 9, 9, 9};
        const Channel channel = translation_channel(2, kind, {1, 2}, values);
        EXPECT_DOUBLE_EQ(child_at(character, channel, -5).z, -2);
        EXPECT_DOUBLE_EQ(child_at(character, channel, 1).z, -2);
        EXPECT_DOUBLE_EQ(child_at(character, channel, 2).z, -6);
        EXPECT_DOUBLE_EQ(child_at(character, channel, 1e30).z, -6);
        EXPECT_DOUBLE_EQ(child_at(character, channel, std::numeric_limits<double>::quiet_NaN()).z, -2);
    }
}

TEST(Evaluate, LinearTranslationAndScaleAreStraight) {
    Character character = two_joints();
    Clip clip;
    clip.channels = {translation_channel(1, Channel::Interpolation::linear, {0, 4}, {0, 0, 0, 8, 0, 0})};
    Channel scale = translation_channel(1, Channel::Interpolation::linear, {0, 4}, {1, 1, 1, 5, 1, 1});
    scale.path = Channel::Path::scale;
    clip.channels.push_back(scale);
    Pose pose;
    evaluate(character, &clip, 1, pose);
    expect_near(pose.nodes[1], character.joints[0].rest * compose({1, 0, 0}, {}, {2, 1, 1}));
}

TEST(Evaluate, LinearRotationTurnsEvenlyAndTheShortWay) {
    const Character character = two_joints();
    const Quat quarter = quat_from_axis_angle({0, 0, 1}, kPi / 2);
    for (double sign : {1.0, -1.0}) {
        const Quat end{sign * quarter.w, sign * quarter.x, sign * quarter.y, sign * quarter.z};
        const Channel channel = rotation_channel(1, {0, 3}, {Quat{}, end});
        for (double third : {1.0, 2.0}) {
            const double angle = kPi / 6 * third;
            // The child stands at y = 1 of the turned joint.
            expect_near(child_at(character, channel, third), {2 - 2 * std::sin(angle), 0, -2 * std::cos(angle)}, 1e-6);
        }
    }
}

TEST(Evaluate, CubicFollowsItsPolynomial) {
    // Keys of f(t) = t^3 - 2 t + 1 at t = 1 and 3 with the true slopes: Hermite interpolation is exact.
    const auto f = [](double t) { return t * t * t - 2 * t + 1; };
    const auto slope = [](double t) { return 3 * t * t - 2; };
    const Character character = two_joints();
    std::vector<float> values;
    for (double t : {1.0, 3.0}) {
        for (double v : {slope(t), f(t), slope(t)}) {
            values.insert(values.end(), {0, static_cast<float>(v), 0});
        }
    }
    const Channel channel = translation_channel(2, Channel::Interpolation::cubic, {1, 3}, values);
    for (double t : {1.0, 1.25, 2.0, 2.875, 3.0}) EXPECT_NEAR(child_at(character, channel, t).z, -2 * f(t), 1e-12);
}

TEST(Evaluate, CubicRotationIsNormalised) {
    const Character character = two_joints();
    Channel channel;
    channel.node = 1;
    channel.interpolation = Channel::Interpolation::cubic;
    channel.times = {0, 1};
    const float s = static_cast<float>(std::sin(1.0)), c = static_cast<float>(std::cos(1.0));
    channel.values = {0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, s, c, 0, 0, 0, 0};
    // With zero tangents the middle is the mean of the two: half the angle after normalising.
    const Vec3d child = child_at(character, channel, 0.5);
    expect_near(child, {2 - 2 * std::sin(1.0), 0, -2 * std::cos(1.0)}, 1e-6);
}

TEST(Evaluate, ShearedMatrixReplacesTheTransform) {
    Character character = two_joints();
    Affine shear;
    shear.m[0][1] = 0.5;
    character.nodes[2].matrix = shear;
    Pose pose;
    evaluate(character, nullptr, 0, pose);
    expect_near(pose.nodes[2], pose.nodes[1] * shear);
}

TEST(Evaluate, BrokenChannelsArePassedOver) {
    const Character character = two_joints();
    Clip clip;
    clip.channels = {translation_channel(7, Channel::Interpolation::linear, {0}, {9, 9, 9}),
                     translation_channel(-1, Channel::Interpolation::linear, {0}, {9, 9, 9}),
                     translation_channel(1, Channel::Interpolation::linear, {}, {}),
                     translation_channel(1, Channel::Interpolation::linear, {0, 1}, {9, 9, 9}),
                     translation_channel(1, Channel::Interpolation::cubic, {0}, {9, 9, 9})};
    Pose pose, rest;
    evaluate(character, &clip, 0.5, pose);
    evaluate(character, nullptr, 0, rest);
    for (std::size_t i = 0; i < pose.nodes.size(); ++i) expect_near(pose.nodes[i], rest.nodes[i]);
}

TEST(Evaluate, EqualKeyTimesDoNotDivideByZero) {
    const Character character = two_joints();
    const Channel channel =
        translation_channel(2, Channel::Interpolation::linear, {0, 1, 1, 2}, {0, 1, 0, 0, 2, 0, 0, 5, 0, 0, 6, 0});
    EXPECT_DOUBLE_EQ(child_at(character, channel, 1).z, -10);
    EXPECT_DOUBLE_EQ(child_at(character, channel, 0.5).z, -3);
}

TEST(Evaluate, AllocatesNothingAfterItsFirstUse) {
    const Character character = two_joints();
    Clip clip;
    clip.channels = {rotation_channel(1, {0, 1}, {Quat{}, quat_from_axis_angle({0, 1, 0}, 1)}),
                     translation_channel(2, Channel::Interpolation::linear, {0, 1}, {0, 0, 0, 1, 1, 1})};
    Pose pose;
    evaluate(character, &clip, 0, pose);
    std::size_t before = test::allocation_count();
    const auto number = std::make_unique<Pose>();
    EXPECT_GT(test::allocation_count(), before);  // the counter works
    before = test::allocation_count();
    for (int i = 0; i < 100; ++i) evaluate(character, &clip, i * 0.01, pose);
    EXPECT_EQ(test::allocation_count(), before);
}

TEST(RestPose, JointsStandAtTheirRestAndCarryWhatHangsOnThem) {
    Character character = two_joints();
    // Bound in a pose other than the file's default.
    character.joints[1].rest = compose({5, 6, 7}, quat_from_axis_angle({0, 0, 1}, kPi / 2), {1, 1, 1});
    const Pose pose = rest_pose(character);
    for (int j = 0; j < 2; ++j) {
        expect_near(pose.joints[j], character.joints[j].rest);
        expect_near(pose.nodes[j + 1], character.joints[j].rest);
    }
    expect_near(translation_of(pose.nodes[3]), {5, 6, 8});
}

TEST(Character, SizeIsTheLongestSideOfTheBox) {
    Character character;
    EXPECT_EQ(character.size(), 0);
    character.mesh.positions = {{1, 2, 3}, {-1, 7, 3.5f}, {0, 2, 3}};
    EXPECT_DOUBLE_EQ(character.size(), 5);
}

TEST(FindClip, ByNameThenByPlace) {
    Character character;
    character.name = "frog";
    for (const char* name : {"Idle", "2", "Jump"}) {
        character.clips.emplace_back();
        character.clips.back().name = name;
    }
    EXPECT_EQ(*find_clip(character, "Jump"), &character.clips[2]);
    EXPECT_EQ(*find_clip(character, "0"), &character.clips[0]);
    EXPECT_EQ(*find_clip(character, "2"), &character.clips[1]);  // names take precedence

    const auto misspelled = find_clip(character, "jmup");
    ASSERT_FALSE(misspelled.ok());
    EXPECT_EQ(misspelled.error().kind, Error::Kind::usage);
    EXPECT_NE(misspelled.error().message.find("did you mean \"Jump\""), std::string::npos);
    for (const char* wrong : {"3", "-1", "99999999999999999999", ""}) {
        const auto result = find_clip(character, wrong);
        ASSERT_FALSE(result.ok()) << wrong;
        EXPECT_EQ(result.error().kind, Error::Kind::usage);
    }
}

TEST(FindClip, AFileWithoutClipsIsBadInput) {
    Character character;
    const auto result = find_clip(character, "0");
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().kind, Error::Kind::input);
    EXPECT_NE(result.error().message.find(".bvh"), std::string::npos);
}

}  // namespace
}  // namespace fascia
