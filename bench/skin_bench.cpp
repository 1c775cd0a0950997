// Skinning: nanoseconds per vertex of a whole embed (palette and blend), compared with what the machine allows.
//
//     bench_skin                     all figures, minima of many runs
//     bench_skin --benchmark_...     the same figures through Google Benchmark's options
#include <cmath>
#include <cstdio>
#include <map>
#include <random>

#include <benchmark/benchmark.h>

#include "base/isa.h"
#include "fascia/method.h"
#include "machine.h"
#include "skin/bound_weights.h"
#include "skin/joint_maps.h"
#include "skin/packed_skin.h"
#include "skin/skin_reference.h"

namespace fascia::bench {
namespace {

constexpr int joints = 64, influences = 4;

/// character: neighbours in the mesh share joints, as in real files. scattered: every slot random, the worst case.
enum class Layout { character, scattered };

struct Limbs {
    Vec3d at(int joint) const {  // eight limbs of eight joints, around the body
        const double angle = 0.7853981633974483 * (joint / 8), out = 0.1 + 0.1 * (joint % 8);
        return {out * std::cos(angle), 0.4 * std::sin(2 * angle), out * std::sin(angle)};
    }
};

/// Rings of 50 vertices along each limb; weights fall off with the distance from the joints of the limb.
Character make_character(std::size_t vertices, Layout layout) {
    Character c;
    c.name = "bench";
    c.joints.resize(joints);
    const Limbs limbs;
    for (int j = 0; j < joints; ++j) {
        c.joints[j].name = std::to_string(j);
        c.joints[j].rest = compose(limbs.at(j), {}, {1, 1, 1});
    }
    std::mt19937 random(1);
    std::uniform_real_distribution<double> unit(0, 1);
    c.weights.influences = influences;
    for (std::size_t v = 0; v < vertices; ++v) {
        const double along = 8.0 * static_cast<double>(v) / static_cast<double>(vertices);
        const int limb = static_cast<int>(along);
        const double t = 7 * (along - limb), angle = 6.283185307179586 * static_cast<double>(v % 50) / 50;
        const Vec3d a = limbs.at(8 * limb), b = limbs.at(8 * limb + 7);
        const Vec3d axis = a + (b - a) * (t / 7);
        c.mesh.positions.push_back(to_float(axis + Vec3d{0, 0.05 * std::cos(angle), 0.05 * std::sin(angle)}));
        c.mesh.normals.push_back({0, static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))});
        const int first = std::clamp(static_cast<int>(t) - 1, 0, 4);
        double w[influences], sum = 0;
        for (int k = 0; k < influences; ++k) sum += w[k] = 1 / (0.05 + std::abs(t - (first + k)));
        for (int k = 0; k < influences; ++k) {
            const int joint = layout == Layout::character
                                  ? 8 * limb + first + k
                                  : static_cast<int>(random() % (joints / influences)) * influences + k;
            c.weights.joints.push_back(static_cast<std::uint16_t>(joint));
            c.weights.weights.push_back(static_cast<float>(w[k] / sum));
        }
    }
    return c;
}

std::vector<Affine> make_pose(const Character& c) {
    std::vector<Affine> pose;
    for (std::size_t j = 0; j < c.joints.size(); ++j) {
        const double angle = 0.5 * std::sin(static_cast<double>(j));
        pose.push_back(c.joints[j].rest * compose({}, quat_from_axis_angle({0, 0.6, 0.8}, angle), {1, 1, 1}));
    }
    return pose;
}

struct Cost {
    double flops = 0, bytes = 0;
};

/// Arithmetic of the formulas for four influences, however they are computed, and the bytes that must be moved at least
/// once: weights and joints as in the file (16 + 8), vectors in and out (12 each).
Cost cost_of(bool dual, bool normals) {
    Cost c;
    c.flops = dual ? 115 : 105;
    c.bytes = 16 + 8 + 24;
    if (normals) {
        c.flops += dual ? 33 : 27;
        c.bytes += 24;
    }
    return c;
}

struct Scene {
    Character character;
    RigPtr rig;
    State state;
    std::vector<Vec3> positions, normals;
};

