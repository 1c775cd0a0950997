// The step of `layers`, by stage, next to a copy of its State (the floor), the plain loops, and Bullet's soft body on
// the same points.
//
//     bench_layers                    all figures, minima of many runs
//     bench_layers --json             the same for programs
//     bench_layers --quick            the small bodies only
#include <cstdio>
#include <cstring>
#include <string>

#include "base/isa.h"
#include "bullet_body.h"
#include "fascia/bundled.h"
#include "methods/layers/layers_engine.h"
#include "step_row.h"

namespace fascia::bench {
namespace {

/// Multiplications, additions, divisions and roots in the formulas per voxel and step, however they are computed:
/// predict 180, stretch 500, volume 370, match 490, update 50.
constexpr double flops = 1590;

using Row = StepRow;

LayersSettings settings_with(int resolution, int region_width) {
    LayersSettings out;
    out = *settings_from<LayersSettings>(*preset("default"));
    out.resolution = resolution;
    out.region_width = region_width;
    return out;
}

Row bound_and_measured(const Character& character, const LayersSettings& settings, Engine engine, int threads,
                       int frames, const std::string& what) {
    RigPtr rig;
    const int binds = frames > 100 ? 5 : 1;
    const double seconds = best_seconds(binds, [&] { rig = *bind_layers_by(character, settings, engine); });
    Row row = measure_steps(what, character, *rig, threads, frames);
    row.bind_ms = 1e3 * seconds;
    return row;
}

/// Nanoseconds per voxel to copy the arrays of a State: no step can be faster than reading and writing it once.
double copy_cost(const Character& character, const LayersSettings& settings) {
    const RigPtr rig = *bind_layers_by(character, settings, Engine::segments);
    const State from = rig->make_state();
    State to = from;
    const double seconds = best_seconds(300, [&] {
        for (auto [a, b] : {std::pair{&from.positions, &to.positions},
                            {&from.velocities, &to.velocities},
                            {&from.rotations, &to.rotations},
                            {&from.memory, &to.memory}})
            std::memcpy(b->data(), a->data(), a->size() * sizeof(float));
        asm volatile("" : : "r"(to.positions.data()) : "memory");
    });
    return 1e9 * seconds / double(rig->point_count());
}

double bullet_cost(const Character& character, const LayersSettings& settings, BulletLinks links) {
    const auto body = *build_layers_body(character, settings, {});
    BulletBody bullet(*body, links);
    for (int k = 0; k < 3; ++k) bullet.step();
    return 1e9 * best_seconds(60, [&] { bullet.step(); }) / double(body->node_count());
}

void print_json(const std::vector<Row>& rows, double copy, double all, double tetrahedra) {
    std::printf(
        "{\"vector_level\": \"%s\", \"flops\": %.0f, \"copy_ns\": %.2f, \"bullet_26_ns\": %.1f, "
        "\"bullet_tetrahedra_ns\": %.1f, "
        "\"rows\": [",
        vector_level(), flops, copy, all, tetrahedra);
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const Row& r = rows[k];
        std::printf(
            "%s\n {\"what\": \"%s\", \"points\": %zu, \"threads\": %d, \"step_ns\": %.2f, \"pose\": %.2f, "
            "\"predict\": %.2f, \"stretch\": %.2f, \"volume\": %.2f, \"match\": %.2f, \"update\": %.2f, "
            "\"embed_ns_per_vertex\": %.1f, \"state_bytes\": %.0f, \"bind_ms\": %.1f}",
            k ? "," : "", r.what.c_str(), r.points, r.threads, r.step, stage(r, "pose"), stage(r, "predict"),
            stage(r, "stretch"), stage(r, "volume"), stage(r, "match"), stage(r, "update"), r.embed, r.state_bytes,
            r.bind_ms);
    }
    std::printf("\n]}\n");
}

void print_table(const std::vector<Row>& rows, double copy, double all, double tetrahedra) {
    std::printf("vectors: %s; ns per voxel and step, minima\n\n", vector_level());
    std::printf("%-26s %8s %3s %7s  %5s %7s %7s %6s %6s %6s  %9s %6s %8s\n", "", "voxels", "thr", "step", "pose",
                "predict", "stretch", "volume", "match", "update", "embed/vtx", "B/vox", "bind ms");
    for (const Row& r : rows)
        std::printf("%-26s %8zu %3d %7.1f  %5.1f %7.1f %7.1f %6.1f %6.1f %6.1f  %9.1f %6.0f %8.0f\n", r.what.c_str(),
                    r.points, r.threads, r.step, stage(r, "pose"), stage(r, "predict"), stage(r, "stretch"),
                    stage(r, "volume"), stage(r, "match"), stage(r, "update"), r.embed, r.state_bytes, r.bind_ms);
    std::printf(
        "\ncopy of the State %.1f, Bullet (5 iterations, 26 neighbours linked) %.0f = %.1f x, tetrahedra %.0f = %.1f "
        "x\n",
        copy, all, all / rows[0].step, tetrahedra, tetrahedra / rows[0].step);
    std::printf("%.0f flops per voxel and step: %.0f GFLOP/s; plain loops take %.1f x\n", flops, flops / rows[0].step,
                rows[2].step / rows[0].step);
}

int run(const Options& options) {
    const Character bunny = *bundled_character("bunny");
    std::vector<Row> rows;
    constexpr int threads = 2;
    rows.push_back(bound_and_measured(bunny, settings_with(32, 3), Engine::segments, 1, 720, "bunny 32"));
    rows.push_back(bound_and_measured(bunny, settings_with(32, 9), Engine::segments, 1, 240, "bunny 32, width 9"));
    rows.push_back(bound_and_measured(bunny, settings_with(32, 3), Engine::reference, 1, 120, "bunny 32, plain loops"));
    rows.push_back(bound_and_measured(bunny, settings_with(64, 3), Engine::segments, 1, 120, "bunny 64"));
    rows.push_back(bound_and_measured(bunny, settings_with(64, 3), Engine::segments, threads, 120, "bunny 64"));
    if (!options.quick) {
        rows.push_back(bound_and_measured(bunny, settings_with(48, 3), Engine::segments, 1, 240, "bunny 48"));
        rows.push_back(bound_and_measured(bunny, settings_with(80, 3), Engine::segments, 1, 60, "bunny 80"));
        rows.push_back(bound_and_measured(bunny, settings_with(80, 3), Engine::segments, threads, 60, "bunny 80"));
        rows.push_back(bound_and_measured(bunny, settings_with(128, 3), Engine::segments, 1, 30, "bunny 128"));
        const RigPtr large = *bind_layers_by(bunny, settings_with(224, 3), Engine::segments);
        rows.push_back(measure_steps("bunny 224", bunny, *large, 1, 6));
        rows.push_back(measure_steps("bunny 224", bunny, *large, threads, 6));
    }
    const double copy = copy_cost(bunny, settings_with(32, 3));
    const double bullet_26 = bullet_cost(bunny, settings_with(32, 3), BulletLinks::all);
    const double bullet_tetrahedra = bullet_cost(bunny, settings_with(32, 3), BulletLinks::tetrahedra);
    (options.json ? print_json : print_table)(rows, copy, bullet_26, bullet_tetrahedra);
    return 0;
}

}  // namespace
}  // namespace fascia::bench

int main(int argc, char** argv) {
    return fascia::bench::run(fascia::bench::options_of(argc, argv));
}
