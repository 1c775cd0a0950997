// Normals of skin that has moved beyond where it was skinned: they turn as those of its triangles do, so that the
// file's own stay wherever nothing moves.
#pragma once

#include <span>
#include <vector>

#include "fascia/method.h"

namespace fascia {

struct NormalScratch {
    std::vector<Vec3> before, after;  ///< [vertices]
};

/// skinned, moved: positions of the vertices; triangles: those with a vertex that has moved. Vertices at one place must
/// have moved together. Tangents stay perpendicular to their normals.
void turn_normals(std::span<const std::uint32_t> triangles, std::span<const Vec3> skinned, std::span<const Vec3> moved,
                  const Surface& out, NormalScratch& scratch);

}  // namespace fascia
