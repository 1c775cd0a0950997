// Real motions on real characters: limbs point like the performer's, feet stay on the ground, left stays left.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <numbers>

#include <gtest/gtest.h>

#include "character/motion_frames.h"
#include "character/motion_quality.h"
#include "fascia/bundled.h"
#include "fascia/io.h"
#include "fascia/pose.h"
#include "support/shared_data.h"

namespace fascia {
namespace {

using test::shared_data;

constexpr double kDegrees = 180 / std::numbers::pi;

/// Joints of the CMU skeleton that are checked, and what a character calls them.
constexpr const char* kCmuJoints[] = {"LeftUpLeg", "LeftLeg",   "LeftFoot",     "RightUpLeg",
                                      "RightLeg",  "RightFoot", "LeftArm",      "LeftForeArm",
                                      "LeftHand",  "RightArm",  "RightForeArm", "RightHand"};
using Names = std::vector<const char*>;

struct Actor {
    const char* file;
    Names names;      ///< for each of kCmuJoints
    bool faces_back;  ///< looks along -z, as VRM 0 does
};

const Actor kActors[] = {
    {"mh_heavy_male.glb", Names(std::begin(kCmuJoints), std::end(kCmuJoints)), false},
    {"CesiumMan.glb",
     {"leg_joint_L_1", "leg_joint_L_2", "leg_joint_L_3", "leg_joint_R_1", "leg_joint_R_2", "leg_joint_R_3",
      "Skeleton_arm_joint_L__4_", "Skeleton_arm_joint_L__3_", "Skeleton_arm_joint_L__2_", "Skeleton_arm_joint_R",
      "Skeleton_arm_joint_R__2_", "Skeleton_arm_joint_R__3_"},
     false},
    {"RiggedFigure.glb",
     {"leg_joint_L_1", "leg_joint_L_2", "leg_joint_L_3", "leg_joint_R_1", "leg_joint_R_2", "leg_joint_R_3",
      "arm_joint_L_1", "arm_joint_L_2", "arm_joint_L_3", "arm_joint_R_1", "arm_joint_R_2", "arm_joint_R_3"},
     false},
    {"CoolBunny.vrm",
     {"mixamorig:LeftUpLeg", "mixamorig:LeftLeg", "mixamorig:LeftFoot", "mixamorig:RightUpLeg", "mixamorig:RightLeg",
      "mixamorig:RightFoot", "mixamorig:LeftArm", "mixamorig:LeftForeArm", "mixamorig:LeftHand", "mixamorig:RightArm",
      "mixamorig:RightForeArm", "mixamorig:RightHand"},
     true},
    {"kaykit_Barbarian.glb",
     {"upperleg.l", "lowerleg.l", "foot.l", "upperleg.r", "lowerleg.r", "foot.r", "upperarm.l", "lowerarm.l", "wrist.l",
      "upperarm.r", "lowerarm.r", "wrist.r"},
     false},
    {"Yeti.gltf",
     {"Yeti_LeftLeg", "Yeti_LeftKnee", "Yeti_LeftAnkle", "Yeti_RightLeg", "Yeti_RightKnee", "Yeti_RightAnkle",
      "Yeti_LeftArm", "Yeti_LeftElbow", "Yeti_LeftWrist", "Yeti_RightArm", "Yeti_RightElbow", "Yeti_RightWrist"},
     false},
};

Character load(const char* file) {
    auto character = load_character(shared_data(std::string("characters/") + file));
    if (character) return std::move(*character);
    ADD_FAILURE() << character.error().message;
    return {};
}

Motion motion(const char* file) {
    auto loaded = load_motion(shared_data(std::string("motion/") + file));
    if (loaded) return std::move(*loaded);
    ADD_FAILURE() << loaded.error().message;
    return {};
}

int joint_named(const Character& character, const std::string& name) {
    for (std::size_t j = 0; j < character.joints.size(); ++j)
        if (character.joints[j].name == name) return static_cast<int>(j);
    ADD_FAILURE() << character.name << " has no joint " << name;
    return 0;
}

int joint_named(const Motion& motion, const std::string& name) {
    for (std::size_t j = 0; j < motion.joints.size(); ++j)
        if (motion.joints[j].name == name) return static_cast<int>(j);
    ADD_FAILURE() << motion.name << " has no joint " << name;
    return 0;
}

double angle_between(Vec3d a, Vec3d b) {
    return kDegrees * std::acos(std::clamp(dot(normalized(a), normalized(b)), -1.0, 1.0));
}

/// The twelve limb joints of both bodies, frame by frame. Frame k of the clip is frame k + 1 of a CMU file.
struct Performance {
    Character character;
    Motion source;
    Clip clip;
    std::vector<int> targets, sources;
    bool faces_back = false;

