// The BVH reader: every quirk of real files, and the errors for broken ones.
#include <cmath>
#include <fstream>
#include <map>
#include <numbers>
#include <sstream>

#include <gtest/gtest.h>

#include "fascia/io.h"
#include "support/shared_data.h"

namespace fascia {
namespace {

std::vector<Affine> world_matrices(const Motion& motion, std::size_t frame) {
    const std::size_t n = motion.joints.size();
    std::vector<Affine> world(n);
    for (std::size_t j = 0; j < n; ++j) {
        const Affine local = compose(motion.translations[frame * n + j], motion.rotations[frame * n + j], {1, 1, 1});
        const int parent = motion.joints[j].parent;
        world[j] = parent < 0 ? local : world[static_cast<std::size_t>(parent)] * local;
    }
    return world;
}

std::map<std::string, Vec3d> positions(const Motion& motion, std::size_t frame) {
    const auto world = world_matrices(motion, frame);
    std::map<std::string, Vec3d> out;
    for (std::size_t j = 0; j < world.size(); ++j) {
        if (!motion.joints[j].end_site) out[motion.joints[j].name] = translation_of(world[j]);
    }
    return out;
}

Motion parsed(const std::string& text) {
    auto motion = parse_bvh(text, "test.bvh");
    EXPECT_TRUE(motion) << motion.error().message;
    return motion ? *motion : Motion{};
}

std::string refused(const std::string& text) {
    auto motion = parse_bvh(text, "test.bvh");
    EXPECT_FALSE(motion);
    return motion ? "" : motion.error().message;
}

const std::string two_joints =
    "HIERARCHY\nROOT Hips\n{\n OFFSET 0 0 0\n CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
    " JOINT Knee\n {\n  OFFSET 0 2 0\n  CHANNELS 3 Zrotation Xrotation Yrotation\n  End Site\n  {\n   OFFSET 0 1 0\n  "
    "}\n }\n}\n"
    "MOTION\nFrames: 2\nFrame Time: .5\n";

std::string two_joints_with(const std::string& old_text, const std::string& new_text) {
    const std::size_t at = two_joints.find(old_text);
    return two_joints.substr(0, at) + new_text + two_joints.substr(at + old_text.size());
}

TEST(BvhRead, MovesJointsByHand) {
    // 90 degrees about z take the knee from +y to -x; the end site is turned once more, by 90 degrees about x.
    const Motion motion = parsed(two_joints + "1 2 3 90 0 0 0 90 0\n0 0 0 0 0 0 0 0 0\n");
    ASSERT_EQ(motion.joints.size(), 3u);
    EXPECT_EQ(motion.frame_count(), 2u);
    EXPECT_DOUBLE_EQ(motion.frame_time, 0.5);
    EXPECT_TRUE(motion.joints[2].end_site);
    const auto world = world_matrices(motion, 0);
    const Vec3d knee = translation_of(world[1]), end = translation_of(world[2]);
    EXPECT_NEAR(knee.x, -1, 1e-12);
    EXPECT_NEAR(knee.y, 2, 1e-12);
    EXPECT_NEAR(knee.z, 3, 1e-12);
    EXPECT_NEAR(end.x, -1, 1e-12);
    EXPECT_NEAR(end.y, 2, 1e-12);
    EXPECT_NEAR(end.z, 4, 1e-12);
}

TEST(BvhRead, TurnsInTheOrderOfTheChannels) {
    for (const char* order : {"XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"}) {
        std::string names;
        for (const char* c = order; *c; ++c) names.append(" ").append(1, *c).append("rotation");
        const Motion motion = parsed("HIERARCHY ROOT a\n{ OFFSET 0 0 0 CHANNELS 3" + names +
                                     " }\nMOTION Frames: 1 Frame Time: 1\n30 40 50\n");
        Quat expected;
        const double degrees[3] = {30, 40, 50};
        for (int i = 0; i < 3; ++i) {
            const Vec3d axis{order[i] == 'X' ? 1.0 : 0, order[i] == 'Y' ? 1.0 : 0, order[i] == 'Z' ? 1.0 : 0};
            expected = expected * quat_from_axis_angle(axis, degrees[i] * std::numbers::pi / 180);
        }
        ASSERT_EQ(motion.frame_count(), 1u) << order;
        EXPECT_NEAR(std::abs(dot(motion.rotations[0], expected)), 1, 1e-14) << order;
    }
}

TEST(BvhRead, ReplacesTheOffsetByPositionChannels) {
    const Motion motion = parsed(
        "HIERARCHY ROOT a\n{ OFFSET 1 2 3 CHANNELS 2 Yposition Xposition\n JOINT b\n { OFFSET 4 5 6 CHANNELS 3 "
        "Xposition Yposition Zposition } }\n"
        "MOTION Frames: 1 Frame Time: 1\n20 10 7 8 9\n");
    ASSERT_EQ(motion.translations.size(), 2u);
    EXPECT_EQ(motion.translations[0].x, 10);
    EXPECT_EQ(motion.translations[0].y, 20);
    EXPECT_EQ(motion.translations[0].z, 3);
    EXPECT_EQ(motion.translations[1].z, 9);
}

TEST(BvhRead, TakesEveryLayoutOfTheSameText) {
    const std::string frames = "1 2 3 90 0 0 0 90 0\n0 0 0 0 0 0 0 0 0\n";
    const Motion plain = parsed(two_joints + frames);
    std::string crlf, tabs, old_mac, shouting;
    for (char c : two_joints + frames) {
        if (c == '\n') crlf += '\r';
        crlf += c;
        tabs += c == ' ' ? '\t' : c;
        old_mac += c == '\n' ? '\r' : c;
    }
    for (char c : two_joints + frames) shouting += static_cast<char>(std::toupper(c));
    for (const std::string& text :
         {crlf, tabs, old_mac, shouting, std::string("\xEF\xBB\xBF").append(two_joints).append(frames),
          two_joints + frames + "\n\n \n"}) {
        const Motion other = parsed(text);
        ASSERT_EQ(other.frame_count(), 2u);
        for (std::size_t i = 0; i < plain.rotations.size(); ++i) {
            EXPECT_EQ(dot(plain.rotations[i], plain.rotations[i]), dot(plain.rotations[i], other.rotations[i]));
            EXPECT_EQ(plain.translations[i].y, other.translations[i].y);
        }
    }
}

TEST(BvhRead, ReadsNumbersOfEveryForm) {
    const Motion motion = parsed(
        "HIERARCHY ROOT my long name {\n OFFSET .5 -.25 +1e-1\n CHANNELS 1 Zrotation\n}\nMOTION\nFrames: 3\nFrame "
        "Time: .0333333\n-.5e1\n+5.\n1e-400\n");
    ASSERT_EQ(motion.frame_count(), 3u);
    EXPECT_EQ(motion.joints[0].name, "my long name");
    EXPECT_DOUBLE_EQ(motion.frame_time, .0333333);
    EXPECT_DOUBLE_EQ(motion.joints[0].offset.x, .5);
    EXPECT_DOUBLE_EQ(motion.joints[0].offset.y, -.25);
    EXPECT_DOUBLE_EQ(motion.joints[0].offset.z, .1);
    EXPECT_LT(motion.rotations[0].z, 0);
    EXPECT_GT(motion.rotations[1].z, 0);
    EXPECT_EQ(motion.rotations[2].z, 0);
}

TEST(BvhRead, PlaysWhatIsThereOfAClipCutShort) {
    EXPECT_EQ(parsed(two_joints + "1 2 3 90 0 0 0 90 0\n0 0 0 0 0").frame_count(), 1u);
    EXPECT_EQ(parsed(two_joints_with("Frames: 2", "Frames: 999999999999") + "1 2 3 90 0 0 0 90 0\n").frame_count(), 1u);
}

TEST(BvhRead, RefusesWithOneSentence) {
    EXPECT_NE(refused("").find("HIERARCHY"), std::string::npos);
    EXPECT_NE(refused("not a bvh").find("HIERARCHY"), std::string::npos);
    EXPECT_NE(refused("HIERARCHY\nMOTION\nFrames: 1\nFrame Time: 1\n").find("no joints"), std::string::npos);
    EXPECT_NE(refused("HIERARCHY\nROOT a\n{\n OFFSET 0 0\n CHANNELS 1 Zrotation }").find("OFFSET"), std::string::npos);
    EXPECT_NE(refused("HIERARCHY\nROOT a\n{\n OFFSET 0 0 0\n CHANNELS 1 Wrotation }").find("channel"),
              std::string::npos);
    EXPECT_NE(refused("HIERARCHY\nROOT a\n{\n OFFSET 0 0 0\n CHANNELS 99 Zrotation }").find("CHANNELS"),
              std::string::npos);
    EXPECT_NE(refused("HIERARCHY\nROOT a\nOFFSET 0 0 0\n").find("brace"), std::string::npos);
    EXPECT_NE(refused("HIERARCHY\nROOT a\n{\n BOGUS\n").find("BOGUS"), std::string::npos);
    EXPECT_NE(refused("HIERARCHY\nEnd Site\n{\n OFFSET 0 0 0\n").find("End Site"), std::string::npos);
    EXPECT_NE(refused("HIERARCHY\nROOT a\n{\n").find("cut short"), std::string::npos);
    EXPECT_NE(refused(two_joints + "1 2 3 x 0 0 0 90 0\n").find("'x'"), std::string::npos);
    EXPECT_NE(refused(two_joints + "1 2 3 nan 0 0 0 90 0\n").find("'nan'"), std::string::npos);
    EXPECT_NE(refused(two_joints + "1 2 3").find("cut short"), std::string::npos);
    EXPECT_NE(refused(two_joints_with(".5", "0") + "1 2 3 90 0 0 0 90 0\n").find("frame time"), std::string::npos);
    EXPECT_NE(refused(two_joints_with("Frames: 2", "Frames: 0")).find("no frames"), std::string::npos);
}

TEST(BvhRead, SurvivesEveryTruncation) {
    const std::string whole = two_joints + "1 2 3 90 0 0 0 90 0\n0 0 0 0 0 0 0 0 0\n";
    for (std::size_t n = 0; n < whole.size(); ++n) {
        auto motion = parse_bvh(whole.substr(0, n), "cut.bvh");
        EXPECT_TRUE(motion || !motion.error().message.empty());
    }
}

TEST(BvhRead, RefusesMassesOfJointsThatDoNotMove) {
    // One channel, very many joints, very many frames: small on disk, huge in memory.
    std::string text = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Zrotation\n";
    for (int j = 0; j < 20000; ++j) text += "JOINT b\n{\n}\n";
    text += "}\nMOTION\nFrames: 100000\nFrame Time: 1\n";
    for (int f = 0; f < 100000; ++f) text += "0\n";
    EXPECT_NE(refused(text).find("far more than"), std::string::npos);
}

TEST(BvhRead, ReadsTheSharedMotions) {
    FASCIA_NEEDS_SHARED_DATA();
    struct Expected {
        const char* file;
        std::size_t joints, end_sites, frames;
    };
    for (const Expected& e :
         {Expected{"cmu_02_01_walk", 31, 7, 87}, Expected{"cmu_09_01_run", 31, 7, 38},
          Expected{"cmu_13_29_jumping_jacks", 31, 7, 301}, Expected{"cmu_60_01_salsa", 31, 7, 301},
          Expected{"cmu_13_17_boxing", 31, 7, 301}, Expected{"cmu_13_02_sit_stand", 31, 7, 301},
          Expected{"pirouette_mixed_order", 43, 14, 148}, Expected{"variant_02_01_YXZ_no_end_sites", 31, 0, 87}}) {
        auto motion = load_motion(test::shared_data(std::string("motion/") + e.file + ".bvh"));
        ASSERT_TRUE(motion) << motion.error().message;
        std::size_t ends = 0;
        for (const MotionJoint& joint : motion->joints) ends += joint.end_site;
        EXPECT_EQ(ends, e.end_sites) << e.file;
        EXPECT_EQ(motion->joints.size() - ends, e.joints) << e.file;
        EXPECT_EQ(motion->frame_count(), e.frames) << e.file;
        EXPECT_EQ(motion->name, e.file);
        EXPECT_NEAR(motion->frame_time, 1.0 / 30, 1e-4) << e.file;
    }
}

TEST(BvhRead, GivesTheSamePlacesForAnotherChannelOrder) {
    FASCIA_NEEDS_SHARED_DATA();
    auto walk = load_motion(test::shared_data("motion/cmu_02_01_walk.bvh"));
    auto variant = load_motion(test::shared_data("motion/variant_02_01_YXZ_no_end_sites.bvh"));
    ASSERT_TRUE(walk && variant);
    ASSERT_EQ(walk->frame_count(), variant->frame_count());
    double worst = 0;
    for (std::size_t f = 0; f < walk->frame_count(); ++f) {
        const auto a = positions(*walk, f), b = positions(*variant, f);
        ASSERT_EQ(a.size(), b.size());
        for (const auto& [name, p] : a) worst = std::max(worst, length(p - b.at(name)));
    }
    EXPECT_LT(worst, 1e-6);
}

TEST(BvhRead, RefusesOtherFiles) {
    EXPECT_FALSE(load_motion("/nowhere/at/all.bvh"));
    EXPECT_FALSE(load_motion("walk.fbx"));
    EXPECT_NE(load_motion("/nowhere/at/all.bvh").error().message.find("no such file"), std::string::npos);
}

}  // namespace
}  // namespace fascia
