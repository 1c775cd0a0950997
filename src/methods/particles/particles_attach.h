// A further mesh carried by the particles of a body.
#pragma once

#include "methods/particles/particles_body.h"

namespace fascia {

class ParticlesAttachment final : public AttachedSurface {
public:
    std::size_t vertex_count() const override { return bound.vertex_count(); }

    DqsSurface surface;
    LbsSurface linear;           ///< used instead if particles are driven by linear blending
    embedding::Trilinear bound;  ///< points are places in the channels
    Carriers carried;
};

/// Every vertex is skinned and carried as the nearest point of the body's surface is, and keeps its offset from it.
Result<std::shared_ptr<ParticlesAttachment>> attach_to_particles(const ParticlesBody& body, const Mesh& mesh);

}  // namespace fascia
