// Multi-layer lattice (Iwamoto et al. 2015): bone, muscle, fat and skin as layers of voxels. The skeleton drives every
// voxel by dual quaternions; flesh swings about its driven position, held together by distances, volumes and shape
// matching.
//
//     per fixed step:   pose      a = where the skeleton carries each point
//                       predict   p = a + what the swing of each point makes of its offset
//                       stretch   distances to the neighbours
//                       volume    volumes between the neighbours
//                       match     rigid fits of overlapping regions
//                       update    offsets within their limit, new velocities
#include "methods/layers/layers.h"

#include <algorithm>
#include <cmath>

#include "base/workspace.h"
#include "methods/layers/layers_attach.h"
#include "methods/layers/layers_body.h"
#include "methods/layers/layers_engine.h"
#include "methods/layers/layers_file.h"
#include "methods/layers/layers_step.h"
#include "methods/layers/layers_tuning.h"
#include "methods/shared/auto_frequency.h"
#include "methods/shared/flesh_rig.h"
#include "methods/shared/flesh_settings.h"
#include "methods/shared/joint_places.h"
#include "methods/shared/skinned_character.h"
#include "methods/shared/stage_timer.h"

namespace fascia {

namespace {

constexpr const char* literal_warning =
    "mode literal runs the published loop as printed, for study: its swing depends on the step, flesh lags behind all "
    "motion, and k_s above about 1.4 diverges; mode paper is its stable form";

struct CarryScratch {
    Floats rows;         ///< of Carriers
    Floats shown;        ///< [rows]
    Floats joint_turns;  ///< [joints * 4]
    Floats push;         ///< of a hand
};

/// Blocks of carrying points that one thread takes at a time.
constexpr std::size_t carrier_grain = 32;

CarryScratch& scratch_of(Workspace& work) {
    return work.impl().scratch<CarryScratch>();
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
            .pivots = body.pivots,
            .fingerprint = body.fingerprint};
}

class LayersRig final : public FleshRig {
public:
    LayersRig(std::shared_ptr<const LayersBody> body, const LayersSettings& settings, double calibration,
              std::vector<std::string> warnings)
        : FleshRig(driving_of(*body)),
          body_(std::move(body)),
          settings_(settings),
          calibration_(calibration),
          body_warnings_(std::move(warnings)),
          warnings_(body_warnings_),
          tuning_(tuned(*body_, settings, calibration, warnings_)),
          step_(*body_, tuning_) {}

    const Settings& settings() const override { return settings_; }
    std::size_t vertex_count() const override { return body_->vertex_count(); }
    std::vector<std::string> warnings() const override { return warnings_; }
    void embed(const State& state, const Surface& out, Workspace& work) const override;
    bool embed_reads() const override { return false; }
    void embed_skinned(const State& state, const Surface& out, Workspace& work) const override {
        if (!fits(state)) return;
        skin_about_frame(own_surface(), posed_places(state, work), state, out, nullptr, work);
        if (out.positions.size() >= vertex_count()) place_in_scene(state, out.positions.first(vertex_count()));
    }
    Result<std::vector<std::uint8_t>> save_content() const override {
        ByteWriter out;
        write_layers({body_->blueprint, bound_to_nodes(*body_), calibration_, body_warnings_}, out);
        return out.take();
    }

    // ---- inside ----
    std::vector<std::string> layer_names() const override {
        std::vector<std::string> names{"bone"};
        for (const LayerSettings& layer : own().layers) names.push_back(layer.name);
        return names;
    }
    std::vector<std::uint8_t> point_layers() const override { return body_->layer(); }
    double point_spacing() const override { return body_->grid.h; }
    int resolution() const override { return int(std::lround(body_->size / body_->grid.h)); }
    void point_positions(const State& state, std::span<Vec3> out, Workspace& work) const override {
        if (fits(state) && out.size() >= point_count())
            place_points(state.positions, {body_->joints, body_->weights}, state, out, work);
    }

    // ---- live ----
    Result<RigPtr> retuned(const Settings& settings) const override;

