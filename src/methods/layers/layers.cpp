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
#include <cmath>

#include "base/workspace.h"
#include "methods/shared/fades.h"
#include "methods/shared/flesh_pull.h"
#include "methods/shared/joint_places.h"
#include "methods/layers/layers_attach.h"
#include "methods/layers/layers_body.h"
#include "methods/layers/layers_engine.h"
#include "methods/layers/layers_file.h"
#include "methods/layers/layers_rebind.h"
#include "methods/layers/layers_step.h"
#include "methods/layers/layers_tuning.h"
#include "methods/shared/methods.h"
#include "methods/shared/retuning.h"
#include "methods/shared/skinned_character.h"
#include "methods/shared/stage_timer.h"
#include "methods/shared/stepped_rig.h"
#include "methods/shared/usual_layers.h"
#include "sim/rotation_fit.h"

namespace fascia {

namespace {

constexpr const char* literal_warning =
    "mode literal runs the published loop as printed, for study: its swing depends on the step, flesh lags behind all "
    "motion, and k_s above about 1.4 diverges; mode paper is its stable form";

/// Numbers of the workspace's arrays, above those of the step.
enum Scratch : std::size_t { from_at = 32, to_at, turns_at, joints_at, sides_at, push_at, tangents_at };

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

SteppedBody driving_of(const LayersBody& body) {
    return {.size = body.size,
            .h = body.grid.h,
            .centre = body.centre,
            .turn = body.turn,
            .stride = body.stride(),
            .slots = body.slots(),
            .rest = body.rest,
            .gate = &body.gate,
            .inverse_rest = body.inverse_rest,
            .parents = body.parents,
            .pivots = body.pivots};
}

GripBody grip_body(const LayersBody& body) {
    const lattice::Tissue& tissue = body.blueprint->tissue;
    return {.size = body.size,
            .h = body.grid.h,
            .stride = body.stride(),
            .slots = body.layout.slots,
            .rest = body.rest,
            .flesh = body.layer,
            .links = {tissue.link_first, tissue.links, 6},
            .carriers = body.carriers,
            .shown = {}};
}

class LayersRig final : public SteppedRig {
public:
    LayersRig(std::shared_ptr<const LayersBody> body, SavedLayers saved)
        : SteppedRig(driving_of(*body)),
          body_(std::move(body)),
          saved_(std::move(saved)),
          warnings_(saved_.warnings),
          tuning_(tuned(*body_, saved_, warnings_)),
          step_(*body_, tuning_) {
        count_points(saved_.settings.flesh);
    }

    const char* method() const override { return "layers"; }
    std::size_t vertex_count() const override { return body_->vertex_count(); }
    PointCounts points() const override { return counts_; }
    std::vector<std::string> warnings() const override { return warnings_; }

    std::vector<std::uint8_t> point_layers() const override { return body_->layer; }
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
    std::optional<Vec3d> pick(const Ray& ray, const State& state, Workspace& work) const override {
        if (!fits(state)) return std::nullopt;
        return pick_surface(*this, body_->blueprint->surface.triangles, ray, state, work);
    }
    bool grip(Vec3d point, State& state) const override {
        if (!fits(state) || !grip_flesh(grip_body(*body_), frame_of(state), point, tuning_.give, state)) return false;
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
    void carry_tangents(const Carried& carried, const embedding::Carriers& carriers, std::span<Vec4> tangents,
                        Workspace& work) const;
    Pace pace() const override { return {tuning_.step, tuning_.gravity, tuning_.tag}; }
    std::span<const float> drive(std::span<const JointPlace> places, const State& state,
                                 Workspace& work) const override {
        return step_.drive(duals(places, state, work), work).positions;
    }
    sim::Motion step(std::span<const JointPlace> places, double share, State& state, Workspace& work) const override;

    LayersView view(State& state) const {
        return {state.positions, state.velocities, state.rotations, std::span(state.driven).first(6 * body_->stride())};
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

sim::Motion LayersRig::step(std::span<const JointPlace> places, double share, State& state, Workspace& work) const {
    std::span<const float> posed;
    {
        StageTimer timer(work.times.pose);
        posed = duals(places, state, work);
    }
    const bool held = is_held(state, body_->stride());
    const std::span<float> push = held ? scratch(work, push_at, 3) : std::span<float>{};
    std::fill(push.begin(), push.end(), 0.0f);
    if (held) push_of_grip(grip_body(*body_), frame_of(state), state, share, tuning_.step, push);
    return step_.run(posed, view(state), {push, felt_gravity(state)}, work);
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

void LayersRig::embed(const State& state, const Surface& out, Workspace& work) const {
    if (fits(state)) embed_carried(own_surface(), state, out, work);
}

void LayersRig::embed_carried(const Carried& carried, const State& state, const Surface& out, Workspace& work) const {
    StageTimer timer(work.times.embed);
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
    stretch_points(carried.carriers, {body_->joints, body_->weights}, now, state, {from, to}, work);
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

void LayersRig::carry_tangents(const Carried& carried, const embedding::Carriers& carriers, std::span<Vec4> tangents,
                               Workspace& work) const {
    static_assert(sizeof(Vec3) == 3 * sizeof(float));
    const std::size_t n = carried.bound.vertex_count();
    const std::span<Vec3> axes(reinterpret_cast<Vec3*>(work.impl().array(tangents_at, 3 * n).data()), n);
    for (std::size_t v = 0; v < n; ++v) axes[v] = {tangents[v].x, tangents[v].y, tangents[v].z};
    embedding::carry_directions(carried.bound, carriers, axes, axes);
    for (std::size_t v = 0; v < n; ++v) tangents[v] = {axes[v].x, axes[v].y, axes[v].z, tangents[v].w};
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

Result<RigPtr> LayersRig::retuned(const Settings& settings) const {
    const auto asked = retuning<LayersSettings>(settings, [&](const LayersSettings& wanted) {
        return built_in_difference(saved_.settings, wanted, joint_names(*body_));
    });
    if (!asked) return asked.error();
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
