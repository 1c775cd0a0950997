// How a body stands: which way is up, left and forward, and how long its legs are.
#pragma once

#include "character/anatomy.h"

namespace fascia {

/// The shortest rotation from one direction to another; the identity if either has no direction.
Quat shortest_rotation(Vec3d from, Vec3d to);

struct BodyFrame {
    Quat rotation;  ///< takes x, y, z to the body's left, up and forward
    Vec3d up() const { return rotate(rotation, {0, 1, 0}); }
};

/// Up points from the feet to the hips, left from the right hip and shoulder to the left ones. Since bodies do not
/// stand quite straight, both snap to the nearest axis if they are close to it (`straighten` in radians).
BodyFrame body_frame(const JointTree& skeleton, const Anatomy& anatomy, double straighten_up, double straighten_left);

/// Mean length of both legs from thigh to foot (to the knee if either skeleton has no known foot); 0 without legs.
double leg_length(const JointTree& skeleton, const Anatomy& anatomy, bool to_foot);

/// Feet below hips below head, about in line: a pose that a body can stand in.
bool stands_upright(const JointTree& skeleton, const Anatomy& anatomy);

}  // namespace fascia
