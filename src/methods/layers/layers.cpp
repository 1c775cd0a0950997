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
#include "methods/shared/carried_rig.h"
#include "methods/shared/flesh_settings.h"
#include "methods/shared/joint_places.h"
#include "methods/shared/point_surface.h"
#include "methods/shared/sag.h"
#include "methods/shared/self_touch.h"
#include "methods/shared/skinned_character.h"
#include "methods/shared/stage_timer.h"

namespace fascia {

namespace {

constexpr const char* literal_warning =
    "mode literal runs the published loop as printed, for study: its swing depends on the step, flesh lags behind all "
    "motion, and k_s above about 1.4 diverges; mode paper is its stable form";

struct LayersHand {
    Floats push;
};

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

class LayersRig final : public CarriedRig {
public:
    LayersRig(std::shared_ptr<const LayersBody> body, const LayersSettings& settings, double calibration,
              std::vector<std::string> warnings, TouchingBodyPtr touching = nullptr)
        : CarriedRig(driving_of(*body)),
          body_(std::move(body)),
          settings_(settings),
          calibration_(calibration),
          body_warnings_(std::move(warnings)),
          warnings_(body_warnings_),
          tuning_(tuned(*body_, settings, calibration, warnings_)),
          step_(*body_, tuning_),
          touch_(touching_of(*body_, settings, std::move(touching)), limits_of(*body_, tuning_)) {
        // Flesh of the usual tone hardly folds, and should not pay for this.
        if (settings.mode == Mode::physical && settings.tone < 1) keep_skin_smooth(body_->blueprint->surface);
    }

    const Settings& settings() const override { return settings_; }
    std::size_t vertex_count() const override { return body_->vertex_count(); }
    std::vector<std::string> warnings() const override { return warnings_; }
    Result<std::vector<std::uint8_t>> save_content() const override {
        ByteWriter out;
        write_layers({body_->blueprint, bound_to_nodes(*body_), calibration_, body_warnings_}, out);
        return out.take();
    }

    // ---- inside ----
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
        return attach_to_layers(*body_, mesh);
    }

private:
    static TouchingBodyPtr touching_of(const LayersBody& body, const LayersSettings& settings, TouchingBodyPtr known);
    static TouchLimits limits_of(const LayersBody& body, const LayersTuning& tuning);
    static LayersTuning tuned(const LayersBody& body, LayersSettings settings, double calibration,
                              std::vector<std::string>& warnings);
    const LayersSettings& own() const { return *settings_.as<LayersSettings>(); }
    Carried own_surface() const override {
        return {body_->surface, body_->linear_surface, body_->carried, body_->carrying_segments};
    }
    CarriedBody carried_body() const override {
        return {body_->turn, body_->stride(), body_->blueprint->linear, {body_->joints, body_->weights}};
    }
    DrivenPoints driven_points(std::span<const float> duals, Workspace& work) const override {
        const DrivenNodes there = step_.drive(duals, work);
        return {there.positions, there.rotations};
    }
    DrivenPoints driven_carriers(std::span<const std::uint32_t> segments, std::span<const float> duals,
                                 Workspace& work) const override {
        const DrivenNodes there = step_.drive_some(segments, duals, work);
        return {there.positions, there.rotations};
    }
    std::span<const float> followed_turns() const override { return tuning_.turn; }
    Pace pace() const override { return {tuning_.step, tuning_.gravity, tuning_.tag, tuning_.decay}; }
    std::span<const float> drive(std::span<const JointPlace> places, const State& state,
                                 Workspace& work) const override {
        return step_.drive(duals(places, state, work), work).positions;
    }
    sim::Motion step(std::span<const JointPlace> places, double share, State& state, Workspace& work) const override;
    void begin_steps(double seconds, State&, Workspace& work) const override {
        if (touch_.is_on()) touch_.begin_steps(seconds, work);
    }
    bool is_pressed(Workspace& work) const override { return touch_.is_pressed(work); }
    contact::TouchedPoints touched_points(State& state) const {
        return touch_.points(state.positions, state.velocities, driven(state), driven_speed(state), tuning_.step);
    }

