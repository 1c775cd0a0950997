// What flesh and weights need to know about a skeleton: its bones, and which joints belong together.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/relations.h"
#include "fascia/character.h"

namespace fascia {

/// One bone from each joint in use to each child in use, or to the joint's tail if it has none. `used` has one entry
/// per joint; empty means all. Bone is any aggregate of two ends and a joint.
template <class Bone>
std::vector<Bone> bones_of(const Character& character, std::span<const std::uint8_t> used = {}) {
    const auto& joints = character.joints;
    const auto in_use = [&](std::size_t j) { return used.empty() || used[j] != 0; };
    std::vector<std::vector<std::size_t>> children(joints.size());
    for (std::size_t k = 0; k < joints.size(); ++k)
        if (joints[k].parent >= 0 && in_use(k)) children[std::size_t(joints[k].parent)].push_back(k);
    std::vector<Bone> bones;
    for (std::size_t j = 0; j < joints.size(); ++j) {
        if (!in_use(j)) continue;
        const Vec3d head = translation_of(joints[j].rest);
        for (const std::size_t k : children[j])
            bones.push_back({head, translation_of(joints[k].rest), std::uint16_t(j)});
        if (children[j].empty()) bones.push_back({head, joints[j].tail, std::uint16_t(j)});
    }
    return bones;
}

/// Related are joints of which one is the other's parent or grandparent: they may hold flesh together. Two legs or two
/// fingers may not.
Relations related_joints(const Character& character);

/// Is `low` the joint `high`, or below it?
bool is_above(const std::vector<int>& parents, std::size_t high, std::size_t low);

/// Parents as the skin suggests them: [joints] -1 for a root. Some rigs attach the handles of feet to the root, though
/// their skin continues that of the shin. So a joint that shares no vertex with any joint above it is attached to the
/// one it shares most with, if that is far from it in the skeleton. All others keep their parents.
std::vector<int> flesh_parents(const Character& character);

}  // namespace fascia
