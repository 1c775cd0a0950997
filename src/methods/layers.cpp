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
#include "embed/ray_hit.h"
#include "methods/fades.h"
#include "methods/layers_attach.h"
#include "methods/layers_body.h"
#include "methods/layers_engine.h"
#include "methods/layers_file.h"
#include "methods/layers_pose.h"
#include "methods/layers_pull.h"
#include "methods/layers_rebind.h"
#include "methods/layers_step.h"
#include "methods/layers_tuning.h"
#include "methods/methods.h"
#include "methods/skinned_character.h"
#include "sim/rotation_fit.h"

namespace fascia {

namespace {

/// At most this much is caught up in one call; what is older is skipped.
constexpr double longest_catch_up = 0.25;
/// Points further than this many sizes from the frame's origin lose digits: the frame follows.
constexpr double frame_reach = 1;
/// Slower than this (sizes per second) while the skeleton rests: asleep.
constexpr double sleep_speed = 4e-4;

constexpr const char* literal_warning =
    "mode literal runs the published loop as printed, for study: its swing depends on the step, flesh lags behind all "
    "motion, and k_s above about 1.4 diverges; mode paper is its stable form";

/// Numbers of the workspace's arrays, above those of the step.
enum Scratch : std::size_t {
    from_at = 32,
    to_at,
    turns_at,
    joints_at,
    places_at,
    duals_at,
    sides_at,
    push_at,
    shown_at,
    tangents_at
};

class StageClock {
public:
    explicit StageClock(double& seconds) : seconds_(seconds), start_(std::chrono::steady_clock::now()) {}
    ~StageClock() { seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

private:
    double& seconds_;
    std::chrono::steady_clock::time_point start_;
};

std::vector<std::string> joint_names(const LayersBody& body) {
    std::vector<std::string> names;
    for (const Joint& joint : body.blueprint->surface.joints) names.push_back(joint.name);
    return names;
}

/// A share of a small rotation.
sim::Rotation part_of(sim::Rotation r, float share) {
    const float side = r.w < 0 ? -share : share;
    return sim::unit({1 - share + side * r.w, side * r.x, side * r.y, side * r.z});
}

bool is_held(const State& state, std::size_t stride) {
    const Grip& grip = state.grip;
    return !grip.points.empty() && grip.shares.size() == grip.points.size() &&
           *std::max_element(grip.points.begin(), grip.points.end()) < stride;
}

bool same_bits(const Affine& a, const Affine& b) {
    return std::equal(&a.m[0][0], &a.m[0][0] + 12, &b.m[0][0]);
}

class LayersRig final : public Rig {
public:
    LayersRig(std::shared_ptr<const LayersBody> body, SavedLayers saved)
        : body_(std::move(body)),
          saved_(std::move(saved)),
          warnings_(saved_.warnings),
          tuning_(tuned(*body_, saved_, warnings_)),
          step_(*body_, tuning_) {
        count_points(saved_.settings.flesh);
    }
    LayersRig(const LayersRig&) = delete;
    LayersRig& operator=(const LayersRig&) = delete;

    const char* method() const override { return "layers"; }
    std::size_t joint_count() const override { return body_->gate.size(); }
    std::size_t vertex_count() const override { return body_->vertex_count(); }
    PointCounts points() const override { return counts_; }
    std::vector<std::string> warnings() const override { return warnings_; }

    std::vector<std::uint8_t> point_layers() const override { return body_->layer; }
    double point_spacing() const override { return body_->grid.h; }
    void point_positions(const State& state, std::span<Vec3> out) const override;

    State make_state() const override;
    void reset(std::span<const Affine> joints, State& state, Workspace& work) const override {
        if (!fits(state)) state = make_state();
        body_->gate.reset(joints, state);
        start_from(state, work);
        ++state.counters.resets;
    }
    void advance(std::span<const Affine> joints, double dt, State& state, Workspace& work) const override;
    void embed(const State& state, const Surface& out, Workspace& work) const override;
    void embed_skinned(const State& state, const Surface& out, Workspace& work) const override {
        if (!fits(state)) return;
        skin_about_frame(own_surface(), state, out, work);
        if (out.positions.size() >= vertex_count()) place_in_scene(state, out.positions.first(vertex_count()));
    }

