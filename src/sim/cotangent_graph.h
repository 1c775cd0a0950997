// The edges of a triangle mesh with cotangent weights (docs/formulas.md C3).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fascia/math.h"

namespace fascia::sim {

struct CotangentGraph {
    std::vector<std::uint32_t> first, to;  ///< [points + 1] and neighbours, ascending and mutual
    std::vector<float> weights;            ///< [neighbours] (cot a + cot b) / 2 of the angles opposite an edge

    std::size_t size() const { return first.empty() ? 0 : first.size() - 1; }
};

/// Weights are clamped between positive bounds: slivers carry no weight of their own, and no point loses all of its
/// weight. triangles: [triangles * 3]; those with two corners at one point are ignored.
CotangentGraph cotangent_graph(std::span<const Vec3> positions, std::span<const std::uint32_t> triangles);

}  // namespace fascia::sim
