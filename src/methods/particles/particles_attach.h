// A further mesh carried by the particles of a body.
#pragma once

#include "methods/particles/particles_body.h"

namespace fascia {

/// Every vertex is skinned and carried like the nearest point of the body's surface, and keeps its offset from it.
Result<std::shared_ptr<AttachedSurface>> attach_to_particles(const ParticlesBody& body, const Mesh& mesh);

}  // namespace fascia
