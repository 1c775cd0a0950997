// Samples of a surface that keep their distance from one another (Poisson disks, docs/formulas.md C12).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "fascia/math.h"

namespace fascia::embedding {

/// A place on a triangle.
struct SurfaceSample {
    std::array<std::uint32_t, 3> vertices{};
    std::array<double, 3> shares{1, 0, 0};
};

struct SurfaceSamples {
    std::vector<SurfaceSample> samples;
    double spacing = 0;  ///< that this many samples would have if spread evenly
};

/// About `wanted` of them; always the same for the same surface. A surface without area has its vertices as samples.
SurfaceSamples sample_surface(std::span<const Vec3> positions, std::span<const std::uint32_t> triangles,
                              std::size_t wanted);

}  // namespace fascia::embedding
