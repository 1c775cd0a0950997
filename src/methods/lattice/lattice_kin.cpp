#include "methods/lattice/lattice_kin.h"

#include <algorithm>
#include <map>

#include "body/joint_tree.h"

namespace fascia {

namespace {

constexpr int most_rounds = 6;  ///< each halves the distance between unrelated joints

/// A joint and all its ancestors.
std::vector<std::uint16_t> line_of(const std::vector<Joint>& joints, std::size_t joint) {
    std::vector<std::uint16_t> out;
    for (int up = int(joint); up >= 0 && out.size() <= joints.size(); up = joints[std::size_t(up)].parent)
        out.push_back(std::uint16_t(up));
    return out;
}

/// The joints from a up to the common ancestor and down to b. If they are in different trees: from a up to its root.
std::vector<std::uint16_t> way_between(const std::vector<Joint>& joints, std::size_t a, std::size_t b) {
    std::vector<std::uint16_t> up = line_of(joints, a), down = line_of(joints, b);
    for (std::size_t k = 0; k < up.size(); ++k)
        if (const auto meet = std::find(down.begin(), down.end(), up[k]); meet != down.end()) {
            up.resize(k + 1);
            up.insert(up.end(), std::make_reverse_iterator(meet), down.rend());
            return up;
        }
    return up;
}

using Shares = std::map<std::uint16_t, double>;

/// Hands over the weights of unrelated joints to the joint between them; false if there are none. Joints are visited in
/// their own order, whatever their weights are.
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

Kin::Kin(const Character& character) : joints_(character.joints), related_(related_joints(character)) {}

std::uint16_t Kin::between(std::uint16_t a, std::uint16_t b) const {
    const auto [found, fresh] = between_.try_emplace({std::min(a, b), std::max(a, b)}, std::uint16_t{0});
    if (fresh) {
        const auto way = way_between(joints_, found->first.first, found->first.second);
        found->second = way[way.size() / 2];
    }
    return found->second;
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
