// A pose as rotations and places of joints, from which a step's dual quaternions are made.
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

/// The skeleton at rest and who hangs on whom.
struct RestSkeleton {
    std::span<const Affine> inverse_rest;  ///< [joints]
    std::span<const int> parents;          ///< [joints] -1 for a root; parents come first
};

/// Bone scale is taken out: a joint keeps its rotation, and stands from its parent as if the parent were not scaled
/// against the first joint. Flesh swings in this skeleton at its rest size; `stretch_maps` puts the scale back.
void joint_places(std::span<const Affine> pose, const RestSkeleton& rest, std::span<JointPlace> out);

/// From places in the skeleton without scale to the true pose, joint by joint, both about `origin`. False, and nothing
/// written, where no bone is scaled.
bool stretch_maps(std::span<const Affine> pose, const RestSkeleton& rest, std::span<const JointPlace> places,
                  Vec3d origin, std::span<Affine> out);

// q and -q are one rotation, but a bone that has turned by 200 degrees against the next is not one that turned by -160:
// each joint stays on the side of its own quaternion from frame to frame. sides: [joints] +1 or -1 against what
// joint_places gives.
/// The short way from each parent.
void choose_sides(std::span<const int> parents, std::span<JointPlace> places, std::span<float> sides);
/// The short way from `before`, which is on its sides already.
void follow_sides(std::span<const JointPlace> before, std::span<JointPlace> after, std::span<float> sides);
void take_sides(std::span<const float> sides, std::span<JointPlace> places);

/// A frame in which points live: local = turn^-1 (world - origin) / scale, with `turn` a cyclic turn of the axes.
struct PointFrame {
    Vec3d origin;
    double scale = 1;
    int turn = 0;
};

/// A direction of the scene in axes that a cyclic turn has exchanged, and back.
inline Vec3d to_axes(Vec3d v, int turn) {
    return turn == 1 ? Vec3d{v.y, v.z, v.x} : turn == 2 ? Vec3d{v.z, v.x, v.y} : v;
}
inline Vec3d from_axes(Vec3d v, int turn) {
    return turn == 1 ? Vec3d{v.z, v.x, v.y} : turn == 2 ? Vec3d{v.y, v.z, v.x} : v;
}

/// Dual quaternions from rest coordinates to coordinates of the frame: out [joints * 8].
/// pivots: [joints] the joints at rest, in rest coordinates (turned and scaled like the frame, about the rest centre).
void dual_quaternions(std::span<const JointPlace> places, std::span<const Vec3d> pivots, const PointFrame& frame,
                      std::span<float> out);

}  // namespace fascia
