#include "character/anatomy.h"

#include <algorithm>

namespace fascia {
namespace {

using Kind = NameMeaning::Kind;

std::vector<NameMeaning> meanings_of(const JointTree& skeleton) {
    std::vector<NameMeaning> meanings;
    for (const std::string& name : skeleton.names) meanings.push_back(meaning_of_name(name));
    // "left_arm" > "forearm" > "hand": a limb joint whose name has no side takes the side of the limb it hangs on.
    for (int j = 0; j < skeleton.size(); ++j) {
        NameMeaning& meaning = meanings[j];
        const bool sided_part = meaning.kind == Kind::arm || meaning.kind == Kind::leg || meaning.kind == Kind::finger;
        const int parent = skeleton.parents[j];
        if (sided_part && meaning.side == Side::middle && parent >= 0) meaning.side = meanings[parent].side;
    }
    return meanings;
}

/// Searches for the best choice of joints for one limb: the names' scores add up, and every joint must hang below the
/// one before it. A hand, a foot or toes may hang elsewhere (rigs exported with their controls), at a price.
class LimbSearch {
public:
    LimbSearch(const JointTree& skeleton, const std::vector<NameMeaning>& meanings, Kind kind, Side side) {
        std::size_t count[kLimbParts] = {};
        for (int j = 0; j < skeleton.size(); ++j) {
            if (meanings[j].kind != kind || meanings[j].side != side) continue;
            Candidate candidate{j, meanings[j].fit, skeleton.depth(j), {}};
            bool wanted = false;
            for (int part = 0; part < kLimbParts; ++part) {
                if (candidate.fit[part] > 0 && ++count[part] > kMostCandidates) candidate.fit[part] = 0;
                wanted = wanted || candidate.fit[part] > 0;
            }
            if (wanted) candidates_.push_back(candidate);
        }
        add_unnamed_between(skeleton, meanings);
        for (Candidate& candidate : candidates_)
            for (const Candidate& other : candidates_)
                candidate.hangs_below.push_back(other.joint != candidate.joint &&
                                                skeleton.is_above(other.joint, candidate.joint));
    }

    Limb run() {
        choose(0, -1, 0);
        return best_;
    }

private:
    struct Candidate {
        int joint;
        std::array<int, kLimbParts> fit;
        int depth;
        std::vector<bool> hangs_below;  ///< [candidates]
    };

    /// A joint whose name says nothing may still be the elbow between a named arm and a named hand.
    void add_unnamed_between(const JointTree& skeleton, const std::vector<NameMeaning>& meanings) {
        const std::vector<Candidate> named = candidates_;
        const auto is_named = [&](int joint) {
            return std::any_of(named.begin(), named.end(), [&](const Candidate& c) { return c.joint == joint; });
        };
        for (const Candidate& lower : named) {
            std::vector<Candidate> between;
            int joint = skeleton.parents[lower.joint];
            while (joint >= 0 && !is_named(joint) && between.size() <= kMostCandidates) {
                if (meanings[joint].kind == Kind::unknown)
                    between.push_back({joint, {0, 1, 1, 0, 0}, skeleton.depth(joint), {}});
                joint = skeleton.parents[joint];
            }
            if (joint < 0 || between.size() > kMostCandidates) continue;
            candidates_.insert(candidates_.end(), between.begin(), between.end());
        }
    }

    // A name like "leg" on hundreds of joints must not make the search take forever.
    static constexpr std::size_t kMostCandidates = 10;
    static constexpr double kDetachedPrice = 6;
    static constexpr double kDepthPrice = 0.01;  // of equal fits take the upper joint: the lower one is a twist joint

    void choose(int part, int above, double score) {
        if (part == kLimbParts) {
            if (score > best_score_ && limb_.is_found()) {
                best_score_ = score;
                best_ = limb_;
            }
            return;
        }
        for (std::size_t c = 0; c < candidates_.size(); ++c) {
            const Candidate& candidate = candidates_[c];
            if (candidate.fit[part] == 0) continue;
            const bool below = above < 0 || candidate.hangs_below[above];
            if (!below && (part < limb_end || is_chosen(candidate.joint))) continue;
            limb_.joints[part] = candidate.joint;
            const double gain = candidate.fit[part] - kDepthPrice * candidate.depth - (below ? 0 : kDetachedPrice);
            choose(part + 1, static_cast<int>(c), score + gain);
            limb_.joints[part] = -1;
        }
        choose(part + 1, above, score);
    }

    bool is_chosen(int joint) const {
        return std::find(limb_.joints.begin(), limb_.joints.end(), joint) != limb_.joints.end();
    }

