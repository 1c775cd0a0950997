// How a rig continues the motion of a State of another rig of the same method: another resolution of the same body.
#include <algorithm>
#include <string_view>

#include "methods/shared/stepped_rig.h"

namespace fascia {

namespace {

/// One vector of a point's channels.
Vec3d vector_at(std::span<const float> channels, std::size_t stride, std::size_t slot) {
    return {channels[slot], channels[stride + slot], channels[2 * stride + slot]};
}
void add_vector(std::span<float> channels, std::size_t stride, std::size_t slot, Vec3d v) {
    channels[slot] += float(v.x);
    channels[stride + slot] += float(v.y);
    channels[2 * stride + slot] += float(v.z);
}

}  // namespace

RestPoints SteppedRig::rest_points() const {
    const PointWeights weights = point_weights();
    return {body_.h, body_.centre, body_.turn, body_.stride, body_.slots, body_.rest, weights.joints, weights.weights};
}

/// Offsets from where the skeleton carries the points, their speeds and turns, from the points around each.
void SteppedRig::take_points(const SteppedRig& from, const State& other, State& state) const {
    const PointsAround around = points_around(rest_points(), from.rest_points());
    const PointFrame here = frame_of(state), there = from.frame_of(other);
    const std::size_t n = body_.stride, m = from.body_.stride;
    const std::span<const float> carried = from.driven(other);
    const auto to_here = [&](Vec3d v) {
        return to_axes(from_axes(v * there.scale, there.turn) * (1 / here.scale), here.turn);
    };
    for (std::size_t point = 0; point < body_.slots.size(); ++point) {
        const std::size_t i = body_.slots[point];
        if (around.first[point] == around.first[point + 1]) continue;
        Vec3d offset, speed;
        Quat turn{0, 0, 0, 0};
        for (std::size_t k = around.first[point]; k < around.first[point + 1]; ++k) {
            const std::size_t p = around.slots[k];
            const double share = around.shares[k];
            offset += (vector_at(other.positions, m, p) - vector_at(carried, m, p)) * share;
            speed += vector_at(other.velocities, m, p) * share;
            const float* q = &other.rotations[p];
            const double side = q[0] < 0 ? -share : share;
            const Vec3d axis = to_axes(from_axes(Vec3d{q[m], q[2 * m], q[3 * m]}, there.turn), here.turn);
            turn = {turn.w + side * q[0], turn.x + side * axis.x, turn.y + side * axis.y, turn.z + side * axis.z};
        }
        add_vector(state.positions, n, i, to_here(offset));
        add_vector(state.velocities, n, i, to_here(speed));
        if (!(dot(turn, turn) > 1e-12)) continue;
        turn = normalized(turn);
        const double parts[4] = {turn.w, turn.x, turn.y, turn.z};
        for (std::size_t c = 0; c < 4; ++c) state.rotations[c * n + i] = float(parts[c]);
    }
}

/// As if the skeleton had carried the points of this rig all along; otherwise they would feel a jolt.
void SteppedRig::take_driven_speed(State& state, Workspace& work) const {
    if (!(state.last_frame > 0)) return;
    const std::span<const JointPlace> now = posed_places(state, work);
    const auto before = places(work, 0);
    const double step_time = pace().step;
    for (std::size_t j = 0; j < now.size(); ++j) before[j] = place_before(now[j], state.tracks[j].end, step_time);
    const std::span<const float> there = driven(state), then = drive(before, state, work);
    const std::span<float> speed = driven_speed(state);
    for (const std::size_t i : body_.slots)
        for (std::size_t k = i; k < 3 * body_.stride; k += body_.stride)
            speed[k] = float((there[k] - then[k]) / step_time);
}

void SteppedRig::take_over(const Rig& from, const State& other, State& state, Workspace& work) const {
    const auto* kin = dynamic_cast<const SteppedRig*>(&from.plain());
    if (kin == nullptr || !kin->fits(other) || std::string_view(from.method()) != method()) return;
    state.tracks = other.tracks;
    state.last_frame = other.last_frame;
    state.fades = other.fades;
    const std::span<const float> known = kin->layout_.of(other, kin->sides_);
    std::copy(known.begin(), known.end(), sides(state).begin());
    const std::span<const JointPlace> now = posed_places(state, work);
    begin_again(now, state, work);
    drive_to(now, state, work);
    take_points(*kin, other, state);
    take_driven_speed(state, work);
}

}  // namespace fascia
