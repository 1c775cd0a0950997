// A sparse Cholesky factor of a matrix on the points of a grid or a mesh, for systems that are solved every frame.
//
// Points are eliminated by nested dissection: a plane of the grid divides the rest in two, and comes last; on a mesh,
// this is the points on one side of a cut that touch the other. The part of the factor for these points and their
// neighbours is dense (a front), so that the factor consists of tiles of 8 x 8 floats and no inner loop needs an index.
// Every operation is done lane by lane in an order that follows from the graph alone: the same bits on every machine.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/isa.h"
#include "fascia/method.h"

namespace fascia::sim {

/// A symmetric, positive matrix: `diagonal`, and -1 or -weight between neighbours.
struct PlacedGraph {
    std::span<const std::array<int, 3>> places;  ///< [points] in a grid, neighbours differ by one along one axis
    std::span<const std::uint32_t> first, to;    ///< [points + 1] and neighbours, mutual
    std::span<const float> diagonal;             ///< [points]
    std::span<const float> weights = {};         ///< [neighbours] of a mesh; empty: a grid
};

/// The points that one dense block eliminates, and the later ones that they touch.
struct TileFront {
    std::size_t tiles = 0;         ///< where its tiles begin, in floats
    std::uint32_t first = 0;       ///< its points, in the order of elimination
    std::uint32_t pivots = 0;      ///< how many
    std::uint32_t rows_first = 0;  ///< where its list of later points begins
    std::uint32_t rows = 0;        ///< how many

    std::size_t pivot_tiles() const { return (pivots + 7) / 8; }
    std::size_t all_tiles() const { return pivot_tiles() + (rows + 7) / 8; }
};

class TileCholesky {
public:
    TileCholesky() = default;
    explicit TileCholesky(const PlacedGraph& graph);

    std::size_t size() const { return order_.size(); }
    /// The point that is eliminated at each place. [points]
    const std::vector<std::uint32_t>& order() const { return order_; }
    /// Of the factor.
    std::size_t bytes() const { return tiles_.size() * sizeof(float); }

    /// Solves for three right-hand sides at a time, in place. values: [3 * size()] channels, in the order of
    /// elimination. scratch: [scratch_floats()]
    void solve(std::span<float> values, std::span<float> scratch) const;
    std::size_t scratch_floats() const { return 3 * 8 * most_tiles_; }

private:
    std::vector<std::uint32_t> order_;
    std::vector<TileFront> fronts_;  ///< in the order of elimination
    std::vector<std::uint32_t> rows_;
    Floats tiles_;
    std::size_t most_tiles_ = 0;  ///< of one front, along one side
};

struct TileSolve {
    const TileFront* fronts = nullptr;
    std::size_t count = 0, size = 0;
    const std::uint32_t* rows = nullptr;
    const float* tiles = nullptr;
    float* values = nullptr;   ///< [3 * size]
    float* scratch = nullptr;  ///< three channels of one front
    std::size_t stride = 0;    ///< of the scratch
};
FASCIA_DECLARE_KERNEL(void solve_tiles(const TileSolve& task))

/// Eliminates the pivots of one front. Tiles are stored by columns, each from the diagonal down, and column by column
/// inside; those of the pivots in `factor`, the rest in `rest`. Tiles on the diagonal of the factor become their own
/// inverse.
struct TileElimination {
    float* factor = nullptr;
    float* rest = nullptr;
    std::size_t pivot_tiles = 0, all_tiles = 0;
};
FASCIA_DECLARE_KERNEL(void eliminate_tiles(const TileElimination& task))

}  // namespace fascia::sim
