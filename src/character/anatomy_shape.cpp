// The last resort when names say nothing: arms and legs by where the joints are. The body is assumed to stand upright
// along y and to face +z, so that left is +x.
#include <algorithm>
#include <cmath>

#include "character/anatomy.h"

namespace fascia {
namespace {

struct Bounds {
    Vec3d low, high;
    double largest() const { return std::max({high.x - low.x, high.y - low.y, high.z - low.z}); }
};

Bounds bounds_of(const std::vector<Vec3d>& points) {
    Bounds b{points.front(), points.front()};
    for (const Vec3d& p : points) {
        b.low = {std::min(b.low.x, p.x), std::min(b.low.y, p.y), std::min(b.low.z, p.z)};
        b.high = {std::max(b.high.x, p.x), std::max(b.high.y, p.y), std::max(b.high.z, p.z)};
    }
    return b;
}

std::vector<int> leaves_of(const JointTree& skeleton) {
    std::vector<bool> is_parent(skeleton.names.size(), false);
    for (int parent : skeleton.parents)
        if (parent >= 0) is_parent[parent] = true;
    std::vector<int> leaves;
    for (int j = 0; j < skeleton.size(); ++j)
        if (!is_parent[j]) leaves.push_back(j);
    return leaves;
}

/// Two chains that mirror each other, from below the joint where they meet to their ends.
struct MirroredChains {
    int branch = -1;
    std::vector<int> left, right;
    double length = 0;
};

class ShapeSearch {
public:
    explicit ShapeSearch(const JointTree& skeleton) : skeleton_(skeleton), bounds_(bounds_of(skeleton.positions)) {
        for (const Vec3d& p : skeleton.positions) middle_x_ += p.x / skeleton.size();
        tolerance_ = 0.06 * bounds_.largest();
        find_pairs();
    }

    Anatomy run() const {
        Anatomy anatomy;
        anatomy.by_shape = true;
        const MirroredChains* legs = longest([&](const MirroredChains& pair) { return goes_down(pair); });
        const MirroredChains* arms = longest([&](const MirroredChains& pair) {
            return !goes_down(pair) && (!legs || height(pair.branch) > height(legs->branch) - tolerance_);
        });
        if (legs) anatomy.legs = {limb_along(legs->left, true), limb_along(legs->right, true)};
        if (arms) anatomy.arms = {limb_along(arms->left, false), limb_along(arms->right, false)};
        anatomy.head = find_head(arms ? arms->branch : legs ? legs->branch : -1);
        find_trunk(skeleton_, -1, anatomy);
        return anatomy;
    }

private:
    double height(int joint) const { return skeleton_.positions[joint].y; }

    double chain_length(int branch, const std::vector<int>& chain) const {
        double sum = 0;
        Vec3d last = skeleton_.positions[branch];
        for (int joint : chain) {
            sum += length(skeleton_.positions[joint] - last);
            last = skeleton_.positions[joint];
        }
        return sum;
    }

    void find_pairs() {
        const std::vector<int> leaves = leaves_of(skeleton_);
        for (int left : leaves) {
            Vec3d mirrored = skeleton_.positions[left];
            if (mirrored.x < middle_x_ + tolerance_ / 4) continue;
            mirrored.x = 2 * middle_x_ - mirrored.x;
            int right = -1;
            double nearest = tolerance_;
            for (int leaf : leaves) {
                const double distance = length(skeleton_.positions[leaf] - mirrored);
                if (distance >= nearest) continue;
                nearest = distance;
                right = leaf;
            }
            if (right >= 0 && right != left) add_pair(left, right);
        }
    }

    void add_pair(int left, int right) {
        MirroredChains pair;
        pair.branch = skeleton_.common_ancestor(left, right);
        pair.left = skeleton_.path_down(pair.branch, left);
        pair.right = skeleton_.path_down(pair.branch, right);
        if (pair.left.size() < 2 || pair.right.size() < 2) return;
        pair.length = chain_length(pair.branch, pair.left);
        pairs_.push_back(std::move(pair));
    }

    /// Legs end near the lowest joint, well below where they start.
    bool goes_down(const MirroredChains& pair) const {
        const double end = height(pair.left.back()), body = bounds_.high.y - bounds_.low.y;
        return end < bounds_.low.y + 0.2 * body && height(pair.branch) - end > 0.2 * body;
    }

    template <class Wanted>
    const MirroredChains* longest(Wanted wanted) const {
        const MirroredChains* best = nullptr;
        for (const MirroredChains& pair : pairs_)
            if (wanted(pair) && (!best || pair.length > best->length)) best = &pair;
        return best;
    }

    /// The two longest bones in a row are the upper and the lower one.
    Limb limb_along(const std::vector<int>& chain, bool leg) const {
        Limb limb;
        const int count = static_cast<int>(chain.size());
        const auto bone = [&](int i) {
            return length(skeleton_.positions[chain[i + 1]] - skeleton_.positions[chain[i]]);
        };
        int upper = 0;
        for (int i = 1; i + 2 < count; ++i)
            if (bone(i) + bone(i + 1) > bone(upper) + bone(upper + 1)) upper = i;
        if (upper > 0) limb.joints[limb_root] = chain[upper - 1];
        limb.joints[limb_upper] = chain[upper];
        limb.joints[limb_lower] = chain[upper + 1];
        if (upper + 2 < count) limb.joints[limb_end] = chain[upper + 2];
        if (leg && upper + 3 < count) limb.joints[limb_tip] = chain[upper + 3];
        return limb;
    }

    /// The highest end of a chain in the middle, above the arms.
    int find_head(int below) const {
        int head = -1;
        for (int leaf : leaves_of(skeleton_)) {
            if (std::abs(skeleton_.positions[leaf].x - middle_x_) > tolerance_) continue;
            if (below >= 0 && (height(leaf) <= height(below) || !skeleton_.is_above(below, leaf))) continue;
            if (head < 0 || height(leaf) > height(head)) head = leaf;
        }
        return head;
    }

    const JointTree& skeleton_;
    Bounds bounds_;
    double middle_x_ = 0, tolerance_ = 0;
    std::vector<MirroredChains> pairs_;
};

}  // namespace

Anatomy anatomy_from_shape(const JointTree& skeleton) {
    if (skeleton.size() == 0) return {};
    return ShapeSearch(skeleton).run();
}

}  // namespace fascia