    Result<RigPtr> retuned(const Settings& settings) const override;
    Status fade(const std::string& joints, double amount, double seconds, State& state) const override {
        if (!fits(state)) state = make_state();
        return start_fade(joint_names(*body_), joints, amount, seconds, state.fades);
    }
    std::optional<Vec3d> pick(const Ray& ray, const State& state, Workspace& work) const override;
    bool grip(Vec3d point, State& state) const override {
        if (!fits(state) || !grip_flesh(*body_, frame_of(state), point, tuning_.give, state)) return false;
        state.asleep = 0;
        return true;
    }
    Result<std::shared_ptr<const AttachedSurface>> attach(const Mesh& mesh) const override {
        auto attached = attach_to_layers(*body_, mesh);
        if (!attached) return attached.error();
        return std::shared_ptr<const AttachedSurface>(std::move(*attached));
    }
    void embed_attached(const AttachedSurface& attached, const State& state, const Surface& out,
                        Workspace& work) const override {
        if (const auto* own = dynamic_cast<const LayersAttachment*>(&attached); own != nullptr && fits(state))
            embed_carried({own->surface, own->linear, own->bound, own->carriers}, state, out, work);
    }
    Result<std::vector<std::uint8_t>> save_content() const override {
        ByteWriter out;
        write_layers(saved_, out);
        return out.take();
    }

private:
    static LayersTuning tuned(const LayersBody& body, const SavedLayers& saved, std::vector<std::string>& warnings);
    void count_points(const Flesh& flesh);
    bool fits(const State& state) const {
        return state.stride == body_->stride() && state.positions.size() == 3 * body_->stride() &&
               state.driven.size() == 6 * body_->stride() + joint_count() && state.joints.size() == joint_count();
    }
    void start_from(State& state, Workspace& work) const;
    void forget_speed(State& state) const {
        const auto driven_speed = std::span(state.driven).subspan(3 * body_->stride(), 3 * body_->stride());
        std::fill(state.velocities.begin(), state.velocities.end(), 0.0f);
        std::fill(driven_speed.begin(), driven_speed.end(), 0.0f);
    }
    void set_frame(State& state, Vec3d origin, double root_scale) const;
    PointFrame frame_of(const State& state) const;
    void follow_root(State& state, const JointPlace& root) const;
    void rebase(std::span<const JointPlace> places, State& state, Workspace& work) const;
    bool is_fresh(const State& state) const;
    void go_along(std::span<const JointPlace> places, State& state, Workspace& work) const;
    bool is_jump(const JointPlace& before, const JointPlace& after, double dt) const;
    void carry(std::span<JointPlace> before, const JointPlace& after, double dt, State& state) const;

    /// The body's own surface, or an attached one.
    struct Carried {
        const DqsSurface& surface;
        const LbsSurface& linear;  ///< instead of it where points are driven by linear blending
        const embedding::Trilinear& bound;
        const std::vector<std::uint32_t>& carriers;
    };
    Carried own_surface() const { return {body_->surface, body_->linear_surface, body_->bound, body_->carriers}; }
    void skin_about_frame(const Carried& carried, const State& state, const Surface& out, Workspace& work) const;
    void embed_carried(const Carried& carried, const State& state, const Surface& out, Workspace& work) const;
    void place_in_scene(const State& state, std::span<Vec3> positions) const;
    void carry_tangents(const Carried& carried, const embedding::Carriers& carriers, std::span<Vec4> tangents,
                        Workspace& work) const;
    std::span<const float> shown_joints(const State& state, Workspace& work) const;
    Vec3 felt_gravity(const State& state) const;

