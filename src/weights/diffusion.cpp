#include "weights/diffusion.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "weights/lane_solver.h"

namespace fascia::weights {

namespace {

struct Graph {
    std::vector<std::uint32_t> to;
    std::vector<float> degree, inverse_degree;
    DiffusionGraph view() const { return {to.data(), degree.data(), degree.size()}; }
};

/// [Chen 2012, eq. 4]
Graph make_graph(const DiffusionInput& input) {
    const std::size_t nodes = input.neighbours.size() / 27;
    Graph g{std::vector<std::uint32_t>(nodes * 26, std::uint32_t(nodes)), std::vector<float>(nodes, 0),
            std::vector<float>(nodes, 0)};
    for (std::size_t i = 0; i < nodes; ++i) {
        std::size_t next[4] = {0, 0, 6, 18};  // by steps along the axes
        constexpr float weight[4] = {0, 0.5f, 0.41421356f, 0.36602540f};
        for (int k = 0; k < 27; ++k) {
            const std::int32_t j = input.neighbours[i * 27 + std::size_t(k)];
            if (k == 13) continue;
            const int steps = std::abs(k % 3 - 1) + std::abs(k / 3 % 3 - 1) + std::abs(k / 9 - 1);
            std::uint32_t& place = g.to[i * 26 + next[steps]++];
            if (j < 0 || std::size_t(j) == i) continue;
            place = std::uint32_t(j);
            g.degree[i] += weight[steps];
        }
    }
    for (const Clamp& c : input.clamps) g.degree[c.node] = 0;
    for (std::size_t i = 0; i < nodes; ++i) g.inverse_degree[i] = g.degree[i] > 0 ? 1 / g.degree[i] : 0;
    return g;
}

/// Turns x, which holds the clamped values, into the harmonic function between them.
/// [Chen 2012, eq. 5]
void solve(const Graph& graph, LaneSolver& solver, BlockCrew& crew) {
    constexpr int most_rounds = 300;
    constexpr double enough = 1e-8;  // squared
    BlockedNodes nodes(graph.degree.size(), crew);
    const auto apply = [g = graph.view(), &nodes](const float* p, float* q, double* dots) {
        nodes.sum(dots, [&](NodeRange range, float* partials) {
            FASCIA_DISPATCH(diffusion_apply)(g, range, p, q, partials);
        });
    };
    LaneSums unused;
    apply(solver.x.data(), solver.r.data(), unused.data());
    for (float& r : solver.r) r = -r;
    solver.run(apply, {}, enough, most_rounds);
}

}  // namespace

Dense diffusion_weights(const DiffusionInput& input, ThreadPool& pool) {
    const Graph graph = make_graph(input);
    const std::size_t nodes = graph.degree.size();
    Dense out{input.joints, std::vector<float>(nodes * input.joints, 0)};
    const LaneChunks chunks{input.joints};
    chunks.run(pool, [&](std::size_t chunk, BlockCrew& crew) {
        LaneSolver solver(graph.inverse_degree, crew);
        const std::size_t first = chunks.first(chunk), last = chunks.first(chunk + 1);
        for (const Clamp& c : input.clamps)
            if (c.joint >= first && c.joint < last) solver.x[c.node * solver_lanes + c.joint - first] = c.share;
        solve(graph, solver, crew);
        for (std::size_t i = 0; i < nodes; ++i)
            for (std::size_t j = first; j < last; ++j)
                out.values[i * input.joints + j] = std::clamp(solver.x[i * solver_lanes + j - first], 0.0f, 1.0f);
    });
    return out;
}

}  // namespace fascia::weights
