// Weights that diffuse from the bones through the body (docs/formulas.md D2): for each joint the discrete harmonic
// function that is 1 on its own bones and 0 on all others.
#pragma once

#include <cstdint>
#include <span>

#include "base/thread_pool.h"
#include "weights/dense.h"

namespace fascia::weights {

struct DiffusionInput {
    std::span<const std::int32_t> neighbours;  ///< [nodes * 27] by place in the 3x3x3 block, -1 for none; mutual
    std::span<const Clamp> clamps;             ///< ascending by node
    std::size_t joints = 0;
};

/// e_i = sum_k ew(i, k) e_k over the neighbours, ew ~ 1 / (1 + distance in cells). Pieces without a clamp stay 0.
Dense diffusion_weights(const DiffusionInput& input, ThreadPool& pool);

}  // namespace fascia::weights