    std::vector<Candidate> candidates_;
    Limb limb_, best_;
    double best_score_ = 0;
};

/// The topmost joint of this kind, -1 for none.
int topmost(const JointTree& skeleton, const std::vector<NameMeaning>& meanings, Kind kind) {
    int best = -1, best_depth = 0;
    for (int j = 0; j < skeleton.size(); ++j) {
        if (meanings[j].kind != kind || meanings[j].side != Side::middle) continue;
        const int depth = skeleton.depth(j);
        if (best >= 0 && depth >= best_depth) continue;
        best = j;
        best_depth = depth;
    }
    return best;
}

/// Bones of each finger by their numbers; a finger without numbers is in the order of the joints.
void find_fingers(const std::vector<NameMeaning>& meanings, Anatomy& anatomy) {
    for (int j = 0; j < static_cast<int>(meanings.size()); ++j) {
        const NameMeaning& meaning = meanings[j];
        const bool usable =
            meaning.kind == Kind::finger && meaning.finger != any_finger && meaning.side != Side::middle;
        if (!usable || meaning.number > 3) continue;
        int& slot = anatomy.fingers[static_cast<int>(meaning.side)][meaning.finger][std::max(meaning.number, 1) - 1];
        if (slot < 0) slot = j;
    }
}

/// The uppermost known joint of a limb.
int limb_base(const Limb& limb) {
    return limb[limb_root] >= 0 ? limb[limb_root] : limb[limb_upper];
}

int common_base(const JointTree& skeleton, const std::array<Limb, 2>& limbs) {
    const int left = limb_base(limbs[0]), right = limb_base(limbs[1]);
    if (left < 0 || right < 0) return -1;
    return skeleton.common_ancestor(left, right);
}

Anatomy anatomy_from_names(const JointTree& skeleton, const std::vector<NameMeaning>& meanings) {
    Anatomy anatomy;
    for (Side side : {Side::left, Side::right}) {
        const int s = static_cast<int>(side);
        anatomy.arms[s] = LimbSearch(skeleton, meanings, Kind::arm, side).run();
        anatomy.legs[s] = LimbSearch(skeleton, meanings, Kind::leg, side).run();
    }
    anatomy.head = topmost(skeleton, meanings, Kind::head);
    if (anatomy.head < 0) {
        // "neck 1", "neck 2" and no head: the last one carries the head.
        for (int j = 0; j < skeleton.size(); ++j)
            if (meanings[j].kind == Kind::neck) anatomy.head = j;
    }
    find_fingers(meanings, anatomy);
    find_trunk(skeleton, topmost(skeleton, meanings, Kind::hips), anatomy);
    return anatomy;
}

}  // namespace

Anatomy::Anatomy() {
    for (auto& hand : fingers)
        for (auto& finger : hand) finger = {-1, -1, -1};
}

int Anatomy::limbs_found() const {
    int count = 0;
    for (int s = 0; s < 2; ++s) count += arms[s].is_found() + legs[s].is_found();
    return count;
}

void find_trunk(const JointTree& skeleton, int named_hips, Anatomy& anatomy) {
    const int legs_meet = common_base(skeleton, anatomy.legs);
    const int arms_meet = common_base(skeleton, anatomy.arms);
    anatomy.hips = legs_meet;
    const bool named_fits = named_hips >= 0 && (legs_meet < 0 || skeleton.is_above(named_hips, legs_meet));
    if (named_fits) anatomy.hips = named_hips;
    if (anatomy.hips < 0) return;
    const bool arms_above = arms_meet >= 0 && skeleton.is_above(anatomy.hips, arms_meet);
    int top = arms_above ? arms_meet : anatomy.hips;
    anatomy.spine = skeleton.path_down(anatomy.hips, top);
    if (anatomy.head < 0 || !skeleton.is_above(anatomy.hips, anatomy.head)) return;
    const int branch = skeleton.common_ancestor(top, anatomy.head);
    std::vector<int> to_head = skeleton.path_down(branch, anatomy.head);
    if (to_head.empty()) return;
    to_head.pop_back();  // the head itself
    if (arms_above) {
        anatomy.neck = to_head;
        return;
    }
    // Without arms to show where the spine ends, everything not called a neck is spine.
    for (int joint : to_head) {
        const bool neck = meaning_of_name(skeleton.names[joint]).kind == Kind::neck;
        (neck ? anatomy.neck : anatomy.spine).push_back(joint);
    }
}

Anatomy find_anatomy(const JointTree& skeleton) {
    Anatomy named = anatomy_from_names(skeleton, meanings_of(skeleton));
    if (named.has_legs() || named.has_arms()) return named;
    Anatomy shaped = anatomy_from_shape(skeleton);
    return shaped.limbs_found() > named.limbs_found() ? shaped : named;
}

Anatomy anatomy_from_humanoid(const JointTree& skeleton, const std::vector<std::pair<std::string, int>>& bones) {
    // The bones' names say everything; the joints' own names are ignored.
    std::vector<NameMeaning> meanings(skeleton.names.size());
    for (const auto& [bone, joint] : bones) meanings[joint] = meaning_of_name(bone);
    return anatomy_from_names(skeleton, meanings);
}

}  // namespace fascia
