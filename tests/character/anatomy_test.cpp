#include "character/anatomy.h"

#include <gtest/gtest.h>

namespace fascia {
namespace {

/// (name, parent, position) one after another.
struct Row {
    const char* name;
    int parent;
    Vec3d place;
};

JointTree skeleton_of(const std::vector<Row>& rows) {
    JointTree skeleton;
    for (const Row& row : rows) {
        skeleton.names.push_back(row.name);
        skeleton.parents.push_back(row.parent);
        skeleton.positions.push_back(row.place);
    }
    return skeleton;
}

// A body of 17 joints: 0 hips, 1-2 spine, 3 neck, 4 head, 5-8 left arm, 9-12 right arm, 13-16 left leg, 17-20 right
// leg.
JointTree body(const std::vector<const char*>& names) {
    const std::vector<int> parents{-1, 0, 1, 2, 3, 2, 5, 6, 7, 2, 9, 10, 11, 0, 13, 14, 15, 0, 17, 18, 19};
    const std::vector<Vec3d> places{
        {0, 10, 0}, {0, 12, 0},  {0, 14, 0},    {0, 16, 0},   {0, 17, 0},  {0.5, 15, 0}, {2, 15, 0},
        {5, 15, 0}, {8, 15, 0},  {-0.5, 15, 0}, {-2, 15, 0},  {-5, 15, 0}, {-8, 15, 0},  {1, 9.5, 0},
        {1, 5, 0},  {1, 0.8, 0}, {1, 0.2, 1.5}, {-1, 9.5, 0}, {-1, 5, 0},  {-1, 0.8, 0}, {-1, 0.2, 1.5}};
    JointTree skeleton;
    for (std::size_t i = 0; i < names.size(); ++i) {
        skeleton.names.push_back(names[i]);
        skeleton.parents.push_back(parents[i]);
        skeleton.positions.push_back(places[i]);
    }
    return skeleton;
}

void expect_body(const Anatomy& anatomy) {
    EXPECT_EQ(anatomy.hips, 0);
    EXPECT_EQ(anatomy.spine, (std::vector<int>{1, 2}));
    EXPECT_EQ(anatomy.neck, (std::vector<int>{3}));
    EXPECT_EQ(anatomy.head, 4);
    EXPECT_EQ(anatomy.arms[0].joints, (std::array<int, 5>{5, 6, 7, 8, -1}));
    EXPECT_EQ(anatomy.arms[1].joints, (std::array<int, 5>{9, 10, 11, 12, -1}));
    EXPECT_EQ(anatomy.legs[0].joints, (std::array<int, 5>{-1, 13, 14, 15, 16}));
    EXPECT_EQ(anatomy.legs[1].joints, (std::array<int, 5>{-1, 17, 18, 19, 20}));
}

TEST(Anatomy, MixamoNames) {
    expect_body(find_anatomy(
        body({"mixamorig:Hips",        "mixamorig:Spine",         "mixamorig:Spine1",   "mixamorig:Neck",
              "mixamorig:Head",        "mixamorig:LeftShoulder",  "mixamorig:LeftArm",  "mixamorig:LeftForeArm",
              "mixamorig:LeftHand",    "mixamorig:RightShoulder", "mixamorig:RightArm", "mixamorig:RightForeArm",
              "mixamorig:RightHand",   "mixamorig:LeftUpLeg",     "mixamorig:LeftLeg",  "mixamorig:LeftFoot",
              "mixamorig:LeftToeBase", "mixamorig:RightUpLeg",    "mixamorig:RightLeg", "mixamorig:RightFoot",
              "mixamorig:RightToeBase"})));
}

TEST(Anatomy, UnrealNames) {
    expect_body(find_anatomy(
        body({"pelvis",     "spine_01", "spine_02",   "neck_01",    "head",       "clavicle_l", "upperarm_l",
              "lowerarm_l", "hand_l",   "clavicle_r", "upperarm_r", "lowerarm_r", "hand_r",     "thigh_l",
              "calf_l",     "foot_l",   "ball_l",     "thigh_r",    "calf_r",     "foot_r",     "ball_r"})));
}

TEST(Anatomy, VagueNamesAreSortedOutByTheChain) {
    // "Leg" is the thigh here, "Shoulder" the collar bone, "Shldr" the upper arm.
    expect_body(find_anatomy(body({"Hip",     "Abdomen", "Chest",      "Neck",  "Head",    "L_Collar", "L_Shldr",
                                   "L_Elbow", "L_Wrist", "R_Shoulder", "R_Arm", "R_Elbow", "R_Wrist",  "L_Leg",
                                   "L_Knee",  "L_Ankle", "L_Toe",      "R_Leg", "R_Knee",  "R_Ankle",  "R_Foot"})));
}

TEST(Anatomy, NumberedChains) {
    expect_body(find_anatomy(
        body({"hips",          "torso_1",       "torso_2",       "neck_joint_1",  "neck_joint_2",  "collar_L",
              "arm_L_4",       "arm_L_3",       "arm_L_2",       "collar_R",      "arm_R",         "arm_R_2",
              "arm_R_3",       "leg_joint_L_1", "leg_joint_L_2", "leg_joint_L_3", "leg_joint_L_5", "leg_joint_R_1",
              "leg_joint_R_2", "leg_joint_R_3", "leg_joint_R_5"})));
}

TEST(Anatomy, NamesThatSayNothingAreFoundByShape) {
    const JointTree skeleton = body(std::vector<const char*>(21, "bone"));
    const Anatomy anatomy = find_anatomy(skeleton);
    EXPECT_TRUE(anatomy.by_shape);
    expect_body(anatomy);
}

TEST(Anatomy, AHumanoidMapBeatsTheJointNames) {
    std::vector<const char*> swapped(21, "LeftArm");
    const std::vector<std::pair<std::string, int>> bones{
        {"hips", 0},       {"spine", 1},          {"chest", 2},          {"neck", 3},
        {"head", 4},       {"leftShoulder", 5},   {"leftUpperArm", 6},   {"leftLowerArm", 7},
        {"leftHand", 8},   {"rightShoulder", 9},  {"rightUpperArm", 10}, {"rightLowerArm", 11},
        {"rightHand", 12}, {"leftUpperLeg", 13},  {"leftLowerLeg", 14},  {"leftFoot", 15},
        {"leftToes", 16},  {"rightUpperLeg", 17}, {"rightLowerLeg", 18}, {"rightFoot", 19},
        {"rightToes", 20}};
    expect_body(anatomy_from_humanoid(body(swapped), bones));
}

TEST(Anatomy, AFootThatHangsElsewhereIsStillTheFoot) {
    const Anatomy anatomy = find_anatomy(skeleton_of({{"Root", -1, {0, 0, 0}},
                                                      {"Foot.L", 0, {1, 0, 0}},
                                                      {"Foot.R", 0, {-1, 0, 0}},
                                                      {"Body", 0, {0, 5, 0}},
                                                      {"UpperLeg.L", 3, {1, 4, 0}},
                                                      {"LowerLeg.L", 4, {1, 2, 0}},
                                                      {"UpperLeg.R", 3, {-1, 4, 0}},
                                                      {"LowerLeg.R", 6, {-1, 2, 0}},
                                                      {"Head", 3, {0, 7, 0}}}));
    EXPECT_EQ(anatomy.hips, 3);
    EXPECT_EQ(anatomy.legs[0].joints, (std::array<int, 5>{-1, 4, 5, 1, -1}));
    EXPECT_EQ(anatomy.legs[1].joints, (std::array<int, 5>{-1, 6, 7, 2, -1}));
}

TEST(Anatomy, ThousandsOfEqualNamesDoNotHang) {
    JointTree skeleton;
    for (int i = 0; i < 3000; ++i) {
        skeleton.names.push_back("leg_l");
        skeleton.parents.push_back(i - 1);
        skeleton.positions.push_back({0, -0.1 * i, 0});
    }
    EXPECT_EQ(find_anatomy(skeleton).legs[0][limb_upper], 0);
}

TEST(Anatomy, NothingIsFoundInNothing) {
    EXPECT_EQ(find_anatomy({}).limbs_found(), 0);
    EXPECT_EQ(find_anatomy(skeleton_of({{"a", -1, {}}})).limbs_found(), 0);
}

TEST(JointTree, PathsAndCommonAncestors) {
    const JointTree skeleton = skeleton_of({{"a", -1, {}}, {"b", 0, {}}, {"c", 1, {}}, {"d", 0, {}}, {"e", -1, {}}});
    EXPECT_EQ(skeleton.common_ancestor(2, 3), 0);
    EXPECT_EQ(skeleton.common_ancestor(2, 1), 1);
    EXPECT_EQ(skeleton.common_ancestor(2, 4), -1);
    EXPECT_EQ(skeleton.path_down(0, 2), (std::vector<int>{1, 2}));
    EXPECT_TRUE(skeleton.path_down(3, 2).empty());
    EXPECT_TRUE(skeleton.is_above(0, 0));
    EXPECT_FALSE(skeleton.is_above(-1, 0));
    EXPECT_EQ(skeleton.depth(2), 2);
}

}  // namespace
}  // namespace fascia