    // ---- clothes ----
    Result<std::shared_ptr<AttachedSurface>> attach(const Mesh& mesh) const override {
        auto attached = attach_to_layers(*body_, mesh);
        if (!attached) return attached.error();
        return std::shared_ptr<AttachedSurface>(std::move(*attached));
    }
    void embed_attached(const AttachedSurface& attached, const State& state, const Surface& out,
                        Workspace& work) const override {
        if (const auto* own = dynamic_cast<const LayersAttachment*>(&attached); own != nullptr && fits(state))
            embed_carried({own->surface, own->linear, own->carried}, state, out, work);
    }

private:
    static LayersTuning tuned(const LayersBody& body, LayersSettings settings, double calibration,
                              std::vector<std::string>& warnings);
    const LayersSettings& own() const { return *settings_.as<LayersSettings>(); }
    /// The body's own surface, or an attached one.
    struct Carried {
        const DqsSurface& surface;
        const LbsSurface& linear;  ///< instead of it where points are driven by linear blending
        const Carriers& carriers;
    };
    Carried own_surface() const { return {body_->surface, body_->linear_surface, body_->carried}; }
    void skin_about_frame(const Carried& carried, std::span<const JointPlace> now, const State& state,
                          const Surface& out, const Carry* carry, Workspace& work) const;
    void embed_carried(const Carried& carried, const State& state, const Surface& out, Workspace& work) const;
    std::span<const float> carrier_rows(const Carriers& carriers, std::span<const JointPlace> now, const State& state,
                                        Workspace& work) const;
    std::span<const float> shown_places(const Carriers& carriers, const State& state, Workspace& work) const;
    void stretch_rows(const Carriers& carriers, std::span<const JointPlace> now, const State& state,
                      const CarrierTask& task, Workspace& work) const;
    Pace pace() const override { return {tuning_.step, tuning_.gravity, tuning_.tag, tuning_.decay}; }
    std::span<const float> drive(std::span<const JointPlace> places, const State& state,
                                 Workspace& work) const override {
        return step_.drive(duals(places, state, work), work).positions;
    }
    sim::Motion step(std::span<const JointPlace> places, double share, State& state, Workspace& work) const override;

    LayersView view(State& state) const {
        return {state.positions, state.velocities, state.rotations, driven(state), driven_speed(state)};
    }
    const RestSurface& rest_surface() const override { return body_->blueprint->surface; }
    const FleshSettings& flesh_settings() const override { return own(); }
    std::span<const float> give() const override { return tuning_.give; }
    std::vector<float> point_softness() const override {
        std::vector<float> out;
        for (std::size_t i = 0; i < body_->node_count(); ++i) out.push_back(tuning_.give[i] * body_->thinness()[i]);
        return out;
    }
    embedding::Trilinear bound_surface() const override { return bound_to_nodes(*body_); }
    double flesh_depth() const override { return body_->blueprint->depth; }
    GripBody grip_body() const override {
        const lattice::Tissue& tissue = body_->blueprint->tissue;
        return {.size = body_->size,
                .h = body_->grid.h,
                .stride = body_->stride(),
                .slots = body_->layout.slots,
                .rest = body_->rest,
                .flesh = body_->layer(),
                .links = {tissue.link_first, tissue.links, 6},
                .carriers = body_->carriers,
                .shown = {},
                .joints = body_->joints,
                .weights = body_->weights};
    }

