// Putting meshes one after another.
#pragma once

#include "fascia/character.h"

namespace fascia::io {

/// Transforms positions, normals and tangents by `map`. A mirroring map also reverses the triangles, so that the
/// outside stays outside.
void transform_mesh(const Affine& map, Mesh& mesh);

/// Appends `piece` as one part (its counts are filled in here). An optional array that only one side has is padded with
/// neutral values.
void append_part(const Mesh& piece, Part part, Mesh& out);

}  // namespace fascia::io
