// A surface with fewer vertices in the shape of a given one, for what is computed per vertex.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fascia/math.h"

namespace fascia {

/// Its vertices are some of the given ones.
struct SimplerSurface {
    static constexpr std::uint32_t none = 0xffffffffu;
    std::vector<std::uint32_t> vertices;   ///< [vertices] the given vertex that each one is, ascending
    std::vector<std::uint32_t> triangles;  ///< [triangles * 3]
    std::vector<std::uint32_t> into;       ///< [given vertices] the nearest one, along the edges; none: in no triangle
};

/// Collapses edges until at most `most` vertices are left, or none can go without folding or tearing the surface: short
/// ones first, later where the surface would lose its shape. Edges come out about equally long. Vertices at equal
/// positions must be welded.
SimplerSurface simplify(std::span<const Vec3d> positions, std::span<const std::uint32_t> triangles, std::size_t most);

}  // namespace fascia