    std::shared_ptr<const LayersBody> body_;
    Settings settings_;
    double calibration_;
    std::vector<std::string> body_warnings_, warnings_;
    LayersTuning tuning_;
    LayersStep step_;
};

/// What the step cannot follow is clamped, with a warning.
LayersTuning LayersRig::tuned(const LayersBody& body, LayersSettings settings, double calibration,
                              std::vector<std::string>& warnings) {
    resolve_frequencies(body.blueprint->depth, settings);
    std::vector<std::string> first = clamp_to_step(settings);
    if (settings.mode == Mode::literal) first.push_back(literal_warning);
    warnings.insert(warnings.begin(), first.begin(), first.end());
    const std::vector<double> amounts = joint_amounts(body.blueprint->surface.joints, settings);
    LayersTuning out = settings.mode == Mode::physical ? physical_tuning(body, settings, amounts, calibration, false)
                                                       : published_tuning(body, settings, amounts);
    out.decay = swing_decay(settings);
    return out;
}

sim::Motion LayersRig::step(std::span<const JointPlace> places, double share, State& state, Workspace& work) const {
    std::span<const float> posed;
    {
        StageTimer timer(work.times["pose"]);
        posed = duals(places, state, work);
    }
    const std::span<const float> push = push_of_hand(share, state, scratch_of(work).push, work);
    return step_.run(posed, view(state), {push, felt_gravity(state)}, work);
}

// ---- surface ---------------------------------------------------------------------------------------------------
/// The surface as the skeleton alone carries it, about the frame's origin; from there on as `carry` says.
void LayersRig::skin_about_frame(const Carried& carried, std::span<const JointPlace> now, const State& state,
                                 const Surface& out, const Carry* carry, Workspace& work) const {
    const std::size_t joints = joint_count();
    const std::span<const Affine> local = joints_about_frame(state, work);
    if (body_->blueprint->linear) return carried.linear.skin(local, out, work, carry);
    const std::span<float> turns = sized(scratch_of(work).joint_turns, 4 * joints);
    for (std::size_t j = 0; j < joints; ++j) {
        const Quat q = now[j].rotation;
        const float values[4] = {float(q.w), float(q.x), float(q.y), float(q.z)};
        std::copy(values, values + 4, &turns[4 * j]);
    }
    carried.surface.skin(local, out, work, turns, carry);
}

void LayersRig::embed(const State& state, const Surface& out, Workspace& work) const {
    if (fits(state)) embed_carried(own_surface(), state, out, work);
}

void LayersRig::embed_carried(const Carried& carried, const State& state, const Surface& out, Workspace& work) const {
    StageTimer timer(work.times["embed"]);
    const std::span<const JointPlace> now = posed_places(state, work);
    const std::span<const float> rows = carrier_rows(carried.carriers, now, state, work);
    const Carry carry{carried.carriers.surface.view(), rows.data(), to_float(frame_of(state).origin)};
    skin_about_frame(carried, now, state, out, &carry, work);
}

/// How much of the secondary motion is shown at each place of the carrying blocks; empty: everything.
std::span<const float> LayersRig::shown_places(const Carriers& carriers, const State& state, Workspace& work) const {
    const std::span<const float> shares = shown_joints(state, work);
    if (shares.empty()) return {};
    const std::size_t n = body_->stride();
    const std::span<float> out = sized(scratch_of(work).shown, carriers.rows());
    for (std::size_t row = 0; row < out.size(); ++row) {
        const std::size_t i = carriers.first[row / skin_block] + row % skin_block;
        out[row] = 0;
        for (std::size_t k = i; k < 4 * n; k += n) out[row] += body_->weights[k] * shares[body_->joints[k]];
    }
    return out;
}

/// Scaled bones carry both ends of a point's way along: the shift becomes S to - S from - (R - 1) S from.
void LayersRig::stretch_rows(const Carriers& carriers, std::span<const JointPlace> now, const State& state,
                             const CarrierTask& task, Workspace& work) const {
    const std::span<const Affine> stretch = bone_stretch(now, state, work);
    if (stretch.empty()) return;
    for (std::size_t row = 0; row < carriers.rows(); ++row) {
        const std::size_t i = carriers.first[row / skin_block] + row % skin_block;
        const Affine map = blended_stretch(i, {body_->joints, body_->weights}, stretch);
        float* m = task.rows + row * carrier_floats;
        const auto turned = [&](Vec3d v) {
            return Vec3d{m[0] * v.x + m[1] * v.y + m[2] * v.z, m[4] * v.x + m[5] * v.y + m[6] * v.z,
                         m[8] * v.x + m[9] * v.y + m[10] * v.z};
        };
        const Vec3d from = Vec3d{task.driven[0][i], task.driven[1][i], task.driven[2][i]} * double(task.scale);
        const Vec3d to = from + Vec3d{m[3], m[7], m[11]} + turned(from);
        const Vec3d start = transform_point(map, from);
        const Vec3 shift = to_float(transform_point(map, to) - start - turned(start));
        m[3] = shift.x, m[7] = shift.y, m[11] = shift.z;
    }
}

/// What each carrying point does to the surface at this frame's own time: it is driven exactly there, with its offset
/// as it was one step ago plus what has passed since. [carriers.rows() * carrier_floats], about the frame's origin
std::span<const float> LayersRig::carrier_rows(const Carriers& carriers, std::span<const JointPlace> now,
                                               const State& state, Workspace& work) const {
    const std::size_t n = body_->stride();
    const DrivenNodes there = step_.drive(duals(now, state, work), work);
    const std::span<const float> before = driven(state), shown = shown_places(carriers, state, work);
    const std::span<float> rows = sized(scratch_of(work).rows, carriers.rows() * carrier_floats);
    CarrierTask task;
    task.first = carriers.first.data();
    task.turn = tuning_.turn.data();
    task.shown = shown.empty() ? nullptr : shown.data();
    task.scale = float(frame_of(state).scale);
    task.back = float(tuning_.step - state.accumulator);
    task.rows = rows.data();
    task.driven_turns[0] = there.rotations.data();
    task.fitted[0] = state.rotations.data();
    // Which channel of the points holds each axis of the scene.
    const std::size_t first = body_->turn == 1 ? 2 : body_->turn == 2 ? 1 : 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::size_t channel = (first + axis) % 3 * n;
        task.driven[axis] = there.positions.data() + channel;
        task.driven_turns[axis + 1] = there.rotations.data() + n + channel;
        task.driven_before[axis] = before.data() + channel;
        task.positions[axis] = state.positions.data() + channel;
        task.velocities[axis] = state.velocities.data() + channel;
        task.fitted[axis + 1] = state.rotations.data() + n + channel;
    }
    work.impl().pool.for_ranges(carriers.first.size(), carrier_grain, [&](std::size_t begin, std::size_t end, int) {
        FASCIA_DISPATCH(carrier_rows)(task, begin, end);
    });
    stretch_rows(carriers, now, state, task, work);
    return rows;
}

