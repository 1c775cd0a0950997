// The part of a character that binding reads.
#pragma once

#include "fascia/character.h"

namespace fascia {

/// Name, joints, surface and weights, to be changed before a bind; pictures, clips and the file itself are left out.
inline Character body_of(const Character& character) {
    Character out;
    out.name = character.name;
    out.joints = character.joints;
    out.mesh = character.mesh;
    out.weights = character.weights;
    out.materials = character.materials;
    return out;
}

}  // namespace fascia
