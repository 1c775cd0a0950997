// For kernels: sums over nodes that depend neither on the vector width nor on which thread computes which nodes.
#pragma once

#include <cstddef>

#include "weights/lane_solver.h"

namespace fascia::weights {

/// Calls visit(node, partial sums) for the nodes [begin, end); each block's sums go to its own place of `partials`.
template <class Visit>
inline void sum_blocks(NodeRange range, float* partials, Visit&& visit) {
    for (std::size_t first = range.begin; first < range.end; first += sum_block) {
        float partial[solver_lanes] = {};
        const std::size_t last = first + sum_block < range.end ? first + sum_block : range.end;
        for (std::size_t i = first; i < last; ++i) visit(i, partial);
        float* const out = partials + first / sum_block * solver_lanes;
        for (std::size_t l = 0; l < solver_lanes; ++l) out[l] = partial[l];
    }
}

}  // namespace fascia::weights
