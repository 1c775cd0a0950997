// Test bodies from formulas: the surface where a function of space is zero.
#pragma once

#include <functional>

#include "fascia/character.h"

namespace fascia::experiments {

/// Negative inside.
using Solid = std::function<double(Vec3d)>;

/// A closed surface within a box that is a little larger than the body; cells: along its longest side.
Mesh surface_of(const Solid& solid, Vec3d low, Vec3d high, int cells);

}  // namespace fascia::experiments
