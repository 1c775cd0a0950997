#include "character/character_rest.h"

#include "fascia/pose.h"

namespace fascia {
namespace {

CharacterRest::Local default_local(const Node& node) {
    CharacterRest::Local local{node.translation, node.rotation, node.scale, node.matrix.has_value(), {}};
    if (node.matrix) local.matrix = *node.matrix;
    return local;
}

/// `bound` split into translation, rotation and scale; the file's default transform if it cannot be split.
CharacterRest::Local local_at_rest(const Node& node, const Affine& bound) {
    CharacterRest::Local local = default_local(node);
    if (local.fixed || !is_invertible(bound)) return local;
    CharacterRest::Local split;
    if (decompose(bound, split.translation, split.rotation, split.scale)) return split;
    return local;
}

void collect_skeleton(const Character& character, CharacterRest& rest) {
    std::vector<bool> wanted(character.nodes.size(), false);
    std::vector<std::string> names;
    for (const Node& node : character.nodes) names.push_back(node.name);
    for (const Joint& joint : character.joints) {
        wanted[joint.node] = true;
        names[joint.node] = joint.name;  // never empty, unlike the node's
    }
    for (const HumanoidBone& bone : character.humanoid)
        if (bone.node >= 0 && bone.node < static_cast<int>(wanted.size())) wanted[bone.node] = true;
    rest.joint_of_node.assign(character.nodes.size(), -1);
    for (std::size_t n = 0; n < character.nodes.size(); ++n) {
        if (!wanted[n]) continue;
        int above = character.nodes[n].parent;
        while (above >= 0 && !wanted[above]) above = character.nodes[above].parent;
        rest.joint_of_node[n] = rest.skeleton.size();
        rest.nodes.push_back(static_cast<int>(n));
        rest.skeleton.names.push_back(names[n]);
        rest.skeleton.parents.push_back(above < 0 ? -1 : rest.joint_of_node[above]);
        rest.skeleton.positions.push_back(translation_of(rest.world[n]));
    }
}

}  // namespace

CharacterRest rest_of(const Character& character) {
    CharacterRest rest;
    const Pose bound = rest_pose(character);
    std::vector<bool> is_joint(character.nodes.size(), false);
    for (const Joint& joint : character.joints) is_joint[joint.node] = true;
    for (std::size_t n = 0; n < character.nodes.size(); ++n) {
        const Node& node = character.nodes[n];
        const Affine parent = node.parent >= 0 ? rest.world[node.parent] : Affine{};
        rest.locals.push_back(is_joint[n] ? local_at_rest(node, inverse(parent) * bound.nodes[n])
                                          : default_local(node));
        rest.world.push_back(parent * rest.locals.back().composed());
    }
    collect_skeleton(character, rest);
    return rest;
}

Anatomy anatomy_of(const Character& character, const CharacterRest& rest) {
    std::vector<std::pair<std::string, int>> bones;
    for (const HumanoidBone& bone : character.humanoid) {
        const bool known = bone.node >= 0 && bone.node < static_cast<int>(rest.joint_of_node.size());
        if (known) bones.emplace_back(bone.bone, rest.joint_of_node[bone.node]);
    }
    return bones.empty() ? find_anatomy(rest.skeleton) : anatomy_from_humanoid(rest.skeleton, bones);
}

}  // namespace fascia
