// A pose as rotations and positions of joints, from which the dual quaternions of a step are made.
#pragma once

#include <span>
#include <vector>

#include "fascia/math.h"

namespace fascia {

/// Where a joint carries its surroundings: x -> rotation (x - pivot) * scale + place, where pivot is its rest position.
struct JointPlace {
    Quat rotation;
    Vec3d place;
    double scale = 1;
};

/// The skeleton at rest, and the parent of each joint.
struct RestSkeleton {
    std::span<const Affine> inverse_rest;  ///< [joints]
    std::span<const int> parents;          ///< [joints] -1 for a root; parents come first
};

/// Bone scale is taken out: a joint keeps its rotation, and is placed relative to its parent as if the parent had only
/// the scale of the first joint. Flesh swings in this skeleton at its rest size; `stretch_maps` puts the scale back.
void joint_places(std::span<const Affine> pose, const RestSkeleton& rest, std::span<JointPlace> out);

/// Maps from positions in the skeleton without scale to the true pose, joint by joint, both relative to `origin`.
/// Returns false, and writes nothing, if no bone is scaled.
bool stretch_maps(std::span<const Affine> pose, const RestSkeleton& rest, std::span<const JointPlace> places,
                  Vec3d origin, std::span<Affine> out);

// q and -q are the same rotation, but a bone that has turned by 200 degrees relative to the next has not turned by
// -160: the sign of each joint's quaternion is kept continuous from frame to frame. sides: [joints] +1 or -1, relative
// to the output of joint_places.
/// The sign nearest to the parent's rotation.
void choose_sides(std::span<const int> parents, std::span<JointPlace> places, std::span<float> sides);
/// The sign nearest to `before`, whose signs have already been applied.
void follow_sides(std::span<const JointPlace> before, std::span<JointPlace> after, std::span<float> sides);
void take_sides(std::span<const float> sides, std::span<JointPlace> places);

/// The frame in which points live: local = turn^-1 (world - origin) / scale, where `turn` is a cyclic permutation of
/// the axes.
struct PointFrame {
    Vec3d origin;
    double scale = 1;
    int turn = 0;
};

/// A direction of the scene in the permuted axes, and back.
inline Vec3d to_axes(Vec3d v, int turn) {
    return turn == 1 ? Vec3d{v.y, v.z, v.x} : turn == 2 ? Vec3d{v.z, v.x, v.y} : v;
}
inline Vec3d from_axes(Vec3d v, int turn) {
    return turn == 1 ? Vec3d{v.z, v.x, v.y} : turn == 2 ? Vec3d{v.y, v.z, v.x} : v;
}

/// Dual quaternions from rest coordinates to coordinates of the frame: out [joints * 8]. pivots: [joints] the joints at
/// rest, in rest coordinates (permuted and scaled like the frame, about the rest centre).
void dual_quaternions(std::span<const JointPlace> places, std::span<const Vec3d> pivots, const PointFrame& frame,
                      std::span<float> out);

}  // namespace fascia
