// Flesh of one part that lies against other flesh of the same part (buttocks, an arm that hangs along the body): if
// walls of the surface face each other across a narrow gap, the part is divided between them. With a single volume for
// both, pressing one would move the other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/links.h"
#include "fascia/math.h"

namespace fascia {

struct WalledSurface {
    std::span<const Vec3d> positions;          ///< [vertices]
    std::span<const std::uint32_t> triangles;  ///< [triangles * 3]
    Links edges;                               ///< of the vertices
    std::span<const std::uint32_t> part;       ///< [triangles]
    double size = 1;
    double smallest = 0;  ///< least area of a side
};
/// [triangles] number of its side within its part, starting at 0: each triangle belongs to the wall nearest along the
/// surface.
std::vector<std::uint32_t> sides_of_gaps(const WalledSurface& surface);

}  // namespace fascia