    LayersView view(State& state) const {
        return {state.positions, state.velocities, state.rotations, driven(state), driven_speed(state)};
    }
    const RestSurface& rest_surface() const override { return body_->blueprint->surface; }
    const FleshSettings& flesh_settings() const override { return own(); }
    std::span<const LayerSettings> flesh_layers() const override { return own().layers; }
    std::span<const float> give() const override { return tuning_.give; }
    PointNumbers point_numbers() const override { return {flesh_reach(), tuning_.felt}; }
    std::vector<float> flesh_reach() const {
        std::vector<float> out = tuning_.reach;
        for (std::size_t i = 0; i < out.size(); ++i)
            if (body_->layer()[i] == lattice::bone_layer) out[i] = 0;
        return out;
    }
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
    SelfTouch touch_;
};

/// What contact needs to know about the body is found once, by the first rig that has contact.
TouchingBodyPtr LayersRig::touching_of(const LayersBody& body, const LayersSettings& settings, TouchingBodyPtr known) {
    if (!settings.contact || settings.mode != Mode::physical) return nullptr;
    if (known) return known;
    const LayersBlueprint& plan = *body.blueprint;
    return touching_body({.h = body.grid.h,
                          .centre = body.centre,
                          .turn = body.turn,
                          .stride = body.stride(),
                          .slots = body.slots(),
                          .rest = body.rest,
                          .links = {plan.tissue.link_first, plan.tissue.links, 6},
                          .neighbours = plan.tissue.neighbours,
                          .joints = body.joints,
                          .weights = body.weights,
                          .positions = plan.surface.positions,
                          .triangles = plan.surface.triangles});
}

TouchLimits LayersRig::limits_of(const LayersBody& body, const LayersTuning& tuning) {
    TouchLimits out;
    out.size = body.size / body.grid.h;
    out.limit.assign(body.stride(), 1);
    out.give.assign(body.stride(), 0);
    for (std::size_t i = 0; i < body.node_count(); ++i) {
        const std::size_t at = body.layout.slots[i];
        out.limit[at] = tuning.reach[i];
        if (body.layer()[i] != lattice::bone_layer) out.give[at] = tuning.give[i] * tuning.reach[i];
    }
    return out;
}

/// Clamps frequencies that the step is too long to follow, with a warning.
LayersTuning LayersRig::tuned(const LayersBody& body, LayersSettings settings, double calibration,
                              std::vector<std::string>& warnings) {
    const bool asked = std::none_of(settings.layers.begin(), settings.layers.end(),
                                    [](const LayerSettings& layer) { return layer.frequency == automatic; });
    resolve_frequencies(body.blueprint->depth, settings);
    std::vector<std::string> first = clamp_to_step(settings);
    if (settings.mode == Mode::literal) first.push_back(literal_warning);
    warnings.insert(warnings.begin(), first.begin(), first.end());
    const std::vector<double> amounts = joint_amounts(body.blueprint->surface.joints, settings);
    LayersTuning out = settings.mode == Mode::physical ? physical_tuning(body, settings, amounts, calibration, false)
                                                       : published_tuning(body, settings, amounts);
    if (asked) out.drag = {};  // frequencies set by hand hold however far the flesh swings
    out.decay = swing_decay(settings);
    return out;
}

sim::Motion LayersRig::step(std::span<const JointPlace> places, double share, State& state, Workspace& work) const {
    std::span<const float> posed;
    {
        StageTimer timer(work.times["pose"]);
        posed = duals(places, state, work);
    }
    const std::span<const float> push =
        push_on_flesh(places, share, state, work.impl().scratch<LayersHand>().push, work);
    sim::Motion motion = step_.run(posed, view(state), {push, felt_gravity(state)}, work);
    StageTimer timer(work.times["contact"]);
    if (touch_.is_on())
        touch_.press(touched_points(state), {posed, state.rotations}, body_->slots(), state.still_frames > 0, motion,
                     work);
    return motion;
}

/// Replaces automatic frequencies by numbers.
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
    return RigPtr(std::make_shared<LayersRig>(body_, asked, calibration, body_warnings_, touch_.body()));
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

/// A layer other than the usual ones must state its thickness.
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
    FieldsOf<S> fields;
    add_flesh_fields(fields);
    fields
        .number("region_width", &S::region_width, {2, 15}, Use::built_in, "voxels",
                "How far coherence reaches in one step; raised: flesh moves in larger pieces, slower to compute")
        .number("muscle", &S::muscle, {0, 1}, Use::built_in, "share",
                "Share of muscle in the flesh between bone and skin; raised: firmer")
        .choice("primary", &S::primary, {"auto", "dqs", "lbs"}, Use::built_in,
                "What drives the points; auto: dqs, but lbs, as published, in the modes paper and literal")
        .boolean("contact", &S::contact, Use::live, "Flesh gives way where parts of the body meet")
        .list(&S::layers, &LayerSettings::name, layered_swing_fields())
        .list(&S::parts, &PartSettings::joint, layered_part_fields());
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
                      .embeddings = all_embeddings(),
                      .own_weights = {"geodesic"}};
    info.stages = {"pose", "predict", "stretch", "volume", "match", "update", "contact", "embed"};
    Method out = make_method<LayersSettings>(
        std::move(info), layers_fields(), 3,
        {&bind_layers, &load_layers, &check_layers_settings, [](LayersSettings& own) { complete_flesh(own); }});
    out.new_field = "contact";
    return out;
}

}  // namespace fascia
