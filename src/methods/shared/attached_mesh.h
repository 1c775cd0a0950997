// A further mesh tied to a rest surface: the part of clothes that all methods have in common.
#pragma once

#include <vector>

#include "fascia/method.h"
#include "measure/closest_triangle.h"
#include "methods/shared/rest_surface.h"

namespace fascia {

struct TiedMesh {
    RestSurface surface;             ///< the further mesh, with the weights of the body's surface beneath it
    std::vector<SurfacePoint> ties;  ///< [vertices] the nearest point of the body's surface
    std::vector<std::string> warnings;
};

/// Ties every vertex to the nearest point of `body` and gives it the weights there. The error says what is wrong with
/// the mesh.
Result<TiedMesh> tie_mesh(const RestSurface& body, const Mesh& mesh, double size);

/// For each vertex, the corner of the body's surface next to its tie. [vertices]
std::vector<std::uint32_t> vertices_beneath(const RestSurface& body, const TiedMesh& tied);

/// Longest side of its bounding box.
double size_of(const RestSurface& surface);

/// A mesh that only needs skinning: by an LbsSurface or a DqsSurface.
template <class Skinned>
class SkinnedAttachment final : public AttachedSurface {
public:
    SkinnedAttachment(const RestSurface& body, const TiedMesh& tied, std::span<const Affine> rest)
        : skin(tied.surface.source(), rest) {
        warnings = tied.warnings;
        beneath = vertices_beneath(body, tied);
    }
    std::size_t vertex_count() const override { return skin.vertex_count(); }
    Skinned skin;
};

}  // namespace fascia
