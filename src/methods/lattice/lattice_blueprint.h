// What bind computes from a character for `lattice`, particle by particle: everything that a body is assembled from and
// that a rig file holds, except the surface bound in it. The layout of particles in memory is not part of it.
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
    bool painted = false;  ///< the file's weights carry surface and particles; otherwise cells carry the surface
    double depth = 0;      ///< of the flesh, share of the size; automatic frequencies follow it

    // ---- per particle ----
    lattice::CornerLattice corners;
    weights::Influences influences;  ///< 4 slots
    std::vector<std::uint8_t> bone;  ///< 1 inside the cylinder around a bone: only follows the skeleton
    std::vector<std::int32_t> part;  ///< joint of the part it belongs to
    std::vector<float> mask;         ///< factor on the joints' amount, or empty
    std::vector<float> own_amount;   ///< 0..2, added by meshes and materials, or empty (VertexAmounts)
    std::vector<float> thinness;  ///< 1 where flesh is deep, towards 0 where thin (thin_flesh.h); empty: as published

    RestSurface surface;

    std::size_t particle_count() const { return corners.size(); }
};

}  // namespace fascia
