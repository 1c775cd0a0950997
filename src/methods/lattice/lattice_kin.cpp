#include "methods/lattice/lattice_kin.h"

#include <algorithm>
#include <map>

#include "body/joint_tree.h"

namespace fascia {

namespace {

constexpr int most_rounds = 6;  ///< each halves the distance between unrelated joints

using Shares = std::map<std::uint16_t, double>;

/// Hands the weights of unrelated joints to the joint between them; false if there are none. The order of joints is
/// fixed and does not depend on their weights.
bool hand_over(const Kin& kin, Shares& shares) {
    std::vector<std::uint16_t> held;
    for (const auto& [joint, share] : shares)
        if (share > 0) held.push_back(joint);
    bool any = false;
    for (std::size_t i = 0; i < held.size(); ++i)
        for (std::size_t k = i + 1; k < held.size(); ++k) {
            const double common = std::min(shares[held[i]], shares[held[k]]);
            if (kin.related(held[i], held[k]) || !(common > 0)) continue;
            shares[held[i]] -= common;
            shares[held[k]] -= common;
            shares[kin.between(held[i], held[k])] += 2 * common;
            any = true;
        }
    return any;
}

}  // namespace

Kin::Kin(const Character& character) : related_(related_joints(character)) {
    for (const Joint& joint : character.joints) {
        parent_.push_back(joint.parent);
        depth_.push_back(joint.parent < 0 ? 0 : depth_[std::size_t(joint.parent)] + 1);
    }
}

std::uint16_t Kin::above(std::uint16_t joint, int steps) const {
    for (; steps > 0; --steps) joint = std::uint16_t(parent_[joint]);
    return joint;
}

std::uint16_t Kin::between(std::uint16_t a, std::uint16_t b) const {
    if (a > b) std::swap(a, b);
    const auto [found, fresh] = between_.try_emplace({a, b}, std::uint16_t{0});
    if (!fresh) return found->second;
    int x = a, y = b;  // go up until they meet
    while (x != y && x >= 0 && y >= 0) {
        const int deep_x = depth_[std::size_t(x)], deep_y = depth_[std::size_t(y)];
        if (deep_x >= deep_y) x = parent_[std::size_t(x)];
        if (deep_y >= deep_x) y = parent_[std::size_t(y)];
    }
    // In different trees: halfway up to a's root.
    if (x < 0 || y < 0) return found->second = above(a, (depth_[a] + 1) / 2);
    const int up = depth_[a] - depth_[std::size_t(x)], down = depth_[b] - depth_[std::size_t(x)];
    const int half = (up + down + 1) / 2;
    return found->second = half <= up ? above(a, half) : above(b, up + down - half);
}

weights::Influences reconcile(const Kin& kin, const weights::Influences& in) {
    const auto slots = std::size_t(in.slots);
    const std::size_t count = in.weights.size() / slots;
    weights::Influences out;
    out.joints.assign(4 * count, 0);
    out.weights.assign(4 * count, 0);
    for (std::size_t p = 0; p < count; ++p) {
        Shares shares;
        for (std::size_t k = p * slots; k < (p + 1) * slots; ++k)
            if (in.weights[k] > 0) shares[in.joints[k]] += double(in.weights[k]);
        for (int round = 0; round < most_rounds && hand_over(kin, shares); ++round) {
        }
        weights::Mixture mixture;
        for (const auto& [joint, share] : shares)
            if (share > 0) mixture.add(joint, share);
        mixture.store({&out.joints[4 * p], 4}, {&out.weights[4 * p], 4});
    }
    return out;
}

}  // namespace fascia
