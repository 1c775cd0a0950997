// Dual quaternion skinning of the voxels around the surface (docs/formulas.md C9): far fewer points than vertices are
// skinned, and the surface lies between them. No memory: what it shows follows from the pose alone.
#include "base/workspace.h"
#include "methods/shared/corner_surface.h"
#include "methods/shared/fingerprint.h"
#include "methods/shared/point_surface.h"
#include "methods/shared/pose_gate.h"
#include "methods/shared/stage_timer.h"
#include "methods/shared/state_check.h"
#include "methods/volumetric/dual_surface.h"
#include "methods/volumetric/point_skin.h"
#include "methods/volumetric/volumetric.h"

namespace fascia {

namespace {

struct VolumetricDqsScratch {
    Floats places;
};

class DualAttachment final : public AttachedSurface {
public:
    explicit DualAttachment(DualSurface given) : surface(std::move(given)) {}
    std::size_t vertex_count() const override { return surface.vertex_count(); }
    DualSurface surface;
};

class VolumetricDqsRig final : public Rig, public Inside, public Clothes {
public:
    VolumetricDqsRig(const VolumetricDqsSettings& settings, std::shared_ptr<const VolumetricBody> body)
        : settings_(settings),
          body_(std::move(body)),
          gate_(body_->surface.joints),
          weights_(fitted_weights(*body_)),
          surface_(*body_, weights_, gate_.rest()),
          points_(*body_, surface_.points(), gate_.rest(), PointSkin::Blend::dual_quaternions),
          fingerprint_(fingerprint_of(VolumetricDqsSettings::method, *save_content())) {}

    const Settings& settings() const override { return settings_; }
    std::size_t joint_count() const override { return gate_.size(); }
    std::size_t vertex_count() const override { return surface_.vertex_count(); }
    std::size_t point_count() const override { return points_.size(); }
    std::uint64_t fingerprint() const override { return fingerprint_; }
    bool has_normals() const override { return !body_->surface.normals.empty(); }
    bool has_tangents() const override { return !body_->surface.tangents.empty(); }
    std::vector<std::string> warnings() const override { return body_->warnings; }

    State make_state() const override {
        State state;
        state.rig = fingerprint_;
        gate_.make(state);
        return state;
    }
    bool accepts(const State& state) const override { return is_sound_like(state, make_state()); }
    void reset(std::span<const Affine> joints, State& state, Workspace&) const override {
        if (!fits(state)) begin_as_own(*this, state);
        gate_.reset(joints, state);
    }
    void advance(std::span<const Affine> joints, double, State& state, Workspace& work) const override {
        const StageTimer timer(work.times["pose"]);
        if (!fits(state)) begin_as_own(*this, state);
        gate_.advance(joints, state);
    }
    void embed(const State& state, const Surface& out, Workspace& work) const override {
        const StageTimer timer(work.times["embed"]);
        if (fits(state)) surface_.skin(state.joints, out, work);
    }
    bool embed_reads() const override { return false; }
    std::shared_ptr<const PointSurface> point_surface() const override {
        return std::make_shared<PointSurface>(PointSurface{body_->surface, surface_.bound(), true});
    }
    const SkinWeights* skin_weights() const override { return &body_->surface.weights; }
    Result<std::vector<std::uint8_t>> save_content() const override {
        ByteWriter out;
        write_volumetric_body(*body_, out);
        return out.take();
    }

    // ---- inside ----
    const Inside* inside() const override { return this; }
    std::vector<std::string> layer_names() const override { return {"hull"}; }
    std::vector<std::uint8_t> point_layers() const override { return std::vector<std::uint8_t>(point_count(), 0); }
    double point_spacing() const override { return body_->grid.h; }
    int resolution() const override { return body_->resolution(); }
    void point_positions(const State& state, std::span<Vec3> out, Workspace& work) const override {
        if (!fits(state) || out.size() < point_count()) return;
        const std::size_t n = point_count();
        const std::span<float> places = sized(work.impl().scratch<VolumetricDqsScratch>().places, 3 * n);
        points_.pose(state.joints, places, work);
        const Vec3d origin = points_.origin(state.joints);
        for (std::size_t p = 0; p < n; ++p)
            out[p] = to_float(origin + Vec3d{places[p], places[n + p], places[2 * n + p]});
    }

    // ---- clothes ----
    const Clothes* clothes() const override { return this; }
    Result<std::shared_ptr<AttachedSurface>> attach(const Mesh& mesh) const override {
        const Result<CarriedMesh> carried =
            carry_mesh({body_->grid, body_->corners, body_->surface, body_->bound, body_->size}, mesh);
        if (!carried) return carried.error();
        auto out = std::make_shared<DualAttachment>(DualSurface(*body_, weights_, *carried, gate_.rest()));
        out->warnings = carried->tied.warnings;
        out->beneath = vertices_beneath(body_->surface, carried->tied);
        return std::shared_ptr<AttachedSurface>(std::move(out));
    }
    void embed_attached(const AttachedSurface& attached, const State& state, const Surface& out,
                        Workspace& work) const override {
        const auto* own = dynamic_cast<const DualAttachment*>(&attached);
        if (own != nullptr && fits(state)) own->surface.skin(state.joints, out, work);
    }

    static Result<RigPtr> bind(const Character& character, const VolumetricDqsSettings& settings, const BindInputs&) {
        const auto body = build_volumetric_body(character, settings, VolumetricDqsSettings::method);
        if (!body) return body.error();
        return RigPtr(std::make_shared<VolumetricDqsRig>(settings, *body));
    }
    static Result<RigPtr> load(const VolumetricDqsSettings& settings, ByteReader& in) {
        const auto body = read_volumetric_body(in);
        if (!body) return body.error();
        return RigPtr(std::make_shared<VolumetricDqsRig>(settings, *body));
    }

private:
    bool fits(const State& state) const { return state.rig == fingerprint_ && state.joints.size() == gate_.size(); }

    Settings settings_;
    std::shared_ptr<const VolumetricBody> body_;
    PoseGate gate_;
    PointWeights weights_;
    DualSurface surface_;
    PointSkin points_;  ///< where they are, for those who ask
    std::uint64_t fingerprint_ = 0;
};

}  // namespace

Method volumetric_dqs_method() {
    MethodInfo info;
    info.from = "Luo 2016";
    info.summary = "dual quaternion skinning of voxels around the surface";
    info.abilities.has_layers = true;
    info.abilities.takes_clothes = true;
    info.abilities.can_be_rectified = true;
    info.abilities.embeddings = all_embeddings();
    info.stages = {"pose", "embed"};
    FieldsOf<VolumetricDqsSettings> fields;
    add_volumetric_fields(fields);
    return make_method<VolumetricDqsSettings>(std::move(info), fields, 1,
                                              {&VolumetricDqsRig::bind, &VolumetricDqsRig::load});
}

}  // namespace fascia
