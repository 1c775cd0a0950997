// Particles at the corners of cells (docs/formulas.md D1).
//
// Cells around a corner that are connected through faces share its particle; cells that only touch there do not: two
// fingers in neighbouring cells have separate corners.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lattice/connectivity.h"

namespace fascia::lattice {

inline constexpr std::uint32_t no_cell = 0xffffffffu;

/// Particles in the order of their places in the grid (z, y, x). Corners of a cell and the cells around a corner are
/// numbered by bits: 1 for the upper side along x, 2 along y, 4 along z.
struct CornerLattice {
    std::vector<Cell> places;                      ///< [particles] at grid.origin + h * place
    std::vector<std::uint32_t> of_cell;            ///< [cells * 8] particle at each corner
    std::vector<std::uint32_t> octants;            ///< [particles * 8] cell on that side, or no_cell
    std::vector<std::uint32_t> edge_first, edges;  ///< [particles + 1]: particles at the other end of a cell's edge
    std::vector<std::int32_t> neighbours;  ///< [particles * 27] particle that shares a cell, -1 for none; mutual

    std::size_t size() const { return places.size(); }
    /// At least one of the eight cells around it is missing.
    bool on_boundary(std::size_t particle) const;
    /// The particle at the other end of the edge of `cell` that starts at its corner and runs along `axis`.
    std::uint32_t across(std::uint32_t cell, int corner, int axis) const {
        return of_cell[std::size_t(cell) * 8 + std::size_t(corner ^ (1 << axis))];
    }
};

CornerLattice find_corners(const Tissue& tissue);
/// Fills in everything that follows from `places` and `of_cell`.
void complete_corners(CornerLattice& corners);

/// Steps along edges from the given particles, [particles]; -1 if there is no path.
std::vector<std::int32_t> steps_along_edges(const CornerLattice& corners, std::span<const std::uint32_t> sources);

/// Particles within `radius` steps of each particle (docs/formulas.md D6), in the order of their places, including
/// itself. [particles + 1] and the lists.
struct Balls {
    std::vector<std::uint32_t> first, members;
};
Balls edge_balls(const CornerLattice& corners, int radius);

/// Unit directions out of the body at rest, [particles] (docs/formulas.md D5): at the boundary away from the existing
/// cells, inside towards the nearest boundary particles; zero if no side is nearer than the others.
std::vector<Vec3> outward_directions(const CornerLattice& corners, std::span<const std::int32_t> to_boundary);

}  // namespace fascia::lattice
