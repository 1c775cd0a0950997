// Multi-layer position-based skinning (Deul, Bender 2013): bone interface, muscle, fat and skin are copies of the
// surface whose vertices are oriented particles. Flesh swings about where the skeleton drives it, coheres by shape
// matching over rings on its layer and siblings on the next, and keeps the volume of each part.
#include "methods/particles/particles.h"

#include <algorithm>
#include <cmath>

#include "base/workspace.h"
#include "methods/particles/particles_attach.h"
#include "methods/particles/particles_body.h"
#include "methods/particles/particles_file.h"
#include "methods/particles/particles_step.h"
#include "methods/particles/particles_tuning.h"
#include "methods/shared/auto_frequency.h"
#include "methods/shared/carried_rig.h"
#include "methods/shared/flesh_settings.h"
#include "methods/shared/sag.h"
#include "methods/shared/skinned_character.h"
#include "methods/shared/stage_timer.h"

namespace fascia {

namespace {

struct ParticlesHand {
    Floats push;
};

SteppedBody driving_of(const ParticlesBody& body) {
    return {.size = body.size,
            .h = body.h,
            .centre = body.centre,
            .stride = body.stride(),
            .slots = body.slots,
            .rest = body.rest,
            .gate = &body.gate,
            .inverse_rest = body.inverse_rest,
            .parents = body.parents,
            .pivots = body.pivots,
            .fingerprint = body.fingerprint};
}

class ParticlesRig final : public CarriedRig {
public:
    ParticlesRig(std::shared_ptr<const ParticlesBody> body, const ParticlesSettings& settings, double calibration)
        : CarriedRig(driving_of(*body)),
          body_(std::move(body)),
          settings_(settings),
          calibration_(calibration),
          warnings_(body_->warnings),
          tuning_(tuned(*body_, settings, calibration, warnings_)),
          step_(*body_, tuning_) {}

    const Settings& settings() const override { return settings_; }
    std::size_t vertex_count() const override { return body_->bound.vertex_count(); }
    std::vector<std::string> warnings() const override { return warnings_; }
    Result<std::vector<std::uint8_t>> save_content() const override {
        ByteWriter out;
        write_particles({body_->blueprint, bound_to_points(*body_), calibration_, body_->warnings}, out);
        return out.take();
    }

    // ---- inside ----
    std::vector<std::uint8_t> point_layers() const override { return body_->layer; }
    double point_spacing() const override { return body_->h; }
    void point_positions(const State& state, std::span<Vec3> out, Workspace& work) const override {
        if (fits(state) && out.size() >= point_count())
            place_points(state.positions, {body_->joints, body_->weights}, state, out, work);
    }

    // ---- live ----
    Result<RigPtr> retuned(const Settings& settings) const override;

    // ---- clothes ----
    Result<std::shared_ptr<AttachedSurface>> attach(const Mesh& mesh) const override {
        return attach_to_particles(*body_, mesh);
    }

private:
    static ParticlesTuning tuned(const ParticlesBody& body, ParticlesSettings settings, double calibration,
                                 std::vector<std::string>& warnings);
    const ParticlesSettings& own() const { return *settings_.as<ParticlesSettings>(); }
    Carried own_surface() const override { return {body_->surface, body_->linear_surface, body_->carried}; }
    CarriedBody carried_body() const override {
        return {0, body_->stride(), body_->blueprint->linear, {body_->joints, body_->weights}};
    }
    DrivenPoints driven_points(std::span<const float> duals, Workspace& work) const override {
        const ParticlesStep::Driven there = step_.drive(duals, work);
        return {there.positions, step_.skin_rotations(there.turned, work)};
    }
    std::span<const float> followed_turns() const override { return tuning_.turn; }
    Pace pace() const override { return {tuning_.step, tuning_.gravity, tuning_.tag, tuning_.decay}; }
    std::span<const float> drive(std::span<const JointPlace> places, const State& state,
                                 Workspace& work) const override {
        return step_.drive(duals(places, state, work), work).positions;
    }
    sim::Motion step(std::span<const JointPlace> places, double share, State& state, Workspace& work) const override {
        const std::span<const float> push =
            push_on_flesh(places, share, state, work.impl().scratch<ParticlesHand>().push, work);
        return step_.run(duals(places, state, work),
                         {state.positions, state.velocities, state.rotations, driven(state), driven_speed(state)},
                         {push, felt_gravity(state)}, work);
    }

    const RestSurface& rest_surface() const override { return body_->blueprint->surface; }
    const FleshSettings& flesh_settings() const override { return own(); }
    std::span<const LayerSettings> flesh_layers() const override { return own().layers; }
    std::span<const float> give() const override { return tuning_.give; }
    PointNumbers point_numbers() const override {
        PointNumbers out;
        for (std::size_t i = 0; i < body_->slots.size(); ++i) {
            out.reach.push_back(body_->layer[i] != 0 ? tuning_.limit[body_->slots[i]] : 0);
            out.felt.push_back(tuning_.drive[body_->slots[i]]);
        }
        return out;
    }
    std::vector<float> point_softness() const override {
        std::vector<float> out;
        for (std::size_t i = 0; i < tuning_.give.size(); ++i) out.push_back(tuning_.give[i] * body_->thinness[i]);
        return out;
    }
    embedding::Trilinear bound_surface() const override { return bound_to_points(*body_); }
    bool bound_in_cells() const override { return false; }
    double flesh_depth() const override { return body_->blueprint->depth; }
    GripBody grip_body() const override {
        return {.size = body_->size,
                .h = body_->h,
                .stride = body_->stride(),
                .slots = body_->slots,
                .rest = body_->rest,
                .flesh = body_->layer,
                .links = body_->links.view(),
                .carriers = body_->carriers,
                .shown = {},
                .joints = body_->joints,
                .weights = body_->weights};
    }

