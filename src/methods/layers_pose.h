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

/// A frame in which points live: local = turn^-1 (world - origin) / scale, with `turn` a cyclic turn of the axes.
struct PointFrame {
    Vec3d origin;
    double scale = 1;
    int turn = 0;
};

/// Dual quaternions from rest coordinates to coordinates of the frame: out [joints * 8].
/// pivots: [joints] the joints at rest, in rest coordinates (turned and scaled like the frame, about the rest centre).
void dual_quaternions(std::span<const JointPlace> places, std::span<const Vec3d> pivots, const PointFrame& frame,
                      std::span<float> out);

}  // namespace fascia
