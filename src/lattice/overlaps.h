// Where a surface intersects itself, or its parts intersect one another.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fascia/math.h"
#include "lattice/grid.h"

namespace fascia::lattice {

/// Cells whose middle the surface encloses more than once, or once the wrong way round while it encloses others the
/// right way: winding numbers counted along rays, exact on closed surfaces. Rays that find a hole do not count.
std::size_t count_overlapped_cells(std::span<const Vec3> positions, std::span<const std::uint32_t> triangles,
                                   const Grid& grid);

/// How rays look for overlaps: how far they lie from one another, and overlaps that are too shallow to count.
struct RayPlan {
    double spacing, shallowest;
};

/// Triangles at which a ray along an axis enters a closed piece of surface that it is in already, or leaves it once of
/// twice: 1, others 0. piece: [triangles] which hang together.
std::vector<std::uint8_t> overlapped_triangles(std::span<const Vec3> positions,
                                               std::span<const std::uint32_t> triangles,
                                               std::span<const std::uint32_t> piece, const RayPlan& plan);

}  // namespace fascia::lattice