    std::shared_ptr<const ParticlesBody> body_;
    Settings settings_;
    double calibration_;
    std::vector<std::string> warnings_;
    ParticlesTuning tuning_;
    ParticlesStep step_;
};

/// Clamps frequencies that the step is too long to follow, with a warning.
ParticlesTuning ParticlesRig::tuned(const ParticlesBody& body, ParticlesSettings settings, double calibration,
                                    std::vector<std::string>& warnings) {
    resolve_frequencies(body.blueprint->depth, settings);
    const std::vector<std::string> first = clamp_to_step(settings);
    warnings.insert(warnings.begin(), first.begin(), first.end());
    ParticlesTuning out = settings.mode == Mode::physical ? physical_tuning(body, settings, calibration, false)
                                                          : published_tuning(body, settings);
    out.decay = swing_decay(settings);
    return out;
}

double calibrated(const ParticlesBody& body, ParticlesSettings settings) {
    if (settings.mode != Mode::physical) return 1;
    resolve_frequencies(body.blueprint->depth, settings);
    clamp_to_step(settings);
    return calibrate(body, settings);
}

Result<RigPtr> ParticlesRig::retuned(const Settings& settings) const {
    ParticlesSettings asked = *settings.as<ParticlesSettings>(), had = own();
    for (ParticlesSettings* each : {&asked, &had}) resolve_frequencies(body_->blueprint->depth, *each);
    const bool same = same_calibration(had, asked) && had.iterations == asked.iterations;
    return RigPtr(std::make_shared<ParticlesRig>(body_, *settings.as<ParticlesSettings>(),
                                                 same ? calibration_ : calibrated(*body_, asked)));
}

Result<RigPtr> bind_particles(const Character& character, const ParticlesSettings& asked, const BindInputs& inputs) {
    if (const Status checked = check_skinned(character, "particles"); !checked) return checked.error();
    ParticlesSettings settings = asked;
    complete_flesh(settings);
    const auto body = build_particles_body(character, settings, inputs);
    if (!body) return body.error();
    return RigPtr(std::make_shared<ParticlesRig>(*body, settings, calibrated(**body, settings)));
}

Result<RigPtr> load_particles(const ParticlesSettings& settings, ByteReader& in) {
    Result<SavedParticles> saved = read_particles(settings, in);
    if (!saved) return saved.error();
    return RigPtr(std::make_shared<ParticlesRig>(
        assemble_particles_body(saved->blueprint, std::move(saved->bound), std::move(saved->warnings)), settings,
        saved->calibration));
}

}  // namespace

/// The mode sets the publication's step and number of fits.
void set_mode(ParticlesSettings& settings, Mode mode) {
    const bool was_physical = settings.mode == Mode::physical, is_physical = mode == Mode::physical;
    const int resolution = settings.resolution;
    set_mode(static_cast<FleshSettings&>(settings), mode);
    settings.resolution = resolution;
    if (was_physical == is_physical) return;
    settings.step = is_physical ? FleshSettings{}.step : 0.005;
    settings.iterations = is_physical ? ParticlesSettings{}.iterations : 20;
}

namespace {

FieldsOf<ParticlesSettings> particles_fields() {
    using S = ParticlesSettings;
    FieldsOf<S> fields;
    add_flesh_fields(fields);
    fields
        .number("region_rings", &S::region_rings, {1, 4}, Use::built_in, "edges",
                "How far coherence reaches in one fit; raised: flesh moves in larger pieces, slower to compute")
        .number("iterations", &S::iterations, {1, 50}, Use::live, "",
                "Fits per step; raised: slower, and in the modes paper and literal stiffer")
        .number("muscle", &S::muscle, {0, 1}, Use::built_in, "share",
                "Share of muscle in the flesh between bone and skin; raised: firmer")
        .number("bone_depth", &S::bone_depth, {0, 1}, Use::built_in, "share",
                "Modes paper and literal only: how far towards the bone its interface lies")
        .boolean("preserve_volume", &S::preserve_volume, Use::built_in,
                 "Restores the rest volume of each part around a joint")
        .number("joint_distance", &S::joint_distance, {0, 1}, Use::live, "share",
                "Share of its distance at rest that flesh keeps from the centre of a joint; 0: none")
        .list(&S::layers, &LayerSettings::name, layered_swing_fields())
        .list(&S::parts, &PartSettings::joint, layered_part_fields());
    return fields;
}

}  // namespace

Method particles_method() {
    MethodInfo info;
    info.from = "Deul, Bender 2013";
    info.summary = "oriented particles on layers of the surface";
    info.abilities = {.simulates = true,
                      .has_layers = true,
                      .takes_clothes = true,
                      .takes_mask = true,
                      .takes_hand = true,
                      .feels_gravity = true,
                      .embeddings = {"domains"}};
    info.stages = {"pose", "predict", "match", "volume", "update", "embed"};
    return make_method<ParticlesSettings>(
        std::move(info), particles_fields(), 1,
        {&bind_particles, &load_particles,
         [](const ParticlesSettings& own, const Character* character) { return check_flesh(own, character); },
         [](ParticlesSettings& own) { complete_flesh(own); }});
}

}  // namespace fascia
