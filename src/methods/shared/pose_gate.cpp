#include "methods/shared/pose_gate.h"

#include <algorithm>
#include <cmath>

namespace fascia {

namespace {

/// Beyond this, squares of float coordinates overflow.
constexpr double largest = 1e15;

bool fits_float(const Affine& a) {
    for (const auto& row : a.m)
        for (const double v : row)
            if (!(std::abs(v) <= largest)) return false;  // also refuses NaN
    return true;
}

bool same_bits(const Affine& a, const Affine& b) {
    return std::equal(&a.m[0][0], &a.m[0][0] + 12, &b.m[0][0]);
}

/// Multiplies by the transpose of the linear part.
Vec3d transposed_vector(const Affine& a, Vec3d v) {
    return {a.m[0][0] * v.x + a.m[1][0] * v.y + a.m[2][0] * v.z, a.m[0][1] * v.x + a.m[1][1] * v.y + a.m[2][1] * v.z,
            a.m[0][2] * v.x + a.m[1][2] * v.y + a.m[2][2] * v.z};
}

}  // namespace

PoseGate::PoseGate(std::span<const Joint> joints) {
    for (const Joint& joint : joints) {
        rest_.push_back(joint.rest);
        parent_.push_back(joint.parent);
        mirrored_.push_back(determinant(joint.rest) < 0);
        const int p = joint.parent;
        const bool has_parent = p >= 0 && std::size_t(p) < joints.size();
        arm_.push_back(has_parent ? transform_point(inverse(joints[std::size_t(p)].rest), translation_of(joint.rest))
                                  : Vec3d{});
    }
}

bool PoseGate::looks_transposed(std::span<const Affine> pose) const {
    bool at_origin = true, arms = false;
    std::size_t exchanged = 0;
    for (std::size_t j = 0; j < std::min(pose.size(), size()); ++j) {
        const Vec3d there = translation_of(pose[j]);
        at_origin = at_origin && there == Vec3d{};
        const double reach = length(arm_[j]);
        if (reach == 0 || parent_[j] < 0 || std::size_t(parent_[j]) >= pose.size()) continue;
        arms = true;
        const Affine& parent = pose[std::size_t(parent_[j])];
        const auto gap = [&](Vec3d way) { return length(translation_of(parent) + way - there); };
        const Vec3d way = transform_vector(parent, arm_[j]), other = transposed_vector(parent, arm_[j]);
        const double apart = length(way - other), close = 1e-3 * length(way);
        if (!(apart > 10 * close)) continue;
        if (gap(way) <= close) return false;
        exchanged += gap(other) <= close;
    }
    return exchanged >= std::min<std::size_t>(2, size() - 1) ? exchanged > 0 : arms && at_origin;
}

bool PoseGate::accepts(std::size_t joint, const Affine& pose) const {
    return fits_float(pose) && is_invertible(pose) && (determinant(pose) < 0) == mirrored_[joint];
}

void PoseGate::make(State& state) const {
    state.joints = rest_;
    state.previous_joints = rest_;
}

void PoseGate::advance(std::span<const Affine> joints, State& state) const {
    // If the State was never made: start from rest rather than read past its end.
    if (state.joints.size() != size() || state.previous_joints.size() != size()) make(state);
    state.previous_joints.swap(state.joints);
    const std::vector<Affine>& last = state.previous_joints;
    for (std::size_t j = 0; j < size(); ++j) {
        if (j < joints.size() && accepts(j, joints[j])) {
            state.joints[j] = joints[j];
            continue;
        }
        ++state.counters.refused_poses;
        const int p = parent_[j];
        const bool has_parent = p >= 0 && static_cast<std::size_t>(p) < j;
        state.joints[j] = has_parent ? state.joints[p] * inverse(last[p]) * last[j] : last[j];
    }
    state.counters.transposed_poses += looks_transposed(joints);
    const bool still = std::equal(last.begin(), last.end(), state.joints.begin(), same_bits);
    state.still_frames = still ? state.still_frames + 1 : 0;
}

void PoseGate::reset(std::span<const Affine> joints, State& state) const {
    advance(joints, state);
    state.previous_joints = state.joints;
    state.still_frames = 0;
}

}  // namespace fascia
