// The node that each point of space belongs to.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lattice/connectivity.h"

namespace fascia::lattice {

/// The node of each vertex: among its cell's sheets, the one that holds a triangle of the vertex. A vertex outside all
/// cells gets the nearest node.
std::vector<std::uint32_t> locate_vertices(const Grid& grid, const Tissue& tissue, std::span<const Vec3> positions,
                                           std::span<const std::uint32_t> triangles);

}  // namespace fascia::lattice
