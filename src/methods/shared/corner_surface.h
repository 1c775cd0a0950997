// Surfaces in cells whose corners are points: the body's own, and attached meshes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "embed/in_cells.h"
#include "lattice/corners.h"
#include "methods/shared/attached_mesh.h"

namespace fascia {

/// Neighbours of the points that carry a surface, through any of their cells. bound: points are corners. slots:
/// [corners] where each is in the channels
embedding::PointSides sides_of_carriers(const embedding::Trilinear& bound, const lattice::CornerLattice& corners,
                                        std::span<const std::uint32_t> slots);

/// Where the lowest corner of each cell is. [cells]
std::vector<Vec3d> lower_corners(const lattice::Grid& grid, std::span<const lattice::Cell> cells);

/// A body whose own surface is bound in its cells.
struct CornerBody {
    const lattice::Grid& grid;
    const lattice::CornerLattice& corners;
    const RestSurface& surface;
    const embedding::Trilinear& bound;  ///< the surface; points are corners
    double size = 1;
};

/// A further mesh in the cells of a body.
struct CarriedMesh {
    TiedMesh tied;
    embedding::Trilinear bound;  ///< points are corners
    std::vector<Vec3> arms;      ///< [vertices] at rest, from where a vertex is bound; zero inside the cells
    bool has_arms = false;
};
/// Vertices in cells are bound there; those outside are bound at the nearest point of the surface.
Result<CarriedMesh> carry_mesh(const CornerBody& body, const Mesh& mesh);

}  // namespace fascia