    Performance(const Actor& actor, const char* file, bool raw = false, bool clear = true)
        : character(load(actor.file)), source(motion(file)), faces_back(actor.faces_back) {
        RetargetOptions options;
        options.raw = raw;
        options.clear = clear;
        auto result = retarget(character, source, options);
        if (!result) {
            ADD_FAILURE() << result.error().message;
            return;
        }
        clip = std::move(result->clip);
        for (std::size_t i = 0; i < actor.names.size(); ++i) {
            targets.push_back(joint_named(character, actor.names[i]));
            sources.push_back(joint_named(source, kCmuJoints[i]));
        }
    }

    std::size_t frames() const { return source.frame_count() - 1; }

    std::vector<Vec3d> target_places(std::size_t frame) const {
        Pose pose;
        evaluate(character, &clip, clip.channels[0].times[frame], pose);
        std::vector<Vec3d> places;
        for (int target : targets) places.push_back(translation_of(pose.joints[target]));
        return places;
    }
    std::vector<Vec3d> rest_places() const {
        std::vector<Vec3d> places;
        for (int target : targets) places.push_back(translation_of(character.joints[target].rest));
        return places;
    }
    std::vector<Vec3d> source_places(std::size_t frame) const {
        MotionFrame world;
        EXPECT_TRUE(evaluate_motion(source, frame + 1, world));
        std::vector<Vec3d> places;
        for (int joint : sources) {
            Vec3d place = world.positions[joint];
            if (faces_back) place = {-place.x, place.y, -place.z};
            places.push_back(place);
        }
        return places;
    }

