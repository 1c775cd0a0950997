// Normals for surfaces that come without.
#pragma once

#include "fascia/character.h"

namespace fascia::io {

/// Gives every vertex without a usable normal one: the area-weighted mean of the triangles at its position, so that
/// seams stay invisible. The others are made unit. Returns how many were made.
std::size_t make_missing_normals(Mesh& mesh);

}  // namespace fascia::io
