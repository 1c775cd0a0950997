#include "performer.h"

#include <vector>

#include "moves.h"
#include "puppet.h"

namespace fascia::characters {
namespace {

constexpr double frames_per_second = 60;

/// Arms stretched out to the sides, 1.75 high.
Skeleton human_skeleton() {
    Skeleton k;
    const Vec3d shoulder{0.18, 1.42, 0}, elbow{0.46, 1.42, -0.01}, wrist{0.71, 1.42, 0};
    const Vec3d hip{0.095, 0.92, 0}, knee{0.095, 0.50, 0.012}, ankle{0.095, 0.085, -0.01};
    k.add("hips", "", {0, 0.95, 0}, {0, 1.06, 0});
    k.add("spine", "hips", {0, 1.06, 0}, {0, 1.22, 0});
    k.add("chest", "spine", {0, 1.22, 0}, {0, 1.46, 0});
    k.add("neck", "chest", {0, 1.46, 0}, {0, 1.55, 0.01});
    k.add("head", "neck", {0, 1.55, 0.01}, {0, 1.75, 0.01});
    k.add_pair("left_upper_arm", "chest", shoulder, elbow);
    k.add_pair("left_lower_arm", "left_upper_arm", elbow, wrist);
    k.add_pair("left_hand", "left_lower_arm", wrist, wrist + Vec3d{0.17, 0, 0});
    k.add_pair("left_upper_leg", "hips", hip, knee);
    k.add_pair("left_lower_leg", "left_upper_leg", knee, ankle);
    k.add_pair("left_foot", "left_lower_leg", ankle, {0.095, 0.02, 0.17});
    return k;
}

Style human_style() {
    Style style;
    style.arms_down = 72;
    style.arms_hang = true;
    style.arm_swing = 26;
    style.stride = 0.30;
    style.foot_lift = 0.11;
    style.walk_period = 1.1;
    style.bob = 0.02;
    style.sway = 0.03;
    style.waddle = 4;
    style.crouch = 0.26;
    style.jump_height = 0.42;
    style.lean = 26;
    style.arms_up = 60;
    style.groove = 11;
    return style;
}

/// The bones, and an end for each that no other continues.
std::vector<MotionJoint> joints_of(const Skeleton& skeleton) {
    std::vector<MotionJoint> joints;
    std::vector<bool> continued(skeleton.bones().size(), false);
    for (const Bone& bone : skeleton.bones()) {
        const bool root = bone.parent < 0;
        if (!root) continued[static_cast<std::size_t>(bone.parent)] = true;
        joints.push_back(
            {bone.name, bone.parent, root ? bone.head : bone.head - skeleton.bone(bone.parent).head, false});
    }
    for (int b = 0; b < skeleton.size(); ++b) {
        const Bone& bone = skeleton.bone(b);
        if (!continued[static_cast<std::size_t>(b)])
            joints.push_back({bone.name + "_end", b, bone.tail - bone.head, true});
    }
    return joints;
}

void append_frame(const Puppet& puppet, Motion& motion) {
    for (const MotionJoint& joint : motion.joints) motion.translations.push_back(joint.offset);
    for (std::size_t j = 0; j < motion.joints.size(); ++j) {
        const bool is_bone = !motion.joints[j].end_site;
        motion.rotations.push_back(is_bone ? normalized(puppet.local_rotation(static_cast<int>(j))) : Quat{});
    }
    const std::size_t root = motion.rotations.size() - motion.joints.size();
    Vec3d& place = motion.translations[root];
    place = puppet.root_offset + rotate(puppet.root_turn, place + puppet.hips_offset);
    motion.rotations[root] = normalized(puppet.root_turn * motion.rotations[root]);
}

}  // namespace

std::optional<Performance> performed(const std::string& choreography, int loops) {
    for (const Choreography& dance : choreographies(human_style())) {
        if (dance.name != choreography) continue;
        const Skeleton skeleton = human_skeleton();
        const int count = static_cast<int>(dance.seconds * frames_per_second + 0.5);
        Performance out;
        out.loop = count / frames_per_second;
        out.motion.name = dance.name;
        out.motion.frame_time = 1 / frames_per_second;
        out.motion.joints = joints_of(skeleton);
        for (int i = 0; i <= count * loops; ++i) {
            Puppet puppet(skeleton);
            dance.move(i % count / frames_per_second, puppet);
            append_frame(puppet, out.motion);
        }
        return out;
    }
    return std::nullopt;
}

}  // namespace fascia::characters
