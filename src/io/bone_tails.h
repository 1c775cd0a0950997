// Where each bone ends. glTF joints are points; a bone runs from its joint to here.
#pragma once

#include "fascia/character.h"

namespace fascia::io {

/// Fills Joint::tail: the child joint that carries on the bone, or for a leaf as far as its flesh reaches along it.
void guess_tails(const Mesh& mesh, const SkinWeights& weights, std::vector<Joint>& joints);

}  // namespace fascia::io
