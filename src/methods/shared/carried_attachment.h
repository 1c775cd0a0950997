// A further mesh that the points of a body carry, as they carry its own surface.
#pragma once

#include <memory>

#include "embed/trilinear.h"
#include "methods/shared/attached_mesh.h"
#include "skin/carriers.h"
#include "skin/skinned_surface.h"

namespace fascia {

class CarriedAttachment final : public AttachedSurface {
public:
    std::size_t vertex_count() const override { return vertices; }

    std::size_t vertices = 0;
    DqsSurface surface;
    LbsSurface linear;  ///< used instead if points are driven by linear blending
    Carriers carried;
    std::vector<std::uint32_t> drivers;  ///< as passed to CarriedRig::driven_carriers
};

/// The body's own surface, its joints at rest, and whether its points are driven by linear blending.
struct CarryingBody {
    const RestSurface& surface;
    std::span<const Affine> rest;
    bool linear = false;
};

/// bound: points are slots in the channels.
std::shared_ptr<CarriedAttachment> carried_attachment(const CarryingBody& body, TiedMesh tied,
                                                      const embedding::Trilinear& bound);

}  // namespace fascia
