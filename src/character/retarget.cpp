// A motion of one skeleton on a character with another: matched, reconciled, written as a clip.
#include <algorithm>
#include <cmath>

#include "character/anatomy.h"
#include "character/character_rest.h"
#include "character/clip_maker.h"
#include "character/flip_repair.h"
#include "character/joint_matching.h"
#include "character/motion_start.h"
#include "fascia/joint_pairs.h"
#include "fascia/pose.h"
#include "fascia/settings.h"

namespace fascia {
namespace {

// ---- names given by the user ---------------------------------------------------------------------

int find_joint(const JointTree& skeleton, const std::string& name) {
    for (int j = 0; j < skeleton.size(); ++j)
        if (skeleton.names[j] == name) return j;
    for (int j = 0; j < skeleton.size(); ++j)
        if (comparable_name(skeleton.names[j]) == comparable_name(name)) return j;
    return -1;
}

Error unknown_joint(const JointTree& skeleton, const std::string& owner, const std::string& name) {
    return usage_error("the joint map names \"" + name + "\", but \"" + owner +
                       "\" has no such joint; did you mean \"" + nearest_name(name, skeleton.names) + "\"?");
}

Result<std::vector<std::pair<int, int>>> explicit_pairs(const RetargetOptions& options, const Motion& motion,
                                                        const JointTree& source, const Character& character,
                                                        const CharacterRest& target) {
    std::vector<std::pair<int, int>> pairs;
    for (const auto& [from, to] : options.map) {
        const int s = find_joint(source, from);
        if (s < 0) return unknown_joint(source, motion.name, from);
        int t = find_joint(target.skeleton, to);
        // The reader may have made a joint's name unique; the node's own name is understood too.
        for (const Joint& joint : character.joints)
            if (t < 0 && character.nodes[joint.node].name == to) t = target.joint_of_node[joint.node];
        if (t < 0) return unknown_joint(target.skeleton, character.name, to);
        pairs.emplace_back(s, t);
    }
    return pairs;
}

// ---- remarks -------------------------------------------------------------------------------------

std::string list_of(const JointTree& skeleton, const std::vector<int>& joints) {
    constexpr std::size_t kShown = 12;
    std::string out;
    for (std::size_t i = 0; i < std::min(kShown, joints.size()); ++i)
        out += (i ? ", " : "") + skeleton.names[joints[i]];
    if (joints.size() > kShown) out += " and " + std::to_string(joints.size() - kShown) + " more";
    return out;
}

std::string flips_smoothed(const Motion& motion, const FlipRepair& repair) {
    JointTree skeleton;  // all joints of the motion, to list by name
    for (const MotionJoint& joint : motion.joints) skeleton.names.push_back(joint.name);
    return std::to_string(repair.flips) + (repair.flips == 1 ? " flip" : " flips") + " of joints in \"" + motion.name +
           "\" (more than 60 degrees within a frame and back) smoothed: " + list_of(skeleton, repair.joints);
}

int in_degrees(double radians) {
    return static_cast<int>(std::lround(radians * 57.29577951308232));
}

/// End sites and helpers have nothing to follow; naming them would hide the joints that matter.
std::vector<int> worth_naming(const JointTree& skeleton, const std::vector<int>& joints) {
    std::vector<int> out;
    for (int joint : joints)
        if (meaning_of_name(skeleton.names[joint]).kind != NameMeaning::Kind::helper) out.push_back(joint);
    return out;
}

/// Hips and two limbs, or half of the character's joints with equal names, or any pairs given by the user.
bool is_enough(const JointTree& source, const Anatomy& from, const JointTree& target, const Anatomy& to,
               const JointMatching& matching, bool user_paired) {
    if (user_paired) return true;
    int limbs = 0, equal_names = 0;
    for (int s = 0; s < 2; ++s) {
        limbs += from.arms[s].is_found() && to.arms[s].is_found();
        limbs += from.legs[s].is_found() && to.legs[s].is_found();
    }
    for (const JointMatch& match : matching.matches)
        equal_names += comparable_name(source.names[match.first]) == comparable_name(target.names[match.target]);
    return (limbs >= 2 && from.hips >= 0 && to.hips >= 0) || 2 * equal_names >= target.size();
}

Status check_input(const Character& character, const Motion& motion) {
    if (motion.joints.empty() || motion.frame_count() == 0)
        return input_error("the motion \"" + motion.name + "\" has no frames");
    if (motion.translations.size() != motion.rotations.size() || motion.rotations.size() % motion.joints.size() != 0)
        return input_error("the motion \"" + motion.name + "\" has not as many values as its joints need");
    for (std::size_t j = 0; j < motion.joints.size(); ++j) {
        const MotionJoint& joint = motion.joints[j];
        const std::string name = "joint \"" + joint.name + "\" of the motion \"" + motion.name + "\"";
        if (joint.parent >= static_cast<int>(j)) return input_error(name + " comes before its parent");
        if (!(length(joint.offset) < 1e12)) return input_error(name + " has an offset that is not finite or too large");
    }
    if (character.joints.empty())
        return input_error("\"" + character.name + "\" has no skeleton for a motion to drive");
    return ok_status();
}

/// What pairs a motion with a character.
struct Pairing {
    MotionStart start;
    CharacterRest rest;
    Anatomy anatomy;  ///< of the character
    JointMatching matching;
    bool enough = false;
    const JointTree& source() const { return start.source.skeleton; }
};

Result<Pairing> pair_up(const Character& character, const Motion& motion, const RetargetOptions& options) {
    if (Status status = check_input(character, motion); !status) return status.error();
    Result<MotionStart> start = start_of(motion, options.rest);
    if (!start) return start.error();
    CharacterRest rest = rest_of(character);
    const JointTree& source = start->source.skeleton;
    const auto pairs = explicit_pairs(options, motion, source, character, rest);
    if (!pairs) return pairs.error();

    Anatomy anatomy = anatomy_of(character, rest);
    apply_pairs(*pairs, start->anatomy, anatomy);
    JointMatching matching = match_joints(source, start->anatomy, rest.skeleton, anatomy, *pairs);
    const bool enough = is_enough(source, start->anatomy, rest.skeleton, anatomy, matching, !pairs->empty());
    return Pairing{std::move(*start), std::move(rest), std::move(anatomy), std::move(matching), enough};
}

}  // namespace

Result<JointPairs> joint_pairs(const Character& character, const Motion& motion, const RetargetOptions& options) {
    const Result<Pairing> pairing = pair_up(character, motion, options);
    if (!pairing) return pairing.error();
    JointPairs out;
    out.enough = pairing->enough;
    for (const JointMatch& match : pairing->matching.matches)
        out.pairs.emplace_back(pairing->source().names[match.first], pairing->rest.skeleton.names[match.target]);
    return out;
}

Result<Retargeted> retarget(const Character& character, const Motion& motion, const RetargetOptions& options) {
    const Result<Pairing> pairing = pair_up(character, motion, options);
    if (!pairing) return pairing.error();
    const auto& [start, rest, anatomy, matching, enough] = *pairing;
    const JointTree& source = start.source.skeleton;
    if (!enough) {
        return input_error("too few joints of \"" + character.name + "\" are like those of \"" + motion.name +
                           "\"; pair them by name in a mapping file (--map), as {\"" + source.names[0] + "\": \"" +
                           rest.skeleton.names[0] + "\", ...}");
    }
    Motion smooth = motion;
    const FlipRepair repair = options.raw ? FlipRepair{} : repair_flips(smooth, start.first_frame);
    const ClipCare care = options.raw ? ClipCare::plain : options.clear ? ClipCare::cleared : ClipCare::grounded;
    MadeClip made = make_clip(character, rest, anatomy, smooth, start, matching, care);
    Retargeted out;
    out.clip = std::move(made.clip);
    out.warnings.push_back(start.assumption);
    const std::vector<int> still = worth_naming(rest.skeleton, matching.unmatched_targets);
    const std::vector<int> unused = worth_naming(source, matching.unmatched_sources);
    if (!still.empty())
        out.warnings.push_back("joints of \"" + character.name +
                               "\" that nothing moves: " + list_of(rest.skeleton, still));
    if (!unused.empty())
        out.warnings.push_back("joints of \"" + motion.name + "\" that move nothing: " + list_of(source, unused));
    if (anatomy.by_shape || start.anatomy.by_shape)
        out.warnings.push_back("joint names of \"" + (anatomy.by_shape ? character.name : motion.name) +
                               "\" say nothing: arms and legs were found by their place");
    if (repair.flips > 0) out.warnings.push_back(flips_smoothed(motion, repair));
    const int shoulder = in_degrees(made.cleared.shoulder), elbow = in_degrees(made.cleared.elbow);
    if (shoulder > 0 || elbow > 0)
        out.warnings.push_back("arms are turned by up to " + std::to_string(shoulder) +
                               " degrees at the shoulder and " + std::to_string(elbow) +
                               " at the elbow, so that they do not sink into the body");
    if (made.refused_frames > 0)
        out.warnings.push_back(std::to_string(made.refused_frames) + " frames of \"" + motion.name +
                               "\" have numbers that are not finite; the frame before is held");
    return out;
}

}  // namespace fascia