Scene make_scene(std::size_t vertices, Layout layout, bool dual) {
    Scene s;
    s.character = make_character(vertices, layout);
    const Settings settings = dual ? Settings(DqsSettings{}) : Settings(LbsSettings{});
    s.rig = *bind(s.character, settings);
    s.state = make_state(*s.rig);
    Workspace work;
    reset(*s.rig, make_pose(s.character), s.state, work);
    s.positions.resize(vertices);
    s.normals.resize(vertices);
    return s;
}

double floor_ns(const Cost& cost, std::size_t vertices) {
    static const double peak = peak_flops();
    static std::map<std::size_t, double> bandwidth;
    const auto bytes = static_cast<std::size_t>(cost.bytes * static_cast<double>(vertices));
    if (bandwidth.find(bytes) == bandwidth.end()) bandwidth[bytes] = triad_bandwidth(bytes);
    return 1e9 * std::max(cost.flops / peak, cost.bytes / bandwidth[bytes]);
}

void report(benchmark::State& state, std::size_t vertices, const Cost& cost, double best) {
    const double ns = 1e9 * best / static_cast<double>(vertices), lowest = floor_ns(cost, vertices);
    state.counters["ns_per_vertex"] = ns;
    state.counters["flops"] = cost.flops;
    state.counters["bytes"] = cost.bytes;
    state.counters["floor_ns"] = lowest;
    state.counters["times_floor"] = ns / lowest;
}

void embed_bench(benchmark::State& state, bool dual, bool normals, Layout layout, std::size_t vertices) {
    Scene s = make_scene(vertices, layout, dual);
    Workspace work;
    double best = 1e9;
    const Surface out{s.positions, normals ? std::span<Vec3>(s.normals) : std::span<Vec3>(), {}};
    for (auto _ : state) {
        const double seconds = seconds_of([&] { embed(*s.rig, s.state, out, work); });
        state.SetIterationTime(seconds);
        best = std::min(best, seconds);
    }
    report(state, vertices, cost_of(dual, normals), best);
}

void reference_bench(benchmark::State& state, bool dual, std::size_t vertices) {
    const Character c = make_character(vertices, Layout::character);
    const BoundWeights weights =
        bind_weights({c.mesh.positions, c.mesh.normals, {}, c.weights.joints, c.weights.weights, c.weights.influences});
    std::vector<Affine> maps(joints), phase1(joints);
    const auto pose = make_pose(c);
    for (int j = 0; j < joints; ++j) maps[j] = pose[j] * inverse(c.joints[j].rest);
    std::vector<float> rows(joints * row_floats), duals(joints * dual_floats);
    matrix_rows(maps, rows);
    split_rigid(maps, std::vector<Vec3d>(joints), duals, phase1);
    std::vector<Vec3> out(vertices);
    double best = 1e9;
    for (auto _ : state) {
        const double seconds = seconds_of([&] {
            if (dual) {
                dqs_reference(duals, weights, c.mesh.positions, 1, {}, out);
            } else {
                lbs_reference(rows, weights, c.mesh.positions, {}, out);
            }
        });
        state.SetIterationTime(seconds);
        best = std::min(best, seconds);
    }
    report(state, vertices, cost_of(dual, false), best);
}

void add_all() {
    for (const std::size_t vertices : {std::size_t{50000}, std::size_t{500000}}) {
        const std::string size = vertices < 100000 ? "/50k" : "/500k";
        for (const bool dual : {false, true}) {
            const std::string method = dual ? "dqs" : "lbs";
            for (const Layout layout : {Layout::character, Layout::scattered})
                for (const bool normals : {false, true}) {
                    const std::string name = method + (layout == Layout::character ? "/character" : "/scattered") +
                                             (normals ? "/normals" : "/positions") + size;
                    benchmark::RegisterBenchmark(name.c_str(), embed_bench, dual, normals, layout, vertices)
                        ->UseManualTime()
                        ->MinTime(0.5);
                }
            benchmark::RegisterBenchmark((method + "/reference/positions" + size).c_str(), reference_bench, dual,
                                         vertices)
                ->UseManualTime()
                ->MinTime(0.2);
        }
    }
}

}  // namespace
}  // namespace fascia::bench

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    std::printf("kernels: %s, peak %.0f GFLOP/s\n", fascia::isa_name(fascia::best_isa()),
                fascia::bench::peak_flops() * 1e-9);
    fascia::bench::add_all();
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
