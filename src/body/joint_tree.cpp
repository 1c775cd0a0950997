#include "body/joint_tree.h"

#include <algorithm>
#include <map>

namespace fascia {

namespace {

/// A weight below this does not count as skin that two joints share.
constexpr double least_share = 0.5;
/// Joints this close in the tree share skin as neighbours do: hips, shoulders, the roots of fingers.
constexpr int near_steps = 3;

/// A joint with which another one shares skin, and the weight that they share, summed over the vertices.
struct SharedSkin {
    std::size_t joint = 0;
    double weight = 0;
};

/// [joints] the joints with which each shares skin, ascending. Few pairs share any.
std::vector<std::vector<SharedSkin>> shared_skin(const Character& character) {
    const std::size_t n = character.joints.size(), slots = std::size_t(character.weights.influences);
    const auto& joints = character.weights.joints;
    const auto& weights = character.weights.weights;
    std::vector<std::map<std::size_t, double>> sums(n);
    for (std::size_t v = 0; v + slots <= weights.size() && slots > 0; v += slots)
        for (std::size_t a = v; a < v + slots; ++a)
            for (std::size_t b = v; b < v + slots; ++b)
                if (const float common = std::min(weights[a], weights[b]); a != b && common > 0)
                    sums[joints[a]][joints[b]] += double(common);
    std::vector<std::vector<SharedSkin>> out(n);
    for (std::size_t j = 0; j < n; ++j)
        for (const auto& [other, weight] : sums[j]) out[j].push_back({other, weight});
    return out;
}

/// Steps from one joint to the other through the tree.
int steps_between(const std::vector<int>& parents, std::size_t a, std::size_t b) {
    int steps = 0;
    for (int up = int(a); up >= 0 && !is_above(parents, std::size_t(up), b); up = parents[std::size_t(up)]) ++steps;
    for (int up = int(b); up >= 0 && !is_above(parents, std::size_t(up), a); up = parents[std::size_t(up)]) ++steps;
    return steps;
}

/// How many joints are at or below one.
std::size_t family_size(const std::vector<int>& parents, std::size_t joint) {
    std::size_t out = 0;
    for (std::size_t k = 0; k < parents.size(); ++k) out += is_above(parents, joint, k);
    return out;
}

/// The highest joint at or above `low` that is not also above `other`.
std::size_t own_branch(const std::vector<int>& parents, std::size_t low, std::size_t other) {
    std::size_t at = low;
    while (parents[at] >= 0 && !is_above(parents, std::size_t(parents[at]), other)) at = std::size_t(parents[at]);
    return at;
}

}  // namespace

bool is_above(const std::vector<int>& parents, std::size_t high, std::size_t low) {
    std::size_t left = parents.size();
    for (int up = int(low); up >= 0 && left-- > 0; up = parents[std::size_t(up)])
        if (std::size_t(up) == high) return true;
    return false;
}

std::vector<int> flesh_parents(const Character& character) {
    const std::size_t n = character.joints.size();
    const std::vector<std::vector<SharedSkin>> shared = shared_skin(character);
    std::vector<int> parents;
    for (const Joint& joint : character.joints) parents.push_back(joint.parent);
    for (std::size_t j = 0; j < n; ++j) {
        bool held_above = false;
        std::size_t best = j;
        double most = 0;
        for (const auto& [k, weight] : shared[j]) {
            if (k == j || weight < least_share) continue;
            held_above |= is_above(parents, k, j);
            if (!is_above(parents, j, k) && weight > most) best = k, most = weight;
        }
        // Of two branches, the smaller one is the handle.
        if (!held_above && best != j && steps_between(parents, j, best) > near_steps &&
            family_size(parents, j) <= family_size(parents, own_branch(parents, best, j)))
            parents[j] = int(best);
    }
    return parents;
}

Relations related_joints(const Character& character) {
    const std::size_t n = character.joints.size();
    Relations::Pairs pairs;
    for (std::size_t j = 0; j < n; ++j) {
        int ancestor = character.joints[j].parent;
        for (int up = 1; up <= 2 && ancestor >= 0; ++up) {
            pairs.emplace_back(std::uint16_t(j), std::uint16_t(ancestor));
            ancestor = character.joints[std::size_t(ancestor)].parent;
        }
    }
    return Relations(n, std::move(pairs));
}

}  // namespace fascia
