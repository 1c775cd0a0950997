// A further mesh embedded in the volume of a body.
#pragma once

#include "methods/layers/layers_body.h"

namespace fascia {

/// Vertices in the tissue are carried by the points around them. Vertices outside it are carried by the points around
/// the nearest point of the surface, and keep their offset from it.
Result<std::shared_ptr<AttachedSurface>> attach_to_layers(const LayersBody& body, const Mesh& mesh);

}  // namespace fascia
