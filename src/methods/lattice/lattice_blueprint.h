// What binding finds out about a character for `lattice`, particle by particle: all that a body is assembled from
// but for the surface bound in it, and all of it that a rig file holds. How particles lie in memory is no part of it.
#pragma once

#include <cstdint>
#include <vector>

#include "lattice/corners.h"
#include "lattice/grid.h"
#include "methods/shared/rest_surface.h"
#include "weights/influences.h"

namespace fascia {

struct LatticeBlueprint {
    double size = 1;
    lattice::Grid grid;
    Vec3d centre;
    int region_radius = 2;
    bool pivoted = false;
    bool painted = false;  ///< the file's weights carry surface and particles; otherwise the surface lies in the cells

    // ---- per particle ----
    lattice::CornerLattice corners;
    weights::Influences influences;  ///< 4 slots
    std::vector<std::uint8_t> bone;  ///< 1 inside the cylinder around a bone: driven, never moved
    std::vector<std::int32_t> part;  ///< joint whose part it belongs to
    std::vector<float> mask;         ///< factor on the amount, or empty
    std::vector<float> thinness;     ///< depth of the flesh, 0..1 (flesh_depth.h), or empty: as published

    RestSurface surface;

    std::size_t particle_count() const { return corners.size(); }
};

}  // namespace fascia
