#include "character/joint_matching.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace fascia {
namespace {

/// Every single-joint role of an anatomy, in one fixed order, so that two anatomies can be walked side by side.
std::vector<int*> roles_of(Anatomy& anatomy) {
    std::vector<int*> roles{&anatomy.hips, &anatomy.head};
    for (auto* limbs : {&anatomy.arms, &anatomy.legs})
        for (Limb& limb : *limbs)
            for (int& joint : limb.joints) roles.push_back(&joint);
    for (auto& hand : anatomy.fingers)
        for (auto& finger : hand)
            for (int& joint : finger) roles.push_back(&joint);
    return roles;
}

class Matcher {
public:
    Matcher(const JointTree& source, const JointTree& target)
        : source_(source), target_(target), match_of_(target.names.size()), used_(source.names.size(), false) {}

    void match(int target, int source) {
        if (source >= 0) mix(target, source, source, 0);
    }

    /// Spreads the rotations along the joints `knots` over the chain `targets`; the last target follows the last knot.
    void distribute(const std::vector<int>& knots, const std::vector<int>& targets, double total) {
        const int last = static_cast<int>(knots.size()) - 1;
        if (last < 1) return;
        for (std::size_t i = 0; i < targets.size(); ++i) {
            const double place = static_cast<double>(i + 1) / total * last;
            const int lower = std::min(static_cast<int>(place + 1e-9), last);
            const double share = std::max(0.0, place - lower);
            if (lower == last || share < 1e-9) {
                match(targets[i], knots[lower]);
            } else {
                mix(targets[i], knots[lower], knots[lower + 1], share);
            }
        }
    }

    void match_equal_names() {
        std::map<std::string, int> by_name;
        for (int j = source_.size() - 1; j >= 0; --j) by_name[comparable_name(source_.names[j])] = j;
        for (int t = 0; t < target_.size(); ++t) {
            if (match_of_[t].target >= 0) continue;
            const auto found = by_name.find(comparable_name(target_.names[t]));
            if (found != by_name.end() && !used_[found->second]) match(t, found->second);
        }
    }

    /// Joints that a chain skips have still been used; they are not reported.
    void mark_used(const std::vector<int>& sources) {
        for (int s : sources) used_[s] = true;
    }

    JointMatching result() const {
        JointMatching out;
        for (int t = 0; t < target_.size(); ++t) {
            if (match_of_[t].target >= 0) {
                out.matches.push_back(match_of_[t]);
            } else {
                out.unmatched_targets.push_back(t);
            }
        }
        for (int s = 0; s < source_.size(); ++s)
            if (!used_[s]) out.unmatched_sources.push_back(s);
        return out;
    }

private:
    void mix(int target, int first, int second, double share) {
        if (target < 0) return;
        match_of_[target] = {target, first, second, share};
        used_[first] = used_[second] = true;
    }

    const JointTree& source_;
    const JointTree& target_;
    std::vector<JointMatch> match_of_;
    std::vector<bool> used_;
};

std::vector<int> joined(int first, const std::vector<int>& rest) {
    std::vector<int> out{first};
    out.insert(out.end(), rest.begin(), rest.end());
    return out;
}

void match_trunk(const Anatomy& source, const Anatomy& target, Matcher& matcher) {
    if (source.hips < 0 || target.hips < 0) return;
    matcher.match(target.hips, source.hips);
    matcher.distribute(joined(source.hips, source.spine), target.spine, static_cast<double>(target.spine.size()));
    if (!target.spine.empty()) matcher.mark_used(source.spine);
    const int top = source.spine.empty() ? source.hips : source.spine.back();
    if (!source.neck.empty()) {
        matcher.distribute(joined(top, source.neck), target.neck, static_cast<double>(target.neck.size()));
        if (!target.neck.empty() || target.head >= 0) matcher.mark_used(source.neck);
    } else if (source.head >= 0) {
        matcher.distribute({top, source.head}, target.neck, static_cast<double>(target.neck.size()) + 1);
    }
    matcher.match(target.head, source.head);
}

}  // namespace

void apply_pairs(const std::vector<std::pair<int, int>>& pairs, Anatomy& source, Anatomy& target) {
    const std::vector<int*> source_roles = roles_of(source), target_roles = roles_of(target);
    for (const auto& [from, to] : pairs) {
        for (std::size_t role = 0; role < source_roles.size(); ++role) {
            const bool source_knows = *source_roles[role] == from, target_knows = *target_roles[role] == to;
            if (source_knows) *target_roles[role] = to;
            if (target_knows && !source_knows) *source_roles[role] = from;
            if (source_knows || target_knows) break;
        }
    }
}

JointMatching match_joints(const JointTree& source, const Anatomy& source_anatomy, const JointTree& target,
                           const Anatomy& target_anatomy, const std::vector<std::pair<int, int>>& pairs) {
    Matcher matcher(source, target);
    match_trunk(source_anatomy, target_anatomy, matcher);
    Anatomy from = source_anatomy, to = target_anatomy;
    const std::vector<int*> source_roles = roles_of(from), target_roles = roles_of(to);
    for (std::size_t role = 0; role < source_roles.size(); ++role)
        if (*target_roles[role] >= 0 && *source_roles[role] >= 0)
            matcher.match(*target_roles[role], *source_roles[role]);
    matcher.match_equal_names();
    for (const auto& [source_joint, target_joint] : pairs) matcher.match(target_joint, source_joint);
    return matcher.result();
}

}  // namespace fascia
