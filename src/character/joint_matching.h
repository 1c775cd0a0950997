// Which joints of a motion drive which joints of a character.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "character/anatomy.h"

namespace fascia {

/// One driven joint. It follows `first`, or a mix of two neighbours where the spines have different numbers of joints.
struct JointMatch {
    int target = -1;              ///< joint of the character's skeleton
    int first = -1, second = -1;  ///< joints of the motion's skeleton
    double share_of_second = 0;   ///< 0..1
};

struct JointMatching {
    std::vector<JointMatch> matches;     ///< at most one for each target, in the order of the targets
    std::vector<int> unmatched_targets;  ///< joints of the character that nothing drives
    std::vector<int> unmatched_sources;  ///< joints of the motion that drive nothing
};

/// Lets explicit pairs (source, target) decide which joint has a role: what is known on one side also holds for the
/// other.
void apply_pairs(const std::vector<std::pair<int, int>>& pairs, Anatomy& source, Anatomy& target);

JointMatching match_joints(const JointTree& source, const Anatomy& source_anatomy, const JointTree& target,
                           const Anatomy& target_anatomy, const std::vector<std::pair<int, int>>& pairs);

}  // namespace fascia
