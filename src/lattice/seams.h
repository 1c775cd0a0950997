// Where a body forks, cells joined by the surface may each have their own particle at the same place.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lattice/corners.h"

namespace fascia::lattice {

/// The particle that carries the surface instead of each one, [particles]. Two sheets of a cell cannot both share a
/// corner with the cell that they fork from, and a surface running from that cell into either sheet would tear there.
/// So along every edge of the surface, cells carry it by the same particles at their common corners. homes: [vertices]
/// cell that each lies in
std::vector<std::uint32_t> without_seams(const CornerLattice& corners, std::span<const std::uint32_t> homes,
                                         std::span<const std::uint32_t> triangles);

}  // namespace fascia::lattice
