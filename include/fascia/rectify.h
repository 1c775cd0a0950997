// Volume for methods that lose it: the hierarchical volume preservation of `lattice` after another method's own
// deformation.
#pragma once

#include "fascia/method.h"

namespace fascia {

/// Binds `lbs`, `dqs` or `bones-blending` and, after each deformation, gives every part around a joint its rest volume
/// back. `flesh` says how fine the cells are that carry the correction to the surface (resolution). Normals stay those
/// of the method.
Result<RigPtr> bind_rectified(const Character& character, const Settings& settings, const Flesh& flesh);

}  // namespace fascia
