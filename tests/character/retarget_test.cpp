#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

#include "character/motion_frames.h"
#include "character/puppet.h"
#include "fascia/joint_pairs.h"
#include "fascia/pose.h"

namespace fascia {
namespace {

using namespace test;

constexpr double kPi = std::numbers::pi;
constexpr double kFloat = 2e-5;  // clips hold floats; positions go up to 20

void expect_near(Vec3d a, Vec3d b, double tolerance = kFloat) {
    EXPECT_NEAR(a.x, b.x, tolerance);
    EXPECT_NEAR(a.y, b.y, tolerance);
    EXPECT_NEAR(a.z, b.z, tolerance);
}

void expect_near(const Affine& a, const Affine& b, double tolerance = kFloat) {
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 4; ++c) EXPECT_NEAR(a.m[r][c], b.m[r][c], tolerance) << r << ' ' << c;
}

Retargeted retargeted(const Character& character, const Motion& motion, const RetargetOptions& options = {}) {
    auto result = retarget(character, motion, options);
    if (result) return *result;
    ADD_FAILURE() << result.error().message;
    return {};
}

Pose pose_at(const Character& character, const Clip& clip, double seconds) {
    Pose pose;
    evaluate(character, &clip, seconds, pose);
    return pose;
}

/// The last frame of a motion of four equal frames, so that nothing jumps.
Pose last_pose(const Character& character, const Motion& motion, const RetargetOptions& options = {}) {
    const Clip clip = retargeted(character, motion, options).clip;
    return pose_at(character, clip, clip.duration);
}

template <class Change>
Motion changed_in_all_frames(Motion motion, Change change) {
    for (std::size_t f = 0; f < motion.frame_count(); ++f) change(motion, f);
    return motion;
}

bool mentions(const std::vector<std::string>& warnings, const std::string& text) {
    for (const std::string& warning : warnings)
        if (warning.find(text) != std::string::npos) return true;
    return false;
}

TEST(Retarget, AMotionAtRestLeavesTheSameBodyAtRest) {
    const Character character = puppet_character();
    const Pose pose = last_pose(character, puppet_motion(4));
    for (std::size_t j = 0; j < pose.joints.size(); ++j) expect_near(pose.joints[j], character.joints[j].rest);
}

TEST(Retarget, AnAPoseIsLiftedToTheT) {
    const Character character = puppet_character(kPi / 4);
    const Pose pose = last_pose(character, puppet_motion(4));
    expect_near(direction(pose, "LeftArm", "LeftForeArm"), {1, 0, 0});
    expect_near(direction(pose, "LeftForeArm", "LeftHand"), {1, 0, 0});
    expect_near(direction(pose, "RightArm", "RightForeArm"), {-1, 0, 0});
}

TEST(Retarget, LimbsPointAsInTheMotion) {
    const Motion motion = changed_in_all_frames(puppet_motion(4), [](Motion& m, std::size_t f) {
        rotation(m, f, "Hips") = quat_from_axis_angle({0, 1, 0}, 0.5);
        rotation(m, f, "LeftArm") = quat_from_axis_angle({0, 0, 1}, 0.7);
        rotation(m, f, "LeftForeArm") = quat_from_axis_angle({0, 1, 0}, -kPi / 2);
        rotation(m, f, "RightLeg") = quat_from_axis_angle({1, 0, 0}, 1.1);
    });
    MotionFrame frame;
    ASSERT_TRUE(evaluate_motion(motion, 0, frame));
    for (double arm_angle : {0.0, 0.9}) {
        const Pose pose = last_pose(puppet_character(arm_angle), motion);
        for (const auto& [from, to] : {std::pair("LeftArm", "LeftForeArm"), std::pair("LeftForeArm", "LeftHand"),
                                       std::pair("RightUpLeg", "RightLeg"), std::pair("RightLeg", "RightFoot")}) {
            const Vec3d wanted = frame.positions[puppet_joint(to)] - frame.positions[puppet_joint(from)];
            expect_near(direction(pose, from, to), normalized(wanted));
        }
    }
}

TEST(Retarget, TravelIsScaledByTheLegs) {
    Motion motion = puppet_motion(5);
    for (std::size_t f = 0; f < 5; ++f) root_place(motion, f).z += 0.5 * static_cast<double>(f);
    const Character twice = puppet_character(0, compose({}, {}, {2, 2, 2}));
    const Clip clip = retargeted(twice, motion).clip;
    expect_near(place_of(pose_at(twice, clip, 0), "Hips"), {0, 20, 0});
    expect_near(place_of(pose_at(twice, clip, 0.4), "Hips"), {0, 20, 4}, 1e-4);
}

TEST(Retarget, TheLowerFootStandsOnTheGround) {
    // Both knees bend, so the hips must come down, although the motion's root was captured too high.
    const Motion motion = changed_in_all_frames(puppet_motion(6), [](Motion& m, std::size_t f) {
        root_place(m, f).y += 3;
        for (const char* side : {"Left", "Right"}) {
            rotation(m, f, std::string(side) + "UpLeg") = quat_from_axis_angle({1, 0, 0}, -0.8);
            rotation(m, f, std::string(side) + "Leg") = quat_from_axis_angle({1, 0, 0}, 1.6);
            rotation(m, f, std::string(side) + "Foot") = quat_from_axis_angle({1, 0, 0}, -0.8);
        }
    });
    const Pose pose = last_pose(puppet_character(), motion);
    EXPECT_NEAR(place_of(pose, "LeftFoot").y, 1, kFloat);
    EXPECT_NEAR(place_of(pose, "Hips").y, 10 - 9 * (1 - std::cos(0.8)), 1e-4);
}

TEST(Retarget, JumpsKeepTheirHeight) {
    Motion motion = puppet_motion(40);
    const auto height = [](std::size_t f) { return f >= 15 && f < 20 ? 2.5 : 0.0; };
    motion.frame_time = 1.0 / 30;
    for (std::size_t f = 0; f < 40; ++f) root_place(motion, f).y += height(f);
    const Character character = puppet_character();
    const Clip clip = retargeted(character, motion).clip;
    for (std::size_t f : {0u, 10u, 17u, 30u})
        EXPECT_NEAR(place_of(pose_at(character, clip, clip.channels[0].times[f]), "LeftFoot").y, 1 + height(f), 1e-4);
}

TEST(Retarget, AFloorThatDriftsIsFollowed) {
    Motion motion = puppet_motion(120);
    motion.frame_time = 1.0 / 30;
    for (std::size_t f = 0; f < 120; ++f) root_place(motion, f).y += 0.6 * static_cast<double>(f) / 120;
    const Character character = puppet_character();
    const Clip clip = retargeted(character, motion).clip;
    for (double t = 0; t < clip.duration; t += 0.2)
        EXPECT_NEAR(place_of(pose_at(character, clip, t), "LeftFoot").y, 1, 0.02 * 9);
}

TEST(Retarget, OneSpineJointIsSpreadOverTwo) {
    Motion motion = puppet_motion(4);
    // The motion's second spine joint is used for the only one: its neck and arms are attached to the first.
    for (MotionJoint& joint : motion.joints)
        if (joint.parent == puppet_joint("Spine1")) joint.parent = puppet_joint("Spine");
    motion.joints[puppet_joint("Spine1")].end_site = true;
    motion = changed_in_all_frames(motion, [](Motion& m, std::size_t f) {
        rotation(m, f, "Spine") = quat_from_axis_angle({1, 0, 0}, 0.6);
    });
    const Pose pose = last_pose(puppet_character(), motion);
    expect_near(transform_vector(pose.joints[puppet_joint("Spine")], {0, 1, 0}), {0, std::cos(0.3), std::sin(0.3)});
    expect_near(transform_vector(pose.joints[puppet_joint("Spine1")], {0, 1, 0}), {0, std::cos(0.6), std::sin(0.6)});
}

TEST(Retarget, FacingAndUpOfTheMotionDoNotMatter) {
    const auto act = [](Motion& m, std::size_t f, Quat turn) {
        const auto about = [&](Vec3d axis, double angle) { return quat_from_axis_angle(rotate(turn, axis), angle); };
        rotation(m, f, "LeftArm") = about({0, 1, 0}, -0.8);
        rotation(m, f, "RightUpLeg") = about({1, 0, 0}, -0.5);
        rotation(m, f, "Spine") = about({0, 1, 0}, 0.3);
        root_place(m, f) += rotate(turn, {0, 0, 0.2 * static_cast<double>(f)});
    };
    const Character character = puppet_character(0.5);
    const Pose wanted =
        last_pose(character, changed_in_all_frames(puppet_motion(4), [&](Motion& m, std::size_t f) { act(m, f, {}); }));
    for (Quat turn : {quat_from_axis_angle({0, 1, 0}, kPi / 2), quat_from_axis_angle({1, 0, 0}, kPi / 2),
                      quat_from_axis_angle({0, 1, 0}, 1.0)}) {
        const Motion turned =
            changed_in_all_frames(puppet_motion(4, turn), [&](Motion& m, std::size_t f) { act(m, f, turn); });
        const Pose pose = last_pose(character, turned);
        for (std::size_t j = 0; j < pose.joints.size(); ++j) expect_near(pose.joints[j], wanted.joints[j], 1e-4);
    }
}

TEST(Retarget, AWholeCharacterTurnedScaledOrMirroredMovesTheSame) {
    const Motion motion = changed_in_all_frames(puppet_motion(5), [](Motion& m, std::size_t f) {
        rotation(m, f, "LeftArm") = quat_from_axis_angle({0, 1, 0}, -0.8);
        rotation(m, f, "RightUpLeg") = quat_from_axis_angle({1, 0, 0}, -0.5);
        rotation(m, f, "Spine") = quat_from_axis_angle({0, 1, 0}, 0.3);
        root_place(m, f).x += 0.3 * static_cast<double>(f);
    });
    const Pose wanted = last_pose(puppet_character(0.5), motion);
    const Affine armatures[] = {compose({3, 4, 5}, quat_from_axis_angle({0, 1, 0}, 0.7), {0.1, 0.1, 0.1}),
                                compose({}, quat_from_axis_angle({1, 0, 0}, -kPi / 2), {100, 100, 100})};
    for (const Affine& armature : armatures) {
        const Pose pose = last_pose(puppet_character(0.5, armature), motion);
        const double size = std::cbrt(determinant(armature)) * 20;
        for (std::size_t j = 0; j < pose.joints.size(); ++j)
            expect_near(pose.joints[j], armature * wanted.joints[j], 1e-5 * size);
    }
}

TEST(Retarget, AnArmatureThatUndoesItselfChangesNothing) {
    // As in files where a Z-up, scaled root is above joints that are turned and scaled back.
    Character character = puppet_character(0.5);
    const Motion motion = changed_in_all_frames(puppet_motion(4), [](Motion& m, std::size_t f) {
        rotation(m, f, "Hips") = quat_from_axis_angle({0, 1, 0}, 0.4);
        rotation(m, f, "LeftArm") = quat_from_axis_angle({0, 1, 0}, -0.8);
    });
    const Pose wanted = last_pose(character, motion);
    const Affine armature = compose({1, 2, 3}, quat_from_axis_angle({1, 0, 0}, -kPi / 2), {0.1, 0.1, 0.1});
    decompose(armature, character.nodes[0].translation, character.nodes[0].rotation, character.nodes[0].scale);
    Node& hips = character.nodes[1];
    decompose(inverse(armature) * character.joints[0].rest, hips.translation, hips.rotation, hips.scale);
    const Pose pose = last_pose(character, motion);
    for (std::size_t j = 0; j < pose.joints.size(); ++j) expect_near(pose.joints[j], wanted.joints[j], 1e-4);
}

TEST(Retarget, TheBindPoseCountsNotTheDefaultPose) {
    const Motion motion = puppet_motion(4);
    Character character = puppet_character(0.5);
    const Pose wanted = last_pose(character, motion);
    for (Node& node : character.nodes) {
        if (node.name == "Armature") continue;
        node.rotation = normalized(quat_from_axis_angle({0, 0, 1}, 0.2) * node.rotation);
        node.translation = node.translation * 1.1;
    }
    const Pose pose = last_pose(character, motion);
    for (std::size_t j = 0; j < pose.joints.size(); ++j) expect_near(pose.joints[j], wanted.joints[j], 1e-4);
}

TEST(Retarget, AFirstFrameThatStandsApartIsTheRestAndIsNotPlayed) {
    // As in CMU's files: the zero pose has splayed legs, frame 0 stands straight, the motion begins with frame 1.
    const auto straighten = [](Motion& m, std::size_t f) {
        rotation(m, f, "LeftUpLeg") = quat_from_axis_angle({0, 0, 1}, -0.4);
        rotation(m, f, "RightUpLeg") = quat_from_axis_angle({0, 0, 1}, 0.4);
    };
    Motion motion = changed_in_all_frames(puppet_motion(8), straighten);
    for (MotionJoint& joint : motion.joints) {
        const bool left = joint.name == "LeftLeg" || joint.name == "LeftFoot" || joint.name == "LeftToeBase";
        const bool right = joint.name == "RightLeg" || joint.name == "RightFoot" || joint.name == "RightToeBase";
        if (left) joint.offset = rotate(quat_from_axis_angle({0, 0, 1}, 0.4), joint.offset);
        if (right) joint.offset = rotate(quat_from_axis_angle({0, 0, 1}, -0.4), joint.offset);
    }
    for (std::size_t f = 0; f < 8; ++f) {
        for (std::size_t j = 1; j < motion.joints.size(); ++j)
            motion.translations[f * motion.joints.size() + j] = motion.joints[j].offset;
        if (f == 0) continue;
        rotation(motion, f, "LeftArm") = quat_from_axis_angle({0, 0, 1}, -1.2 - 0.01 * static_cast<double>(f));
        rotation(motion, f, "RightArm") = quat_from_axis_angle({0, 0, 1}, 1.2);
    }
    ASSERT_TRUE(first_frame_stands_apart(motion));
    const Character character = puppet_character(0.5);
    const Retargeted result = retargeted(character, motion);
    EXPECT_EQ(result.clip.channels[0].times.size(), 7u);
    EXPECT_TRUE(mentions(result.warnings, "frame 0"));
    const Pose pose = pose_at(character, result.clip, 0);
    // Feet stay flat: their bones are as at rest, although the zero pose has them rolled outwards.
    for (const char* foot : {"LeftFoot", "RightFoot"})
        expect_near(transform_vector(pose.joints[puppet_joint(foot)], {0, 1, 0}), {0, 1, 0});
    expect_near(direction(pose, "LeftArm", "LeftForeArm"), {std::cos(1.21), -std::sin(1.21), 0});

    RetargetOptions zero;
    zero.rest = MotionRest::zero;
    EXPECT_EQ(retargeted(character, motion, zero).clip.channels[0].times.size(), 8u);
}

TEST(Retarget, ASteadyMotionHasNoRestFrame) {
    Motion motion = puppet_motion(30);
    for (std::size_t f = 0; f < 30; ++f)
        rotation(motion, f, "LeftArm") = quat_from_axis_angle({0, 0, 1}, 0.05 * static_cast<double>(f));
    EXPECT_FALSE(first_frame_stands_apart(motion));
    const Retargeted result = retargeted(puppet_character(), motion);
    EXPECT_EQ(result.clip.channels[0].times.size(), 30u);
    EXPECT_TRUE(mentions(result.warnings, "zero pose"));
    EXPECT_NEAR(result.clip.duration, 2.9, 1e-6);
}

TEST(Retarget, FeetThatHangElsewhereFollowTheLegs) {
    Character character = puppet_character();
    for (const char* foot : {"LeftFoot", "RightFoot"}) {
        Node& node = character.nodes[puppet_joint(foot) + 1];
        node.parent = 0;
        node.translation = puppet_joints()[puppet_joint(foot)].place;
        character.joints[puppet_joint(foot)].parent = -1;
    }
    const Motion motion = changed_in_all_frames(puppet_motion(4), [](Motion& m, std::size_t f) {
        rotation(m, f, "LeftUpLeg") = quat_from_axis_angle({1, 0, 0}, -1.0);
        rotation(m, f, "LeftLeg") = quat_from_axis_angle({1, 0, 0}, 0.4);
        root_place(m, f).x += 2;
    });
    const Pose pose = last_pose(character, motion), whole = last_pose(puppet_character(), motion);
    for (const char* name : {"LeftFoot", "LeftToeBase", "RightFoot"})
        expect_near(place_of(pose, name), place_of(whole, name), 1e-4);
}

Character with_odd_names(const std::vector<std::pair<const char*, const char*>>& names) {
    Character character = puppet_character(0.4);
    for (const auto& [name, odd] : names)
        character.joints[puppet_joint(name)].name = character.nodes[puppet_joint(name) + 1].name = odd;
    return character;
}

TEST(Retarget, AnUnnamedElbowIsFoundBetweenArmAndHand) {
    const Motion motion = changed_in_all_frames(puppet_motion(4), [](Motion& m, std::size_t f) {
        rotation(m, f, "LeftForeArm") = quat_from_axis_angle({0, 1, 0}, -kPi / 2);
    });
    const Character character = with_odd_names({{"LeftForeArm", "Bone.007"}});
    expect_near(direction(last_pose(character, motion), "LeftForeArm", "LeftHand"), {0, 0, 1});
}

TEST(Retarget, AMapPairsWhatNamesDoNot) {
    const Motion motion = changed_in_all_frames(puppet_motion(4), [](Motion& m, std::size_t f) {
        rotation(m, f, "LeftForeArm") = quat_from_axis_angle({0, 1, 0}, -kPi / 2);
    });
    const Character character = with_odd_names({{"LeftArm", "p"}, {"LeftForeArm", "q"}, {"LeftHand", "s"}});
    const Retargeted without = retargeted(character, motion);
    EXPECT_TRUE(mentions(without.warnings, "nothing moves: p, q, s"));
    EXPECT_TRUE(mentions(without.warnings, "move nothing: LeftArm, LeftForeArm, LeftHand"));
    RetargetOptions options;
    options.map = {{"LeftArm", "p"}, {"LeftForeArm", "q"}, {"LeftHand", "s"}};
    const Pose pose = last_pose(character, motion, options);
    expect_near(direction(pose, "LeftArm", "LeftForeArm"), {1, 0, 0});
    expect_near(direction(pose, "LeftForeArm", "LeftHand"), {0, 0, 1});
}

TEST(JointPairs, AreThoseOfTheRetargetAndTellWhetherTheyAreEnough) {
    const Motion motion = puppet_motion(4);
    const Character character = with_odd_names({{"LeftArm", "p"}, {"LeftForeArm", "q"}, {"LeftHand", "s"}});
    const auto without = joint_pairs(character, motion);
    ASSERT_TRUE(without.ok());
    EXPECT_TRUE(without->enough);
    const auto follows = [](const JointPairs& found, const std::string& joint) -> std::string {
        for (const auto& [from, to] : found.pairs)
            if (to == joint) return from;
        return "";
    };
    EXPECT_EQ(follows(*without, "RightArm"), "RightArm");
    EXPECT_EQ(follows(*without, "q"), "");
    RetargetOptions options;
    options.map = {{"LeftForeArm", "q"}};
    EXPECT_EQ(follows(*joint_pairs(character, motion, options), "q"), "LeftForeArm");

    // A box on one joint has nothing in common with a person, until somebody says so.
    Character box = puppet_character();
    for (Joint& joint : box.joints) joint.parent = -1, joint.name = box.nodes[joint.node].name = "part";
    box.joints.resize(1);
    const auto nothing = joint_pairs(box, motion);
    ASSERT_TRUE(nothing.ok());
    EXPECT_FALSE(nothing->enough);
    EXPECT_FALSE(retarget(box, motion).ok());
    options.map = {{"Hips", "part"}};
    EXPECT_TRUE(joint_pairs(box, motion, options)->enough);
}

TEST(Retarget, AMapWithAnUnknownNameIsRefused) {
    RetargetOptions options;
    options.map = {{"LeftForarm", "LeftForeArm"}};
    auto result = retarget(puppet_character(), puppet_motion(4), options);
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().kind, Error::Kind::usage);
    EXPECT_NE(result.error().message.find("\"LeftForeArm\""), std::string::npos);
    options.map = {{"LeftForeArm", "LeftForarm"}};
    result = retarget(puppet_character(), puppet_motion(4), options);
    ASSERT_FALSE(result.ok());
    EXPECT_NE(result.error().message.find("\"puppet\""), std::string::npos);
}

