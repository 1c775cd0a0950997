// Weights inside a body from the weights of its surface: averaged over the surface in each node, then diffused inward,
// so that the flesh follows the skeleton as the file's author painted it.
#pragma once

#include <cstdint>
#include <span>

#include "base/links.h"
#include "fascia/math.h"
#include "weights/influences.h"

namespace fascia::weights {

struct PaintedSurface {
    std::span<const Vec3> positions;           ///< [vertices]
    std::span<const std::uint32_t> triangles;  ///< [triangles * 3]
    int slots = 4;                             ///< of the vertices
    std::span<const std::uint16_t> joints;     ///< [vertices * slots]
    std::span<const float> weights;            ///< [vertices * slots]
};

struct SurfaceNodes {
    Links links;
    std::span<const Vec3d> centers;                 ///< [nodes]
    double h = 1;                                   ///< edge of a node's cell
    std::span<const std::uint32_t> triangle_first;  ///< [nodes + 1]
    std::span<const std::uint32_t> triangles;       ///< triangles of each node; none inside
    int slots = 4;                                  ///< of the result
};

Influences weights_from_surface(const PaintedSurface& surface, const SurfaceNodes& nodes);

/// Barycentric coordinates of the point of triangle (a, b, c) nearest to p.
struct Barycentric {
    double a = 1, b = 0, c = 0;
};
Barycentric nearest_on_triangle(Vec3d p, Vec3d a, Vec3d b, Vec3d c);

}  // namespace fascia::weights
