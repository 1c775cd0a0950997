#include "methods/shared/stepped_rig.h"

#include <algorithm>
#include <cmath>

#include "methods/shared/fades.h"
#include "methods/shared/stage_timer.h"
#include "methods/shared/state_check.h"

namespace fascia {

namespace {

/// One call catches up on at most this much time, in seconds; anything older is skipped.
constexpr double longest_catch_up = 0.25;
/// Points further than this many sizes from the frame's origin lose precision, so the frame follows the root.
constexpr double frame_reach = 1;
/// The body falls asleep when nothing has been faster than this (sizes per second) for this many seconds while the
/// skeleton rests. One moment is not enough: swinging flesh is slow wherever it turns back.
constexpr double sleep_speed = 4e-4, sleep_after = 0.1;
/// `settle` gives up after this many seconds of swinging.
constexpr double longest_settling = 3;
/// `settle` lets flesh swing freely for this many times the decay of its swing. A crushed fold has more than one
/// equilibrium, and the first swing decides which: the same one as in a held pose.
constexpr double first_swing = 1;
/// After this many steps, `settle` again tells the method what they start from.
constexpr int steps_of_list = 8;
/// Held for this many times the decay of its swing, flesh should be at rest. Any motion left is not a swing but comes
/// from forces that cannot balance, and it tires: up to this share of every step is taken back.
constexpr double tires_after = 4, most_tired = 0.8;
/// A frame shorter than this, in seconds, says nothing about the speed in the next.
constexpr double shortest_memory = 1e-4;

struct SteppedScratch {
    std::vector<JointPlace> places;      ///< [4 * joints] previous, new, in between, and of the State
    std::vector<JointPath> paths;        ///< [joints]
    std::vector<Affine> stretch, local;  ///< [joints]
    Floats duals, shown;
    Floats placed;  ///< [3 * stride]
};

SteppedScratch& scratch_of(Workspace& work) {
    return work.impl().scratch<SteppedScratch>();
}

}  // namespace

SteppedRig::SteppedRig(const SteppedBody& body)
    : body_(body),
      driven_(layout_.add("driven", 3 * body.stride)),
      speed_(layout_.add("driven speed", 3 * body.stride)),
      sides_(layout_.add("sides", body.gate->size(), 1.0f)) {}

// ---- frame -----------------------------------------------------------------------------------------------------
/// Points live in voxels, in a frame that stands near the root and moves only when the root has gone far: numbers stay
/// small and no fictitious forces arise. Its scale is that of the root.
void SteppedRig::set_frame(State& state, Vec3d origin, double root_scale) const {
    const double scale = root_scale * body_.h;
    const Vec3d x = from_axes({scale, 0, 0}, body_.turn), y = from_axes({0, scale, 0}, body_.turn),
                z = from_axes({0, 0, scale}, body_.turn);
    state.frame = {{{x.x, y.x, z.x, origin.x}, {x.y, y.y, z.y, origin.y}, {x.z, y.z, z.z, origin.z}}};
}

PointFrame SteppedRig::frame_of(const State& state) const {
    const auto& m = state.frame.m;
    return {translation_of(state.frame), m[0][0] + m[1][0] + m[2][0], body_.turn};
}

void SteppedRig::follow_root(State& state, const JointPlace& root) const {
    const Vec3d origin = translation_of(state.frame);
    const bool far = length(root.place - origin) > frame_reach * body_.size * root.scale;
    const Vec3d next = far ? root.place : origin;
    set_frame(state, next, root.scale);
    if (!far) return;
    const Vec3 shift = to_float(to_axes((origin - next) * (1 / (root.scale * body_.h)), body_.turn));
    const std::size_t n = body_.stride;
    const float by[3] = {shift.x, shift.y, shift.z};
    for (std::size_t c = 0; c < 3; ++c)
        for (const std::size_t i : body_.slots) {
            state.positions[c * n + i] += by[c];
            driven(state)[c * n + i] += by[c];
        }
}

bool SteppedRig::fits(const State& state) const {
    return state.rig == body_.fingerprint && state.stride == body_.stride &&
           state.positions.size() == 3 * body_.stride && layout_.fits(state) && state.joints.size() == joint_count() &&
           state.tracks.size() == joint_count();
}

bool SteppedRig::accepts(const State& state) const {
    if (!is_sound_like(state, make_state())) return false;
    const auto is_side = [](float side) { return side == 1 || side == -1; };
    const std::span<const float> known = layout_.of(state, sides_);
    return std::all_of(known.begin(), known.end(), is_side);
}

State SteppedRig::make_state() const {
    const std::size_t n = body_.stride;
    State state;
    state.rig = body_.fingerprint;
    state.stride = n;
    state.positions.assign(body_.rest.begin(), body_.rest.end());
    state.velocities.assign(3 * n, 0);
    state.rotations.assign(4 * n, 0);
    for (const std::size_t at : body_.slots) state.rotations[at] = 1;
    layout_.make(state);
    std::copy(body_.rest.begin(), body_.rest.end(), driven(state).begin());
    state.tracks.resize(joint_count());
    body_.gate->make(state);
    set_frame(state, body_.centre, 1);
    return state;
}

void SteppedRig::forget_speed(State& state) const {
    const auto speed = driven_speed(state);
    std::fill(state.velocities.begin(), state.velocities.end(), 0.0f);
    std::fill(speed.begin(), speed.end(), 0.0f);
}

std::span<JointPlace> SteppedRig::places(Workspace& work, std::size_t which) const {
    const std::size_t n = joint_count();
    return sized(scratch_of(work).places, 4 * n).subspan(which * n, n);
}

/// The paths of all joints through a frame of `dt`. Their tracks are remembered for the next frame.
std::span<const JointPath> SteppedRig::find_paths(std::span<const JointPlace> before, std::span<const JointPlace> after,
                                                  double dt, State& state, Workspace& work) const {
    const std::size_t n = joint_count();
    const std::span<JointPath> paths = sized(scratch_of(work).paths, n);
    const bool usual = dt >= shortest_memory && dt <= longest_catch_up, known = usual && state.last_frame > 0;
    for (std::size_t j = 0; j < n; ++j) {
        JointTrack& track = state.tracks[j];
        paths[j] = known ? JointPath(before[j], after[j], track, state.last_frame, dt) : JointPath(before[j], after[j]);
        if (usual) track = paths[j].track(dt);
    }
    state.last_frame = usual ? dt : 0;
    return paths;
}

std::span<const float> SteppedRig::duals(std::span<const JointPlace> places, const State& state,
                                         Workspace& work) const {
    const std::span<float> out = sized(scratch_of(work).duals, 8 * places.size());
    dual_quaternions(places, body_.pivots, frame_of(state), out);
    return out;
}

std::span<const JointPlace> SteppedRig::posed_places(const State& state, Workspace& work) const {
    const auto now = places(work, 3);
    joint_places(state.joints, skeleton(), now);
    take_sides(layout_.of(state, sides_), now);
    return now;
}

void SteppedRig::reset(std::span<const Affine> joints, State& state, Workspace& work) const {
    if (!fits(state)) begin_as_own(*this, state);
    body_.gate->reset(joints, state);
    start_from(state, work);
    ++state.counters.resets;
}

/// Puts every point where the skeleton carries it, at rest relative to the skeleton.
void SteppedRig::start_from(State& state, Workspace& work) const {
    const auto now = places(work, 0);
    joint_places(state.joints, skeleton(), now);
    choose_sides(body_.parents, now, sides(state));
    set_frame(state, now[0].place, now[0].scale);
    begin_again(now, state, work);
    drive_to(now, state, work);
    std::fill(state.rotations.begin(), state.rotations.end(), 0.0f);
    for (const std::size_t i : body_.slots) state.rotations[i] = 1;
    begin_anew(state);
}

void SteppedRig::drive_to(std::span<const JointPlace> now, State& state, Workspace& work) const {
    const std::span<const float> there = drive(now, state, work);
    std::copy(there.begin(), there.end(), state.positions.begin());
    std::copy(there.begin(), there.end(), driven(state).begin());
}

/// Forgets any motion; see is_fresh.
void SteppedRig::begin_anew(State& state) const {
    forget_speed(state);
    state.accumulator = 0;
    state.asleep = 0;
    state.calm_steps = state.held_steps = 0;
    state.last_frame = 0;
    state.still_frames = 0;
}

/// Sum over all points, up to a constant factor.
double SteppedRig::swing_energy(const State& state) const {
    const std::size_t n = body_.stride;
    double sum = 0;
    for (std::size_t c = 0; c < 3; ++c)
        for (const std::size_t i : body_.slots)
            sum += double(state.velocities[c * n + i]) * state.velocities[c * n + i];
    return sum;
}

/// Dynamic relaxation: the flesh swings freely and is stopped whenever its energy has passed a peak, where it is
/// nearest to equilibrium. A few swings achieve what its own damping would take seconds to do.
void SteppedRig::settle(State& state, Workspace& work) const {
    if (!fits(state)) begin_as_own(*this, state);
    state.previous_joints = state.joints;
    const auto held = places(work, 1);
    joint_places(state.joints, skeleton(), held);
    take_sides(sides(state), held);
    begin_again(held, state, work);
    rebase(held, state, work);
    forget_speed(state);
    const int most = int(longest_settling / pace().step), free = int(first_swing * pace().decay / pace().step);
    double energy = 0;
    const bool in_world = world_tag(state, work) != 0;
    if (in_world) enter_world(held, 1, state, work);
    for (int k = 0; k < most; ++k) {
        if (k % steps_of_list == 0) begin_steps(steps_of_list * pace().step, state, work);
        sim::Motion motion = step(held, 1, state, work);
        if (in_world) touch_world(held, 1, state, motion, work);
        ++state.counters.steps;
        if (!(motion.fastest < 1e30)) return start_from(state, work);
        if (k < free) continue;
        if (k > most / 3) go_back(most_tired, state);
        const double now = swing_energy(state);
        const bool slower = now <= energy;
        energy = slower ? 0 : now;
        if (!slower) continue;
        if (motion.fastest < calm_speed()) break;
        forget_speed(state);
    }
    begin_anew(state);
}

/// For a skeleton that does not move. Returns the share of the step that was taken back. Flesh that presses against
/// flesh comes to a halt: what is left there is the two sides working against one another in turn.
double SteppedRig::tire(const Pace& pace, bool pressed, State& state) const {
    ++state.held_steps;
    const double start = tires_after * pace.decay, held = double(state.held_steps) * pace.step;
    if (pace.decay <= 0 || held <= start) return 0;
    const double share = (pressed ? 1 : most_tired) * std::min(held / start - 1, 1.0);
    go_back(share, state);
    return pressed ? share : 0;
}

/// Takes back a share of the last step, so that corrections that overshoot one another settle between them.
void SteppedRig::go_back(double share, State& state) const {
    const float keep = float(1 - share), back = float(share * pace().step);
    for (std::size_t k = 0; k < state.velocities.size(); ++k) {
        state.positions[k] -= back * state.velocities[k];
        state.velocities[k] *= keep;
    }
}

float SteppedRig::calm_speed() const {
    return float(sleep_speed * body_.size / body_.h);
}

/// Has it just been reset? Then nothing has moved yet, and the State has not fallen asleep either.
bool SteppedRig::is_fresh(const State& state) const {
    const auto is_zero = [](float v) { return v == 0; };
    const std::span<const float> speed = layout_.of(state, speed_);
    return !state.asleep && std::all_of(state.velocities.begin(), state.velocities.end(), is_zero) &&
           std::all_of(speed.begin(), speed.end(), is_zero);
}

/// A reset only tells where the skeleton is. The skeleton is assumed to have been moving already as it does now, so
/// that a motion that begins in full swing begins without a jolt.
void SteppedRig::go_along(std::span<const JointPlace> places, State& state, Workspace& work) const {
    const std::size_t n = body_.stride;
    follow_root(state, places[0]);
    const std::span<const float> there = drive(places, state, work), before = driven(state);
    const std::span<float> speed = driven_speed(state);
    const float rate = 1.0f / float(pace().step);
    for (std::size_t c = 0; c < 3; ++c)
        for (const std::size_t i : body_.slots) {
            const std::size_t k = c * n + i;
            speed[k] = (there[k] - before[k]) * rate;
        }
}

// ---- jumps -----------------------------------------------------------------------------------------------------
/// Moves the points to another pose at once: their offsets stay, and they feel nothing of the motion in between.
void SteppedRig::rebase(std::span<const JointPlace> places, State& state, Workspace& work) const {
    follow_root(state, places[0]);
    const std::span<const float> there = drive(places, state, work);
    const std::span<float> before = driven(state);
    for (std::size_t k = 0; k < there.size(); ++k) {
        state.positions[k] = there[k] + (state.positions[k] - before[k]);
        before[k] = there[k];
    }
}

/// A root that goes further in one frame than any body runs, or turns around at once, has been moved there: flesh jumps
/// with it.
bool SteppedRig::is_jump(const JointPlace& before, const JointPlace& after, double dt) const {
    const bool far = length(after.place - before.place) > (1 + 20 * dt) * body_.size * after.scale;
    const bool about = std::abs(dot(before.rotation, after.rotation)) < 0.64 && dt < 0.1;  // more than 100 degrees
    return far || about;
}

/// Moves points and the previous pose by the root's jump, less the distance that the body would have gone in this
/// frame: a runner who goes through a portal keeps running.
void SteppedRig::carry(std::span<JointPlace> before, const JointPlace& after, double dt, State& state) const {
    const std::size_t n = body_.stride;
    Vec3d speed;
    const std::span<const float> speeds = driven_speed(state);
    for (const std::size_t i : body_.slots) speed += {speeds[i], speeds[n + i], speeds[2 * n + i]};
    const double per_node = after.scale * body_.h / double(body_.slots.size());
    const Quat turn = normalized(after.rotation * conjugate(before[0].rotation));
    const Vec3d from = before[0].place, to = after.place - rotate(turn, from_axes(speed * per_node, body_.turn)) * dt;
    const auto place = [&](Vec3d p) { return rotate(turn, p - from) + to; };

    const Vec3d axis = to_axes({turn.x, turn.y, turn.z}, body_.turn);
    const Quat local{turn.w, axis.x, axis.y, axis.z};
    const auto turn_channels = [&](float* x) {
        for (const std::size_t i : body_.slots) {
            const Vec3 v = to_float(rotate(local, {x[i], x[n + i], x[2 * n + i]}));
            x[i] = v.x;
            x[n + i] = v.y;
            x[2 * n + i] = v.z;
        }
    };
    // Rotations are relative to the driven ones and need no turning.
    turn_channels(state.positions.data());
    turn_channels(state.velocities.data());
    turn_channels(driven(state).data());
    turn_channels(driven_speed(state).data());
    set_frame(state, place(translation_of(state.frame)), after.scale);
    for (JointPlace& joint : before) {
        joint.place = place(joint.place);
        joint.rotation = normalized(turn * joint.rotation);
    }
    state.last_frame = 0;
}

void SteppedRig::place_points(std::span<const float> local, const PointWeights& weights, const State& state,
                              std::span<Vec3> out, Workspace& work) const {
    const std::size_t n = body_.stride;
    const PointFrame frame = frame_of(state);
    const std::span<float> placed = channels(scratch_of(work).placed, 3);
    for (const std::size_t i : body_.slots) {
        const Vec3 at = to_float(from_axes(Vec3d{local[i], local[n + i], local[2 * n + i]} * frame.scale, frame.turn));
        placed[i] = at.x, placed[n + i] = at.y, placed[2 * n + i] = at.z;
    }
    stretch_points(body_.slots, weights, posed_places(state, work), state, {placed}, work);
    for (std::size_t point = 0; point < body_.slots.size(); ++point) {
        const std::size_t i = body_.slots[point];
        out[point] = to_float(Vec3d{placed[i], placed[n + i], placed[2 * n + i]} + frame.origin);
    }
}

// ---- verbs -----------------------------------------------------------------------------------------------------
void SteppedRig::advance(std::span<const Affine> joints, double dt, State& state, Workspace& work) const {
    if (!(dt > 0)) dt = 0;
    if (!fits(state)) begin_as_own(*this, state);
    body_.gate->advance(joints, state);
    const bool still = state.still_frames > 0;
    if (run_fades(dt, state.fades)) state.still_frames = 0;

    // Steps fall on multiples of the step since the last reset.
    const Pace pace = this->pace();
    const double step_time = pace.step, first = step_time - state.accumulator;
    const double due = std::floor(std::min((state.accumulator + dt) / step_time, 1e9) + 1e-9);
    state.accumulator = std::clamp(state.accumulator + dt - due * step_time, 0.0, step_time);
    const std::uint64_t around = world_tag(state, work), tag = pace.tag ^ around;
    if (state.asleep && still && state.settled_by == tag) return;
    state.asleep = state.still_frames = 0;

    const auto before = places(work, 0), after = places(work, 1), now = places(work, 2);
    joint_places(state.previous_joints, skeleton(), before);
    joint_places(state.joints, skeleton(), after);
    take_sides(sides(state), before);
    if (dt > 0 && is_jump(before[0], after[0], dt)) carry(before, after[0], dt, state);
    follow_sides(before, after, sides(state));
    still ? hold_frame(state) : begin_frame(after, state, work);
    if (dt == 0) return still ? void() : rebase(after, state, work);

    const std::span<const JointPath> paths = find_paths(before, after, dt, state, work);
    const auto share_at = [&](double step) { return (first + step * step_time) / dt; };
    const auto time_at = [&](double step) { return std::clamp(share_at(step), 0.0, 1.0); };
    const auto pose_at = [&](double step) {
        const double t = time_at(step);
        for (std::size_t j = 0; j < now.size(); ++j) now[j] = paths[j].at(t);
        return now;
    };
    const double run = std::min(due, std::floor(longest_catch_up / step_time)), skipped = due - run;
    if (skipped > 0) {
        state.counters.dropped_steps += std::uint64_t(skipped);
        rebase(pose_at(skipped - 1), state, work);
    }
    if (run > 0 && !still && is_fresh(state)) go_along(pose_at(skipped), state, work);
    sim::Motion motion;
    const bool stirred = around != 0 && enter_world(before, share_at(skipped - 1), state, work);
    if (run > 0) begin_steps(run * step_time, state, work);
    for (double k = skipped; k < due; ++k) {
        {
            StageTimer timer(work.times["pose"]);
            follow_root(state, pose_at(k)[0]);
        }
        motion = step(now, time_at(k), state, work);
        if (around != 0) touch_world(now, share_at(k), state, motion, work);
        double taken_back = 0;
        if (!still || stirred || !state.grip.points.empty())
            state.held_steps = 0;
        else
            taken_back = tire(pace, is_pressed(work), state);
        const bool calm = still && double(motion.fastest) * (1 - taken_back) < double(calm_speed());
        state.calm_steps = calm ? state.calm_steps + 1 : 0;
        state.counters.limited_points += motion.limited;
        ++state.counters.steps;
    }
    state.grip.last_target = state.grip.target;
    const double fastest = motion.fastest;
    if (run > 0 && !(fastest < 1e30)) {
        // Cannot happen with poses that passed the gate; if it does, start over rather than keep NaN.
        start_from(state, work);
        ++state.counters.resets;
    } else if (double(state.calm_steps) * step_time >= sleep_after) {
        forget_speed(state);
        state.calm_steps = state.held_steps = 0;
        state.asleep = 1;
        state.settled_by = tag;
    }
}

Vec3 SteppedRig::felt_gravity(const State& state) const {
    const Pace pace = this->pace();
    const PointFrame frame = frame_of(state);
    return to_float(to_axes(pace.gravity * (pace.step / frame.scale), frame.turn));
}

std::span<const Affine> SteppedRig::joints_about_frame(const State& state, Workspace& work) const {
    const Vec3d origin = frame_of(state).origin;
    const std::span<Affine> out = sized(scratch_of(work).local, joint_count());
    for (std::size_t j = 0; j < out.size(); ++j) {
        out[j] = state.joints[j];
        out[j].m[0][3] -= origin.x;
        out[j].m[1][3] -= origin.y;
        out[j].m[2][3] -= origin.z;
    }
    return out;
}

void SteppedRig::place_in_scene(const State& state, std::span<Vec3> positions) const {
    const Vec3d origin = frame_of(state).origin;
    for (Vec3& v : positions) v = to_float(to_double(v) + origin);
}

std::span<const float> SteppedRig::shown_joints(const State& state, Workspace& work) const {
    if (state.fades.size() != joint_count()) return {};
    const std::span<float> out = sized(scratch_of(work).shown, joint_count());
    for (std::size_t j = 0; j < joint_count(); ++j) out[j] = shown(state.fades[j]);
    return out;
}

std::span<const Affine> SteppedRig::bone_stretch(std::span<const JointPlace> now, const State& state,
                                                 Workspace& work) const {
    const std::span<Affine> maps = sized(scratch_of(work).stretch, joint_count());
    if (!stretch_maps(state.joints, skeleton(), now, frame_of(state).origin, maps)) return {};
    return maps;
}

Affine SteppedRig::blended_stretch(std::size_t point, const PointWeights& weights,
                                   std::span<const Affine> stretch) const {
    Affine mixed{{{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}}};
    for (std::size_t at = point; at < 4 * body_.stride; at += body_.stride) {
        const double w = weights.weights[at];
        if (w == 0) continue;
        const Affine& map = stretch[weights.joints[at]];
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 4; ++c) mixed.m[r][c] += w * map.m[r][c];
    }
    return mixed;
}

void SteppedRig::stretch_points(std::span<const std::uint32_t> points, const PointWeights& weights,
                                std::span<const JointPlace> now, const State& state,
                                std::initializer_list<std::span<float>> channels, Workspace& work) const {
    const std::size_t n = body_.stride;
    const std::span<const Affine> maps = bone_stretch(now, state, work);
    if (maps.empty()) return;
    for (const std::size_t i : points) {
        const Affine mixed = blended_stretch(i, weights, maps);
        for (const auto& channel : channels) {
            const Vec3 p = to_float(transform_point(mixed, {channel[i], channel[n + i], channel[2 * n + i]}));
            channel[i] = p.x;
            channel[n + i] = p.y;
            channel[2 * n + i] = p.z;
        }
    }
}

}  // namespace fascia
