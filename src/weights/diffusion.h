// Weights that diffuse from the bones through the body (docs/formulas.md D2): for each joint the discrete harmonic
// function that is 1 on its own bones and 0 on all others.
#pragma once

#include <cstdint>
#include <span>

#include "base/isa.h"
#include "base/thread_pool.h"
#include "weights/dense.h"
#include "weights/lane_solver.h"

namespace fascia::weights {

struct DiffusionInput {
    std::span<const std::int32_t> neighbours;  ///< [nodes * 27] by place in the 3x3x3 block, -1 for none; mutual
    std::span<const Clamp> clamps;             ///< ascending by node
    std::size_t joints = 0;
};

/// e_i = sum_k ew(i, k) e_k over the neighbours, ew ~ 1 / (1 + distance in cells). Pieces without a clamp stay 0.
Dense diffusion_weights(const DiffusionInput& input, ThreadPool& pool);
/// The same as keep_largest of them, without the memory for all joints at all nodes.
Influences largest_diffusion_weights(const DiffusionInput& input, int slots, float least, ThreadPool& pool);

/// Neighbours by kind, `nodes` if there is none: fields have one more row, of zeros.
struct DiffusionGraph {
    const std::uint32_t* to = nullptr;  ///< [nodes * 26] 6 over faces, 12 over edges, 8 over corners
    const float* degree = nullptr;      ///< [nodes] sum of the weights; 0 at nodes that do not move
    std::size_t nodes = 0;
};
/// q = (D - W) p on nodes that move; sums of p . q
FASCIA_DECLARE_KERNEL(void diffusion_apply(const DiffusionGraph& graph, NodeRange range, const float* p, float* q,
                                           float* partials))

}  // namespace fascia::weights
