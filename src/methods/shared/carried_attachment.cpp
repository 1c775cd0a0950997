#include "methods/shared/carried_attachment.h"

namespace fascia {

std::shared_ptr<CarriedAttachment> carried_attachment(const CarryingBody& body, TiedMesh tied,
                                                      const embedding::Trilinear& bound) {
    auto out = std::make_shared<CarriedAttachment>();
    out->vertices = bound.vertex_count();
    out->carried = pack_carriers(bound.points, bound.weights, embedding::Trilinear::slots);
    if (body.linear)
        out->linear = LbsSurface(tied.surface.source(), body.rest);
    else
        out->surface = DqsSurface(tied.surface.source(), body.rest);
    out->beneath = vertices_beneath(body.surface, tied);
    out->warnings = std::move(tied.warnings);
    return out;
}

}  // namespace fascia