    std::span<const float> duals(std::span<const JointPlace> places, const State& state, Workspace& work) const {
        Floats& out = work.impl().array(duals_at, 8 * places.size());
        dual_quaternions(places, body_->pivots, frame_of(state), {out.data(), 8 * places.size()});
        return {out.data(), 8 * places.size()};
    }
    LayersView view(State& state) const {
        return {state.positions, state.velocities, state.rotations, std::span(state.driven).first(6 * body_->stride())};
    }
    /// Behind the nodes' driven motion: the side of each joint's quaternion, carried over time.
    std::span<float> sides(State& state) const { return std::span(state.driven).last(joint_count()); }
    RestSkeleton skeleton() const { return {body_->inverse_rest, body_->parents}; }
    /// The pose of the State, on its sides.
    std::span<const JointPlace> posed_places(const State& state, Workspace& work) const {
        const auto now = places(work, 2);
        joint_places(state.joints, skeleton(), now);
        take_sides(std::span(state.driven).last(joint_count()), now);
        return now;
    }
    void stretch_carriers(const std::vector<std::uint32_t>& carriers, std::span<const JointPlace> now,
                          const State& state, std::span<float> from, std::span<float> to, Workspace& work) const;

    std::span<float> scratch(Workspace& work, Scratch index, std::size_t channels) const {
        return {work.impl().array(index, channels * body_->stride()).data(), channels * body_->stride()};
    }
    /// Two poses, and the one in between.
    std::span<JointPlace> places(Workspace& work, std::size_t which) const {
        static_assert(alignof(JointPlace) <= 64 && std::is_trivially_copyable_v<JointPlace>);
        const std::size_t n = joint_count();
        Floats& bytes = work.impl().array(places_at, 3 * n * sizeof(JointPlace) / sizeof(float));
        return {reinterpret_cast<JointPlace*>(bytes.data()) + which * n, n};
    }

