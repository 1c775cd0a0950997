// Copies of a surface inside the body, one for each layer of tissue (docs/formulas.md E1, E2, E4): every vertex is
// projected towards its bone. Layer 0 is the interface to bone, the last one is the surface itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/links.h"
#include "fascia/math.h"
#include "sim/layered_particles.h"

namespace fascia {

/// A surface, and the bones that its flesh hangs on.
struct FleshSurface {
    std::span<const Vec3d> positions;          ///< [vertices]
    std::span<const std::uint32_t> triangles;  ///< [triangles * 3]
    Links edges;
    std::span<const Vec3d> cores;     ///< [vertices] the point on the bones that each vertex is projected to
    std::span<const double> deepest;  ///< [vertices] distance from the skin to the interface, as asked for
    std::span<const double> shares;   ///< [layers * vertices] shares of that distance: 1 on layer 0, 0 on the last
    std::size_t layers = 4;
};

struct ProjectedLayers {
    std::vector<Vec3d> places;   ///< [layers * vertices]
    std::vector<double> depths;  ///< [vertices] distance from the skin to the interface
    std::vector<double> rooms;   ///< [vertices] thickness of the body towards the core, 1e300 if the core comes first
    std::size_t thinned = 0;     ///< vertices made shallower than asked, because copies would have folded there
};
/// `limited`: no deeper than half the thickness of the body there. No triangle of a copy faces away from the skin's.
ProjectedLayers project_layers(const FleshSurface& surface, bool limited);

/// m = A H: the mixed Voronoi area of a vertex on its own layer, times half the distances to its siblings.
std::vector<double> particle_masses(std::span<const Vec3d> places, std::span<const std::uint32_t> triangles,
                                    std::size_t vertices, std::size_t layers);
/// [vertices] mixed Voronoi areas; they add up to the area of the surface.
std::vector<double> voronoi_areas(std::span<const Vec3d> positions, std::span<const std::uint32_t> triangles);

/// Half an edge across the surface, half of H along its normal; neither more than twice the other.
std::vector<sim::ParticleShape::Ellipsoid> particle_ellipsoids(std::span<const Vec3d> places,
                                                               std::span<const std::uint32_t> triangles,
                                                               const Links& edges, std::size_t layers);

/// Counts triangles of inner layers that face away from the same triangle of the skin.
std::size_t folded_triangles(std::span<const Vec3d> places, std::span<const std::uint32_t> triangles,
                             std::size_t vertices, std::size_t layers);

}  // namespace fascia
