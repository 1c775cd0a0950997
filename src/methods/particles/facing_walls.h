// Flesh of one part that lies on other flesh of it (buttocks, an arm that hangs on the spine): where walls of the
// surface face each other across a narrow gap, the part is divided between them. One volume for both would move the one
// when the other is pressed.
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
    double smallest = 0;  ///< area that a side must have
};
/// [triangles] side of its part, from 0 on: each triangle goes with the wall that is nearest along the surface.
std::vector<std::uint32_t> sides_of_gaps(const WalledSurface& surface);

}  // namespace fascia