    static double leg(const std::vector<Vec3d>& places) {
        return length(places[0] - places[1]) + length(places[1] - places[2]);
    }
};

class Actors : public ::testing::TestWithParam<Actor> {};

/// Largest angle between a bone of the character and the performer's, and the mean over all bones and frames.
struct Deviation {
    double worst = 0, mean = 0;
};

Deviation deviation_of(const Performance& performance) {
    Deviation deviation;
    int count = 0;
    for (std::size_t f = 0; f < performance.frames(); f += 7) {
        const auto target = performance.target_places(f), source = performance.source_places(f);
        for (int bone : {0, 1, 3, 4, 6, 7, 9, 10}) {
            const double angle = angle_between(target[bone + 1] - target[bone], source[bone + 1] - source[bone]);
            deviation.worst = std::max(deviation.worst, angle);
            deviation.mean += angle;
            ++count;
        }
    }
    deviation.mean /= count;
    return deviation;
}

TEST_P(Actors, LimbsPointAsThePerformersDo) {
    FASCIA_NEEDS_SHARED_DATA();
    for (const char* file : {"cmu_02_01_walk.bvh", "cmu_13_29_jumping_jacks.bvh", "cmu_60_01_salsa.bvh"}) {
        EXPECT_LT(deviation_of(Performance(GetParam(), file, true)).worst, 2) << file;
        // Planted feet cost a few degrees at the knees and hips, more over short legs and wide hips. (Arms that are in
        // the way of a stout body turn much farther: tests of arm clearing.)
        const Deviation planted = deviation_of(Performance(GetParam(), file, false, false));
        EXPECT_LT(planted.mean, 9) << file;
        EXPECT_LT(planted.worst, 50) << file;
    }
}

TEST_P(Actors, NothingSinksAndPlantedFeetDoNotSlide) {
    FASCIA_NEEDS_SHARED_DATA();
    for (const char* file : {"cmu_02_01_walk.bvh", "cmu_09_01_run.bvh", "cmu_13_02_sit_stand.bvh",
                             "cmu_13_17_boxing.bvh", "cmu_13_29_jumping_jacks.bvh", "cmu_60_01_salsa.bvh"}) {
        const Performance planted(GetParam(), file), plain(GetParam(), file, true);
        const auto quality = test::quality_of(planted.character, planted.source, planted.clip);
        const auto before = test::quality_of(plain.character, plain.source, plain.clip);
        EXPECT_LT(quality.depth, 0.012) << file;
        EXPECT_LT(quality.excess, 0) << file;
        EXPECT_LT(quality.slide_ratio, 1.2) << file;
        EXPECT_LT(quality.jerk, 1.1 * before.jerk) << file;
    }
}

TEST_P(Actors, LeftStaysLeft) {
    FASCIA_NEEDS_SHARED_DATA();
    for (bool raw : {true, false}) {
        const Performance performance(GetParam(), "cmu_13_29_jumping_jacks.bvh", raw);
        for (std::size_t f = 0; f < performance.frames(); f += 13) {
            const auto target = performance.target_places(f), source = performance.source_places(f);
            // Wide hips over planted feet turn less.
            EXPECT_LT(angle_between(target[0] - target[3], source[0] - source[3]), raw ? 15 : 50) << f;  // thighs
            EXPECT_LT(angle_between(target[6] - target[9], source[6] - source[9]), 30) << f;             // shoulders
        }
    }
}

TEST_P(Actors, FeetStayOnTheGround) {
    FASCIA_NEEDS_SHARED_DATA();
    const Performance performance(GetParam(), "cmu_02_01_walk.bvh");
    const Character& character = performance.character;
    const double ground = test::extent_of(character, rest_pose(character)).low, size = character.size();
    double lowest = 1, highest = -1;
    Pose pose;
    for (std::size_t f = 0; f < performance.frames(); f += 2) {
        evaluate(character, &performance.clip, performance.clip.channels[0].times[f], pose);
        const double height = (test::extent_of(character, pose).low - ground) / size;
        lowest = std::min(lowest, height);
        highest = std::max(highest, height);
    }
    EXPECT_GT(lowest, -0.01);
    EXPECT_LT(highest, 0.006);
}

TEST_P(Actors, TheBodyIsNotJolted) {
    FASCIA_NEEDS_SHARED_DATA();
    // Standing on the ground must not cost smoothness: flesh feels every jolt of the hips.
    const Performance performance(GetParam(), "cmu_02_01_walk.bvh");
    constexpr double kCmuHeight = 27;
    const auto jolt = [&](bool target) {
        std::vector<double> height;
        for (std::size_t f = 0; f < performance.frames(); ++f) {
            const auto places = target ? performance.target_places(f) : performance.source_places(f);
            height.push_back((places[0].y + places[3].y) / (target ? performance.character.size() : kCmuHeight));
        }
        double sum = 0;
        for (std::size_t f = 1; f + 1 < height.size(); ++f)
            sum += std::pow(height[f - 1] - 2 * height[f] + height[f + 1], 2);
        return std::sqrt(sum);
    };
    EXPECT_LT(jolt(true), 2 * jolt(false));
}

TEST_P(Actors, TheWalkIsAsLongInLegs) {
    FASCIA_NEEDS_SHARED_DATA();
    const Performance performance(GetParam(), "cmu_02_01_walk.bvh");
    const std::size_t last = performance.frames() - 1;
    const auto way = [&](const std::vector<Vec3d>& from, const std::vector<Vec3d>& to) {
        Vec3d step = (to[0] + to[3] - from[0] - from[3]) * 0.5;
        step.y = 0;
        return step * (1 / Performance::leg(from));
    };
    const Vec3d target = way(performance.target_places(0), performance.target_places(last));
    const Vec3d source = way(performance.source_places(0), performance.source_places(last));
    EXPECT_GT(length(target), 1.5);  // it goes somewhere
    EXPECT_LT(length(target - source), 0.02 * length(source));
    // It starts where the character stands.
    const auto rest = performance.rest_places(), first = performance.target_places(0);
    const Vec3d away = (first[0] + first[3] - rest[0] - rest[3]) * (0.5 / Performance::leg(rest));
    EXPECT_LT(std::hypot(away.x, away.z), 1e-3);
}

INSTANTIATE_TEST_SUITE_P(Shared, Actors, ::testing::ValuesIn(kActors), [](const auto& info) {
    std::string name = info.param.file;
    std::replace_if(
        name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
    return name;
});

TEST(RetargetShared, EveryCharacterTakesEveryMotionOrSaysWhyNot) {
    FASCIA_NEEDS_SHARED_DATA();
    const std::map<std::string, bool> takes{{"CesiumMan.glb", true},
                                            {"CoolBunny.vrm", true},
                                            {"Fox.glb", true},
                                            {"RiggedFigure.glb", true},
                                            {"RobotExpressive.glb", true},
                                            {"Yeti.gltf", true},
                                            {"kaykit_Barbarian.glb", true},
                                            {"mh_heavy_male.glb", true},
                                            {"quaternius_Frog.glb", true},
                                            {"quaternius_Manta_ray.glb", false},
                                            {"SimpleSkin.gltf", false},
                                            {"RecursiveSkeletons.glb", false},
                                            {"quaternius_FinnTheFrog_draco.glb", true},
                                            {"valid_Black_F_2_Casual_meshopt.glb", true}};
    for (const auto& [file, fits] : takes) {
        const Character character = load(file.c_str());
        for (const char* name : {"cmu_02_01_walk.bvh", "cmu_09_01_run.bvh", "cmu_13_02_sit_stand.bvh",
                                 "cmu_13_17_boxing.bvh", "pirouette_mixed_order.bvh"}) {
            const auto result = retarget(character, motion(name));
            EXPECT_EQ(result.ok(), fits) << file << " " << name;
            if (!result) {
                EXPECT_NE(result.error().message.find("--map"), std::string::npos);
                continue;
            }
            EXPECT_FALSE(result->warnings.empty());
            for (const Channel& channel : result->clip.channels)
                for (float value : channel.values) ASSERT_TRUE(std::isfinite(value)) << file << " " << name;
        }
    }
}

TEST(RetargetShared, BundledCharactersWalkTooButATubeAndABustCannot) {
    FASCIA_NEEDS_SHARED_DATA();
    const Motion walk = motion("cmu_02_01_walk.bvh");
    for (const std::string& name : bundled_names()) {
        const auto character = bundled_character(name);
        ASSERT_TRUE(character.ok()) << character.error().message;
        EXPECT_EQ(retarget(*character, walk).ok(), name != "tube" && name != "neck") << name;
    }
}

TEST(RetargetShared, EveryCmuFileAndThePirouetteBeginWithARestFrame) {
    FASCIA_NEEDS_SHARED_DATA();
    for (const char* name :
         {"cmu_02_01_walk.bvh", "cmu_09_01_run.bvh", "cmu_13_02_sit_stand.bvh", "cmu_13_17_boxing.bvh",
          "cmu_13_29_jumping_jacks.bvh", "cmu_60_01_salsa.bvh", "pirouette_mixed_order.bvh"}) {
        Motion whole = motion(name);
        EXPECT_TRUE(first_frame_stands_apart(whole)) << name;
        // Without the flip the motion is steady.
        const auto joints = static_cast<std::ptrdiff_t>(whole.joints.size());
        whole.rotations.erase(whole.rotations.begin(), whole.rotations.begin() + joints);
        whole.translations.erase(whole.translations.begin(), whole.translations.begin() + joints);
        EXPECT_FALSE(first_frame_stands_apart(whole)) << name;
    }
}

TEST(RetargetShared, TheSameMotionInAnotherChannelOrderMovesTheSame) {
    FASCIA_NEEDS_SHARED_DATA();
    const Character character = load("mh_heavy_male.glb");
    const auto a = retarget(character, motion("cmu_02_01_walk.bvh"));
    const auto b = retarget(character, motion("variant_02_01_YXZ_no_end_sites.bvh"));
    ASSERT_TRUE(a.ok() && b.ok());
    Pose pa, pb;
    for (std::size_t key : {0u, 20u, 45u, 85u}) {  // the frame times differ in the last digits
        evaluate(character, &a->clip, a->clip.channels[0].times[key], pa);
        evaluate(character, &b->clip, b->clip.channels[0].times[key], pb);
        for (std::size_t j = 0; j < pa.joints.size(); ++j) {
            const Vec3d d = translation_of(pa.joints[j]) - translation_of(pb.joints[j]);
            EXPECT_LT(length(d), 2e-5 * character.size()) << character.joints[j].name;
        }
    }
}

TEST(RetargetShared, AWholeCharacterTurnedAndScaledMovesTheSame) {
    FASCIA_NEEDS_SHARED_DATA();
    const Motion walk = motion("cmu_02_01_walk.bvh");
    for (const char* file : {"mh_heavy_male.glb", "CesiumMan.glb", "RobotExpressive.glb"}) {
        const Character character = load(file);
        const Affine whole = compose({7, 0, -3}, quat_from_axis_angle({0, 1, 0}, 0.9), {3, 3, 3});
        Character turned = character;
        for (Node& node : turned.nodes) {
            if (node.parent >= 0) continue;
            const Affine local = node.matrix ? *node.matrix : compose(node.translation, node.rotation, node.scale);
            ASSERT_TRUE(decompose(whole * local, node.translation, node.rotation, node.scale));
        }
        for (Joint& joint : turned.joints) joint.rest = whole * joint.rest;
        for (Vec3& p : turned.mesh.positions) p = to_float(transform_point(whole, to_double(p)));
        for (bool clear : {false, true}) {
            RetargetOptions options;
            options.clear = clear;
            // Arms are kept clear of points on the skin; these are chosen by distances, which are rounded.
            const double most = (clear ? 1e-3 : 3e-5) * 3 * character.size();
            const auto a = retarget(character, walk, options), b = retarget(turned, walk, options);
            ASSERT_TRUE(a.ok() && b.ok());
            Pose pa, pb;
            for (double t : {0.0, 1.1, 2.2}) {
                evaluate(character, &a->clip, t, pa);
                evaluate(turned, &b->clip, t, pb);
                for (std::size_t j = 0; j < pa.joints.size(); ++j) {
                    const Vec3d wanted = translation_of(whole * pa.joints[j]);
                    EXPECT_LT(length(translation_of(pb.joints[j]) - wanted), most)
                        << file << " " << character.joints[j].name;
                }
            }
        }
    }
}

TEST(RetargetShared, TheFilesOwnClipOfTheSameMotionIsNear) {
    FASCIA_NEEDS_SHARED_DATA();
    // mh_heavy_male contains the same jumping jacks, as rotations copied without aligning its A-pose: its legs, which
    // stand almost like CMU's, must agree.
    const Performance performance(kActors[0], "cmu_13_29_jumping_jacks.bvh");
    const Character& character = performance.character;
    ASSERT_EQ(character.clips.size(), 1u);
    double sum = 0;
    int count = 0;
    for (std::size_t f = 0; f < performance.frames(); f += 5) {
        const auto ours = performance.target_places(f);
        Pose pose;
        evaluate(character, &character.clips[0], performance.clip.channels[0].times[f], pose);
        std::vector<Vec3d> theirs;
        for (int target : performance.targets) theirs.push_back(translation_of(pose.joints[target]));
        for (int bone : {0, 1, 3, 4}) {
            sum += angle_between(ours[bone + 1] - ours[bone], theirs[bone + 1] - theirs[bone]);
            ++count;
        }
    }
    EXPECT_LT(sum / count, 8);
}

}  // namespace
}  // namespace fascia
