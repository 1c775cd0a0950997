// The pose a character was bound in, as local transforms of its nodes: what retargeting starts from. The file's default
// pose may differ from it.
#pragma once

#include <vector>

#include "character/anatomy.h"
#include "character/joint_tree.h"
#include "fascia/character.h"

namespace fascia {

struct CharacterRest {
    struct Local {
        Vec3d translation;
        Quat rotation;
        Vec3d scale{1, 1, 1};
        bool fixed = false;  ///< a sheared matrix: no clip can move this node
        Affine matrix;       ///< when fixed
        Affine composed() const { return fixed ? matrix : compose(translation, rotation, scale); }
    };
    std::vector<Local> locals;  ///< [nodes]
    std::vector<Affine> world;  ///< [nodes]

    JointTree skeleton;              ///< nodes that are joints or bones of a humanoid map
    std::vector<int> nodes;          ///< [skeleton] index in Character::nodes
    std::vector<int> joint_of_node;  ///< [nodes] index in `skeleton`, or -1
};

CharacterRest rest_of(const Character& character);

/// By the file's humanoid map if it has one, or else by names and places.
Anatomy anatomy_of(const Character& character, const CharacterRest& rest);

}  // namespace fascia
