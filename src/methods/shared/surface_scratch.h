// Surfaces in the workspace, for code that reads back what it has written, or whose output is then converted.
#pragma once

#include <algorithm>
#include <vector>

#include "base/workspace.h"

namespace fascia {

struct SurfaceScratch {
    std::vector<Vec3> positions[2], normals;
    std::vector<Vec4> tangents;
};

/// Which arrays are wanted.
struct Wanted {
    bool positions = false, normals = false, tangents = false;
};
/// Arrays of this length. `which`: 0, or 1 for a second set.
Surface scratch_surface(Workspace& work, std::size_t which, std::size_t vertices, const Wanted& wanted);

}  // namespace fascia
