// An arm or a leg that reaches for a place.
#pragma once

#include "fascia/math.h"

namespace fascia {

/// Two bones end to end: from `top` over `middle` (the elbow or the knee) to `end`.
struct TwoBones {
    Vec3d top, middle, end;
};

struct BoneTurns {
    Quat upper, lower;  ///< what turns each bone from where it is to where it should be, in the world
};

/// The axis about which the lower bone bends against the upper one. A straight limb has none, so `usual_hinge` (unit)
/// says which way it would bend; it also outweighs the few degrees by which captured knees bend backwards.
Vec3d hinge_of(const TwoBones& limb, Vec3d usual_hinge);

/// Turns that bring the end to `goal`, or as near as the bones reach. The limb swings as little as possible and keeps
/// to the plane that it bends in. The identity for bones without length and for a goal at the top.
BoneTurns reach_for(const TwoBones& limb, Vec3d goal, Vec3d hinge);

}  // namespace fascia
