// The parts of a body that can touch the floor, and which node moves which of them.
#pragma once

#include <array>
#include <vector>

#include "character/anatomy.h"
#include "character/character_rest.h"
#include "character/source_contacts.h"

namespace fascia {

/// Parts of the skin: one for each Carrier, and one for everything in between.
enum SkinPart { left_thigh = kCarriers, right_thigh, left_upper_arm, right_upper_arm, kSkinParts };

/// Heights of the lowest point of each part; infinity if a part has none.
using PartHeights = std::array<double, kSkinParts>;

/// [nodes] The part that each node moves: that of the limb joint at or above it, or else the trunk.
std::vector<int> parts_of_nodes(const Character& character, const CharacterRest& rest, const Anatomy& anatomy);

}  // namespace fascia
