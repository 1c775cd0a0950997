// Bones, muscles and skin by physics (Luo 2016, chapter 3), after the anatomy that comes with a character: bones follow
// joints or move freely, muscles are finite elements and lines of force, and springs tie skin to both. All of it is one
// system (sim/coupled_system.h). Skin without anatomy under it is skinned.
#include "methods/neck/neck.h"

#include <algorithm>
#include <cmath>

#include "base/hash.h"
#include "base/workspace.h"
#include "methods/neck/excited.h"
#include "methods/neck/moved_bones.h"
#include "methods/neck/neck_body.h"
#include "methods/neck/neck_file.h"
#include "methods/neck/neck_normals.h"
#include "methods/shared/bind_progress.h"
#include "methods/shared/skinned_character.h"
#include "methods/shared/stage_timer.h"
#include "skin/skinned_surface.h"

namespace fascia {

namespace {

/// A point goes no further than this from where the skeleton carries it, as a share of the size.
constexpr double most_offset = 0.25;

/// Seconds; if something still moves after several of these in a held pose, forces there cannot balance
/// (SteppedRig::tire).
constexpr double usual_decay = 0.3;
/// Seconds over which the springs of posture are damped.
constexpr double posture_damping = 0.05;

/// A joint's map from rest to now, in the frame of the points.
struct JointMap {
    sim::Matrix3 turn;
    Vec3d move;
};

struct NeckScratch {
    Floats there;                ///< [3 * points]
    std::vector<JointMap> maps;  ///< [joints]
    std::vector<Vec3d> x, v, end, holds;
    std::vector<sim::BodyMotion> bodies;
    std::vector<sim::BodyPlace> ends;
    std::vector<double> activations;
    sim::CoupledScratch coupled;
    MovedScratch moved;
    std::vector<Affine> joints;            ///< [joints] where bones move by themselves
    std::vector<Vec3> positions, skinned;  ///< [vertices] if the caller wants none
    NormalScratch normals;
};

SteppedBody driving_of(const NeckBody& body) {
    return {.size = body.size,
            .h = 1,
            .centre = {},
            .stride = body.points.count(),
            .slots = body.slots,
            .rest = body.rest,
            .gate = &body.gate,
            .inverse_rest = body.inverse_rest,
            .parents = body.parents,
            .pivots = body.pivots,
            .fingerprint = body.fingerprint};
}

class NeckRig final : public SteppedRig, public Live, public Beneath {
public:
    NeckRig(std::shared_ptr<const NeckBody> body, const NeckSettings& settings)
        : SteppedRig(driving_of(*body)),
          body_(std::move(body)),
          settings_(settings),
          skin_(body_->blueprint->surface.source(), body_->gate.rest()) {
        // Checked by those who make rigs; a damaged file excites nothing.
        Result<std::vector<double>> excited = excited_shares(scene(), own_.excite);
        excited_ = excited ? std::move(*excited) : std::vector<double>(scene().actuators.size());
        if (own_.bones != "actuators") return;
        bones_ =
            MovedBones(scene(), body_->body_joint, body_->body_centre, body_->parents, body_->pivots, own_.posture);
        if (bones_.any()) bone_memory_ = layout().add("bones", bones_.memory());
    }

    const Settings& settings() const override { return settings_; }
    std::size_t vertex_count() const override { return skin_.vertex_count(); }
    bool has_normals() const override { return !surface().normals.empty(); }
    bool has_tangents() const override { return !surface().tangents.empty(); }
    std::vector<std::string> warnings() const override { return body_->warnings; }
    const SkinWeights* skin_weights() const override { return &surface().weights; }
    Result<std::vector<std::uint8_t>> save_content() const override {
        ByteWriter out;
        write_neck(*body_->blueprint, out);
        return out.take();
    }

    void embed(const State& state, const Surface& out, Workspace& work) const override;
    void embed_skinned(const State& state, const Surface& out, Workspace& work) const override {
        if (!fits(state)) return;
        skin_.skin(joints_about_frame(state, work), out, work);
        place_in_scene(state, out.positions.first(std::min(out.positions.size(), vertex_count())));
    }

