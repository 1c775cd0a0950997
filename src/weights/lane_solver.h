// Conjugate gradients on the nodes of a body for several right sides at once: their values lie side by side at each
// node. Sums run over the nodes in blocks, in float within a block and in double across them: the same bits at every
// vector width.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "base/isa.h"

namespace fascia::weights {

/// Right sides that are solved together.
inline constexpr std::size_t solver_lanes = 16;
using LaneFactors = std::array<float, solver_lanes>;
using LaneSums = std::array<double, solver_lanes>;

/// Views of one solve, [(nodes + 1) * lanes] each; the last row stays 0 and stands for neighbours that are not there.
struct SolverFields {
    float *x = nullptr, *r = nullptr, *p = nullptr, *q = nullptr;
};

/// x += alpha p, r -= alpha q; dots: [lanes] r . r scale. Nodes of scale 0 do not move. scale: [nodes]
FASCIA_DECLARE_KERNEL(void solver_descend(const float* scale, std::size_t nodes, const float* alpha,
                                          const SolverFields& fields, double* dots))
/// p = r scale + beta p
FASCIA_DECLARE_KERNEL(void solver_turn(const float* scale, std::size_t nodes, const float* beta,
                                       const SolverFields& fields))

class LaneSolver {
public:
    /// scale: [nodes] inverse diagonal of the matrix, 0 where nodes do not move; outlives the solver.
    explicit LaneSolver(const std::vector<float>& scale)
        : scale_(scale), x((scale.size() + 1) * solver_lanes, 0), r(x), p_(x), q_(x) {}

    /// Goes on from x and its residual r = b - A x until |r|^2 (scaled) is below enough * reference of its lane, where
    /// reference 0 means the residual at the start. apply(p, q, dots): q = A p on nodes that move and 0 elsewhere,
    /// dots = p . q. Returns the number of rounds.
    template <class Apply>
    int run(Apply&& apply, const LaneSums& reference, double enough, int most_rounds) {
        const SolverFields f{x.data(), r.data(), p_.data(), q_.data()};
        LaneFactors alpha{}, beta{};
        LaneSums rho{}, pq{}, next{};
        FASCIA_DISPATCH(solver_descend)(scale_.data(), scale_.size(), alpha.data(), f, rho.data());
        FASCIA_DISPATCH(solver_turn)(scale_.data(), scale_.size(), beta.data(), f);
        const LaneSums start = rho;
        for (int round = 0; round < most_rounds; ++round) {
            bool open = false;
            for (std::size_t l = 0; l < solver_lanes; ++l)
                open = open || rho[l] > enough * (reference[l] > 0 ? reference[l] : start[l]);
            if (!open) return round;
            apply(f.p, f.q, pq.data());
            for (std::size_t l = 0; l < solver_lanes; ++l) alpha[l] = pq[l] > 0 ? float(rho[l] / pq[l]) : 0;
            FASCIA_DISPATCH(solver_descend)(scale_.data(), scale_.size(), alpha.data(), f, next.data());
            for (std::size_t l = 0; l < solver_lanes; ++l) beta[l] = rho[l] > 0 ? float(next[l] / rho[l]) : 0;
            rho = next;
            FASCIA_DISPATCH(solver_turn)(scale_.data(), scale_.size(), beta.data(), f);
        }
        return most_rounds;
    }

private:
    const std::vector<float>& scale_;

public:
    std::vector<float> x, r;

private:
    std::vector<float> p_, q_;
};

/// How a number of joints is cut into chunks of at most solver_lanes, of about equal size.
struct LaneChunks {
    std::size_t joints = 0;
    std::size_t count() const { return (joints + solver_lanes - 1) / solver_lanes; }
    std::size_t first(std::size_t chunk) const { return chunk * joints / count(); }
};

}  // namespace fascia::weights
