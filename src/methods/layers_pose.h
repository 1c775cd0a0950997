// Poses between frames: each joint as a rotation and a place, from which a step's dual quaternions are made.
#pragma once

#include <span>
#include <vector>

#include "fascia/math.h"

namespace fascia {

/// Where a joint carries its surroundings: x -> rotation (x - pivot) * scale + place, pivot being its rest position.
struct JointPlace {
    Quat rotation;
    Vec3d place;
    double scale = 1;
};

/// inverse_rest: [joints]. Maps that also stretch or shear keep their rotation only.
void joint_places(std::span<const Affine> pose, std::span<const Affine> inverse_rest, std::span<JointPlace> out);

/// Shortest arc and straight line; t in [0, 1].
JointPlace between(const JointPlace& a, const JointPlace& b, double t);

/// Dual quaternions of rest coordinates about a centre to coordinates of the frame: out [joints * 8].
/// pivots: [joints] about the centre. The frame is a place and a scale: local = (world - origin) / scale.
void dual_quaternions(std::span<const JointPlace> places, std::span<const Vec3d> pivots, Vec3d origin, double scale,
                      std::span<float> out);

}  // namespace fascia
