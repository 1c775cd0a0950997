// The points of a character's feet that can touch the ground.
#pragma once

#include <vector>

#include "character/anatomy.h"
#include "character/body_frame.h"
#include "character/character_rest.h"

namespace fascia {

struct SolePoint {
    int node = -1;      ///< it moves with this one
    Vec3d place;        ///< at rest, world
    double ground = 0;  ///< its height when it touches the ground
};

/// Outermost surface points of both feet, downwards and in all directions. A foot without a surface is represented by
/// its joints, which are assumed to stand on the ground at rest. Empty without feet.
std::vector<SolePoint> sole_points(const Character& character, const CharacterRest& rest, const Anatomy& anatomy,
                                   const BodyFrame& frame);

}  // namespace fascia
