#include "character/joint_turns.h"

namespace fascia {

namespace {

/// Rotation of a map that may also scale; orthonormalised columns are accurate enough for an angle.
Quat rotation_of(const Affine& map) {
    const auto column = [&](int c) { return Vec3d{map.m[0][c], map.m[1][c], map.m[2][c]}; };
    const Vec3d x = normalized(column(0), {1, 0, 0});
    const Vec3d y = normalized(column(1) - x * dot(column(1), x), {0, 1, 0}), z = cross(x, y);
    const Vec3d columns[3] = {x, y, z};
    Affine r;
    for (int c = 0; c < 3; ++c) r.m[0][c] = columns[c].x, r.m[1][c] = columns[c].y, r.m[2][c] = columns[c].z;
    return quat_from_matrix(r);
}

}  // namespace

JointTurns::JointTurns(const Character& character) : character_(character) {
    for (const Joint& joint : character.joints) inverse_rest_.push_back(inverse(joint.rest));
}

Quat JointTurns::of(std::size_t joint, const Pose& pose) const {
    const auto parent = std::size_t(character_.joints[joint].parent);
    const Affine carried = pose.joints[parent] * inverse_rest_[parent];
    return rotation_of(inverse(carried) * (pose.joints[joint] * inverse_rest_[joint]));
}

}  // namespace fascia
