// The common part of both volumetric methods: a surface in voxels that follow the pose, and clothes in the same voxels.
#pragma once

#include <memory>

#include "methods/shared/posed_rig.h"
#include "methods/volumetric/cell_surface.h"
#include "methods/volumetric/volumetric_body.h"

namespace fascia {

class VolumetricRig : public PosedRig, public Inside {
public:
    bool embed_reads() const final { return false; }
    Result<std::vector<std::uint8_t>> save_content() const final;

    const Inside* inside() const final { return this; }
    double point_spacing() const final { return body_->grid.h; }
    int resolution() const final { return body_->resolution(); }

    Result<std::shared_ptr<AttachedSurface>> attach(const Mesh& mesh) const final;

protected:
    VolumetricRig(Settings settings, std::shared_ptr<const VolumetricBody> body)
        : PosedRig(std::move(settings), body->surface.joints), body_(std::move(body)) {}

    /// A further mesh, ready to be shown.
    virtual std::shared_ptr<AttachedSurface> attachment(const CarriedMesh& mesh) const = 0;
    const VolumetricBody& body() const { return *body_; }

private:
    const RestSurface& rest_surface() const final { return body_->surface; }

    std::shared_ptr<const VolumetricBody> body_;
};

/// bind and load of one of the methods.
template <class OwnRig, class Own>
struct VolumetricMaker {
    static Result<RigPtr> bind(const Character& character, const Own& settings, const BindInputs&) {
        return made(settings, build_volumetric_body(character, settings, Own::method));
    }
    static Result<RigPtr> load(const Own& settings, ByteReader& in) { return made(settings, read_volumetric_body(in)); }

private:
    static Result<RigPtr> made(const Own& settings, const Result<std::shared_ptr<const VolumetricBody>>& body) {
        if (!body) return body.error();
        return RigPtr(std::make_shared<OwnRig>(settings, *body));
    }
};

}  // namespace fascia
