#include "methods/shared/state_check.h"

#include <cmath>

namespace fascia {

namespace {

/// Squares of larger numbers are no floats any more; poses with such are refused, too (pose_gate.cpp).
constexpr float largest = 1e15f;

bool is_usable(const Affine& a) {
    for (const auto& row : a.m)
        for (const double v : row)
            if (!(std::abs(v) <= double(largest))) return false;
    return is_invertible(a);
}

bool is_sound(const Grip& grip, std::size_t stride) {
    for (const std::uint32_t point : grip.points)
        if (point >= stride) return false;
    for (const float share : grip.shares)
        if (!(share >= 0 && share <= 1)) return false;
    for (const Vec3d& v : {grip.arm, grip.target, grip.last_target})
        if (!std::isfinite(v.x) || !std::isfinite(v.y) || !std::isfinite(v.z)) return false;
    return grip.shares.size() == grip.points.size() && grip.strength >= 0 && std::isfinite(grip.strength);
}

bool is_sound(const Fade& fade) {
    const auto is_share = [](float v) { return v >= 0 && v <= 1; };
    return is_share(fade.from) && is_share(fade.to) && fade.seconds >= 0 && std::isfinite(fade.seconds) &&
           fade.elapsed >= 0 && fade.elapsed <= fade.seconds;
}

bool is_finite_vector(Vec3 v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

bool is_sound(const Handover& handover, std::size_t joints) {
    const std::size_t n = handover.positions.size();
    if (n == 0) return handover.normals.empty() && handover.speeds.empty() && handover.joints.empty();
    for (const std::vector<Vec3>* offsets : {&handover.positions, &handover.normals, &handover.speeds})
        for (const Vec3 v : *offsets)
            if (!is_finite_vector(v)) return false;
    for (const Affine& a : handover.joints)
        if (!is_usable(a)) return false;
    const auto none_or_all = [n](const std::vector<Vec3>& list) { return list.empty() || list.size() == n; };
    return none_or_all(handover.normals) && none_or_all(handover.speeds) && handover.joints.size() == joints &&
           handover.elapsed >= 0 && handover.elapsed < handover.seconds && std::isfinite(handover.seconds);
}

bool same_sizes(const State& a, const State& b) {
    return a.rig == b.rig && a.stride == b.stride && a.positions.size() == b.positions.size() &&
           a.velocities.size() == b.velocities.size() && a.rotations.size() == b.rotations.size() &&
           a.memory.size() == b.memory.size() && a.joints.size() == b.joints.size() &&
           a.previous_joints.size() == b.previous_joints.size() && a.tracks.size() == b.tracks.size() &&
           (a.fades.empty() || a.fades.size() == b.joints.size()) && is_sound(a.grip, b.stride) &&
           is_sound(a.handover, b.joints.size());
}

bool all_finite(const State& state) {
    for (const Fade& fade : state.fades)
        if (!is_sound(fade)) return false;
    for (const Floats* channel : {&state.positions, &state.velocities, &state.rotations, &state.memory})
        for (const float v : *channel)
            if (!(std::abs(v) <= largest)) return false;
    for (const auto* pose : {&state.joints, &state.previous_joints})
        for (const Affine& a : *pose)
            if (!is_usable(a)) return false;
    for (const JointTrack& track : state.tracks)
        for (const Vec3d& v : {track.mean.place, track.mean.turn, track.end.place, track.end.turn})
            if (!std::isfinite(v.x + v.y + v.z)) return false;
    return is_usable(state.frame) && std::isfinite(state.accumulator) && std::isfinite(state.last_frame) &&
           state.last_frame >= 0;
}

}  // namespace

bool is_sound_like(const State& state, const State& made) {
    return same_sizes(state, made) && all_finite(state);
}

void begin_as_own(const Rig& rig, State& state) {
    State own = rig.make_state();
    own.counters = state.counters;
    own.counters.foreign_states += state.rig != 0;
    state = std::move(own);
}

}  // namespace fascia