TEST(Retarget, FramesThatAreNotFiniteAreHeld) {
    Motion motion = changed_in_all_frames(puppet_motion(8), [](Motion& m, std::size_t f) {
        rotation(m, f, "LeftArm") = quat_from_axis_angle({0, 1, 0}, -0.1 * static_cast<double>(f));
    });
    rotation(motion, 3, "Spine").w = std::numeric_limits<double>::quiet_NaN();
    root_place(motion, 4).y = std::numeric_limits<double>::infinity();
    rotation(motion, 5, "Hips") = {0, 0, 0, 0};
    const Character character = puppet_character(0.3);
    const Retargeted result = retargeted(character, motion);
    EXPECT_TRUE(mentions(result.warnings, "3 frames"));
    for (const Channel& channel : result.clip.channels)
        for (float value : channel.values) ASSERT_TRUE(std::isfinite(value));
    const Pose before = pose_at(character, result.clip, 0.2), held = pose_at(character, result.clip, 0.5);
    for (std::size_t j = 0; j < before.joints.size(); ++j) expect_near(held.joints[j], before.joints[j]);
}

TEST(Retarget, BadMotionsAreRefusedInASentence) {
    Motion empty;
    EXPECT_FALSE(retarget(puppet_character(), empty).ok());
    EXPECT_FALSE(retarget(puppet_character(), puppet_motion(0)).ok());
    EXPECT_FALSE(retarget(Character{}, puppet_motion(4)).ok());

    Motion cyclic = puppet_motion(4);
    cyclic.joints[3].parent = 5;
    EXPECT_FALSE(retarget(puppet_character(), cyclic).ok());

    Motion infinite = puppet_motion(4);
    infinite.joints[3].offset.x = std::numeric_limits<double>::infinity();
    EXPECT_FALSE(retarget(puppet_character(), infinite).ok());

    Motion short_of_values = puppet_motion(4);
    short_of_values.translations.pop_back();
    EXPECT_FALSE(retarget(puppet_character(), short_of_values).ok());

    Motion worm;
    worm.name = "worm";
    worm.joints = {{"segment", -1, {}, false}, {"segment2", 0, {0, 0, 1}, false}};
    worm.translations.resize(8);
    worm.rotations.resize(8);
    const auto result = retarget(puppet_character(), worm);
    ASSERT_FALSE(result.ok());
    EXPECT_NE(result.error().message.find("--map"), std::string::npos);
}

