// Where a body becomes thicker or thinner, and where it ends (docs/formulas.md C18).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fascia/math.h"

namespace fascia {

/// A place for a handle, with how thick the body is there.
struct HandlePlace {
    Vec3d at;
    double thickness = 0;
};

/// The centres of rings between regions of different thickness, the far ends of regions that have only one ring, and
/// the middles of those that have three or more. triangles: of welded vertices
std::vector<HandlePlace> thickness_rings(std::span<const Vec3d> positions, std::span<const std::uint32_t> triangles,
                                         int clusters);

}  // namespace fascia
