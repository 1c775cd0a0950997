// What a method exposes of its surface and points, so that the points can carry the surface in a way other than the
// method's own.
#pragma once

#include <string>
#include <vector>

#include "embed/trilinear.h"
#include "methods/shared/rest_surface.h"

namespace fascia {

struct PointSurface {
    RestSurface surface;
    embedding::Trilinear bound;  ///< by number of point, as Inside::point_positions counts them
    bool in_cells = true;        ///< false: the points have no cells, only positions
};

/// For methods whose points have cells (Abilities::embeddings).
inline std::vector<std::string> all_embeddings() {
    return {"trilinear", "blend", "dq", "rbf", "domains"};
}

}  // namespace fascia
