// Bounded biharmonic weights on voxels (docs/formulas.md C16): for each joint the smoothest function that is 1 on its
// own bones, 0 on all others, and stays between.
//     min 1/2 w^T Q w,   Q = L M^-1 L,   0 <= w <= 1,   L the graph Laplacian, M one voxel for each node
#pragma once

#include <cstdint>
#include <span>

#include "base/isa.h"
#include "base/links.h"
#include "base/thread_pool.h"
#include "weights/dense.h"

namespace fascia::weights {

struct BiharmonicInput {
    Links links;
    std::span<const Clamp> clamps;  ///< ascending by node
    std::size_t joints = 0;
};

struct BiharmonicResult {
    Dense dense;          ///< before they are made to sum 1
    int rounds = 0;       ///< of the alternating projections, the most of any joint
    double residual = 0;  ///< largest distance of the smooth solution from the bounded one
};

BiharmonicResult biharmonic_weights(const BiharmonicInput& input, ThreadPool& pool);

/// Q + rho I = L D L^T: the unit lower triangle by columns, without its diagonal, and the inverse of D.
struct SparseFactor {
    const std::uint32_t* first = nullptr;  ///< [n + 1]
    const std::uint32_t* row = nullptr;
    const float* value = nullptr;
    const float* inverse_diagonal = nullptr;  ///< [n]
    std::size_t n = 0;
};
/// Right sides that are solved together.
inline constexpr std::size_t biharmonic_lanes = 16;
/// x := (L D L^T)^-1 x for sixteen right sides. x: [n * 16]
FASCIA_DECLARE_KERNEL(void solve_factored(const SparseFactor& factor, float* x))

}  // namespace fascia::weights
