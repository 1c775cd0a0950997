#include "methods/shared/corner_weights.h"

#include <algorithm>

#include "weights/from_surface.h"

namespace fascia {

namespace {

/// The triangles in the cells around each corner.
struct TrianglesAround {
    std::vector<std::uint32_t> first, triangles;  ///< [corners + 1] and the lists, ascending
};

TrianglesAround triangles_around(const CornersOfBody& body) {
    TrianglesAround out;
    std::vector<std::uint32_t> near;
    out.first.push_back(0);
    for (std::size_t p = 0; p < body.corners.size(); ++p) {
        near.clear();
        for (std::size_t k = 8 * p; k < 8 * p + 8; ++k) {
            if (body.corners.octants[k] == lattice::no_cell) continue;
            const auto cell = body.tissue.triangles_of(body.corners.octants[k]);
            near.insert(near.end(), cell.begin(), cell.end());
        }
        std::sort(near.begin(), near.end());
        near.erase(std::unique(near.begin(), near.end()), near.end());
        out.triangles.insert(out.triangles.end(), near.begin(), near.end());
        out.first.push_back(std::uint32_t(out.triangles.size()));
    }
    return out;
}

/// A piece without any weight follows the nearest bone.
void follow_nearest(const CornersOfBody& body, weights::Influences& influences) {
    const weights::NearestSegment nearest(body.bones);
    for (std::size_t p = 0; p < body.places.size(); ++p) {
        if (influences.weights[4 * p] > 0) continue;
        influences.joints[4 * p] = nearest.joint_at(body.places[p]);
        influences.weights[4 * p] = 1;
    }
}

}  // namespace

weights::Influences painted_corner_weights(const Character& character, const CornersOfBody& body) {
    const TrianglesAround around = triangles_around(body);
    const SkinWeights& painted = character.weights;
    weights::Influences out = weights::weights_from_surface({.positions = character.mesh.positions,
                                                             .triangles = character.mesh.triangles,
                                                             .slots = painted.influences,
                                                             .joints = painted.joints,
                                                             .weights = painted.weights},
                                                            {.links = {body.corners.edge_first, body.corners.edges, 1},
                                                             .centers = body.places,
                                                             .h = body.h,
                                                             .triangle_first = around.first,
                                                             .triangles = around.triangles});
    follow_nearest(body, out);
    return out;
}

}  // namespace fascia
