// Where a ray first meets a surface.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "fascia/math.h"

namespace fascia::embedding {

/// Nearest crossing in front of the origin, from either side of a triangle; in multiples of `direction`.
std::optional<double> first_hit(Vec3d origin, Vec3d direction, std::span<const Vec3> positions,
                                std::span<const std::uint32_t> triangles);

}  // namespace fascia::embedding
