// Volume for methods that lose it: the hierarchical volume preservation of `lattice` after another method's own
// deformation.
#pragma once

#include "fascia/method.h"

namespace fascia {

/// A rig that, after each deformation of `inner`, gives every part around a joint its rest volume back. `cells` says how
/// fine the cells are that carry the correction to the surface. Normals stay those of the method.
Result<RigPtr> rectified(RigPtr inner, const Character& character, const LatticeSettings& cells);

}  // namespace fascia
