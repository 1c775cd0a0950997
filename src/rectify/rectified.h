// Volume for methods that lose it: the hierarchical volume preservation of `lattice`, applied after another method's
// own deformation.
#pragma once

#include "fascia/method.h"

namespace fascia {

/// A rig that restores the rest volume of every part around a joint after each deformation of `inner`. `cells`: how
/// fine the cells are that carry the correction to the surface. Normals stay those of the method.
Result<RigPtr> rectified(RigPtr inner, const Character& character, const LatticeSettings& cells);

}  // namespace fascia
