// Mass, centre and inertia of a uniformly filled closed surface (docs/formulas.md C8).
#pragma once

#include <cstdint>
#include <span>

#include "fascia/math.h"
#include "sim/matrix3.h"

namespace fascia::sim {

struct MassProperties {
    double volume = 0;  ///< negative if the triangles face inwards
    Vec3d centre;
    Matrix3 inertia;  ///< about the centre, for a density of 1
};

/// Sums over the tetrahedra between the triangles and one point. triangles: [3 * n] of a closed surface
MassProperties mass_properties(std::span<const Vec3d> points, std::span<const std::uint32_t> triangles);

}  // namespace fascia::sim
