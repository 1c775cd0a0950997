// How thick a body is behind each triangle of its surface (docs/formulas.md C18).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fascia/math.h"

namespace fascia {

/// A cone of rays against the normal; the mean of the lengths near their median, smoothed over the surface. 0 if every
/// ray misses. [triangles]
std::vector<double> shape_diameter(std::span<const Vec3d> positions, std::span<const std::uint32_t> triangles);

/// Which of `count` thicknesses each triangle belongs to: k-means on the logarithm, thinnest first. [triangles]
std::vector<int> thickness_clusters(std::span<const double> diameters, int count);

/// Triangles that share an edge with each one: [triangles * 3], or the triangle itself.
std::vector<std::uint32_t> triangles_beside(std::span<const std::uint32_t> triangles);

}  // namespace fascia
