// Normals for surfaces that lack them or have wrong ones.
#pragma once

#include "fascia/character.h"

namespace fascia {

/// Gives every vertex without a usable normal one: the area-weighted mean of the triangles at its position, so that
/// seams stay invisible. The others are made unit. Returns how many were made.
std::size_t make_missing_normals(Mesh& mesh);

/// Normals that disagree with the faces (more than 60 degrees off) for more than a third of the area belong to the
/// other side, to other axes or to another mesh: they are recomputed. Every connected piece is judged alone, because
/// pieces of one mesh may come from different hands. Where new ones would not agree either (faces on both sides of a
/// sheet) the old ones stay. Returns whether any were replaced. Every vertex has a normal already.
bool replace_contrary_normals(Mesh& mesh);

}  // namespace fascia
