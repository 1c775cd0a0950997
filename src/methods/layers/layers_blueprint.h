// What bind computes from a character for `layers`, node by node: everything that a body is assembled from and that a
// rig file holds, except the surface bound in it. The layout of nodes in memory is not part of it.
#pragma once

#include <cstdint>
#include <vector>

#include "lattice/connectivity.h"
#include "lattice/grid.h"
#include "methods/shared/rest_surface.h"
#include "weights/influences.h"

namespace fascia {

/// How the passes run: in vectors of eight, or in plain loops over lists, which also implement the literal mode.
enum class Engine : std::int32_t { segments, reference };

struct LayersBlueprint {
    double size = 1;
    lattice::Grid grid;
    Vec3d centre;
    Engine engine = Engine::segments;
    bool linear = false;  ///< driven by linear blending instead of dual quaternions; plain loops only
    int region_width = 3;
    double depth = 0;  ///< of the flesh, share of the size; automatic frequencies follow it

    // ---- per node ----
    lattice::Tissue tissue;             ///< cells, links and neighbours only
    std::vector<std::uint8_t> layer;    ///< 0 bone, then the flesh's layers from the bone outwards
    std::vector<std::int32_t> to_skin;  ///< steps to the nearest node that has an empty side
    std::vector<float> thinness;        ///< g: 1 where flesh is deep, towards 0 where it is thin
    std::vector<float> mask;            ///< factor on the joints' amount, or empty
    std::vector<float> own_amount;      ///< 0..2, added by meshes and materials, or empty (VertexAmounts)
    weights::Influences influences;     ///< 4 slots

    RestSurface surface;  ///< with the weights that the method uses
};

}  // namespace fascia
