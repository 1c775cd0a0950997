// Everything that makes a character: a drawing, a skeleton, how they belong together, and how it moves.
#pragma once

#include <string>

#include "fascia/character.h"
#include "moves.h"
#include "sculpture.h"
#include "skeleton.h"
#include "skinning.h"

namespace fascia::characters {

struct Design {
    std::string name;
    Sculpture sculpture;
    Skeleton skeleton;
    Skinning skinning;
    Style style;
};

Design bunny_design();
Design gnome_design();
Design bloat_design();

/// Meshes and skins a design, which may be of any anatomy; without clips.
Character build_still(const Design& design);

/// Meshes, skins and animates a design of two legs.
Character build(const Design& design);

/// One part with one material for the whole surface; the last node carries it.
void add_part_and_material(Character& character);

/// The reference body of the closed-form tests; not sculpted.
Character build_tube();

}  // namespace fascia::characters
