// Dual quaternion skinning of the voxels around the surface (docs/formulas.md C9): far fewer points than vertices are
// skinned, and the surface is embedded between them. No memory: the result follows from the pose alone.
#include "base/workspace.h"
#include "methods/shared/fingerprint.h"
#include "methods/shared/point_surface.h"
#include "methods/volumetric/dual_surface.h"
#include "methods/volumetric/point_skin.h"
#include "methods/volumetric/volumetric.h"
#include "methods/volumetric/volumetric_rig.h"

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

class VolumetricDqsRig final : public VolumetricRig {
public:
    VolumetricDqsRig(const VolumetricDqsSettings& settings, std::shared_ptr<const VolumetricBody> given)
        : VolumetricRig(settings, std::move(given)),
          weights_(fitted_weights(body())),
          surface_(body(), weights_, rest_pose()),
          points_(body(), surface_.points(), rest_pose(), PointSkin::Blend::dual_quaternions) {
        fingerprint_ = fingerprint_of(VolumetricDqsSettings::method, *save_content());
    }

    std::size_t vertex_count() const override { return surface_.vertex_count(); }
    std::size_t point_count() const override { return points_.size(); }
    std::vector<std::string> warnings() const override {
        std::vector<std::string> out = body().warnings;
        if (weights_.crowded > 0)
            out.push_back("vertices around " + std::to_string(weights_.crowded) + " voxel corners follow more than " +
                          std::to_string(PointWeights::most_joints) +
                          " joints: the weakest are left out there; a higher resolution may part them");
        return out;
    }
    std::shared_ptr<const PointSurface> point_surface() const override {
        return std::make_shared<PointSurface>(PointSurface{body().surface, surface_.bound(), true});
    }

    // ---- inside ----
    std::vector<std::string> layer_names() const override { return {"hull"}; }
    std::vector<std::uint8_t> point_layers() const override { return std::vector<std::uint8_t>(point_count(), 0); }
    void point_positions(const State& state, std::span<Vec3> out, Workspace& work) const override {
        if (!fits(state) || out.size() < point_count()) return;
        const std::size_t n = point_count();
        const std::span<float> places = sized(work.impl().scratch<VolumetricDqsScratch>().places, 3 * n);
        points_.pose(state.joints, places, work);
        const Vec3d origin = points_.origin(state.joints);
        for (std::size_t p = 0; p < n; ++p)
            out[p] = to_float(origin + Vec3d{places[p], places[n + p], places[2 * n + p]});
    }

private:
    void show(const State& state, const Surface& out, Workspace& work) const override {
        surface_.skin(state.joints, out, work);
    }
    void show_attached(const AttachedSurface& attached, const State& state, const Surface& out,
                       Workspace& work) const override {
        if (const auto* own = dynamic_cast<const DualAttachment*>(&attached); own != nullptr)
            own->surface.skin(state.joints, out, work);
    }
    std::shared_ptr<AttachedSurface> attachment(const CarriedMesh& mesh) const override {
        return std::make_shared<DualAttachment>(DualSurface(body(), weights_, mesh, rest_pose()));
    }

    PointWeights weights_;
    DualSurface surface_;
    PointSkin points_;  ///< for point_positions
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
    using Maker = VolumetricMaker<VolumetricDqsRig, VolumetricDqsSettings>;
    return make_method<VolumetricDqsSettings>(std::move(info), fields, 1, {&Maker::bind, &Maker::load});
}

}  // namespace fascia
