// Which closed components of a surface lie inside or across one another.
#pragma once

#include <span>

#include "fascia/math.h"
#include "fascia/measure.h"

namespace fascia::io {

/// Number of closed components that contain a vertex of another closed component, or have one contained in it.
std::size_t count_overlapping_components(std::span<const Vec3> positions, std::span<const std::uint32_t> triangles,
                                         const Components& components);

}  // namespace fascia::io
