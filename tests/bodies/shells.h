// Closed shells that are added to a body by hand: boxes and balls, each on one joint.
#pragma once

#include "fascia/character.h"
#include "sculpture.h"

namespace fascia::test {

/// A box with `cuts` quads along each side, turned by `turn`.
struct Plate {
    Vec3d centre, half;
    Quat turn = {};
    int cuts = 3;
};
void add_plate(Character& character, const Plate& plate, int joint, characters::Color color);

struct Ball {
    Vec3d centre;
    double radius;
};
/// pupil: colour of what looks along +z.
void add_ball(Character& character, const Ball& ball, int joint, characters::Color color, characters::Color pupil);

}  // namespace fascia::test
