// A further mesh embedded in the cells of a body.
#pragma once

#include "methods/lattice/lattice_body.h"

namespace fascia {

/// Vertices in cells are carried like the surface; those outside are carried by the nearest point of the surface and
/// keep their offset from it. If weights are painted, vertices are first skinned by the weights of the surface beneath
/// them.
class LatticeAttachment final : public AttachedSurface {
public:
    std::size_t vertex_count() const override { return bound.vertex_count(); }

    LbsSurface skin;                      ///< if the body's weights are painted
    embedding::Trilinear bound;           ///< points are slots in the channels
    embedding::PointSides sides;          ///< of the points that carry it
    CellCarriers cells;                   ///< `bound` as the kernel reads it
    std::vector<std::uint32_t> segments;  ///< segments_of `sides`
    std::vector<Vec3> arms;               ///< [vertices] at rest, from the point where a vertex is bound; zero inside
    bool has_arms = false;
    Floats normals;  ///< if nothing is skinned: at rest, as the kernel reads them; or empty
};

Result<std::shared_ptr<LatticeAttachment>> attach_to_lattice(const LatticeBody& body, const Mesh& mesh);

}  // namespace fascia
