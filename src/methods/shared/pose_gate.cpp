#include "methods/shared/pose_gate.h"

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

}  // namespace

PoseGate::PoseGate(std::span<const Joint> joints) {
    for (const Joint& joint : joints) {
        rest_.push_back(joint.rest);
        parent_.push_back(joint.parent);
        mirrored_.push_back(determinant(joint.rest) < 0);
    }
}

bool PoseGate::accepts(std::size_t joint, const Affine& pose) const {
    return fits_float(pose) && is_invertible(pose) && (determinant(pose) < 0) == mirrored_[joint];
}

void PoseGate::make(State& state) const {
    state.joints = rest_;
    state.previous_joints = rest_;
}

void PoseGate::advance(std::span<const Affine> joints, State& state) const {
    // The State of another rig, or one that was never made: start from rest rather than read past its end.
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
}

void PoseGate::reset(std::span<const Affine> joints, State& state) const {
    advance(joints, state);
    state.previous_joints = state.joints;
}

}  // namespace fascia
