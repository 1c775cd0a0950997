// As-rigid-as-possible deformation of a surface (docs/formulas.md C3):
//     E = sum_i sum_j w_ij | (x_i - x_j) - R_i (p_i - p_j) |^2       over the edges of the mesh.
// Everything that sets of held points have in common (edges, rotations) is computed once; each set has its own factor.
//
// Points are renumbered, so that each group of eight has about equally many neighbours: `order` says which is where.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/isa.h"
#include "base/thread_pool.h"
#include "sim/cotangent_graph.h"
#include "sim/grid_arap.h"
#include "sim/tile_cholesky.h"

namespace fascia::sim {

class SurfaceArap {
public:
    SurfaceArap() = default;
    SurfaceArap(std::span<const Vec3> positions, const CotangentGraph& graph);

    std::size_t point_count() const { return order_.size(); }
    /// The point at each place. [points]
    const std::vector<std::uint32_t>& order() const { return order_; }
    /// Floats between channels: the points, padded to whole groups of eight.
    std::size_t stride() const { return own_.size(); }
    /// The edges, by places.
    const CotangentGraph& graph() const { return graph_; }
    const std::vector<Vec3>& rest() const { return rest_; }

    /// places: [arap_places(points)]. rotations: [4 * stride()] w, x, y, z channels, a guess and then the best ones
    void fit(std::span<const float> places, std::span<float> rotations, ArapScratch& scratch, ThreadPool& pool) const;
    /// What the rotations found by `fit` still ask of each point: a quarter of the energy's gradient, negated.
    /// scratch.values: [3 * stride()]
    void pull(std::span<const float> places, ArapScratch& scratch, ThreadPool& pool) const;
    double energy(std::span<const float> places, std::span<const float> rotations) const;

private:
    std::vector<std::uint32_t> order_, own_;
    std::vector<Vec3> rest_;  ///< [points] by places
    CotangentGraph graph_;
    std::vector<std::uint32_t> group_first_;  ///< [groups + 1] entries
    std::vector<std::uint32_t> ends_;         ///< [entries * 8]
    Floats edges_;                            ///< [entries * 32] w e: x, y, z, and w
    Floats sums_;                             ///< [groups * 24] sum of w e
};

/// Some points of a surface, held where they are put; all others follow. Every piece needs a held point.
class SurfaceHold {
public:
    SurfaceHold() = default;
    /// held: [points] by places
    SurfaceHold(const SurfaceArap& arap, std::span<const std::uint8_t> held);

    std::size_t free_count() const { return free_.size(); }
    /// Places of held points, ascending.
    const std::vector<std::uint32_t>& held() const { return held_; }
    std::size_t bytes() const { return solver_.bytes(); }
    /// Moves the free points to where the rotations ask. Call it after `fit` with the same scratch.
    void relax(const SurfaceArap& arap, std::span<float> places, ArapScratch& scratch, ThreadPool& pool) const;

private:
    std::vector<std::uint32_t> free_;  ///< places in the order of elimination
    std::vector<std::uint32_t> held_;
    TileCholesky solver_;
};

// ---- kernels -------------------------------------------------------------------------------------------------------
struct SurfaceArapTask {
    const std::uint32_t *own = nullptr, *group_first = nullptr, *ends = nullptr;
    const float *edges = nullptr, *sums = nullptr, *places = nullptr;
    float *rotations = nullptr, *columns = nullptr, *values = nullptr;
    std::size_t stride = 0;
};
FASCIA_DECLARE_KERNEL(void fit_surface(const SurfaceArapTask& task, std::size_t begin, std::size_t end))
FASCIA_DECLARE_KERNEL(void pull_surface(const SurfaceArapTask& task, std::size_t begin, std::size_t end))

}  // namespace fascia::sim
