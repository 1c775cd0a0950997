// Where a surface intersects itself, or its parts intersect one another.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fascia/math.h"
#include "lattice/grid.h"

namespace fascia::lattice {

/// Cells whose middle the surface encloses more than once, or once the wrong way round although it encloses others the
/// right way: winding numbers counted along rays, exact on closed surfaces. Rays that find a hole do not count.
std::size_t count_overlapped_cells(std::span<const Vec3> positions, std::span<const std::uint32_t> triangles,
                                   const Grid& grid);

/// How rays look for overlaps: their spacing, and the depth below which an overlap does not count.
struct RayPlan {
    double spacing, shallowest;
};

/// 1 for triangles at which a ray along an axis enters a closed piece of surface that it is in already, or leaves it
/// while still in it, 0 for others. piece: [triangles] connected pieces.
std::vector<std::uint8_t> overlapped_triangles(std::span<const Vec3> positions,
                                               std::span<const std::uint32_t> triangles,
                                               std::span<const std::uint32_t> piece, const RayPlan& plan);

}  // namespace fascia::lattice
