// Where a surface intersects itself, or its parts intersect one another.
#pragma once

#include <cstdint>
#include <span>

#include "fascia/math.h"
#include "lattice/grid.h"

namespace fascia::lattice {

/// Cells whose middle the surface encloses more than once, or once the wrong way round while it encloses others the
/// right way: winding numbers counted along rays, exact on closed surfaces. Rays that find a hole do not count.
std::size_t count_overlapped_cells(std::span<const Vec3> positions, std::span<const std::uint32_t> triangles,
                                   const Grid& grid);

}  // namespace fascia::lattice
