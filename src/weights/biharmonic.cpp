#include "weights/biharmonic.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "weights/lane_solver.h"

namespace fascia::weights {

namespace {

/// Weight of the split. Soft first, so that a few rounds give the overall shape; then stiffer, so that the bounds are
/// met.
struct Stage {
    float rho;
    int most_rounds;
    float enough;  ///< change of a weight in a round
    /// Tolerance of the smooth solution in each round: squared, relative to the right-hand side. The first stage takes
    /// most of the time, and the others correct what it leaves.
    double solved;
};
constexpr Stage stages[] = {{0.02f, 12, 4e-3f, 1e-6}, {0.2f, 20, 1e-3f, 1e-8}, {2.0f, 40, 1e-3f, 1e-8}};
constexpr float relaxation = 1.6f;
constexpr int most_solver_rounds = 400;

struct Graph {
    std::vector<std::uint32_t> first, to;
    std::vector<std::uint8_t> clamped;
    std::vector<float> scale;  ///< inverse diagonal of Q + rho, 0 at clamped nodes

    explicit Graph(const BiharmonicInput& input) : clamped(input.links.node_count(), 0), scale(clamped.size(), 0) {
        for (const Clamp& c : input.clamps) clamped[c.node] = 1;
        for (std::uint32_t i = 0; i < clamped.size(); ++i) {
            first.push_back(std::uint32_t(to.size()));
            for (const std::uint32_t j : input.links.of(i))
                if (j != i) to.push_back(j);
        }
        first.push_back(std::uint32_t(to.size()));
    }
    void set_scale(float rho) {
        for (std::size_t i = 0; i < scale.size(); ++i) {
            const auto degree = float(first[i + 1] - first[i]);
            scale[i] = clamped[i] ? 0 : 1 / (degree * degree + degree + rho);
        }
    }
    BiharmonicGraph view() const { return {first.data(), to.data(), scale.data(), scale.size()}; }
};

/// Several joints at once: alternating direction method of multipliers,
///     x = (Q + rho)^-1 (rho (z - u) - c),   z = clip(x + u),   u += x - z
class Lanes {
public:
    Lanes(const Graph& graph, const std::vector<float>& known, BlockCrew& crew)
        : graph_(graph),
          nodes_(graph.scale.size(), crew),
          solver_(graph_.scale, crew),
          c_(known.size()),
          between_(known.size(), 0),
          u_(known.size(), 0),
          z_(known.size(), 0) {
        LaneSums unused;
        apply(known.data(), c_.data(), unused.data());
    }

    void run() {
        for (const Stage& stage : stages) {
            for (float& u : u_) u *= rho_ / stage.rho;  // rho u is the force of the bounds
            rho_ = stage.rho;
            graph_.set_scale(rho_);
            for (int k = 0; k < stage.most_rounds; ++k) {
                ++rounds;
                smooth(stage.solved);
                bound();
                if (residual < stage.enough) break;
            }
        }
    }
    const std::vector<float>& weights() const { return z_; }

    int rounds = 0;
    float residual = 0;

private:
    void apply(const float* p, float* q, double* dots) {
        const BiharmonicGraph graph = graph_.view();
        nodes_.run([&](NodeRange range) { FASCIA_DISPATCH(biharmonic_between)(graph, range, p, between_.data()); });
        nodes_.sum(dots, [&](NodeRange range, float* partials) {
            FASCIA_DISPATCH(biharmonic_apply)(graph, range, rho_, p, between_.data(), q, partials);
        });
    }
    void smooth(double solved) {
        LaneSums unused, right{};
        apply(solver_.x.data(), solver_.r.data(), unused.data());
        for (std::size_t i = 0; i < graph_.scale.size(); ++i)
            for (std::size_t k = i * solver_lanes; k < (i + 1) * solver_lanes; ++k) {
                const float b = rho_ * (z_[k] - u_[k]) - c_[k];
                solver_.r[k] = graph_.clamped[i] ? 0 : b - solver_.r[k];
                right[k % solver_lanes] += double(b) * (b * graph_.scale[i]);
            }
        solver_.run([this](const float* p, float* q, double* dots) { apply(p, q, dots); }, right, solved,
                    most_solver_rounds);
    }
    void bound() {
        residual = 0;
        for (std::size_t i = 0; i < graph_.scale.size(); ++i) {
            if (graph_.clamped[i]) continue;
            for (std::size_t k = i * solver_lanes; k < (i + 1) * solver_lanes; ++k) {
                const float x = solver_.x[k];
                const float eased = relaxation * x + (1 - relaxation) * z_[k];
                const float bounded = std::clamp(eased + u_[k], 0.0f, 1.0f);
                u_[k] += eased - bounded;
                residual = std::max({residual, std::abs(x - bounded), std::abs(bounded - z_[k])});
                z_[k] = bounded;
            }
        }
    }

    Graph graph_;
    BlockedNodes nodes_;
    LaneSolver solver_;
    float rho_ = 0;
    std::vector<float> c_, between_, u_, z_;
};

}  // namespace

BiharmonicResult biharmonic_weights(const BiharmonicInput& input, ThreadPool& pool) {
    const std::size_t nodes = input.links.node_count();
    BiharmonicResult out;
    out.dense = {input.joints, std::vector<float>(nodes * input.joints, 0)};
    for (const Clamp& c : input.clamps) out.dense.values[c.node * input.joints + c.joint] = c.share;
    Graph graph(input);
    graph.set_scale(0.5f);
    const LaneChunks chunks{input.joints};
    std::vector<int> rounds(chunks.count(), 0);
    std::vector<float> residuals(chunks.count(), 0);
    chunks.run(pool, [&](std::size_t chunk, BlockCrew& crew) {
        const std::size_t first = chunks.first(chunk), last = chunks.first(chunk + 1);
        std::vector<float> known((nodes + 1) * solver_lanes, 0);
        for (const Clamp& c : input.clamps)
            if (c.joint >= first && c.joint < last) known[c.node * solver_lanes + c.joint - first] = c.share;
        Lanes lanes(graph, known, crew);
        lanes.run();
        for (std::size_t i = 0; i < nodes; ++i)
            if (!graph.clamped[i])
                for (std::size_t j = first; j < last; ++j)
                    out.dense.values[i * input.joints + j] = lanes.weights()[i * solver_lanes + j - first];
        rounds[chunk] = lanes.rounds;
        residuals[chunk] = lanes.residual;
    });
    for (const int r : rounds) out.rounds = std::max(out.rounds, r);
    for (const float r : residuals) out.residual = std::max(out.residual, double(r));
    return out;
}

}  // namespace fascia::weights
