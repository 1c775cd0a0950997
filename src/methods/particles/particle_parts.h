// Parts of a surface whose volumes are preserved (docs/formulas.md E10): one around each bone that holds enough of the
// surface.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/links.h"
#include "fascia/math.h"

namespace fascia {

struct PartedSurface {
    std::span<const Vec3d> positions;          ///< [vertices]
    std::span<const std::uint32_t> triangles;  ///< [triangles * 3]
    Links edges;                               ///< of the vertices
    std::span<const std::uint16_t> follows;    ///< [triangles] joint
    std::span<const int> parents;              ///< [joints]
    double size = 1;
};
struct SurfaceParts {
    std::vector<std::uint32_t> part;   ///< [triangles] or sim::no_part
    std::vector<std::uint16_t> joint;  ///< [parts]
    std::size_t open = 0;              ///< pieces of the surface with holes too wide to close: their volume is not kept
};
/// Small parts join the part of the next joint towards the root. Each piece of the surface has its own parts, and so
/// does flesh that lies against other flesh of its part.
SurfaceParts find_parts(const PartedSurface& surface);

}  // namespace fascia
