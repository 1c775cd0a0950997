// Multi-layer lattice (seed 000): bone, muscle, fat and skin as layers of voxels. The skeleton drives every voxel by
// dual quaternions; flesh swings about where it is driven, held together by distances, volumes and shape matching.
//
//     per fixed step:   pose      a = where the skeleton carries each point
//                       predict   p = a + what the swing of each point makes of its offset
//                       stretch   distances to the neighbours
//                       volume    volumes between the neighbours
//                       match     rigid fits of overlapping regions
//                       update    offsets within their limit, new velocities
#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/workspace.h"
#include "methods/layers_body.h"
#include "methods/layers_pose.h"
#include "methods/layers_tuning.h"
#include "methods/methods.h"
#include "methods/skinned_character.h"

namespace fascia {

namespace {

/// At most this much is caught up in one call; what is older is skipped.
constexpr double longest_catch_up = 0.25;
/// Points further than this many sizes from the frame's origin lose digits: the frame follows.
constexpr double frame_reach = 4;
/// Slower than this (sizes per second) while the skeleton rests: asleep.
constexpr double sleep_speed = 2e-4;

/// Numbers of the workspace's arrays. The skinning of the surface uses the first ones.
enum Scratch {
    driven_at = 16,
    turned_at,
    offset_at,
    other_at,
    gradients_at,
    transforms_at,
    from_at,
    to_at,
    joints_at,
    places_at
};

class StageClock {
public:
    explicit StageClock(double& seconds) : seconds_(seconds), start_(std::chrono::steady_clock::now()) {}
    ~StageClock() { seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

private:
    double& seconds_;
    std::chrono::steady_clock::time_point start_;
};

bool same_bits(const Affine& a, const Affine& b) {
    return std::equal(&a.m[0][0], &a.m[0][0] + 12, &b.m[0][0]);
}

class LayersRig final : public Rig {
public:
    LayersRig(std::shared_ptr<const LayersBody> body, LayersTuning tuning, const Flesh& flesh,
              std::vector<std::string> warnings)
        : body_(std::move(body)), tuning_(std::move(tuning)), warnings_(std::move(warnings)) {
        count_points(flesh);
    }

    const char* method() const override { return "layers"; }
    std::size_t joint_count() const override { return body_->gate.size(); }
    std::size_t vertex_count() const override { return body_->surface.vertex_count(); }
    PointCounts points() const override { return counts_; }
    std::vector<std::string> warnings() const override { return warnings_; }

    State make_state() const override {
        State state;
        state.stride = body_->stride;
        state.positions.assign(3 * body_->stride, 0);
        state.velocities.assign(3 * body_->stride, 0);
        state.rotations.assign(4 * body_->stride, 0);
        state.driven.assign(6 * body_->stride, 0);
        body_->gate.make(state);
        Workspace work(1);
        start_from(state, work);
        return state;
    }

    void reset(std::span<const Affine> joints, State& state, Workspace& work) const override {
        body_->gate.reset(joints, state);
        start_from(state, work);
        ++state.counters.resets;
    }

    void advance(std::span<const Affine> joints, double dt, State& state, Workspace& work) const override;
    void embed(const State& state, const Surface& out, Workspace& work) const override;
    void embed_skinned(const State& state, const Surface& out, Workspace& work) const override {
        body_->surface.dqs(state.joints, out, work);
    }

private:
    void count_points(const Flesh& flesh);
    void start_from(State& state, Workspace& work) const;
    void place_frame(State& state, const JointPlace& root) const;
    void drive(std::span<const JointPlace> places, const State& state, Workspace& work) const;
    double step(State& state, Workspace& work) const;
    void rebase(std::span<const JointPlace> places, State& state, Workspace& work) const;
    bool is_jump(const JointPlace& before, const JointPlace& after, double dt) const;
    void carry(std::span<JointPlace> before, const JointPlace& after, double dt, State& state) const;

    std::span<float> scratch(Workspace& work, Scratch index, std::size_t channels) const {
        return {work.impl().array(index, channels * body_->stride).data(), channels * body_->stride};
    }
    /// Two poses, and the one in between.
    std::span<JointPlace> places(Workspace& work, std::size_t which) const {
        static_assert(alignof(JointPlace) <= 64 && std::is_trivially_copyable_v<JointPlace>);
        const std::size_t n = joint_count();
        Floats& bytes = work.impl().array(places_at, 3 * n * sizeof(JointPlace) / sizeof(float));
        return {reinterpret_cast<JointPlace*>(bytes.data()) + which * n, n};
    }