    const Live* live() const override { return this; }
    std::vector<std::string> joint_names() const override { return {}; }
    Result<RigPtr> retuned(const Settings& settings) const override {
        const Result<std::vector<double>> excited = excited_shares(scene(), settings.as<NeckSettings>()->excite);
        if (!excited) return excited.error();
        return RigPtr(std::make_shared<NeckRig>(body_, *settings.as<NeckSettings>()));
    }

    std::span<const Piece> pieces() const override { return body_->pieces; }
    std::span<const std::uint32_t> triangles() const override { return body_->piece_triangles; }
    void positions(const State& state, std::span<Vec3> out, Workspace& work) const override;

private:
    const RestSurface& surface() const { return body_->blueprint->surface; }
    const AnatomyScene& scene() const { return body_->blueprint->scene; }
    PointWeights point_weights() const override { return {body_->by_joints, body_->by_weights}; }
    Pace pace() const override {
        Hasher tag;
        tag.bytes(&own_.gravity, sizeof own_.gravity);
        tag.bytes(&own_.excitation, sizeof own_.excitation);
        tag.bytes(&own_.drag, sizeof own_.drag);
        tag.bytes(own_.excite.data(), own_.excite.size());
        return {own_.anatomy_step, own_.gravity, tag.value(), usual_decay};
    }
    std::span<const float> drive(std::span<const JointPlace> places, const State& state,
                                 Workspace& work) const override;
    void begin_again(std::span<const JointPlace> places, State& state, Workspace&) const override {
        if (bones_.any()) bones_.start(places, layout().of(state, bone_memory_));
    }
    sim::Motion step(std::span<const JointPlace> places, double share, State& state, Workspace& work) const override;

    /// The share of its motion beyond the skeleton's that a point keeps in a step.
    double kept_speed() const { return 1 / (1 + own_.drag * own_.anatomy_step); }
    void find_maps(std::span<const JointPlace> places, const State& state, NeckScratch& scratch) const;
    void find_activations(std::span<const JointPlace> places, NeckScratch& scratch) const;
    std::span<const JointPlace> move_bones(std::span<const JointPlace> places, State& state, NeckScratch& scratch,
                                           double& fastest) const;
    std::span<const Affine> shown_joints_about_frame(const State& state, Workspace& work) const;
    void take_bodies(State& state, NeckScratch& scratch) const;
    sim::Motion give(State& state, NeckScratch& scratch) const;

