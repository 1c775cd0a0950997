#include "character/joint_names.h"

#include <gtest/gtest.h>

namespace fascia {
namespace {

using Kind = NameMeaning::Kind;

/// The part of the limb that the name fits best.
int best_part(const NameMeaning& meaning) {
    int best = 0;
    for (int part = 1; part < kLimbParts; ++part)
        if (meaning.fit[part] > meaning.fit[best]) best = part;
    return best;
}

TEST(JointNames, WordsAreCutAtCaseDigitsAndSigns) {
    using Words = std::vector<std::string>;
    EXPECT_EQ(words_of_name("mixamorig:LeftUpLeg"), (Words{"mixamorig", "left", "up", "leg"}));
    EXPECT_EQ(words_of_name("LHipJoint"), (Words{"l", "hip", "joint"}));
    EXPECT_EQ(words_of_name("Skeleton_arm_joint_L__4_"), (Words{"skeleton", "arm", "joint", "l", "4"}));
    EXPECT_EQ(words_of_name("rThumb1"), (Words{"r", "thumb", "1"}));
    EXPECT_EQ(words_of_name("upperarm.l"), (Words{"upperarm", "l"}));
    EXPECT_EQ(words_of_name(""), Words{});
    EXPECT_EQ(words_of_name("___"), Words{});
}

struct LimbName {
    const char* name;
    Kind kind;
    Side side;
    int part;
};

class LimbNames : public testing::TestWithParam<LimbName> {};

TEST_P(LimbNames, SayPartAndSide) {
    const NameMeaning meaning = meaning_of_name(GetParam().name);
    EXPECT_EQ(meaning.kind, GetParam().kind) << GetParam().name;
    EXPECT_EQ(meaning.side, GetParam().side) << GetParam().name;
    EXPECT_EQ(best_part(meaning), GetParam().part) << GetParam().name;
}

INSTANTIATE_TEST_SUITE_P(
    Habits, LimbNames,
    testing::Values(LimbName{"LeftUpLeg", Kind::leg, Side::left, limb_upper},                    // CMU
                    LimbName{"LHipJoint", Kind::leg, Side::left, limb_root},                     //
                    LimbName{"RightToeBase", Kind::leg, Side::right, limb_tip},                  //
                    LimbName{"RightForeArm", Kind::arm, Side::right, limb_lower},                //
                    LimbName{"mixamorig:RightArm", Kind::arm, Side::right, limb_upper},          // Mixamo
                    LimbName{"mixamorig:LeftShoulder", Kind::arm, Side::left, limb_root},        //
                    LimbName{"Bip01 L UpperArm", Kind::arm, Side::left, limb_upper},             // 3ds Max biped
                    LimbName{"Bip01 R Calf", Kind::leg, Side::right, limb_lower},                //
                    LimbName{"ValveBiped.Bip01_R_Clavicle", Kind::arm, Side::right, limb_root},  //
                    LimbName{"lowerarm_l", Kind::arm, Side::left, limb_lower},                   // Unreal
                    LimbName{"ball_r", Kind::leg, Side::right, limb_tip},                        //
                    LimbName{"thigh_r", Kind::leg, Side::right, limb_upper},                     //
                    LimbName{"rShldr", Kind::arm, Side::right, limb_upper},                      // Poser, DAZ
                    LimbName{"lCollar", Kind::arm, Side::left, limb_root},                       //
                    LimbName{"rButtock", Kind::leg, Side::right, limb_root},                     //
                    LimbName{"lShin", Kind::leg, Side::left, limb_lower},                        //
                    LimbName{"lfemur", Kind::leg, Side::left, limb_upper},                       // Acclaim
                    LimbName{"rradius", Kind::arm, Side::right, limb_lower},                     //
                    LimbName{"leftUpperLeg", Kind::leg, Side::left, limb_upper},                 // VRM
                    LimbName{"rightToes", Kind::leg, Side::right, limb_tip},                     //
                    LimbName{"J_Bip_L_LowerArm", Kind::arm, Side::left, limb_lower},             // VRoid
                    LimbName{"wrist.l", Kind::arm, Side::left, limb_end},                        // KayKit
                    LimbName{"Yeti_LeftKnee", Kind::leg, Side::left, limb_lower},                //
                    LimbName{"Yeti_RightClavicle", Kind::arm, Side::right, limb_root},           //
                    LimbName{"leftforearm", Kind::arm, Side::left, limb_lower},                  // no separator
                    LimbName{"UpperArm.R.001", Kind::arm, Side::right, limb_upper},              // Blender's copies
                    LimbName{"FrontUpLeg.L", Kind::arm, Side::left, limb_upper},                 // front legs are arms
                    LimbName{"BackLowLeg.R", Kind::leg, Side::right, limb_lower}));

TEST(JointNames, TheTrunkHasNoSide) {
    EXPECT_EQ(meaning_of_name("Hips").kind, Kind::hips);
    EXPECT_EQ(meaning_of_name("b_Hip_01").kind, Kind::hips);
    EXPECT_EQ(meaning_of_name("Bip01 Pelvis").kind, Kind::hips);
    EXPECT_EQ(meaning_of_name("LowerBack").kind, Kind::spine);
    EXPECT_EQ(meaning_of_name("upperChest").kind, Kind::spine);
    EXPECT_EQ(meaning_of_name("Neck1").kind, Kind::neck);
    EXPECT_EQ(meaning_of_name("mixamorig:Head").kind, Kind::head);
    // A hip with a side is where a leg begins.
    EXPECT_EQ(meaning_of_name("Hip_L").kind, Kind::leg);
}

TEST(JointNames, HelpersAndEndsAreNoBodyParts) {
    for (const char* name : {"HeadTop_End", "IK-foot.l", "kneeIK.r", "PoleTarget.L", "LeftForeArmTwist",
                             "control-heel-roll.l", "Bip01 L Toe0Nub", "LeftToe_End"})
        EXPECT_EQ(meaning_of_name(name).kind, Kind::helper) << name;
    for (const char* name : {"Armature", "RobotArmature", "handslot.l", "Bone.003", "tail", "LeftEye", "", "root"})
        EXPECT_EQ(meaning_of_name(name).kind, Kind::unknown) << name;
}

TEST(JointNames, FingersHaveNumbers) {
    const NameMeaning index = meaning_of_name("mixamorig:LeftHandIndex2");
    EXPECT_EQ(index.kind, Kind::finger);
    EXPECT_EQ(index.finger, index_finger);
    EXPECT_EQ(index.number, 2);
    const NameMeaning thumb_bone = meaning_of_name("rightThumbDistal");
    EXPECT_EQ(thumb_bone.finger, thumb);
    EXPECT_EQ(thumb_bone.side, Side::right);
    EXPECT_EQ(thumb_bone.number, 3);
    EXPECT_EQ(meaning_of_name("lMid1").finger, middle_finger);
    EXPECT_EQ(meaning_of_name("LeftFingerBase").finger, any_finger);
}

TEST(JointNames, HugeNumbersAreHarmless) {
    EXPECT_EQ(meaning_of_name("LeftArm99999999999999999999").side, Side::left);
}

}  // namespace
}  // namespace fascia
