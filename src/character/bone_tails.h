// Where each bone ends. glTF joints are points; a bone runs from its joint to here.
#pragma once

#include "fascia/character.h"

namespace fascia {

/// Fills Joint::tail: the child joint that continues the bone or, for a leaf, the end of the flesh along its direction.
void guess_tails(const Mesh& mesh, const SkinWeights& weights, std::vector<Joint>& joints);

}  // namespace fascia
