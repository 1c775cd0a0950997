// What bind computes from a character for `particles`: everything that a body is assembled from and that a rig file
// holds, except the surface that its particles carry. The layout of particles in memory is not part of it.
#pragma once

#include <cstdint>
#include <vector>

#include "methods/shared/rest_surface.h"
#include "weights/influences.h"

namespace fascia {

struct ParticlesBlueprint {
    double size = 1, spacing = 1;  ///< spacing: mean length of an edge
    Vec3d centre;
    bool linear = false;  ///< particles are driven by linear blending, as published
    int region_rings = 2;
    std::uint32_t layers = 4;  ///< including the interface to bone
    double depth = 0;          ///< of the flesh, share of the size; automatic frequencies follow it

    // ---- the surface of the particles, vertices numbered along paths ----
    std::vector<std::uint32_t> triangles;   ///< [triangles * 3]
    std::vector<std::uint32_t> part;        ///< [triangles] the part whose volume it bounds, or sim::no_part
    std::vector<std::uint16_t> part_joint;  ///< [parts]
    std::vector<Vec3> places;               ///< [layers * vertices] at rest
    weights::Influences influences;         ///< [vertices] 4 slots
    std::vector<float> mask;                ///< [vertices] factor on the joints' amount, or empty
    std::vector<float> own_amount;          ///< [vertices] 0..2, added by meshes and materials, or empty
    std::vector<float> thinness;            ///< [vertices] 1 where flesh is deep, towards 0 where it is thin

    RestSurface surface;

    std::size_t vertex_count() const { return influences.size(); }
    std::size_t particle_count() const { return places.size(); }
};

}  // namespace fascia
