// Automatic weights on a solid ellipsoid of voxels with straight bones: the solvers alone. The last argument is the
// number of threads.
#include <array>
#include <cmath>
#include <cstdlib>
#include <vector>

#include <benchmark/benchmark.h>

#include "base/links.h"
#include "base/thread_pool.h"
#include "weights/biharmonic.h"
#include "weights/chamfer.h"
#include "weights/diffusion.h"

namespace fascia::bench {
namespace {

/// An ellipsoid of about `wanted` voxels, twice as long as thick.
struct Body {
    std::vector<std::int32_t> neighbours;
    std::vector<std::uint32_t> first, to;
    std::vector<weights::NodeJoint> cores;
    std::vector<float> thickness;

    Body(double wanted, int bones) {
        const double r = std::cbrt(wanted / (4.0 / 3 * 3.14159265 * 2));
        const int n = int(std::ceil(r)) + 1, m = int(std::ceil(2 * r)) + 1;
        const int sx = 2 * m + 1, s = 2 * n + 1;
        std::vector<std::int32_t> node(std::size_t(sx) * s * s, -1);
        const auto at = [&](int x, int y, int z) { return (std::size_t(z + n) * s + (y + n)) * sx + (x + m); };
        std::vector<std::array<int, 3>> cells;
        for (int z = -n; z <= n; ++z)
            for (int y = -n; y <= n; ++y)
                for (int x = -m; x <= m; ++x)
                    if (x * x / 4.0 + y * y + z * z <= r * r)
                        node[at(x, y, z)] = int(cells.size()), cells.push_back({x, y, z});
        for (const auto& [x, y, z] : cells) {
            first.push_back(std::uint32_t(to.size()));
            for (int k = 0; k < 27; ++k) {
                const int dx = k % 3 - 1, dy = k / 3 % 3 - 1, dz = k / 9 - 1;
                const bool inside = std::abs(x + dx) <= m && std::abs(y + dy) <= n && std::abs(z + dz) <= n;
                const std::int32_t other = inside ? node[at(x + dx, y + dy, z + dz)] : -1;
                neighbours.push_back(other);
                if (other >= 0 && std::abs(dx) + std::abs(dy) + std::abs(dz) == 1) to.push_back(std::uint32_t(other));
            }
        }
        first.push_back(std::uint32_t(to.size()));
        thickness.assign(cells.size(), float(r));
        for (int b = 0; b < bones; ++b)  // side by side along the body
            for (int x = int(-2 * r * 0.9 + b * 3.6 * r / bones); x < int(-2 * r * 0.9 + (b + 0.9) * 3.6 * r / bones);
                 ++x)
                if (const std::int32_t i = node[at(x, 0, 0)]; i >= 0)
                    cores.push_back({std::uint32_t(i), std::uint16_t(b)});
    }
    std::size_t size() const { return thickness.size(); }
    Links links() const { return {first, to, 1}; }
};

void geodesic(benchmark::State& state) {
    const Body body(double(state.range(0)), int(state.range(1)));
    for (auto _ : state) {
        const auto nearest = weights::nearest_bones(body.neighbours, body.cores);
        benchmark::DoNotOptimize(weights::spread_weights(
            {.neighbours = body.neighbours, .cores = body.cores, .thickness = body.thickness}, nearest));
    }
    state.counters["voxels"] = double(body.size());
}
void diffusion(benchmark::State& state) {
    const Body body(double(state.range(0)), int(state.range(1)));
    const auto clamps = weights::equal_shares(body.cores);
    ThreadPool pool(int(state.range(2)));
    for (auto _ : state)
        benchmark::DoNotOptimize(
            weights::diffusion_weights({body.neighbours, clamps, std::size_t(state.range(1))}, pool));
    state.counters["voxels"] = double(body.size());
}
void biharmonic(benchmark::State& state) {
    const Body body(double(state.range(0)), int(state.range(1)));
    const auto clamps = weights::equal_shares(body.cores);
    ThreadPool pool(int(state.range(2)));
    weights::BiharmonicResult result;
    for (auto _ : state)
        result = weights::biharmonic_weights({body.links(), clamps, std::size_t(state.range(1))}, pool);
    state.counters["voxels"] = double(body.size());
    state.counters["rounds"] = result.rounds;
    state.counters["residual"] = result.residual;
}

BENCHMARK(geodesic)->Args({50000, 31})->Unit(benchmark::kMillisecond);
BENCHMARK(diffusion)
    ->Args({50000, 31, 1})
    ->Args({50000, 31, 2})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Iterations(1);
BENCHMARK(biharmonic)
    ->Args({5000, 10, 1})
    ->Args({10000, 10, 1})
    ->Args({5000, 10, 2})
    ->Args({10000, 10, 2})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Iterations(1);

}  // namespace
}  // namespace fascia::bench

BENCHMARK_MAIN();
