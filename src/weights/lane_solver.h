// Conjugate gradients on the nodes of a body for several right-hand sides at once: their values are side by side at
// each node. Sums run over the nodes in blocks, in float within a block and in double across them: the same bits at
// every vector width. Threads share the blocks of a solve; sums across blocks follow the blocks' order.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "base/isa.h"
#include "base/thread_pool.h"
#include "weights/block_crew.h"

namespace fascia::weights {

/// Right-hand sides that are solved together.
inline constexpr std::size_t solver_lanes = 16;
using LaneFactors = std::array<float, solver_lanes>;
using LaneSums = std::array<double, solver_lanes>;

/// Views of one solve, [(nodes + 1) * lanes] each; the last row stays 0 and stands for missing neighbours.
struct SolverFields {
    float *x = nullptr, *r = nullptr, *p = nullptr, *q = nullptr;
};

/// Number of nodes whose products are added up in float.
inline constexpr std::size_t sum_block = 64;
struct NodeRange {
    std::size_t begin, end;  ///< begin: a multiple of sum_block
};

/// Passes over the nodes, shared by threads, and sums over them.
class BlockedNodes {
public:
    BlockedNodes(std::size_t nodes, BlockCrew& crew)
        : nodes_(nodes), crew_(crew), partials_((nodes + sum_block - 1) / sum_block * solver_lanes) {}

    /// Calls pass(range).
    template <class Pass>
    void run(Pass&& pass) const {
        constexpr std::size_t taken = 8 * sum_block;
        crew_.run((nodes_ + taken - 1) / taken, [&](std::size_t k) {
            pass(NodeRange{k * taken, std::min(nodes_, (k + 1) * taken)});
        });
    }
    /// pass(range, partials): [blocks * lanes], of which it writes those of its nodes. dots: [lanes]
    template <class Pass>
    void sum(double* dots, Pass&& pass) {
        run([&](NodeRange range) { pass(range, partials_.data()); });
        for (std::size_t l = 0; l < solver_lanes; ++l) dots[l] = 0;
        for (std::size_t k = 0; k < partials_.size(); k += solver_lanes)
            for (std::size_t l = 0; l < solver_lanes; ++l) dots[l] += double(partials_[k + l]);
    }

private:
    std::size_t nodes_;
    BlockCrew& crew_;
    std::vector<float> partials_;
};

/// x += alpha p, r -= alpha q; sums of r . r scale. Nodes of scale 0 do not move. scale: [nodes]
FASCIA_DECLARE_KERNEL(void solver_descend(const float* scale, NodeRange range, const float* alpha,
                                          const SolverFields& fields, float* partials))
/// p = r scale + beta p
FASCIA_DECLARE_KERNEL(void solver_turn(const float* scale, NodeRange range, const float* beta,
                                       const SolverFields& fields))

class LaneSolver {
public:
    /// scale: [nodes] inverse diagonal of the matrix, 0 at nodes that do not move; outlives the solver.
    LaneSolver(const std::vector<float>& scale, BlockCrew& crew)
        : scale_(scale), nodes_(scale.size(), crew), x((scale.size() + 1) * solver_lanes, 0), r(x), p_(x), q_(x) {}

    /// Continues from x and its residual r = b - A x until |r|^2 (scaled) is below enough * reference of its lane,
    /// where reference 0 means the residual at the start. apply(p, q, dots): q = A p on nodes that move and 0
    /// elsewhere, dots = p . q. Returns the number of rounds.
    template <class Apply>
    int run(Apply&& apply, const LaneSums& reference, double enough, int most_rounds) {
        const SolverFields f{x.data(), r.data(), p_.data(), q_.data()};
        LaneFactors alpha{}, beta{};
        LaneSums rho{}, pq{}, next{};
        descend(f, alpha, rho);
        turn(f, beta);
        const LaneSums start = rho;
        for (int round = 0; round < most_rounds; ++round) {
            bool open = false;
            for (std::size_t l = 0; l < solver_lanes; ++l)
                open = open || rho[l] > enough * (reference[l] > 0 ? reference[l] : start[l]);
            if (!open) return round;
            apply(f.p, f.q, pq.data());
            for (std::size_t l = 0; l < solver_lanes; ++l) alpha[l] = pq[l] > 0 ? float(rho[l] / pq[l]) : 0;
            descend(f, alpha, next);
            for (std::size_t l = 0; l < solver_lanes; ++l) beta[l] = rho[l] > 0 ? float(next[l] / rho[l]) : 0;
            rho = next;
            turn(f, beta);
        }
        return most_rounds;
    }

private:
    void descend(const SolverFields& fields, const LaneFactors& alpha, LaneSums& dots) {
        nodes_.sum(dots.data(), [&](NodeRange range, float* partials) {
            FASCIA_DISPATCH(solver_descend)(scale_.data(), range, alpha.data(), fields, partials);
        });
    }
    void turn(const SolverFields& fields, const LaneFactors& beta) const {
        nodes_.run([&](NodeRange range) { FASCIA_DISPATCH(solver_turn)(scale_.data(), range, beta.data(), fields); });
    }

    const std::vector<float>& scale_;
    BlockedNodes nodes_;

public:
    std::vector<float> x, r;

private:
    std::vector<float> p_, q_;
};

/// How a number of joints is split into chunks of at most solver_lanes, of about equal size.
struct LaneChunks {
    std::size_t joints = 0;
    std::size_t count() const { return (joints + solver_lanes - 1) / solver_lanes; }
    std::size_t first(std::size_t chunk) const { return chunk * joints / count(); }

    /// solve(chunk, crew): chunks side by side where there are enough of them for the threads, otherwise one after
    /// another, each on all threads.
    template <class Solve>
    void run(ThreadPool& pool, Solve&& solve) const {
        const auto threads = std::size_t(pool.size());
        if (count() >= threads) {
            pool.for_ranges(count(), 1, [&](std::size_t begin, std::size_t end, int) {
                BlockCrew alone;
                for (std::size_t chunk = begin; chunk < end; ++chunk) solve(chunk, alone);
            });
            return;
        }
        BlockCrew crew;
        pool.for_ranges(threads, 1, [&](std::size_t, std::size_t, int worker) {
            if (worker > 0) return crew.serve();
            const BlockCrew::Leader leads(crew);
            for (std::size_t chunk = 0; chunk < count(); ++chunk) solve(chunk, crew);
        });
    }
};

}  // namespace fascia::weights
