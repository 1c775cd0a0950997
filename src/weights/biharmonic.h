// Bounded biharmonic weights on voxels (docs/formulas.md C16): for each joint the smoothest function that is 1 on its
// own bones, 0 on all others, and stays between 0 and 1.
//     min 1/2 w^T Q w,   Q = L M^-1 L,   0 <= w <= 1,   L the graph Laplacian, M one voxel for each node
#pragma once

#include <cstdint>
#include <span>

#include "base/isa.h"
#include "base/links.h"
#include "base/thread_pool.h"
#include "weights/dense.h"
#include "weights/lane_solver.h"

namespace fascia::weights {

struct BiharmonicInput {
    Links links;
    std::span<const Clamp> clamps;  ///< ascending by node
    std::size_t joints = 0;
};

struct BiharmonicResult {
    Dense dense;          ///< before they are normalised
    int rounds = 0;       ///< of alternating projections, the largest number of any joint
    double residual = 0;  ///< largest distance of the smooth solution from the bounded one
};

BiharmonicResult biharmonic_weights(const BiharmonicInput& input, ThreadPool& pool);

/// Neighbours of node i: to[first[i]] up to to[first[i + 1]]
struct BiharmonicGraph {
    const std::uint32_t* first = nullptr;  ///< [nodes + 1]
    const std::uint32_t* to = nullptr;
    const float* scale = nullptr;  ///< [nodes] 0 at nodes that do not move
    std::size_t nodes = 0;
};
/// between = L p
FASCIA_DECLARE_KERNEL(void biharmonic_between(const BiharmonicGraph& graph, NodeRange range, const float* p,
                                              float* between))
/// q = L between + rho p on nodes that move, 0 elsewhere; sums of p . q
FASCIA_DECLARE_KERNEL(void biharmonic_apply(const BiharmonicGraph& graph, NodeRange range, float rho, const float* p,
                                            const float* between, float* q, float* partials))

}  // namespace fascia::weights
