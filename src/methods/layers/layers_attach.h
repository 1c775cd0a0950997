// A further mesh embedded in the volume of a body.
#pragma once

#include "methods/layers/layers_body.h"

namespace fascia {

/// A surface and the nodes that carry it: what LayersBody has for its own surface, here for a further mesh.
class LayersAttachment final : public AttachedSurface {
public:
    std::size_t vertex_count() const override { return bound.vertex_count(); }

    DqsSurface surface;
    LbsSurface linear;                             ///< used instead if points are driven by linear blending
    embedding::Trilinear bound;                    ///< points are places in the channels
    Carriers carried;                              ///< `bound` as the kernels read it
    std::vector<std::uint32_t> carrying_segments;  ///< segments_of its points
};

/// Vertices in the tissue are carried by the points around them; those outside by the points around the nearest point
/// of the surface, keeping their offset from it.
Result<std::shared_ptr<LayersAttachment>> attach_to_layers(const LayersBody& body, const Mesh& mesh);

}  // namespace fascia
