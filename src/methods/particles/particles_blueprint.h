// What binding finds out about a character for `particles`: everything a body is assembled from except the surface that
// its particles carry, and everything of it that a rig file holds. How particles lie in memory is not part of it.
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
    std::uint32_t layers = 4;  ///< the interface to bone included
    double depth = 0;          ///< of the flesh, share of the size: what automatic frequencies follow

    // ---- the surface of the particles, vertices numbered along paths ----
    std::vector<std::uint32_t> triangles;   ///< [triangles * 3]
    std::vector<std::uint32_t> part;        ///< [triangles] of the volume, or sim::no_part
    std::vector<std::uint16_t> part_joint;  ///< [parts]
    std::vector<Vec3> places;               ///< [layers * vertices] at rest
    weights::Influences influences;         ///< [vertices] 4 slots
    std::vector<float> mask;                ///< [vertices] factor on the joints' amount, or empty
    std::vector<float> own_amount;          ///< [vertices] 0..2 on top of it, or empty
    std::vector<float> thinness;            ///< [vertices] how thin the flesh is, 0..1

    RestSurface surface;

    std::size_t vertex_count() const { return influences.size(); }
    std::size_t particle_count() const { return places.size(); }
};

}  // namespace fascia