TEST(Retarget, ASingleFrameAndAZeroFrameTimeAreFine) {
    Motion motion = puppet_motion(1);
    motion.frame_time = 0;
    const Retargeted result = retargeted(puppet_character(), motion);
    EXPECT_EQ(result.clip.duration, 0);
    EXPECT_EQ(result.clip.channels[0].times.size(), 1u);
}

TEST(Retarget, NothingMakesItCrashOrGiveNumbersThatAreNotFinite) {
    std::mt19937 random(7);
    const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
    const double nasty[] = {0,   1,     -1,   1e-300, 1e300, std::numeric_limits<double>::infinity(),
                            0.5, -1e11, 1e-9, 3,      100,   std::numeric_limits<double>::quiet_NaN()};
    const auto number = [&] { return below(8) ? below(2000) * 0.01 - 10 : nasty[below(std::size(nasty))]; };
    const char* names[] = {"LeftArm", "L_Leg", "hips",   "Foot.R",  "head",   "RightForeArm", "x", "hand_l",
                           "Spine2",  "Neck",  "Knee.L", "thigh_r", "calf_r", "LeftFoot",     "",  "RightArm"};
    int taken = 0;
    for (int round = 0; round < 400; ++round) {
        Motion motion = puppet_motion(1 + below(6));
        Character character = puppet_character(0.3);
        for (MotionJoint& joint : motion.joints)
            if (below(12) == 0) joint.name = names[below(std::size(names))];
        for (std::size_t j = 1; j < motion.joints.size(); ++j)
            if (below(12) == 0) motion.joints[j].parent = static_cast<int>(below(static_cast<unsigned>(j)));
        for (Vec3d& v : motion.translations)
            if (below(20) == 0) v = {number(), number(), number()};
        for (Quat& q : motion.rotations)
            if (below(4) == 0) q = {number(), number(), number(), number()};
        if (below(6) == 0) motion.frame_time = number();
        for (Joint& joint : character.joints)
            if (below(12) == 0) joint.name = names[below(std::size(names))];
        RetargetOptions options;
        options.rest = static_cast<MotionRest>(below(3));
        const auto result = retarget(character, motion, options);
        if (!result) continue;
        ++taken;
        for (const Channel& channel : result->clip.channels)
            for (float value : channel.values) ASSERT_TRUE(std::isfinite(value)) << round;
    }
    EXPECT_GT(taken, 200);
}

TEST(Retarget, KeysOfARotationNeverFlipTheirSign) {
    Motion motion = puppet_motion(40);
    for (std::size_t f = 0; f < 40; ++f)
        rotation(motion, f, "Hips") = quat_from_axis_angle({0, 1, 0}, 0.3 * static_cast<double>(f));
    for (const Channel& channel : retargeted(puppet_character(), motion).clip.channels) {
        if (channel.path != Channel::Path::rotation) continue;
        for (std::size_t k = 4; k + 4 <= channel.values.size(); k += 4) {
            double cosine = 0;
            for (std::size_t i = 0; i < 4; ++i) cosine += channel.values[k + i] * channel.values[k + i - 4];
            EXPECT_GT(cosine, 0);
        }
    }
}

}  // namespace
}  // namespace fascia
