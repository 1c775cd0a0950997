#include "character/rest_alignment.h"

#include <cmath>

namespace fascia {
namespace {

constexpr double kRadiansPerDegree = 3.14159265358979323846 / 180;

Vec3d bone_direction(const JointTree& skeleton, const Limb& limb, int part) {
    return skeleton.positions[limb[part + 1]] - skeleton.positions[limb[part]];
}

/// Feet stand flat at rest in both skeletons, however steep their bones are: only the direction they point in is
/// aligned.
Quat foot_alignment(Vec3d from, Vec3d to, Vec3d up) {
    const Vec3d a = from - up * dot(from, up), b = to - up * dot(to, up);
    constexpr double kLargest = 60 * kRadiansPerDegree;
    const bool flat_enough = length(a) > 0.3 * length(from) && length(b) > 0.3 * length(to);
    if (!flat_enough || dot(normalized(a), normalized(b)) < std::cos(kLargest)) return {};
    return shortest_rotation(a, b);
}

/// A head looks straight ahead when its bone points up, whatever it does in the motion's rest pose (CMU's looks down by
/// 14 degrees there). A bone that leans much more says nothing about the head.
Quat head_alignment(Vec3d bone, Vec3d up) {
    constexpr double kLargest = 35 * kRadiansPerDegree;
    if (!(dot(normalized(bone), up) > std::cos(kLargest))) return {};
    return shortest_rotation(up, bone);
}

/// For each joint of the character: the rotation from its own rest to the motion's, in the character's space.
class LimbAlignment {
public:
    LimbAlignment(const JointTree& source, const Anatomy& source_anatomy, const JointTree& target,
                  const Anatomy& target_anatomy, Quat to_target, Vec3d up)
        : source_(source), target_(target), to_target_(to_target), up_(up), rotations_(target.names.size()) {
        for (int s = 0; s < 2; ++s) {
            align_arm(source_anatomy, target_anatomy, s);
            align_leg(source_anatomy.legs[s], target_anatomy.legs[s]);
        }
    }

    void align_head(int head, Vec3d source_bone) { set(head, head_alignment(rotate(to_target_, source_bone), up_)); }

    std::vector<Quat> rotations() const { return rotations_; }

private:
    bool both_have(const Limb& a, const Limb& b, int part) const { return a[part] >= 0 && b[part] >= 0; }

    void set(int joint, Quat rotation) {
        if (joint >= 0) rotations_[joint] = rotation;
    }

    /// After `before`, the shortest rotation that brings the bone below `part` to the motion's direction.
    Quat follow_bone(const Limb& from, const Limb& to, int part, Quat before) const {
        if (!both_have(from, to, part) || !both_have(from, to, part + 1)) return before;
        const Vec3d wanted = rotate(to_target_, bone_direction(source_, from, part));
        return shortest_rotation(rotate(before, bone_direction(target_, to, part)), wanted) * before;
    }

    Quat align_bones(const Limb& from, const Limb& to) {
        const Quat upper = follow_bone(from, to, limb_upper, {});
        const Quat lower = follow_bone(from, to, limb_lower, upper);
        set(to[limb_upper], upper);
        set(to[limb_lower], lower);
        return lower;
    }

    void align_arm(const Anatomy& source, const Anatomy& target, int s) {
        const Quat forearm = align_bones(source.arms[s], target.arms[s]);
        set(target.arms[s][limb_end], forearm);
        for (const auto& finger : target.fingers[s])
            for (int joint : finger) set(joint, forearm);
    }

    void align_leg(const Limb& from, const Limb& to) {
        align_bones(from, to);
        if (!both_have(from, to, limb_end) || !both_have(from, to, limb_tip)) return;
        const Vec3d wanted = rotate(to_target_, bone_direction(source_, from, limb_end));
        const Quat foot = foot_alignment(bone_direction(target_, to, limb_end), wanted, up_);
        set(to[limb_end], foot);
        set(to[limb_tip], foot);
    }

    const JointTree& source_;
    const JointTree& target_;
    Quat to_target_;
    Vec3d up_;
    std::vector<Quat> rotations_;
};

/// Can a difference of units explain this ratio? Without legs on one side it is zero, infinite or NaN.
bool is_sane(double ratio) {
    return ratio > 1e-9 && ratio < 1e9;
}

/// How much larger the character is than the motion's skeleton: by the legs, or else by all matched bones.
double scale_between(const JointTree& source, const Anatomy& source_anatomy, const JointTree& target,
                     const Anatomy& target_anatomy, const JointMatching& matching) {
    for (bool to_foot : {true, false}) {
        const double from = leg_length(source, source_anatomy, to_foot);
        const double to = leg_length(target, target_anatomy, to_foot);
        if (is_sane(to / from)) return to / from;
    }
    std::vector<int> source_of(target.names.size(), -1);
    double from = 0, to = 0;
    for (const JointMatch& match : matching.matches) {
        source_of[match.target] = match.first;
        const int above = target.parents[match.target];
        if (above < 0 || source_of[above] < 0) continue;
        to += length(target.positions[match.target] - target.positions[above]);
        from += length(source.positions[match.first] - source.positions[source_of[above]]);
    }
    return is_sane(to / from) ? to / from : 1;
}

}  // namespace

RestAlignment align_rests(const Motion& motion, const MotionStart& start, const JointTree& target,
                          const Anatomy& target_anatomy, const JointMatching& matching) {
    const JointTree& source = start.source.skeleton;
    RestAlignment out;
    // A performer's rest frame is never quite straight; a character's rest pose is used as it was modelled.
    out.frame = body_frame(target, target_anatomy, 20 * kRadiansPerDegree, 0);
    out.source_frame = body_frame(source, start.anatomy, 30 * kRadiansPerDegree, 12 * kRadiansPerDegree);
    out.to_target = normalized(out.frame.rotation * conjugate(out.source_frame.rotation));
    out.scale = scale_between(source, start.anatomy, target, target_anatomy, matching);
    LimbAlignment limbs(source, start.anatomy, target, target_anatomy, out.to_target, out.frame.up());
    limbs.align_head(target_anatomy.head, head_bone(motion, start));
    out.turn = limbs.rotations();
    return out;
}

}  // namespace fascia
