// For kernels: sums over nodes that do not depend on the vector width.
#pragma once

#include <cstddef>

#include "weights/lane_solver.h"

namespace fascia::weights {

/// Calls visit(node, partial sums) for all nodes; dots: [lanes]
template <class Visit>
inline void sum_blocks(std::size_t nodes, double* dots, Visit&& visit) {
    constexpr std::size_t block = 64;
    for (std::size_t l = 0; l < solver_lanes; ++l) dots[l] = 0;
    for (std::size_t begin = 0; begin < nodes; begin += block) {
        float partial[solver_lanes] = {};
        const std::size_t end = begin + block < nodes ? begin + block : nodes;
        for (std::size_t i = begin; i < end; ++i) visit(i, partial);
        for (std::size_t l = 0; l < solver_lanes; ++l) dots[l] += double(partial[l]);
    }
}

}  // namespace fascia::weights