/// With numbers where frequencies are automatic.
LayersSettings resolved(const LayersBody& body, LayersSettings settings) {
    resolve_frequencies(body.blueprint->depth, settings);
    return settings;
}

double calibrated(const LayersBody& body, LayersSettings settings) {
    settings = resolved(body, settings);
    clamp_to_step(settings);
    return settings.mode == Mode::physical ? calibrate(body, settings) : 1.0;
}

Result<RigPtr> LayersRig::retuned(const Settings& settings) const {
    const LayersSettings& asked = *settings.as<LayersSettings>();
    const bool same = same_calibration(resolved(*body_, own()), resolved(*body_, asked));
    const double calibration = same ? calibration_ : calibrated(*body_, asked);
    return RigPtr(std::make_shared<LayersRig>(body_, asked, calibration, body_warnings_));
}

Result<RigPtr> bind_layers(const Character& character, const LayersSettings& settings, const BindInputs& inputs) {
    // The vector engine does not model the loss of speed in the printed loop.
    const bool plain = settings.mode == Mode::literal;
    return bind_layers_by(character, settings, plain ? Engine::reference : Engine::segments, inputs);
}

Result<RigPtr> load_layers(const LayersSettings& settings, ByteReader& in) {
    Result<SavedLayers> saved = read_layers(settings, in);
    if (!saved) return saved.error();
    const auto body = assemble_layers_body(saved->blueprint, std::move(saved->bound), {});
    return RigPtr(std::make_shared<LayersRig>(body, settings, saved->calibration, std::move(saved->warnings)));
}

/// A layer that is not one of the usual ones must state its thickness.
Status check_layers_settings(const LayersSettings& settings, const Character* character) {
    for (const LayerSettings& layer : settings.layers)
        if (layer.share <= 0 && !layer.name.empty() && layer.name != "muscle" && layer.name != "fat" &&
            layer.name != "skin")
            return usage_error("layer '" + layer.name + "' needs a share of the thickness (layers." + layer.name +
                               ".share above 0), or did you mean '" +
                               nearest_name(layer.name, {"muscle", "fat", "skin"}) + "'?");
    return check_flesh(settings, character);
}

FieldsOf<LayersSettings> layers_fields() {
    using S = LayersSettings;
    FieldsOf<LayerSettings> layers = swing_fields();
    layers
        .number("share", &LayerSettings::share, {0, 100}, Use::built_in, "",
                "Relative thickness between bone and skin; 0: from `muscle` (muscle and fat only)")
        .number("k_d", &LayerSettings::k_d, {0, 1}, Use::live, "per step",
                "Modes paper and literal only: the publication's damping factor");
    FieldsOf<PartSettings> parts = flesh_part_fields();
    parts.number("muscle", &PartSettings::muscle, {0, 1}, Use::built_in, "share", "muscle around these joints");
    FieldsOf<S> fields;
    add_flesh_fields(fields);
    fields
        .number("region_width", &S::region_width, {2, 15}, Use::built_in, "voxels",
                "How far coherence reaches in one step; raised: flesh moves in larger pieces, slower to compute")
        .number("muscle", &S::muscle, {0, 1}, Use::built_in, "share",
                "Share of muscle in the flesh between bone and skin; raised: firmer")
        .choice("primary", &S::primary, {"auto", "dqs", "lbs"}, Use::built_in,
                "What drives the points; auto: dqs, but lbs, as published, in the modes paper and literal")
        .list(&S::layers, &LayerSettings::name, layers)
        .list(&S::parts, &PartSettings::joint, parts);
    return fields;
}

}  // namespace

Result<RigPtr> bind_layers_by(const Character& character, const LayersSettings& asked, Engine engine,
                              const BindInputs& inputs) {
    if (const Status checked = check_skinned(character, "layers"); !checked) return checked.error();
    LayersSettings settings = asked;
    complete_flesh(settings);
    const auto body = build_layers_body(character, settings, inputs, engine);
    if (!body) return body.error();
    return RigPtr(std::make_shared<LayersRig>(*body, settings, calibrated(**body, settings), (*body)->warnings));
}

Method layers_method() {
    MethodInfo info;
    info.from = "Iwamoto, Shum, Yang, Morishima 2015";
    info.summary = "voxels in bone, muscle, fat and skin layers";
    info.abilities = {.simulates = true,
                      .has_layers = true,
                      .takes_clothes = true,
                      .takes_mask = true,
                      .takes_hand = true,
                      .feels_gravity = true,
                      .own_weights = {"geodesic"}};
    info.stages = {"pose", "predict", "stretch", "volume", "match", "update", "embed"};
    return make_method<LayersSettings>(
        std::move(info), layers_fields(), 2,
        {&bind_layers, &load_layers, &check_layers_settings, [](LayersSettings& own) { complete_flesh(own); }});
}

}  // namespace fascia
