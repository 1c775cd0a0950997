// An arm or a leg that reaches for a point.
#pragma once

#include "fascia/math.h"

namespace fascia {

/// Two bones end to end: from `top` through `middle` (the elbow or the knee) to `end`.
struct TwoBones {
    Vec3d top, middle, end;
};

struct BoneTurns {
    Quat upper, lower;  ///< turn each bone from its present to its new direction, in the world
};

/// Along the axis about which the lower bone is bent relative to the upper one; as long as the sine of the angle.
Vec3d bend_of(const TwoBones& limb);

/// The axis about which the lower bone bends relative to the upper one. A straight limb has none, so `usual_hinge`
/// (unit) says which way it would bend; it also outweighs the few degrees by which captured knees bend backwards.
Vec3d hinge_of(const TwoBones& limb, Vec3d usual_hinge);

/// By how much the joint in the middle must bend (or stretch, if negative) for the end to be as far from the top as
/// `goal`, or as far as the bones reach; 0 for bones without length. Near straight, the bend changes without bound with
/// the distance; there the result is eased and may miss the distance by up to a five-hundredth of the limb.
double bend_to_reach(const TwoBones& limb, Vec3d goal);

/// Turns that bend the joint by `bend` and bring the end into the direction of `goal`. The limb swings as little as
/// possible and keeps the plane it bends in. The identity for bones without length, and for a goal at `top`.
BoneTurns bent_towards(const TwoBones& limb, Vec3d goal, double bend, Vec3d hinge);

}  // namespace fascia
