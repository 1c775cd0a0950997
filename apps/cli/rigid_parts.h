// Parts without a skin: carried along by their node.
#pragma once

#include <span>

#include "fascia/character.h"
#include "fascia/pose.h"

namespace fascia::cli {

/// Writes Character::rigid in scene space. positions, normals: [rigid vertices]
void place_rigid_parts(const Mesh& rigid, const Pose& pose, std::span<Vec3> positions, std::span<Vec3> normals);

}  // namespace fascia::cli
