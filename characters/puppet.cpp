#include "puppet.h"

#include <algorithm>
#include <cmath>

namespace fascia::characters {
namespace {

struct Frame {
    Vec3d along, side;
};

/// The rotation that takes one orthonormal frame to another.
Quat between(Frame from, Frame to) {
    const Vec3d a[3] = {from.along, from.side, cross(from.along, from.side)};
    const Vec3d b[3] = {to.along, to.side, cross(to.along, to.side)};
    Affine m;
    const auto part = [](Vec3d v, int i) { return i == 0 ? v.x : i == 1 ? v.y : v.z; };
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
            m.m[r][c] = part(b[0], r) * part(a[0], c) + part(b[1], r) * part(a[1], c) + part(b[2], r) * part(a[2], c);
    return quat_from_matrix(m);
}

Vec3d without(Vec3d v, Vec3d unit) {
    return v - unit * dot(v, unit);
}

}  // namespace

Puppet::Puppet(const Skeleton& skeleton) : skeleton_(skeleton), turns_(skeleton.bones().size()) {}

void Puppet::turn(const std::string& joint, Quat rotation) {
    const int bone = skeleton_.find(joint);
    if (bone < 0) return;
    Quat& q = turns_[static_cast<std::size_t>(bone)];
    q = rotation * q;
}

void Puppet::turn_both(const std::string& left_joint, Quat rotation) {
    turn(left_joint, rotation);
    turn(other_side(left_joint), mirrored(rotation));
}

Quat Puppet::rotation(int bone) const {
    Quat q;
    for (int b = bone; b >= 0; b = skeleton_.bone(b).parent) q = turns_[static_cast<std::size_t>(b)] * q;
    return q;
}

Vec3d Puppet::position(int bone) const {
    Vec3d p;
    for (int b = bone; b >= 0; b = skeleton_.bone(b).parent) {
        const int parent = skeleton_.bone(b).parent;
        const Vec3d offset = skeleton_.bone(b).head - (parent < 0 ? Vec3d{} : skeleton_.bone(parent).head);
        p = (b == bone ? p : rotate(turns_[static_cast<std::size_t>(b)], p)) + offset;
    }
    return p + hips_offset;
}

Vec3d Puppet::position(const std::string& joint) const {
    return position(skeleton_.find(joint));
}
Quat Puppet::rotation(const std::string& joint) const {
    return rotation(skeleton_.find(joint));
}

void Puppet::stand(int bone, Quat wanted) {
    const int parent = skeleton_.bone(bone).parent;
    turns_[static_cast<std::size_t>(bone)] = parent < 0 ? wanted : normalized(conjugate(rotation(parent)) * wanted);
}
void Puppet::stand(const std::string& joint, Quat wanted) {
    stand(skeleton_.find(joint), wanted);
}

void Puppet::reach(const std::string& upper, const std::string& lower, const std::string& end, Vec3d target,
                   Vec3d pole) {
    const int first = skeleton_.find(upper), second = skeleton_.find(lower);
    const Vec3d rest1 = skeleton_.bone(lower).head - skeleton_.bone(upper).head;
    const Vec3d rest2 = skeleton_.bone(end).head - skeleton_.bone(lower).head;
    const double l1 = length(rest1), l2 = length(rest2);
    const Vec3d hip = position(first);
    const Vec3d to_target = target - hip;
    const double distance = std::clamp(length(to_target), std::abs(l1 - l2) * 1.02 + 1e-6, (l1 + l2) * 0.9995);
    const Vec3d axis = normalized(to_target, {0, -1, 0});
    const Vec3d bend = normalized(without(pole, axis), {0, 0, 1});
    // Law of cosines: how far along the axis the middle joint lies, and how far off it.
    const double along = (l1 * l1 - l2 * l2 + distance * distance) / (2 * distance);
    const double off = std::sqrt(std::max(0.0, l1 * l1 - along * along));
    const Vec3d knee = hip + axis * along + bend * off;
    const Vec3d foot = hip + axis * distance;

    // The hinge is square to the plane of the bend; at rest it is the x axis.
    const Vec3d hinge = cross(axis, bend);
    const auto aim = [&](int bone, Vec3d rest, Vec3d now) {
        const Vec3d from = normalized(rest), to = normalized(now);
        const Vec3d rest_hinge = normalized(without(cross(from, Vec3d{0, 0, 1}), from), {1, 0, 0});
        stand(bone, between({from, rest_hinge}, {to, normalized(without(hinge, to))}));
    };
    aim(first, rest1, knee - hip);
    aim(second, rest2, foot - knee);
}

}  // namespace fascia::characters
