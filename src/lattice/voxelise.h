// Which cells of the grid belong to the body: all that the surface touches (conservative) and all that it encloses
// (solid). docs/formulas.md A1.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fascia/math.h"
#include "lattice/grid.h"

namespace fascia::lattice {

/// The triangles that touch each surface cell, cells in ascending grid order, triangles ascending in each.
struct SurfaceCells {
    std::vector<std::uint32_t> cells;      ///< [surface cells] grid index
    std::vector<std::uint32_t> first;      ///< [surface cells + 1] into `triangles`
    std::vector<std::uint32_t> triangles;  ///< [touches]
};

/// Closed triangle / box test along all 13 separating axes, touching counts (tolerance 1e-9 h). Triangles without area
/// are tested as the segment or point that they are.
SurfaceCells conservative_cells(std::span<const Vec3> positions, std::span<const std::uint32_t> triangles,
                                const Grid& grid);

enum class CellKind : std::uint8_t { outside = 0, inside = 1, surface = 2 };

struct SolidCells {
    std::vector<CellKind> kinds;   ///< [grid cells]
    std::size_t leaked_cells = 0;  ///< cells that the flood reached through a hole; they count as inside
};

/// Floods the outside from the padding, 6-connected; cells that are not reached are inside. If the surface has borders,
/// the flood may have come in through them: cells whose generalized winding number exceeds one half still count as
/// inside. `open`: whether the surface has a border.
SolidCells solid_cells(std::span<const Vec3> positions, std::span<const std::uint32_t> triangles, const Grid& grid,
                       const SurfaceCells& surface, bool open);

class WindingField;

/// Empties cells outside the body that the flood did not reach: the air between an arm and the side that it hangs
/// against. Connected cells without a surface between them share one winding number. Returns how many were emptied.
std::size_t empty_pockets(const WindingField& field, const Grid& grid, SolidCells& solid);

}  // namespace fascia::lattice
