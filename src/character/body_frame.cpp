#include "character/body_frame.h"

#include <algorithm>
#include <cmath>

namespace fascia {
namespace {

Vec3d nearest_axis(Vec3d v) {
    const double ax = std::abs(v.x), ay = std::abs(v.y), az = std::abs(v.z);
    if (ay >= ax && ay >= az) return {0, v.y < 0 ? -1.0 : 1.0, 0};
    if (ax >= az) return {v.x < 0 ? -1.0 : 1.0, 0, 0};
    return {0, 0, v.z < 0 ? -1.0 : 1.0};
}

Vec3d straightened(Vec3d unit, double angle) {
    const Vec3d axis = nearest_axis(unit);
    return dot(unit, axis) > std::cos(angle) ? axis : unit;
}

Vec3d foot_of(const JointTree& skeleton, const Limb& leg) {
    const int joint = leg[limb_end] >= 0 ? leg[limb_end] : leg[limb_lower];
    return skeleton.positions[joint];
}

/// From the feet to the thighs; the zero vector without legs.
Vec3d legs_upwards(const JointTree& skeleton, const Anatomy& anatomy) {
    Vec3d up;
    for (const Limb& leg : anatomy.legs)
        if (leg.is_found()) up += normalized(skeleton.positions[leg[limb_upper]] - foot_of(skeleton, leg));
    return up;
}

Vec3d trunk_upwards(const JointTree& skeleton, const Anatomy& anatomy) {
    int top = anatomy.head;
    if (top < 0 && !anatomy.spine.empty()) top = anatomy.spine.back();
    if (top < 0 || anatomy.hips < 0) return {};
    return skeleton.positions[top] - skeleton.positions[anatomy.hips];
}

Vec3d leftwards(const JointTree& skeleton, const Anatomy& anatomy) {
    Vec3d left;
    for (const auto* limbs : {&anatomy.legs, &anatomy.arms}) {
        const int l = (*limbs)[0][limb_upper], r = (*limbs)[1][limb_upper];
        if (l >= 0 && r >= 0) left += normalized(skeleton.positions[l] - skeleton.positions[r]);
    }
    return left;
}

Quat rotation_with_columns(Vec3d x, Vec3d y, Vec3d z) {
    Affine a;
    const Vec3d columns[3] = {x, y, z};
    for (int c = 0; c < 3; ++c) {
        a.m[0][c] = columns[c].x;
        a.m[1][c] = columns[c].y;
        a.m[2][c] = columns[c].z;
    }
    return quat_from_matrix(a);
}

}  // namespace

Quat shortest_rotation(Vec3d from, Vec3d to) {
    const Vec3d a = normalized(from), b = normalized(to);
    if (length(a) == 0 || length(b) == 0) return {};
    const double cosine = dot(a, b);
    if (cosine < -1 + 1e-9) {
        // Opposite directions: any perpendicular axis will do. Take the one nearest to z, so that an arm turns in the
        // body's plane.
        const Vec3d across = std::abs(a.z) < 0.9 ? cross(cross(a, Vec3d{0, 0, 1}), a) : cross(a, Vec3d{1, 0, 0});
        const Vec3d axis = normalized(across);
        return {0, axis.x, axis.y, axis.z};
    }
    const Vec3d axis = cross(a, b);
    return normalized(Quat{1 + cosine, axis.x, axis.y, axis.z});
}

BodyFrame body_frame(const JointTree& skeleton, const Anatomy& anatomy, double straighten_up, double straighten_left) {
    Vec3d up = legs_upwards(skeleton, anatomy);
    if (!(length(up) > 1e-3)) up = trunk_upwards(skeleton, anatomy);
    up = straightened(normalized(up, {0, 1, 0}), straighten_up);
    const Vec3d wanted = leftwards(skeleton, anatomy);
    Vec3d left = wanted - up * dot(wanted, up);
    if (!(length(left) > 1e-3)) {
        // Nothing tells left from right: take x, or the direction across `up` that is nearest to it.
        const Vec3d x = std::abs(up.x) < 0.9 ? Vec3d{1, 0, 0} : Vec3d{0, 0, -1};
        left = x - up * dot(x, up);
    }
    left = straightened(normalized(left), straighten_left);
    left = normalized(left - up * dot(left, up));
    return {rotation_with_columns(left, up, cross(left, up))};
}

double leg_length(const JointTree& skeleton, const Anatomy& anatomy, bool to_foot) {
    double sum = 0;
    int count = 0;
    for (const Limb& leg : anatomy.legs) {
        if (!leg.is_found() || (to_foot && leg[limb_end] < 0)) continue;
        const Vec3d knee = skeleton.positions[leg[limb_lower]];
        sum += length(skeleton.positions[leg[limb_upper]] - knee);
        if (to_foot) sum += length(skeleton.positions[leg[limb_end]] - knee);
        ++count;
    }
    return count > 0 ? sum / count : 0;
}

bool stands_upright(const JointTree& skeleton, const Anatomy& anatomy) {
    const Vec3d legs = normalized(legs_upwards(skeleton, anatomy));
    const Vec3d trunk = normalized(trunk_upwards(skeleton, anatomy));
    if (length(legs) == 0 || length(trunk) == 0) return true;  // nothing contradicts it
    constexpr double kInLine = 0.6;
    return dot(legs, trunk) > kInLine && length(legs_upwards(skeleton, anatomy)) > 2 * kInLine;
}

}  // namespace fascia