    std::shared_ptr<const LayersBody> body_;
    LayersTuning tuning_;
    PointCounts counts_;
    std::vector<std::string> warnings_;
};

void LayersRig::count_points(const Flesh& flesh) {
    counts_.total = body_->points.size();
    for (const std::uint8_t layer : body_->layer) {
        const std::string name = layer == 0 ? "bone" : flesh.layers[layer - 1].name;
        ++(name == "bone"     ? counts_.bone
           : name == "muscle" ? counts_.muscle
           : name == "skin"   ? counts_.skin
                              : counts_.fat);
    }
}

// ---- frame -----------------------------------------------------------------------------------------------------
/// Points live in a frame that stands near the root and only moves when the root has gone far: numbers stay small and
/// no false forces arise. Its scale is the root's.
void LayersRig::place_frame(State& state, const JointPlace& root) const {
    const Vec3d origin = translation_of(state.frame);
    const Vec3d away = root.place - origin;
    if (length(away) > frame_reach * body_->size * root.scale) {
        // Both origins are floats, so that the shift is exact to the last bits of the points.
        const Vec3d next = to_double(to_float(root.place));
        const Vec3 shift = to_float((origin - next) * (1 / root.scale));
        const std::size_t n = state.stride;
        const float by[3] = {shift.x, shift.y, shift.z};
        for (std::size_t c = 0; c < 3; ++c)
            for (const std::size_t i : body_->points) {
                state.positions[c * n + i] += by[c];
                state.driven[c * n + i] += by[c];
            }
        state.frame.m[0][3] = next.x;
        state.frame.m[1][3] = next.y;
        state.frame.m[2][3] = next.z;
    }
    for (int k = 0; k < 3; ++k) state.frame.m[k][k] = root.scale;
}

/// Every point where the skeleton carries it, at rest relative to it.
void LayersRig::start_from(State& state, Workspace& work) const {
    const std::size_t n = body_->stride;
    const auto now = places(work, 0);
    joint_places(state.joints, body_->inverse_rest, now);
    state.frame = {};
    const Vec3d origin = to_double(to_float(now[0].place));
    state.frame.m[0][3] = origin.x;
    state.frame.m[1][3] = origin.y;
    state.frame.m[2][3] = origin.z;
    place_frame(state, now[0]);
    drive(now, state, work);
    const auto driven = scratch(work, driven_at, 3);
    std::copy(driven.begin(), driven.end(), state.positions.begin());
    std::copy(driven.begin(), driven.end(), state.driven.begin());
    std::fill(state.driven.begin() + std::ptrdiff_t(3 * n), state.driven.end(), 0.0f);
    std::fill(state.velocities.begin(), state.velocities.end(), 0.0f);
    std::fill(state.rotations.begin(), state.rotations.end(), 0.0f);
    for (const std::size_t i : body_->points) state.rotations[i] = 1;
    state.accumulator = 0;
    state.asleep = 0;
}

// ---- one step --------------------------------------------------------------------------------------------------
void LayersRig::drive(std::span<const JointPlace> places, const State& state, Workspace& work) const {
    Floats& duals = work.impl().palette;
    if (duals.size() < 8 * places.size()) duals.resize(8 * places.size());
    dual_quaternions(places, body_->pivots, translation_of(state.frame), state.frame.m[0][0],
                     {duals.data(), 8 * places.size()});
    sim::drive_reference(body_->lattice(), duals, scratch(work, driven_at, 3), scratch(work, turned_at, 4));
}

/// Runs the passes for the pose that `drive` left in the workspace; returns the largest speed of an offset.
double LayersRig::step(State& state, Workspace& work) const {
    const std::size_t n = body_->stride;
    const sim::LatticeRig rig = body_->lattice();
    const sim::LatticeTuning tuning = tuning_.view();
    const std::span<float> memory(state.driven);
    sim::LatticeArrays arrays{.driven = scratch(work, driven_at, 3),
                              .turned = scratch(work, turned_at, 4),
                              .last_driven = memory.first(3 * n),
                              .last_speed = memory.last(3 * n),
                              .positions = state.positions,
                              .velocities = state.velocities,
                              .rotations = state.rotations,
                              .push = {},
                              .offset = scratch(work, offset_at, 3),
                              .other = scratch(work, other_at, 3),
                              .gradients = scratch(work, gradients_at, 9),
                              .transforms = scratch(work, transforms_at, 12)};
    std::span<float> from = arrays.positions, to = arrays.other;
    {
        StageClock clock(work.times.predict);
        sim::predict_reference(rig, tuning, arrays);
    }
    {
        StageClock clock(work.times.stretch);
        sim::stretch_reference(rig, tuning, arrays, from, to);
        std::swap(from, to);
    }
    {
        StageClock clock(work.times.volume);
        for (int sweep = 0; sweep < tuning.volume_sweeps; ++sweep) {
            sim::volume_reference(rig, tuning, arrays, from, to);
            std::swap(from, to);
        }
    }
    {
        StageClock clock(work.times.match);
        sim::match_reference(rig, tuning, arrays, from, to);
        if (to.data() != arrays.positions.data()) std::copy(to.begin(), to.end(), arrays.positions.begin());
    }
    StageClock clock(work.times.update);
    const sim::Motion motion = sim::update_reference(rig, tuning, arrays);
    state.counters.limited_points += motion.limited;
    ++state.counters.steps;
    return motion.fastest;
}

// ---- jumps -----------------------------------------------------------------------------------------------------
/// Puts the points to another pose at once: their offsets stay, nothing is felt of the way there.
void LayersRig::rebase(std::span<const JointPlace> places, State& state, Workspace& work) const {
    place_frame(state, places[0]);
    drive(places, state, work);
    const auto driven = scratch(work, driven_at, 3);
    for (std::size_t k = 0; k < driven.size(); ++k) {
        state.positions[k] = driven[k] + (state.positions[k] - state.driven[k]);
        state.driven[k] = driven[k];
    }
}

/// A root that goes further in one frame than any body runs, or turns about at once, was put there: flesh goes with it.
bool LayersRig::is_jump(const JointPlace& before, const JointPlace& after, double dt) const {
    const bool far = length(after.place - before.place) > (1 + 20 * dt) * body_->size * after.scale;
    const bool about = std::abs(dot(before.rotation, after.rotation)) < 0.64 && dt < 0.1;  // more than 100 degrees
    return far || about;
}

/// Carries points and the pose before by the root's jump, less the way that the body would have gone in this frame: who
/// runs through a portal runs on.
void LayersRig::carry(std::span<JointPlace> before, const JointPlace& after, double dt, State& state) const {
    const std::size_t n = body_->stride;
    Vec3d speed;
    for (const std::size_t i : body_->points)
        speed += {state.driven[3 * n + i], state.driven[4 * n + i], state.driven[5 * n + i]};
    speed = speed * (after.scale / double(body_->points.size()));
    const Quat turn = normalized(after.rotation * conjugate(before[0].rotation));
    const Vec3d from = before[0].place, to = after.place - rotate(turn, speed) * dt;
    const auto place = [&](Vec3d p) { return rotate(turn, p - from) + to; };
    const auto turn_channels = [&](float* x) {
        for (const std::size_t i : body_->points) {
            const Vec3 v = to_float(rotate(turn, {x[i], x[n + i], x[2 * n + i]}));
            x[i] = v.x;
            x[n + i] = v.y;
            x[2 * n + i] = v.z;
        }
    };
    turn_channels(state.positions.data());
    turn_channels(state.velocities.data());
    turn_channels(state.driven.data());
    turn_channels(state.driven.data() + 3 * n);
    turn_channels(state.rotations.data() + n);  // q -> turn q turn^-1 turns the axis and keeps the angle
    const Vec3d origin = place(translation_of(state.frame));
    state.frame.m[0][3] = origin.x;
    state.frame.m[1][3] = origin.y;
    state.frame.m[2][3] = origin.z;
    for (JointPlace& joint : before) {
        joint.place = place(joint.place);
        joint.rotation = normalized(turn * joint.rotation);
    }
}

// ---- verbs -----------------------------------------------------------------------------------------------------
void LayersRig::advance(std::span<const Affine> joints, double dt, State& state, Workspace& work) const {
    if (!(dt > 0)) dt = 0;
    if (state.stride != body_->stride || state.positions.size() != 3 * body_->stride) state = make_state();
    body_->gate.advance(joints, state);
    const bool still = std::equal(state.joints.begin(), state.joints.end(), state.previous_joints.begin(), same_bits);

    // Steps fall on multiples of the step since the last reset.
    const double step_time = tuning_.step, first = step_time - state.accumulator;
    const double due = std::floor(std::min((state.accumulator + dt) / step_time, 1e9) + 1e-9);
    state.accumulator = std::clamp(state.accumulator + dt - due * step_time, 0.0, step_time);
    if (state.asleep && still) return;
    state.asleep = 0;

    const auto before = places(work, 0), after = places(work, 1), now = places(work, 2);
    joint_places(state.previous_joints, body_->inverse_rest, before);
    joint_places(state.joints, body_->inverse_rest, after);
    if (dt == 0) return still ? void() : rebase(after, state, work);
    if (is_jump(before[0], after[0], dt)) carry(before, after[0], dt, state);

    const auto pose_at = [&](double step) {
        const double t = std::clamp((first + step * step_time) / dt, 0.0, 1.0);
        for (std::size_t j = 0; j < now.size(); ++j) now[j] = between(before[j], after[j], t);
        return now;
    };
    const double run = std::min(due, std::floor(longest_catch_up / step_time)), skipped = due - run;
    if (skipped > 0) {
        state.counters.dropped_steps += std::uint64_t(skipped);
        rebase(pose_at(skipped - 1), state, work);
    }
    double fastest = 0;
    for (double k = skipped; k < due; ++k) {
        {
            StageClock clock(work.times.pose);
            pose_at(k);
            place_frame(state, now[0]);
            drive(now, state, work);
        }
        fastest = step(state, work);
    }
    if (run > 0 && !(fastest < 1e30)) {
        // Cannot happen with poses that passed the gate; if it does, start anew rather than keep a number that is none.
        start_from(state, work);
        ++state.counters.resets;
    } else if (run > 0 && still && fastest < sleep_speed * body_->size) {
        std::fill(state.velocities.begin(), state.velocities.end(), 0.0f);
        std::fill(state.driven.begin() + std::ptrdiff_t(3 * body_->stride), state.driven.end(), 0.0f);
        state.asleep = 1;
    }
}

void LayersRig::embed(const State& state, const Surface& out, Workspace& work) const {
    StageClock clock(work.times.embed);
    const std::size_t n = body_->stride, joints = joint_count();
    const Vec3d origin = translation_of(state.frame);
    const float scale = float(state.frame.m[0][0]);

    // The surface as the skeleton alone carries it, in the frame's coordinates.
    Floats& bytes = work.impl().array(joints_at, joints * sizeof(Affine) / sizeof(float));
    const std::span<Affine> local(reinterpret_cast<Affine*>(bytes.data()), joints);
    for (std::size_t j = 0; j < joints; ++j) {
        local[j] = state.joints[j];
        local[j].m[0][3] -= origin.x;
        local[j].m[1][3] -= origin.y;
        local[j].m[2][3] -= origin.z;
    }
    body_->surface.dqs(local, out, work);

    // Points at this frame's own time: driven exactly, their offset as it was one step ago plus what has passed since.
    const auto now = places(work, 2);
    joint_places(state.joints, body_->inverse_rest, now);
    drive(now, state, work);
    const auto driven = scratch(work, driven_at, 3), from = scratch(work, from_at, 3), to = scratch(work, to_at, 3);
    const float back = float(tuning_.step - state.accumulator);
    for (std::size_t k = 0; k < 3 * n; ++k) {
        const float u = (state.positions[k] - state.driven[k]) - back * state.velocities[k];
        from[k] = scale * driven[k];
        to[k] = scale * (driven[k] + u);
    }
    const embedding::Carriers carriers{n, from, to, state.rotations};
    if (out.positions.size() >= vertex_count()) {
        const auto p = out.positions.first(vertex_count());
        embedding::carry_positions(body_->bound, carriers, p, p);
        for (Vec3& v : p) v = to_float(to_double(v) + origin);
    }
    if (out.normals.size() >= vertex_count()) {
        const auto normals = out.normals.first(vertex_count());
        embedding::carry_directions(body_->bound, carriers, normals, normals);
    }
}

}  // namespace

Result<RigPtr> bind_layers(const Character& character, const LayersSettings& asked) {
    if (const Status checked = check_skinned(character, "layers"); !checked) return checked.error();
    LayersSettings settings = asked;
    if (settings.flesh.layers.empty()) {
        const Result<Flesh> usual = preset("default");
        if (!usual) return usual.error();
        settings.flesh.layers = usual->layers;
        if (settings.flesh.parts.empty()) settings.flesh.parts = usual->parts;
    }
    std::vector<std::string> warnings = clamp_to_step(settings.flesh);
    auto body = build_layers_body(character, settings);
    if (!body) return body.error();
    warnings.insert(warnings.end(), (*body)->warnings.begin(), (*body)->warnings.end());

    std::vector<std::string> names;
    for (const Joint& joint : character.joints) names.push_back(joint.name);
    const std::vector<double> amounts = joint_amounts(names, settings.flesh);
    LayersTuning tuning =
        settings.flesh.mode == Mode::physical
            ? physical_tuning(**body, settings.flesh, amounts, calibrate(**body, settings.flesh), false)
            : published_tuning(**body, settings.flesh, amounts);
    return RigPtr(std::make_shared<LayersRig>(*body, std::move(tuning), settings.flesh, std::move(warnings)));
}

}  // namespace fascia
