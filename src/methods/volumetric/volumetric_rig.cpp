#include "methods/volumetric/volumetric_rig.h"

#include "methods/shared/corner_surface.h"

namespace fascia {

Result<std::vector<std::uint8_t>> VolumetricRig::save_content() const {
    ByteWriter out;
    write_volumetric_body(*body_, out);
    return out.take();
}

Result<std::shared_ptr<AttachedSurface>> VolumetricRig::attach(const Mesh& mesh) const {
    const Result<CarriedMesh> carried =
        carry_mesh({body_->grid, body_->corners, body_->surface, body_->bound, body_->size}, mesh);
    if (!carried) return carried.error();
    const std::shared_ptr<AttachedSurface> out = attachment(*carried);
    out->warnings = carried->tied.warnings;
    out->beneath = vertices_beneath(body_->surface, carried->tied);
    return out;
}

}  // namespace fascia
