// A small body of 21 joints, as a character and as a motion, for retargeting without any file.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "fascia/pose.h"

namespace fascia::test {

struct PuppetJoint {
    const char* name;
    int parent;
    Vec3d place;  ///< world, in a T
};

/// Legs are 9 long from thigh to foot; the body faces +z and its left is +x.
inline const std::vector<PuppetJoint>& puppet_joints() {
    static const std::vector<PuppetJoint> joints{{"Hips", -1, {0, 10, 0}},
                                                 {"Spine", 0, {0, 12, 0}},
                                                 {"Spine1", 1, {0, 14, 0}},
                                                 {"Neck", 2, {0, 16, 0}},
                                                 {"Head", 3, {0, 17, 0}},
                                                 {"LeftShoulder", 2, {0.5, 15, 0}},
                                                 {"LeftArm", 5, {2, 15, 0}},
                                                 {"LeftForeArm", 6, {5, 15, 0}},
                                                 {"LeftHand", 7, {8, 15, 0}},
                                                 {"RightShoulder", 2, {-0.5, 15, 0}},
                                                 {"RightArm", 9, {-2, 15, 0}},
                                                 {"RightForeArm", 10, {-5, 15, 0}},
                                                 {"RightHand", 11, {-8, 15, 0}},
                                                 {"LeftUpLeg", 0, {1, 10, 0}},
                                                 {"LeftLeg", 13, {1, 5.5, 0}},
                                                 {"LeftFoot", 14, {1, 1, 0}},
                                                 {"LeftToeBase", 15, {1, 0.2, 1.5}},
                                                 {"RightUpLeg", 0, {-1, 10, 0}},
                                                 {"RightLeg", 17, {-1, 5.5, 0}},
                                                 {"RightFoot", 18, {-1, 1, 0}},
                                                 {"RightToeBase", 19, {-1, 0.2, 1.5}}};
    return joints;
}

inline int puppet_joint(const std::string& name) {
    for (std::size_t j = 0; j < puppet_joints().size(); ++j)
        if (name == puppet_joints()[j].name) return static_cast<int>(j);
    return -1;
}

/// A motion of `frames` frames in which the puppet stands still in a T-pose; `turn` is applied to the whole scene.
inline Motion puppet_motion(std::size_t frames, Quat turn = {}) {
    Motion motion;
    motion.name = "puppet motion";
    motion.frame_time = 0.1;
    for (const PuppetJoint& joint : puppet_joints()) {
        const Vec3d origin = joint.parent < 0 ? Vec3d{} : puppet_joints()[joint.parent].place;
        motion.joints.push_back({joint.name, joint.parent, rotate(turn, joint.place - origin), false});
    }
    for (std::size_t f = 0; f < frames; ++f) {
        for (const MotionJoint& joint : motion.joints) {
            motion.translations.push_back(joint.offset);
            motion.rotations.push_back({});
        }
    }
    return motion;
}

inline Quat& rotation(Motion& motion, std::size_t frame, const std::string& joint) {
    return motion.rotations[frame * motion.joints.size() + static_cast<std::size_t>(puppet_joint(joint))];
}
inline Vec3d& root_place(Motion& motion, std::size_t frame) {
    return motion.translations[frame * motion.joints.size()];
}

/// The puppet under an armature node; its arms hang down from the T-pose by `arm_angle`.
inline Character puppet_character(double arm_angle = 0, const Affine& armature = {}) {
    Character character;
    character.name = "puppet";
    character.nodes.emplace_back();
    character.nodes[0].name = "Armature";
    decompose(armature, character.nodes[0].translation, character.nodes[0].rotation, character.nodes[0].scale);
    for (const PuppetJoint& joint : puppet_joints()) {
        Node node;
        node.name = joint.name;
        node.parent = joint.parent + 1;
        node.translation = joint.place - (joint.parent < 0 ? Vec3d{} : puppet_joints()[joint.parent].place);
        if (node.name == "LeftArm") node.rotation = quat_from_axis_angle({0, 0, 1}, -arm_angle);
        if (node.name == "RightArm") node.rotation = quat_from_axis_angle({0, 0, 1}, arm_angle);
        character.nodes.push_back(node);
    }
    Pose pose;
    evaluate(character, nullptr, 0, pose);
    for (std::size_t j = 0; j < puppet_joints().size(); ++j) {
        Joint joint;
        joint.name = puppet_joints()[j].name;
        joint.node = static_cast<int>(j) + 1;
        joint.parent = puppet_joints()[j].parent;
        joint.rest = pose.nodes[j + 1];
        character.joints.push_back(joint);
    }
    return character;
}

inline Vec3d place_of(const Pose& pose, const std::string& joint) {
    return translation_of(pose.joints[puppet_joint(joint)]);
}
inline Vec3d direction(const Pose& pose, const std::string& from, const std::string& to) {
    return normalized(place_of(pose, to) - place_of(pose, from));
}

}  // namespace fascia::test
