// How deep a body's flesh is, from its surface and its bones alone: the same at every resolution.
#pragma once

#include <span>

#include "fascia/character.h"
#include "lattice/layers.h"

namespace fascia {

/// Distance from the skin to the nearest bone that a tenth of the surface exceeds, as a share of the size: 0.05 to 0.06
/// for a lean figure, 0.1 and more for a heavy one.
double deep_flesh(const Character& character, std::span<const lattice::Bone> bones);

}  // namespace fascia
