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

/// Solves for the joints of each chunk that holds anything and calls keep(chunk, node, joint, weight) for all nodes and
/// joints of the chunk, node by node; for several chunks at a time.
template <class Keep>
void solve_chunks(const DiffusionInput& input, const LaneChunks& chunks, ThreadPool& pool, Keep&& keep) {
    const Graph graph = make_graph(input);
    std::vector<std::uint8_t> holds(input.joints, 0);
    for (const Clamp& c : input.clamps) holds[c.joint] = 1;
    chunks.run(pool, [&](std::size_t chunk, BlockCrew& crew) {
        const std::size_t first = chunks.first(chunk), last = chunks.first(chunk + 1);
        if (std::find(&holds[first], &holds[0] + last, 1) == &holds[0] + last) return;
        LaneSolver solver(graph.inverse_degree, crew);
        for (const Clamp& c : input.clamps)
            if (c.joint >= first && c.joint < last) solver.x[c.node * solver_lanes + c.joint - first] = c.share;
        solve(graph, solver, crew);
        for (std::size_t i = 0; i < graph.degree.size(); ++i)
            for (std::size_t j = first; j < last; ++j)
                keep(chunk, i, j, std::clamp(solver.x[i * solver_lanes + j - first], 0.0f, 1.0f));
    });
}

}  // namespace

Dense diffusion_weights(const DiffusionInput& input, ThreadPool& pool) {
    const std::size_t nodes = input.neighbours.size() / 27;
    Dense out{input.joints, std::vector<float>(nodes * input.joints, 0)};
    solve_chunks(input, LaneChunks{input.joints}, pool,
                 [&](std::size_t, std::size_t i, std::size_t j, float w) { out.values[i * input.joints + j] = w; });
    return out;
}

Influences largest_diffusion_weights(const DiffusionInput& input, int slots, float least, ThreadPool& pool) {
    const LaneChunks chunks{input.joints};
    struct Kept {
        std::uint32_t node;
        std::uint16_t joint;
        float weight;
    };
    std::vector<std::vector<Kept>> of_chunk(chunks.count());
    solve_chunks(input, chunks, pool, [&](std::size_t chunk, std::size_t i, std::size_t j, float w) {
        if (w > least) of_chunk[chunk].push_back({std::uint32_t(i), std::uint16_t(j), w});
    });
    const std::size_t nodes = input.neighbours.size() / 27;
    Influences out;
    out.slots = slots;
    out.joints.assign(nodes * std::size_t(slots), 0);
    out.weights.assign(nodes * std::size_t(slots), 0);
    std::vector<std::size_t> next(of_chunk.size(), 0);
    Mixture mixture;
    for (std::size_t i = 0; i < nodes; ++i) {
        mixture.clear();
        for (std::size_t c = 0; c < of_chunk.size(); ++c)
            for (; next[c] < of_chunk[c].size() && of_chunk[c][next[c]].node == i; ++next[c])
                mixture.add(of_chunk[c][next[c]].joint, of_chunk[c][next[c]].weight);
        mixture.store({&out.joints[i * slots], std::size_t(slots)}, {&out.weights[i * slots], std::size_t(slots)});
    }
    return out;
}

}  // namespace fascia::weights
