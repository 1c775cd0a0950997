// How a body stands: which way is up, left and forward, and how long its legs are.
#pragma once

#include "character/anatomy.h"

namespace fascia {

/// The shortest rotation from one direction to another; the identity where either has no direction.
Quat shortest_rotation(Vec3d from, Vec3d to);

struct BodyFrame {
    Quat rotation;  ///< takes x, y, z to the body's left, up and forward
    Vec3d up() const { return rotate(rotation, {0, 1, 0}); }
};

/// Up is from the feet to the hips, left from the right hip and shoulder to the left ones. Both are straightened to the
/// nearest axis where they almost lie on it (`straighten` in radians), since bodies do not stand quite straight.
BodyFrame body_frame(const Skeleton& skeleton, const Anatomy& anatomy, double straighten_up, double straighten_left);

/// Both legs' mean length from thigh to foot (to knee where a foot is unknown to either); 0 without legs.
double leg_length(const Skeleton& skeleton, const Anatomy& anatomy, bool to_foot);

/// Feet below hips below head, about in line: a pose that a body can stand in.
bool stands_upright(const Skeleton& skeleton, const Anatomy& anatomy);

}  // namespace fascia