    std::shared_ptr<const LayersBody> body_;
    SavedLayers saved_;
    std::vector<std::string> warnings_;
    LayersTuning tuning_;
    PointCounts counts_;
    LayersStep step_;
};

/// What the step cannot follow is clamped, with a warning.
LayersTuning LayersRig::tuned(const LayersBody& body, const SavedLayers& saved, std::vector<std::string>& warnings) {
    Flesh flesh = saved.settings.flesh;
    std::vector<std::string> first = clamp_to_step(flesh);
    if (flesh.mode == Mode::literal) first.push_back(literal_warning);
    warnings.insert(warnings.begin(), first.begin(), first.end());
    const std::vector<double> amounts = joint_amounts(joint_names(body), flesh);
    return flesh.mode == Mode::physical ? physical_tuning(body, flesh, amounts, saved.calibration, false)
                                        : published_tuning(body, flesh, amounts);
}

void LayersRig::count_points(const Flesh& flesh) {
    counts_.total = body_->node_count();
    for (const std::uint8_t layer : body_->layer) {
        const std::string name = layer == 0 ? "bone" : flesh.layers[layer - 1].name;
        ++(name == "bone"     ? counts_.bone
           : name == "muscle" ? counts_.muscle
           : name == "skin"   ? counts_.skin
                              : counts_.fat);
    }
}

// ---- frame -----------------------------------------------------------------------------------------------------
/// Points live in voxels, in a frame that stands near the root and only moves when the root has gone far: numbers stay
/// small and no false forces arise. Its scale is the root's.
void LayersRig::set_frame(State& state, Vec3d origin, double root_scale) const {
    const double scale = root_scale * body_->grid.h;
    const Vec3d x = from_axes({scale, 0, 0}, body_->turn), y = from_axes({0, scale, 0}, body_->turn),
                z = from_axes({0, 0, scale}, body_->turn);
    state.frame = {{{x.x, y.x, z.x, origin.x}, {x.y, y.y, z.y, origin.y}, {x.z, y.z, z.z, origin.z}}};
}

PointFrame LayersRig::frame_of(const State& state) const {
    const auto& m = state.frame.m;
    return {translation_of(state.frame), m[0][0] + m[1][0] + m[2][0], body_->turn};
}

void LayersRig::follow_root(State& state, const JointPlace& root) const {
    const Vec3d origin = translation_of(state.frame);
    const bool far = length(root.place - origin) > frame_reach * body_->size * root.scale;
    const Vec3d next = far ? root.place : origin;
    set_frame(state, next, root.scale);
    if (!far) return;
    const Vec3 shift = to_float(to_axes((origin - next) * (1 / (root.scale * body_->grid.h)), body_->turn));
    const std::size_t n = body_->stride();
    const float by[3] = {shift.x, shift.y, shift.z};
    for (std::size_t c = 0; c < 3; ++c)
        for (const std::size_t i : body_->slots()) {
            state.positions[c * n + i] += by[c];
            state.driven[c * n + i] += by[c];
        }
}

State LayersRig::make_state() const {
    State state;
    LayersArrays rest = LayersArrays::at_rest(*body_);
    state.stride = body_->stride();
    state.positions = std::move(rest.positions);
    state.velocities = std::move(rest.velocities);
    state.rotations = std::move(rest.rotations);
    state.driven = std::move(rest.driven);
    state.driven.resize(6 * body_->stride() + joint_count(), 1.0f);
    body_->gate.make(state);
    set_frame(state, body_->centre, 1);
    return state;
}

/// Every point where the skeleton carries it, at rest relative to it.
void LayersRig::start_from(State& state, Workspace& work) const {
    const auto now = places(work, 0);
    joint_places(state.joints, skeleton(), now);
    choose_sides(body_->parents, now, sides(state));
    set_frame(state, now[0].place, now[0].scale);
    const DrivenNodes driven = step_.drive(duals(now, state, work), work);
    std::copy(driven.positions.begin(), driven.positions.end(), state.positions.begin());
    std::copy(driven.positions.begin(), driven.positions.end(), state.driven.begin());
    forget_speed(state);
    std::fill(state.rotations.begin(), state.rotations.end(), 0.0f);
    for (const std::size_t i : body_->slots()) state.rotations[i] = 1;
    state.accumulator = 0;
    state.asleep = 0;
}

/// Just reset: nothing has moved yet, and no rest was noticed either.
bool LayersRig::is_fresh(const State& state) const {
    const std::size_t n = body_->stride();
    const auto is_zero = [](float v) { return v == 0; };
    return !state.asleep && std::all_of(state.velocities.begin(), state.velocities.end(), is_zero) &&
           std::all_of(state.driven.begin() + std::ptrdiff_t(3 * n), state.driven.begin() + std::ptrdiff_t(6 * n),
                       is_zero);
}

/// A reset knows only where the skeleton is. It is taken to have come as it goes on: a motion that begins in full swing
/// begins without a jolt.
void LayersRig::go_along(std::span<const JointPlace> places, State& state, Workspace& work) const {
    const std::size_t n = body_->stride();
    follow_root(state, places[0]);
    const DrivenNodes driven = step_.drive(duals(places, state, work), work);
    const float rate = 1.0f / float(tuning_.step);
    for (std::size_t c = 0; c < 3; ++c)
        for (const std::size_t i : body_->slots()) {
            const std::size_t k = c * n + i;
            state.driven[3 * n + k] = (driven.positions[k] - state.driven[k]) * rate;
        }
}

// ---- jumps -----------------------------------------------------------------------------------------------------
/// Puts the points to another pose at once: their offsets stay, nothing is felt of the way there.
void LayersRig::rebase(std::span<const JointPlace> places, State& state, Workspace& work) const {
    follow_root(state, places[0]);
    const DrivenNodes driven = step_.drive(duals(places, state, work), work);
    for (std::size_t k = 0; k < driven.positions.size(); ++k) {
        state.positions[k] = driven.positions[k] + (state.positions[k] - state.driven[k]);
        state.driven[k] = driven.positions[k];
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
    const std::size_t n = body_->stride();
    Vec3d speed;
    for (const std::size_t i : body_->slots())
        speed += {state.driven[3 * n + i], state.driven[4 * n + i], state.driven[5 * n + i]};
    const double per_node = after.scale * body_->grid.h / double(body_->node_count());
    const Quat turn = normalized(after.rotation * conjugate(before[0].rotation));
    const Vec3d from = before[0].place, to = after.place - rotate(turn, from_axes(speed * per_node, body_->turn)) * dt;
    const auto place = [&](Vec3d p) { return rotate(turn, p - from) + to; };

    const Vec3d axis = to_axes({turn.x, turn.y, turn.z}, body_->turn);
    const Quat local{turn.w, axis.x, axis.y, axis.z};
    const auto turn_channels = [&](float* x) {
        for (const std::size_t i : body_->slots()) {
            const Vec3 v = to_float(rotate(local, {x[i], x[n + i], x[2 * n + i]}));
            x[i] = v.x;
            x[n + i] = v.y;
            x[2 * n + i] = v.z;
        }
    };
    // Rotations are against the driven ones and go with them.
    turn_channels(state.positions.data());
    turn_channels(state.velocities.data());
    turn_channels(state.driven.data());
    turn_channels(state.driven.data() + 3 * n);
    set_frame(state, place(translation_of(state.frame)), after.scale);
    for (JointPlace& joint : before) {
        joint.place = place(joint.place);
        joint.rotation = normalized(turn * joint.rotation);
    }
}

void LayersRig::point_positions(const State& state, std::span<Vec3> out) const {
    if (!fits(state) || out.size() < body_->node_count()) return;
    const std::size_t n = body_->stride();
    for (std::size_t node = 0; node < body_->node_count(); ++node) {
        const std::size_t i = body_->slots()[node];
        const Vec3d local{state.positions[i], state.positions[n + i], state.positions[2 * n + i]};
        out[node] = to_float(transform_point(state.frame, local));
    }
}

// ---- verbs -----------------------------------------------------------------------------------------------------
void LayersRig::advance(std::span<const Affine> joints, double dt, State& state, Workspace& work) const {
    if (!(dt > 0)) dt = 0;
    if (!fits(state)) state = make_state();
    body_->gate.advance(joints, state);
    run_fades(dt, state.fades);
    const bool still = std::equal(state.joints.begin(), state.joints.end(), state.previous_joints.begin(), same_bits);

    // Steps fall on multiples of the step since the last reset.
    const double step_time = tuning_.step, first = step_time - state.accumulator;
    const double due = std::floor(std::min((state.accumulator + dt) / step_time, 1e9) + 1e-9);
    state.accumulator = std::clamp(state.accumulator + dt - due * step_time, 0.0, step_time);
    if (state.asleep && still && state.settled_by == tuning_.tag) return;
    state.asleep = 0;

    const auto before = places(work, 0), after = places(work, 1), now = places(work, 2);
    joint_places(state.previous_joints, skeleton(), before);
    joint_places(state.joints, skeleton(), after);
    take_sides(sides(state), before);
    if (dt > 0 && is_jump(before[0], after[0], dt)) carry(before, after[0], dt, state);
    follow_sides(before, after, sides(state));
    if (dt == 0) return still ? void() : rebase(after, state, work);

    const auto time_at = [&](double step) { return std::clamp((first + step * step_time) / dt, 0.0, 1.0); };
    const auto pose_at = [&](double step) {
        const double t = time_at(step);
        for (std::size_t j = 0; j < now.size(); ++j) now[j] = between(before[j], after[j], t);
        return now;
    };
    const double run = std::min(due, std::floor(longest_catch_up / step_time)), skipped = due - run;
    if (skipped > 0) {
        state.counters.dropped_steps += std::uint64_t(skipped);
        rebase(pose_at(skipped - 1), state, work);
    }
    if (run > 0 && !still && is_fresh(state)) go_along(pose_at(skipped), state, work);
    const bool held = is_held(state, body_->stride());
    const std::span<float> push = held ? scratch(work, push_at, 3) : std::span<float>{};
    std::fill(push.begin(), push.end(), 0.0f);
    sim::Motion motion;
    for (double k = skipped; k < due; ++k) {
        std::span<const float> posed;
        {
            StageClock clock(work.times.pose);
            follow_root(state, pose_at(k)[0]);
            posed = duals(now, state, work);
        }
        if (held) push_of_grip(*body_, frame_of(state), state, time_at(k), step_time, push);
        motion = step_.run(posed, view(state), {push, felt_gravity(state)}, work);
        state.counters.limited_points += motion.limited;
        ++state.counters.steps;
    }
    state.grip.last_target = state.grip.target;
    const double fastest = motion.fastest;
    if (run > 0 && !(fastest < 1e30)) {
        // Cannot happen with poses that passed the gate; if it does, start anew rather than keep a number that is none.
        start_from(state, work);
        ++state.counters.resets;
    } else if (run > 0 && still && fastest < sleep_speed * body_->size / body_->grid.h) {
        forget_speed(state);
        state.asleep = 1;
        state.settled_by = tuning_.tag;
    }
}

/// Change of velocity in one step, in voxels and the nodes' axes: the frame never turns, so that down stays down.
Vec3 LayersRig::felt_gravity(const State& state) const {
    const PointFrame frame = frame_of(state);
    return to_float(to_axes(tuning_.gravity * (tuning_.step / frame.scale), frame.turn));
}

// ---- surface ---------------------------------------------------------------------------------------------------
/// The surface as the skeleton alone carries it, about the frame's origin.
void LayersRig::skin_about_frame(const Carried& carried, const State& state, const Surface& out,
                                 Workspace& work) const {
    const Vec3d origin = frame_of(state).origin;
    const std::size_t joints = joint_count();
    Floats& bytes = work.impl().array(joints_at, joints * sizeof(Affine) / sizeof(float));
    const std::span<Affine> local(reinterpret_cast<Affine*>(bytes.data()), joints);
    for (std::size_t j = 0; j < joints; ++j) {
        local[j] = state.joints[j];
        local[j].m[0][3] -= origin.x;
        local[j].m[1][3] -= origin.y;
        local[j].m[2][3] -= origin.z;
    }
    if (body_->blueprint->linear) return carried.linear.skin(local, out, work);
    const auto now = posed_places(state, work);
    Floats& turns = work.impl().array(sides_at, 4 * joints);
    for (std::size_t j = 0; j < joints; ++j) {
        const Quat q = now[j].rotation;
        const float values[4] = {float(q.w), float(q.x), float(q.y), float(q.z)};
        std::copy(values, values + 4, &turns[4 * j]);
    }
    carried.surface.skin(local, out, work, {turns.data(), 4 * joints});
}

void LayersRig::place_in_scene(const State& state, std::span<Vec3> positions) const {
    const Vec3d origin = frame_of(state).origin;
    for (Vec3& v : positions) v = to_float(to_double(v) + origin);
}

/// How much is shown around each joint; empty: everything.
std::span<const float> LayersRig::shown_joints(const State& state, Workspace& work) const {
    if (state.fades.size() != joint_count()) return {};
    Floats& out = work.impl().array(shown_at, joint_count());
    for (std::size_t j = 0; j < joint_count(); ++j) out[j] = shown(state.fades[j]);
    return {out.data(), joint_count()};
}

void LayersRig::embed(const State& state, const Surface& out, Workspace& work) const {
    if (fits(state)) embed_carried(own_surface(), state, out, work);
}

void LayersRig::embed_carried(const Carried& carried, const State& state, const Surface& out, Workspace& work) const {
    StageClock clock(work.times.embed);
    const std::size_t n = body_->stride();
    const PointFrame frame = frame_of(state);
    skin_about_frame(carried, state, out, work);
    // Points at this frame's own time: driven exactly, their offset as it was one step ago plus what has passed since.
    const auto now = posed_places(state, work);
    const DrivenNodes driven = step_.drive(duals(now, state, work), work);
    const auto from = scratch(work, from_at, 3), to = scratch(work, to_at, 3), turns = scratch(work, turns_at, 4);
    const float scale = float(frame.scale), back = float(tuning_.step - state.accumulator);
    // Channels of the scene's axes among those of the nodes.
    const std::size_t x = body_->turn == 1 ? 2 : body_->turn == 2 ? 1 : 0, y = (x + 1) % 3, z = (x + 2) % 3;
    const std::size_t axes[3] = {x * n, y * n, z * n};
    const std::span<const float> shares = shown_joints(state, work);
    for (const std::size_t i : carried.carriers) {
        float share = 1;
        if (!shares.empty()) {
            share = 0;
            for (std::size_t k = 0; k < 4; ++k) share += body_->weights[k * n + i] * shares[body_->joints[k * n + i]];
        }
        for (std::size_t c = 0; c < 3; ++c) {
            const std::size_t k = axes[c] + i;
            const float u = (state.positions[k] - state.driven[k]) - back * state.velocities[k];
            from[c * n + i] = scale * driven.positions[k];
            to[c * n + i] = scale * (driven.positions[k] + share * u);
        }
        const sim::Rotation q{driven.rotations[i], driven.rotations[n + axes[0] + i], driven.rotations[n + axes[1] + i],
                              driven.rotations[n + axes[2] + i]};
        sim::Rotation r{state.rotations[i], state.rotations[n + axes[0] + i], state.rotations[n + axes[1] + i],
                        state.rotations[n + axes[2] + i]};
        if (const float turn = share * tuning_.turn[i]; turn != 1) r = part_of(r, turn);
        const sim::Rotation turn = q * r * conjugate(q);
        turns[i] = turn.w;
        turns[n + i] = turn.x;
        turns[2 * n + i] = turn.y;
        turns[3 * n + i] = turn.z;
    }
    stretch_carriers(carried.carriers, now, state, from, to, work);
    const embedding::Carriers carriers{n, from, to, turns};
    const std::size_t vertices = carried.bound.vertex_count();
    if (out.positions.size() >= vertices) {
        const auto p = out.positions.first(vertices);
        embedding::carry_positions(carried.bound, carriers, p, p);
        place_in_scene(state, p);
    }
    if (out.normals.size() >= vertices) {
        const auto normals = out.normals.first(vertices);
        embedding::carry_directions(carried.bound, carriers, normals, normals);
    }
    if (out.tangents.size() >= vertex_count() && !body_->blueprint->surface.tangents.empty())
        carry_tangents(carried, carriers, out.tangents, work);
}

/// Puts bone scale back: from the skeleton without it to the true pose, by the weights of each point.
void LayersRig::stretch_carriers(const std::vector<std::uint32_t>& carriers, std::span<const JointPlace> now,
                                 const State& state, std::span<float> from, std::span<float> to,
                                 Workspace& work) const {
    const std::size_t n = body_->stride(), joints = joint_count();
    Floats& bytes = work.impl().array(joints_at, joints * sizeof(Affine) / sizeof(float));
    const std::span<Affine> maps(reinterpret_cast<Affine*>(bytes.data()), joints);
    if (!stretch_maps(state.joints, skeleton(), now, frame_of(state).origin, maps)) return;
    for (const std::size_t i : carriers) {
        Affine mixed{{{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}}};
        for (std::size_t k = 0; k < 4; ++k) {
            const double w = body_->weights[k * n + i];
            if (w == 0) continue;
            const Affine& map = maps[body_->joints[k * n + i]];
            for (int r = 0; r < 3; ++r)
                for (int c = 0; c < 4; ++c) mixed.m[r][c] += w * map.m[r][c];
        }
        for (const auto& channels : {from, to}) {
            const Vec3 p = to_float(transform_point(mixed, {channels[i], channels[n + i], channels[2 * n + i]}));
            channels[i] = p.x;
            channels[n + i] = p.y;
            channels[2 * n + i] = p.z;
        }
    }
}

void LayersRig::carry_tangents(const Carried& carried, const embedding::Carriers& carriers, std::span<Vec4> tangents,
                               Workspace& work) const {
    static_assert(sizeof(Vec3) == 3 * sizeof(float));
    const std::size_t n = carried.bound.vertex_count();
    const std::span<Vec3> axes(reinterpret_cast<Vec3*>(work.impl().array(tangents_at, 3 * n).data()), n);
    for (std::size_t v = 0; v < n; ++v) axes[v] = {tangents[v].x, tangents[v].y, tangents[v].z};
    embedding::carry_directions(carried.bound, carriers, axes, axes);
    for (std::size_t v = 0; v < n; ++v) tangents[v] = {axes[v].x, axes[v].y, axes[v].z, tangents[v].w};
}

std::optional<Vec3d> LayersRig::pick(const Ray& ray, const State& state, Workspace& work) const {
    if (!fits(state)) return std::nullopt;
    std::vector<Vec3> positions(vertex_count());
    embed(state, {positions, {}, {}}, work);
    const auto t = embedding::first_hit(ray.origin, ray.direction, positions, body_->blueprint->surface.triangles);
    if (!t) return std::nullopt;
    return ray.origin + ray.direction * *t;
}

Result<RigPtr> make_layers_rig(std::shared_ptr<const LayersBody> body, const LayersSettings& settings,
                               const std::vector<std::string>& warnings, std::optional<double> calibration) {
    if (!calibration) {
        Flesh flesh = settings.flesh;
        clamp_to_step(flesh);
        calibration = flesh.mode == Mode::physical ? calibrate(*body, flesh) : 1.0;
    }
    SavedLayers saved{body->blueprint, settings, *calibration, warnings};
    return RigPtr(std::make_shared<LayersRig>(std::move(body), std::move(saved)));
}

/// A flesh without layers means the usual ones.
Result<LayersSettings> with_layers(LayersSettings settings) {
    if (!settings.flesh.layers.empty()) return settings;
    const Result<Flesh> usual = preset("default");
    if (!usual) return usual.error();
    settings.flesh.layers = usual->layers;
    if (settings.flesh.parts.empty()) settings.flesh.parts = usual->parts;
    return settings;
}

Result<RigPtr> LayersRig::retuned(const Settings& settings) const {
    const LayersSettings* layers = std::get_if<LayersSettings>(&settings);
    if (!layers) return usage_error("another method needs a bind");
    const Result<LayersSettings> asked = with_layers(*layers);
    if (!asked) return asked.error();
    if (const Status checked = check(asked->flesh, nullptr); !checked) return checked.error();
    const std::string difference = built_in_difference(saved_.settings, *asked, joint_names(*body_));
    if (!difference.empty()) return usage_error(difference + " is built in: bind again to change it");
    const bool same = same_calibration(saved_.settings.flesh, asked->flesh);
    return make_layers_rig(body_, *asked, saved_.warnings, same ? std::optional(saved_.calibration) : std::nullopt);
}

}  // namespace

Result<RigPtr> bind_layers(const Character& character, const LayersSettings& settings) {
    // Vectors do not know the loss of speed that the printed loop has.
    const bool plain = settings.flesh.mode == Mode::literal;
    return bind_layers_by(character, settings, plain ? Engine::reference : Engine::segments);
}

Result<RigPtr> bind_layers_by(const Character& character, const LayersSettings& asked, Engine engine) {
    if (const Status checked = check_skinned(character, "layers"); !checked) return checked.error();
    const Result<LayersSettings> settings = with_layers(asked);
    if (!settings) return settings.error();
    auto body = build_layers_body(character, *settings, engine);
    if (!body) return body.error();
    return make_layers_rig(*body, *settings, (*body)->warnings, std::nullopt);
}

Result<RigPtr> load_layers(ByteReader& in) {
    Result<SavedLayers> saved = read_layers(in);
    if (!saved) return saved.error();
    const auto body = assemble_layers_body(saved->blueprint, {});
    return RigPtr(std::make_shared<LayersRig>(body, std::move(*saved)));
}

}  // namespace fascia
