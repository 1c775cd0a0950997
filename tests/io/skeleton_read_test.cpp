#include <set>

#include <gtest/gtest.h>

#include "fascia/rig_mesh.h"

namespace fascia {
namespace {

TEST(Tgf, PointsAtOnePlaceAreOneJointAndChainsEndInTails) {
    const auto skeleton = parse_tgf(
        "1 0 0 0 hip\n2 0 1 0\n3 0 1 0 knee\n4 0 2 0\n5 1 0 0 hand\n6 2 0 0\n#\n1 2\n3 4\n1 5\n5 6\n#\n", "x.tgf");
    ASSERT_TRUE(skeleton.ok());
    ASSERT_EQ(skeleton->size(), 3u);
    EXPECT_EQ((*skeleton)[0].name, "hip");
    EXPECT_EQ((*skeleton)[1].name, "knee");
    EXPECT_EQ((*skeleton)[1].parent, 0);
    ASSERT_TRUE((*skeleton)[1].tail.has_value());
    EXPECT_EQ((*skeleton)[1].tail->y, 2);
    EXPECT_EQ((*skeleton)[2].name, "hand");
    EXPECT_EQ((*skeleton)[2].parent, 0);
    EXPECT_EQ((*skeleton)[2].tail->x, 2);
}

TEST(Tgf, NamesAreGivenOnceHoweverOftenTheyAreAskedFor) {
    std::string text;
    for (int k = 0; k < 4096; ++k) text += std::to_string(k) + " " + std::to_string(k) + " 0 0 a\n";
    text += "5000 0 1 0 a.2\n";
    EXPECT_FALSE(parse_tgf(text, "x.tgf").ok()) << "one point too many";
    text.replace(text.find("0 0 0 0 a\n"), 10, "");
    const auto skeleton = parse_tgf(text, "x.tgf");
    ASSERT_TRUE(skeleton.ok()) << skeleton.error().message;
    std::set<std::string> names;
    for (const SkeletonJoint& joint : *skeleton) names.insert(joint.name);
    EXPECT_EQ(names.size(), 4096u);
    EXPECT_EQ(names.count("a.2"), 1u);
    EXPECT_EQ(names.count("a.4095"), 1u);
}

TEST(Tgf, WhatIsWrongIsNamedByItsLine) {
    const std::pair<const char*, const char*> cases[] = {{"1 0 0\n#\n", "line 1"},
                                                         {"1 0 0 0\n1 1 0 0\n", "line 2"},
                                                         {"1 0 0 0\n2 1 0 0\n#\n1 3\n", "line 4"},
                                                         {"1 0 0 0\n2 1 0 0\n#\n1 2\n2 1\n", "line 5"},
                                                         {"1 nan 0 0\n", "line 1"},
                                                         {"", "no points"}};
    for (const auto& [text, expected] : cases) {
        const auto skeleton = parse_tgf(text, "x.tgf");
        ASSERT_FALSE(skeleton.ok()) << text;
        EXPECT_NE(skeleton.error().message.find(expected), std::string::npos) << skeleton.error().message;
    }
}

}  // namespace
}  // namespace fascia
