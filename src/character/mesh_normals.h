// Normals for surfaces that lack them or have wrong ones.
#pragma once

#include "fascia/character.h"

namespace fascia {

/// Gives every vertex without a usable normal one: the area-weighted mean of the triangles at its position, so that
/// seams stay invisible. The others are made unit. Returns how many were made.
std::size_t make_missing_normals(Mesh& mesh);

/// Normals that point away from the faces for more than a third of the area belong to the other side, or to another
/// mesh: they are recomputed. Where that would not help either (faces on both sides of a sheet) they stay. Returns
/// whether they were replaced. Every vertex has a normal already.
bool replace_contrary_normals(Mesh& mesh);

}  // namespace fascia
