// Dual quaternion skinning of the voxels around the surface (docs/formulas.md C9): far fewer points than vertices are
// skinned, and the surface lies between them. No memory: what it shows follows from the pose alone.
#include "base/workspace.h"
#include "methods/shared/fingerprint.h"
#include "methods/shared/point_surface.h"
#include "methods/volumetric/point_skin.h"
#include "methods/volumetric/volumetric.h"
#include "methods/volumetric/volumetric_rig.h"

namespace fascia {

namespace {

struct VolumetricDqsScratch {
    Floats places, rotations;
};

/// A surface in voxels, and the points that it needs.
struct SkinnedCells {
    CellSurface surface;
    PointSkin points;
    PointTurns turns;

    SkinnedCells(CellSurface given, const VolumetricBody& body, std::span<const Affine> rest)
        : surface(std::move(given)),
          points(body, surface.points(), rest, PointSkin::Blend::dual_quaternions),
          turns(body, surface.points(), rest) {}

    void embed(std::span<const Affine> pose, const Surface& out, Workspace& work) const {
        const std::span<float> places = sized(work.impl().scratch<VolumetricDqsScratch>().places, 3 * points.size());
        points.pose(pose, places, work);
        const std::span<float> rotations =
            sized(work.impl().scratch<VolumetricDqsScratch>().rotations, 4 * points.size());
        if (turns.turn(pose, rotations, work))
            surface.place_turned(places, rotations, points.origin(pose), out, work);
        else
            surface.place(places, points.origin(pose), out, work);
    }
};

class SkinnedCellsAttachment final : public AttachedSurface {
public:
    explicit SkinnedCellsAttachment(SkinnedCells given) : cells(std::move(given)) {}
    std::size_t vertex_count() const override { return cells.surface.vertex_count(); }
    SkinnedCells cells;
};

class VolumetricDqsRig final : public VolumetricRig {
public:
    VolumetricDqsRig(const VolumetricDqsSettings& settings, std::shared_ptr<const VolumetricBody> given)
        : VolumetricRig(settings, std::move(given)), skin_(CellSurface(body()), body(), rest_pose()) {
        fingerprint_ = fingerprint_of(VolumetricDqsSettings::method, *save_content());
    }

    std::size_t vertex_count() const override { return skin_.surface.vertex_count(); }
    std::size_t point_count() const override { return skin_.points.size(); }
    std::vector<std::string> warnings() const override { return body().warnings; }
    std::shared_ptr<const PointSurface> point_surface() const override {
        return std::make_shared<PointSurface>(PointSurface{body().surface, skin_.surface.bound(), true});
    }

    // ---- inside ----
    std::vector<std::string> layer_names() const override { return {"hull"}; }
    std::vector<std::uint8_t> point_layers() const override { return std::vector<std::uint8_t>(point_count(), 0); }
    void point_positions(const State& state, std::span<Vec3> out, Workspace& work) const override {
        if (!fits(state) || out.size() < point_count()) return;
        const std::size_t n = point_count();
        const std::span<float> places = sized(work.impl().scratch<VolumetricDqsScratch>().places, 3 * n);
        skin_.points.pose(state.joints, places, work);
        const Vec3d origin = skin_.points.origin(state.joints);
        for (std::size_t p = 0; p < n; ++p)
            out[p] = to_float(origin + Vec3d{places[p], places[n + p], places[2 * n + p]});
    }

private:
    void show(const State& state, const Surface& out, Workspace& work) const override {
        skin_.embed(state.joints, out, work);
    }
    void show_attached(const AttachedSurface& attached, const State& state, const Surface& out,
                       Workspace& work) const override {
        if (const auto* own = dynamic_cast<const SkinnedCellsAttachment*>(&attached); own != nullptr)
            own->cells.embed(state.joints, out, work);
    }
    std::shared_ptr<AttachedSurface> attachment(CellSurface surface) const override {
        return std::make_shared<SkinnedCellsAttachment>(SkinnedCells(std::move(surface), body(), rest_pose()));
    }

    SkinnedCells skin_;
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
