#include "weights/diffusion.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace fascia::weights {

namespace {

/// Joints that are solved for together: their values lie side by side at each node.
constexpr std::size_t lanes = 16;
using Lane = std::array<float, lanes>;
using Field = std::vector<Lane>;
using Sums = std::array<double, lanes>;

struct Graph {
    std::vector<std::uint32_t> first, to;
    std::vector<float> weight;
    std::vector<float> inverse_degree;  ///< 0 at clamped and lonely nodes: they do not move
};

Graph make_graph(const DiffusionInput& input) {
    const std::size_t nodes = input.neighbours.size() / 27;
    Graph g;
    std::vector<std::uint8_t> clamped(nodes, 0);
    for (const Clamp& c : input.clamps) clamped[c.node] = 1;
    for (std::size_t i = 0; i < nodes; ++i) {
        g.first.push_back(std::uint32_t(g.to.size()));
        float degree = 0;
        for (int k = 0; k < 27; ++k) {
            const std::int32_t j = input.neighbours[i * 27 + k];
            if (j < 0 || k == 13 || std::size_t(j) == i) continue;
            const int steps = std::abs(k % 3 - 1) + std::abs(k / 3 % 3 - 1) + std::abs(k / 9 - 1);
            const float w = steps == 1 ? 0.5f : steps == 2 ? 0.41421356f : 0.36602540f;
            degree += w;
            g.to.push_back(std::uint32_t(j));
            g.weight.push_back(w);
        }
        g.inverse_degree.push_back(clamped[i] || degree <= 0 ? 0 : 1 / degree);
    }
    g.first.push_back(std::uint32_t(g.to.size()));
    return g;
}

/// out = (D - W) x on free nodes, 0 elsewhere.
void apply(const Graph& g, const Field& x, Field& out) {
    for (std::size_t i = 0; i + 1 < g.first.size(); ++i) {
        Lane sum{};
        if (g.inverse_degree[i] > 0) {
            const float degree = 1 / g.inverse_degree[i];
            for (std::size_t l = 0; l < lanes; ++l) sum[l] = degree * x[i][l];
            for (std::uint32_t k = g.first[i]; k < g.first[i + 1]; ++k) {
                const float w = g.weight[k];
                const Lane& other = x[g.to[k]];
                for (std::size_t l = 0; l < lanes; ++l) sum[l] -= w * other[l];
            }
        }
        out[i] = sum;
    }
}

/// Conjugate gradients preconditioned by the degree, sixteen right sides side by side.
void solve(const Graph& g, Field& x) {
    const std::size_t n = x.size();
    constexpr int most_rounds = 300;
    constexpr double enough = 1e-8;  // squared
    Field r(n), p(n), q(n);
    apply(g, x, r);
    Sums rho{}, start{};
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t l = 0; l < lanes; ++l) {
            r[i][l] = -r[i][l];
            p[i][l] = r[i][l] * g.inverse_degree[i];
            rho[l] += double(r[i][l]) * p[i][l];
        }
    start = rho;
    for (int round = 0; round < most_rounds; ++round) {
        bool open = false;
        for (std::size_t l = 0; l < lanes; ++l) open = open || rho[l] > enough * start[l];
        if (!open) return;
        apply(g, p, q);
        Sums pq{};
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t l = 0; l < lanes; ++l) pq[l] += double(p[i][l]) * q[i][l];
        Lane alpha, beta;
        for (std::size_t l = 0; l < lanes; ++l) alpha[l] = pq[l] > 0 ? float(rho[l] / pq[l]) : 0;
        Sums next{};
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t l = 0; l < lanes; ++l) {
                x[i][l] += alpha[l] * p[i][l];
                r[i][l] -= alpha[l] * q[i][l];
                next[l] += double(r[i][l]) * (r[i][l] * g.inverse_degree[i]);
            }
        for (std::size_t l = 0; l < lanes; ++l) beta[l] = rho[l] > 0 ? float(next[l] / rho[l]) : 0;
        rho = next;
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t l = 0; l < lanes; ++l) p[i][l] = r[i][l] * g.inverse_degree[i] + beta[l] * p[i][l];
    }
}

}  // namespace

Dense diffusion_weights(const DiffusionInput& input, ThreadPool& pool) {
    const Graph graph = make_graph(input);
    const std::size_t nodes = graph.inverse_degree.size();
    Dense out{input.joints, std::vector<float>(nodes * input.joints, 0)};
    const std::size_t chunks = (input.joints + lanes - 1) / lanes;
    pool.for_ranges(chunks, 1, [&](std::size_t begin, std::size_t end, int) {
        for (std::size_t chunk = begin; chunk < end; ++chunk) {
            Field x(nodes, Lane{});
            const std::size_t first = chunk * lanes, last = std::min(first + lanes, input.joints);
            for (const Clamp& c : input.clamps)
                if (c.joint >= first && c.joint < last) x[c.node][c.joint - first] = c.share;
            solve(graph, x);
            for (std::size_t i = 0; i < nodes; ++i)
                for (std::size_t j = first; j < last; ++j)
                    out.values[i * input.joints + j] = std::clamp(x[i][j - first], 0.0f, 1.0f);
        }
    });
    return out;
}

}  // namespace fascia::weights