    std::shared_ptr<const NeckBody> body_;
    Settings settings_;
    const NeckSettings& own_ = *settings_.as<NeckSettings>();
    LbsSurface skin_;
    std::vector<double> excited_;  ///< [actuators]
    MovedBones bones_;
    MemoryLayout::BlockNumber bone_memory_ = 0;
};

// ---- what the skeleton does ------------------------------------------------------------------------------------
void NeckRig::find_maps(std::span<const JointPlace> places, const State& state, NeckScratch& scratch) const {
    const PointFrame frame = frame_of(state);
    scratch.maps.resize(places.size());
    for (std::size_t j = 0; j < places.size(); ++j) {
        const sim::Matrix3 turn = sim::matrix_from(places[j].rotation);
        scratch.maps[j] = {turn, (places[j].place - frame.origin) * (1 / frame.scale) - turn * body_->pivots[j]};
    }
}

std::span<const float> NeckRig::drive(std::span<const JointPlace> places, const State& state, Workspace& work) const {
    NeckScratch& scratch = work.impl().scratch<NeckScratch>();
    find_maps(places, state, scratch);
    const std::size_t n = point_count();
    const std::span<float> out = sized(scratch.there, 3 * n);
    for (std::size_t i = 0; i < n; ++i) {
        const Vec3d rest{body_->rest[i], body_->rest[n + i], body_->rest[2 * n + i]};
        Vec3d at;
        for (std::size_t k = i; k < 4 * n; k += n) {
            const double w = body_->by_weights[k];
            if (w == 0) continue;
            const JointMap& map = scratch.maps[body_->by_joints[k]];
            at += (map.turn * rest + map.move) * w;
        }
        out[i] = float(at.x), out[n + i] = float(at.y), out[2 * n + i] = float(at.z);
    }
    return out;
}

/// An actuator is excited by its own activation, by the setting, and by how far its joint has moved from rest.
void NeckRig::find_activations(std::span<const JointPlace> places, NeckScratch& scratch) const {
    scratch.activations.resize(scene().actuators.size());
    for (std::size_t k = 0; k < scratch.activations.size(); ++k) {
        double active = scene().actuators[k].activation + own_.excitation + excited_[k];
        const std::size_t j = body_->exciting_joint[k];
        if (j != 0xffff) {
            const int parent = body_->parents[j];
            const Vec3d rest = body_->pivots[j] - (parent < 0 ? Vec3d{} : body_->pivots[std::size_t(parent)]);
            const JointPlace from = parent < 0 ? JointPlace{} : places[std::size_t(parent)];
            const Vec3d now = rotate(conjugate(from.rotation), places[j].place - from.place) * (1 / places[j].scale);
            active += length(now - rest);
        }
        scratch.activations[k] = std::clamp(active, 0.0, 1.0);
    }
}

/// Where actuators move the bones, the skeleton's pose becomes theirs.
std::span<const JointPlace> NeckRig::move_bones(std::span<const JointPlace> places, State& state, NeckScratch& scratch,
                                                double& fastest) const {
    if (!bones_.any()) return places;
    const std::span<float> memory = layout().of(state, bone_memory_);
    fastest = bones_.step(places, scratch.activations, own_.anatomy_step, posture_damping,
                          to_double(felt_gravity(state)) * (1 / own_.anatomy_step), memory, scratch.moved);
    scratch.moved.joints.resize(places.size());
    bones_.follow(places, memory, 0, scratch.moved.joints);
    return scratch.moved.joints;
}

/// The joints that skin what is shown, relative to the frame's origin: with the bones at this moment between two steps.
std::span<const Affine> NeckRig::shown_joints_about_frame(const State& state, Workspace& work) const {
    const std::span<const Affine> given = joints_about_frame(state, work);
    if (!bones_.any()) return given;
    NeckScratch& scratch = work.impl().scratch<NeckScratch>();
    const std::span<const JointPlace> places = posed_places(state, work);
    std::vector<JointPlace>& moved = scratch.moved.joints;
    moved.resize(places.size());
    bones_.follow(places, layout().of(state, bone_memory_), own_.anatomy_step - state.accumulator, moved);
    const Vec3d origin = frame_of(state).origin;
    scratch.joints.resize(given.size());
    for (std::size_t j = 0; j < given.size(); ++j) {
        const Quat turn = moved[j].rotation * conjugate(places[j].rotation);
        const Vec3d was = places[j].place - origin, now = moved[j].place - origin;
        scratch.joints[j] = compose(now - rotate(turn, was), turn, {1, 1, 1}) * given[j];
    }
    return scratch.joints;
}

Quat quat_from(const sim::Matrix3& turn) {
    Affine map;
    for (int r = 0; r < 3; ++r) std::copy(turn.m[r], turn.m[r] + 3, map.m[r]);
    return quat_from_matrix(map);
}

// ---- a step ----------------------------------------------------------------------------------------------------
/// Where the bodies are, how they move, and a guess of where they will be at the end of the step: free ones from their
/// four points, the others from their joints.
void NeckRig::take_bodies(State& state, NeckScratch& scratch) const {
    const std::size_t bodies = scene().bodies.size(), n = point_count();
    scratch.bodies.resize(bodies);
    scratch.ends.resize(bodies);
    for (std::size_t b = 0; b < bodies; ++b) {
        const JointMap& map = scratch.maps[body_->body_joint[b]];
        scratch.ends[b] = {map.turn * body_->body_centre[b] + map.move, quat_from(map.turn)};
        scratch.bodies[b] = {scratch.ends[b], {}, {}};
    }
    const std::span<const float> before = driven(state);
    for (std::size_t f = 0; f < body_->free_bodies.size(); ++f) {
        const std::size_t b = body_->free_bodies[f], first = body_->points.first_body() + 4 * f;
        const auto at = [&](std::span<const float> of, std::size_t k) {
            return Vec3d{of[first + k], of[n + first + k], of[2 * n + first + k]};
        };
        const auto turn_of = [&](std::span<const float> of) {
            return quat_from(sim::nearest_rotation(
                sim::from_columns(at(of, 1) - at(of, 0), at(of, 2) - at(of, 0), at(of, 3) - at(of, 0))));
        };
        const auto speed_of = [&](std::size_t k) {
            return at(state.velocities, k) * kept_speed() + at(driven_speed(state), k);
        };
        sim::BodyMotion& motion = scratch.bodies[b];
        motion.place = {at(state.positions, 0), turn_of(state.positions)};
        motion.speed = speed_of(0);
        for (std::size_t k = 1; k < 4; ++k)
            motion.turning += cross(at(state.positions, k) - motion.place.at, speed_of(k) - motion.speed) *
                              (0.5 / (body_->radius * body_->radius));
        // The guess: carried on as the skeleton alone would.
        const Quat moved = normalized(scratch.ends[b].turn * conjugate(turn_of(before)));
        const Vec3d from_centre = at(before, 0);
        scratch.ends[b].at = motion.place.at + (scratch.ends[b].at - from_centre);
        scratch.ends[b].turn = normalized(moved * motion.place.turn);
    }
}

/// Back into the channels.
sim::Motion NeckRig::give(State& state, NeckScratch& scratch) const {
    const std::size_t n = point_count(), flesh = body_->points.first_flesh(), system = body_->system.points();
    const std::span<float> before = driven(state), speed = driven_speed(state);
    const std::span<const float> there = scratch.there;
    const double dt = own_.anatomy_step, most = most_offset * body_->size;
    sim::Motion out;
    const auto set = [&](std::size_t i, Vec3d end) {
        const Vec3d driven_end{there[i], there[n + i], there[2 * n + i]};
        const Vec3d driven_start{before[i], before[n + i], before[2 * n + i]};
        const Vec3d start{state.positions[i], state.positions[n + i], state.positions[2 * n + i]};
        Vec3d u = end - driven_end;
        const double far = length(u);
        if (far > most) {
            u = u * (most / far);
            ++out.limited;
        }
        const Vec3d v = (u - (start - driven_start)) * (1 / dt), moved = (driven_end - driven_start) * (1 / dt);
        const Vec3d at = driven_end + u;
        state.positions[i] = float(at.x), state.positions[n + i] = float(at.y),
        state.positions[2 * n + i] = float(at.z);
        state.velocities[i] = float(v.x), state.velocities[n + i] = float(v.y),
        state.velocities[2 * n + i] = float(v.z);
        speed[i] = float(moved.x), speed[n + i] = float(moved.y), speed[2 * n + i] = float(moved.z);
        for (const std::size_t k : {i, n + i, 2 * n + i}) before[k] = there[k];
        const float fast = float(length(v));
        // Not std::max, which would lose NaN.
        if (!(fast <= out.fastest)) out.fastest = fast;
    };
    for (std::size_t i = 0; i < body_->points.joints; ++i) set(i, {there[i], there[n + i], there[2 * n + i]});
    for (std::size_t f = 0; f < body_->free_bodies.size(); ++f) {
        const sim::BodyPlace& end = scratch.ends[body_->free_bodies[f]];
        const std::size_t first = body_->points.first_body() + 4 * f;
        set(first, end.at);
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3d axis{k == 0 ? 1.0 : 0, k == 1 ? 1.0 : 0, k == 2 ? 1.0 : 0};
            set(first + 1 + k, end.at + rotate(end.turn, axis) * body_->radius);
        }
    }
    for (std::size_t k = 0; k < system; ++k) set(flesh + k, scratch.end[k]);
    return out;
}

sim::Motion NeckRig::step(std::span<const JointPlace> given, double, State& state, Workspace& work) const {
    NeckScratch& scratch = work.impl().scratch<NeckScratch>();
    find_activations(given, scratch);
    double fastest_bone = 0;
    const std::span<const JointPlace> places = move_bones(given, state, scratch, fastest_bone);
    const std::span<const float> there = drive(places, state, work);
    const sim::CoupledSystem& system = body_->system;
    const std::size_t n = point_count(), flesh = body_->points.first_flesh();
    {
        const StageTimer timer(work.times["solve"]);
        scratch.x.resize(system.points());
        scratch.v.resize(system.points());
        scratch.end.resize(system.points());
        const std::span<const float> before = driven(state), speed = driven_speed(state);
        const double keep = kept_speed();
        for (std::size_t k = 0; k < system.points(); ++k) {
            const std::size_t i = flesh + k;
            const auto at = [&](std::span<const float> of) { return Vec3d{of[i], of[n + i], of[2 * n + i]}; };
            scratch.x[k] = at(state.positions);
            scratch.v[k] = at(state.velocities) * keep + at(speed);
            scratch.end[k] = system.parts().masses[k] == 0 ? at(there) : scratch.x[k] + (at(there) - at(before));
        }
        scratch.holds.resize(system.parts().holds.size());
        for (std::size_t k = 0; k < scratch.holds.size(); ++k) {
            const std::size_t i = flesh + system.parts().holds[k].point;
            scratch.holds[k] = {there[i], there[n + i], there[2 * n + i]};
        }
        take_bodies(state, scratch);
        const Vec3 felt = felt_gravity(state);
        system.run({.x = scratch.x,
                    .v = scratch.v,
                    .bodies = scratch.bodies,
                    .end = scratch.end,
                    .body_ends = scratch.ends,
                    .hold_at = scratch.holds,
                    .activations = scratch.activations,
                    .gravity = to_double(felt) * (1 / own_.anatomy_step)},
                   scratch.coupled);
    }
    sim::Motion out = give(state, scratch);
    if (!(fastest_bone <= out.fastest)) out.fastest = float(fastest_bone);
    return out;
}

// ---- the surface -----------------------------------------------------------------------------------------------
/// Skinned, then moved by the skin's offset from where the skeleton carries it.
void NeckRig::embed(const State& state, const Surface& out, Workspace& work) const {
    if (!fits(state)) return;
    const StageTimer timer(work.times["embed"]);
    const std::size_t vertices = vertex_count(), n = point_count();
    if (body_->skin_triangles.empty() && !bones_.any()) return embed_skinned(state, out, work);
    NeckScratch& scratch = work.impl().scratch<NeckScratch>();
    const bool wants_positions = out.positions.size() >= vertices;
    const std::span<Vec3> positions =
        wants_positions ? out.positions.first(vertices) : sized(scratch.positions, vertices);
    skin_.skin(shown_joints_about_frame(state, work), {positions, out.normals, out.tangents}, work);
    const bool normals = has_normals() && out.normals.size() >= vertices;
    const std::span<Vec3> skinned = sized(scratch.skinned, normals ? vertices : 0);
    if (normals) std::copy(positions.begin(), positions.end(), skinned.begin());
    const float scale = float(frame_of(state).scale), back = float(own_.anatomy_step - state.accumulator);
    const std::span<const float> there = driven(state);
    const auto u = [&](std::size_t k) { return (state.positions[k] - there[k] - back * state.velocities[k]) * scale; };
    for (std::size_t v = 0; v < vertices; ++v) {
        if (body_->skin_of[v] == NeckBody::none) continue;
        const std::size_t i = body_->points.first_skin() + body_->skin_of[v];
        positions[v] += Vec3{u(i), u(n + i), u(2 * n + i)};
    }
    if (normals) turn_normals(body_->skin_triangles, skinned, positions, out, scratch.normals);
    if (wants_positions) place_in_scene(state, positions);
}

/// Where bones and muscles are: each point as the skeleton carries it, with its offset from there. Bodies that move
/// freely follow their four points.
void NeckRig::positions(const State& state, std::span<Vec3> out, Workspace& work) const {
    if (!fits(state)) return;
    const std::size_t n = point_count();
    const std::span<const Affine> joints = shown_joints_about_frame(state, work);
    const Vec3d origin = frame_of(state).origin;
    std::vector<Affine> maps;
    for (std::size_t j = 0; j < joints.size(); ++j) maps.push_back(joints[j] * body_->inverse_rest[j]);
    const std::span<const float> there = driven(state);
    const double scale = frame_of(state).scale, back = own_.anatomy_step - state.accumulator;
    const auto now = [&](std::size_t i) {
        const Vec3d rest{body_->rest[i], body_->rest[n + i], body_->rest[2 * n + i]};
        const auto offset = [&](std::size_t k) {
            return double(state.positions[k]) - double(there[k]) - back * double(state.velocities[k]);
        };
        Vec3d at = Vec3d{offset(i), offset(n + i), offset(2 * n + i)} * scale;
        for (std::size_t k = i; k < 4 * n; k += n)
            if (body_->by_weights[k] != 0)
                at += transform_point(maps[body_->by_joints[k]], rest) * body_->by_weights[k];
        return at;
    };
    std::size_t next = 0, free = body_->points.first_body();
    const auto put = [&](Vec3d p) {
        if (next < out.size()) out[next] = to_float(p + origin);
        ++next;
    };
    for (std::size_t b = 0; b < scene().bodies.size(); ++b) {
        const AnatomyScene::Body& body = scene().bodies[b];
        if (!body.free) {
            for (const Vec3d& p : body.solid.points) put(transform_point(maps[body_->body_joint[b]], p));
            continue;
        }
        const Vec3d centre = now(free), x = (now(free + 1) - centre) * (1 / body_->radius),
                    y = (now(free + 2) - centre) * (1 / body_->radius),
                    z = (now(free + 3) - centre) * (1 / body_->radius);
        for (const Vec3d& p : body.solid.points) {
            const Vec3d own = p - body_->body_centre[b];
            put(centre + x * own.x + y * own.y + z * own.z);
        }
        free += 4;
    }
    for (std::size_t k = 0; k < body_->points.nodes; ++k) put(now(body_->points.first_flesh() + k));
}

Result<RigPtr> bound_to(NeckBlueprint blueprint, const NeckSettings& settings) {
    return RigPtr(std::make_shared<NeckRig>(
        build_neck_body(std::make_shared<const NeckBlueprint>(std::move(blueprint)), settings), settings));
}

Result<RigPtr> bind_neck(const Character& character, const NeckSettings& settings, const BindInputs& inputs) {
    if (const Status checked = check_skinned(character, NeckSettings::method); !checked) return checked.error();
    NeckBlueprint blueprint;
    blueprint.surface = RestSurface(character);
    if (character.scene) blueprint.scene = *character.scene;
    if (const Status checked = check_scene(blueprint.scene, character.joints); !checked)
        return input_error(character.name + ": " + checked.error().message);
    if (const auto excited = excited_shares(blueprint.scene, settings.excite); !excited) return excited.error();
    if (!reached(inputs, 0.1)) return cancelled();
    return bound_to(std::move(blueprint), settings);
}

Result<RigPtr> load_neck(const NeckSettings& settings, ByteReader& in) {
    Result<NeckBlueprint> blueprint = read_neck(in);
    if (!blueprint) return blueprint.error();
    return bound_to(std::move(*blueprint), settings);
}

FieldsOf<NeckSettings> neck_fields() {
    using S = NeckSettings;
    FieldsOf<S> fields;
    fields
        .vector("gravity", &S::gravity, {-1e6, 1e6}, Use::live, "scene units / s^2",
                "Weight of the flesh: one number pulls down, three give the direction")
        .number("anatomy_step", &S::anatomy_step, {0.001, 0.05}, Use::built_in, "s",
                "Seconds of one fixed step of bones, muscles and skin; raised: cheaper, more damped")
        .number("firmness", &S::firmness, {1e-4, 100}, Use::built_in, "factor",
                "Factor on the stiffness of all muscles in the anatomy")
        .number("drag", &S::drag, {0, 100}, Use::live, "1 / s",
                "How fast motion beyond the skeleton's dies out; raised: swings shorter")
        .number("excitation", &S::excitation, {0, 1}, Use::live, "share",
                "Added to the activation of all actuators in the anatomy")
        .text("excite", &S::excite, Use::live,
              "Added to single actuators: NAME=SHARE between commas; * and ? match any letters")
        .choice(
            "bones", &S::bones, {"joints", "actuators"}, Use::built_in,
            "What moves bones that ball joints link. joints: the skeleton; actuators: these, against springs that draw "
            "the bones to the skeleton's pose")
        .number(
            "posture", &S::posture, {1, 1e6}, Use::built_in, "N / m",
            "With bones actuators: the springs that draw each bone to the skeleton's pose; raised: actuators move it "
            "less");
    return fields;
}

}  // namespace

const Beneath* beneath(const Rig& rig) {
    const auto* found = dynamic_cast<const Beneath*>(&rig.plain());
    return found != nullptr && !found->pieces().empty() ? found : nullptr;
}

Method neck_method() {
    MethodInfo info;
    info.from = "Luo 2016";
    info.summary = "bones, muscles and skin of an anatomy file by physics";
    info.abilities = {.simulates = true, .feels_gravity = true};
    info.stages = {"pose", "solve", "embed"};
    return make_method<NeckSettings>(std::move(info), neck_fields(), 1, {&bind_neck, &load_neck});
}

}  // namespace fascia
