// An order of the vertices of a surface in which neighbourhoods are few runs of consecutive numbers (docs/formulas.md
// E5): vertices are numbered along paths that cover the surface. Sums over neighbourhoods are then differences of
// prefix sums.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/links.h"

namespace fascia::sim {

/// Greedy: a path begins at the vertex with the fewest neighbours that are on no path yet, continues to such a
/// neighbour, and ends where there is none. Returns [vertices] the old number of each new one.
std::vector<std::uint32_t> order_along_paths(const Links& edges);

/// A run of records: from `begin` up to, but not including, `end`.
struct RecordRun {
    std::uint32_t begin = 0, end = 0;
};

/// Vertices within some edges of each vertex, as runs.
struct RingRuns {
    /// Prefix sums restart after this many vertices, so that blocks can be summed in parallel. A block of records is
    /// one longer than a block of vertices, so that a difference never leaves it.
    static constexpr std::uint32_t block = 128;
    static constexpr std::uint32_t record_of(std::uint32_t vertex) { return vertex + vertex / block; }

    std::vector<std::uint32_t> first;  ///< [vertices + 1]
    std::vector<RecordRun> runs;       ///< as numbers of records
    std::vector<std::uint32_t> size;   ///< [vertices] members
};

/// The vertices within `rings` edges of a vertex, including itself, ascending.
std::vector<std::uint32_t> ring_of(const Links& edges, std::uint32_t vertex, int rings,
                                   std::vector<std::uint32_t>& seen);
RingRuns find_ring_runs(const Links& edges, int rings);

}  // namespace fascia::sim
