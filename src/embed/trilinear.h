// A surface in a lattice of points: which points carry each vertex, and how they move it (docs/formulas.md A9).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/links.h"
#include "fascia/math.h"

namespace fascia::embedding {

/// Up to eight points for each vertex; unused slots repeat the first with weight 0.
struct Trilinear {
    static constexpr int slots = 8;
    std::vector<std::uint32_t> points;  ///< [vertices * 8]
    std::vector<float> weights;         ///< [vertices * 8] sum 1

    std::size_t vertex_count() const { return points.size() / slots; }
};

/// Points that carry any vertex, ascending.
std::vector<std::uint32_t> carriers_of(const Trilinear& bound);

struct TrilinearInput {
    Links links;                     ///< of the points
    std::span<const Vec3d> centers;  ///< [points] rest positions, on a grid of edge h
    double h = 1;
    std::span<const Vec3> positions;       ///< [vertices] rest
    std::span<const std::uint32_t> homes;  ///< [vertices] the point in whose cell (or nearest to which) the vertex lies
    /// Of two points at one place (two sheets of a cell), which may both be reached: whether the second one is nearer
    /// to a vertex. Empty: the first that is reached stands for both.
    std::function<bool(std::uint32_t vertex, std::uint32_t first, std::uint32_t second)> nearer = {};
};

/// The points around a vertex that tissue joins to its home, with weights that sum to 1: a finger is not carried by the
/// finger beside it.
Trilinear bind_trilinear(const TrilinearInput& input);

/// Vertices that name a point are carried by it alone: pieces whose vertices name the same one keep their shape. point:
/// [vertices] or no_point
inline constexpr std::uint32_t no_point = 0xffffffffu;
void carry_by_one(std::span<const std::uint32_t> point, Trilinear& bound);

/// Where the points are: rotation and position, by place in their channels.
struct Carriers {
    std::size_t stride = 0;
    std::span<const float> from;       ///< [3 * stride] where a vertex is measured from: rest or driven positions
    std::span<const float> to;         ///< [3 * stride] where they are now
    std::span<const float> rotations;  ///< [4 * stride] w x y z from the one to the other
};

/// Plain twins of the kernels that carry a surface (skin/carriers.h), for tests:
/// v' = sum_k w_k ( q_k (v - from_k) + to_k ): exact for rigid motion. `out` may be `in`.
void carry_positions_reference(const Trilinear& bound, const Carriers& carriers, std::span<const Vec3> in,
                               std::span<Vec3> out);
/// n' = sum_k w_k q_k n, normalised.
void carry_directions_reference(const Trilinear& bound, const Carriers& carriers, std::span<const Vec3> in,
                                std::span<Vec3> out);

}  // namespace fascia::embedding
