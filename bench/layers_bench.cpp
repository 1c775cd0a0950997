// The step of `layers`, by stage, next to a copy of its State (the floor), the plain loops, and Bullet's soft body on
// the same points.
//
//     bench_layers                    all figures, minima of many runs
//     bench_layers --json             the same for programs
//     bench_layers --quick            the small bodies only
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>

#include "base/isa.h"
#include "bullet_body.h"
#include "fascia/bundled.h"
#include "fascia/pose.h"
#include "machine.h"
#include "methods/layers_engine.h"

namespace fascia::bench {
namespace {

constexpr double fps = 60;

/// Products, sums, quotients and roots of the formulas per voxel and step, however they are computed: predict 180,
/// stretch 500, volume 370, match 490, update 50.
constexpr double flops = 1590;

struct Row {
    std::string what;
    std::size_t points = 0;
    int threads = 1;
    double step = 0;  ///< all passes of a step, ns per voxel
    double pose = 0, predict = 0, stretch = 0, volume = 0, match = 0, update = 0;
    double embed = 0;  ///< ns per vertex
    double state_bytes = 0;
    double bind_ms = 0;
};

std::size_t bytes_of(const State& s) {
    return sizeof(float) * (s.positions.size() + s.velocities.size() + s.rotations.size() + s.driven.size());
}

LayersSettings settings_with(int resolution, int region_width) {
    LayersSettings out;
    out.flesh = *preset("default");
    out.flesh.resolution = resolution;
    out.flesh.region_width = region_width;
    return out;
}

const Clip* clip_named(const Character& character, const char* name) {
    for (const Clip& clip : character.clips)
        if (clip.name == name) return &clip;
    return nullptr;
}

/// The dance over and over; every figure is that of the frame that was disturbed least.
Row measure(const std::string& what, const Character& character, const Rig& rig, int threads, int frames) {
    Row row{.what = what, .points = rig.points().total, .threads = threads};
    const Clip* clip = clip_named(character, "dance");
    Workspace work(threads);
    State state = rig.make_state();
    std::vector<Vec3> positions(rig.vertex_count()), normals(rig.vertex_count());
    Pose pose;
    evaluate(character, clip, 0, pose);
    rig.reset(pose.joints, state, work);
    const double points = double(row.points);
    row.step = row.embed = 1e300;
    StageTimes best{1e9, 1e9, 1e9, 1e9, 1e9, 1e9, 1e9};
    for (int k = 1; k <= frames; ++k) {
        evaluate(character, clip, std::fmod(k / fps, clip->duration), pose);
        work.times = {};
        const std::uint64_t before = state.counters.steps;
        const double seconds = seconds_of([&] { rig.advance(pose.joints, 1 / fps, state, work); });
        const double steps = double(state.counters.steps - before);
        if (steps == 0) continue;
        row.step = std::min(row.step, seconds / steps / points * 1e9);
        const auto keep = [&](double& least, double now) { least = std::min(least, now / steps / points * 1e9); };
        keep(best.pose, work.times.pose);
        keep(best.predict, work.times.predict);
        keep(best.stretch, work.times.stretch);
        keep(best.volume, work.times.volume);
        keep(best.match, work.times.match);
        keep(best.update, work.times.update);
        if (k % 8 == 0 || k == frames) {
            const double embedding = seconds_of([&] { rig.embed(state, {positions, normals, {}}, work); });
            row.embed = std::min(row.embed, embedding / double(positions.size()) * 1e9);
        }
    }
    row.pose = best.pose, row.predict = best.predict, row.stretch = best.stretch;
    row.volume = best.volume, row.match = best.match, row.update = best.update;
    row.state_bytes = double(bytes_of(state)) / points;
    return row;
}

Row bound_and_measured(const Character& character, const LayersSettings& settings, Engine engine, int threads,
                       int frames, const std::string& what) {
    RigPtr rig;
    const int binds = frames > 100 ? 5 : 1;
    const double seconds = best_seconds(binds, [&] { rig = *bind_layers_by(character, settings, engine); });
    Row row = measure(what, character, *rig, threads, frames);
    row.bind_ms = 1e3 * seconds;
    return row;
}

/// Nanoseconds per voxel to copy the arrays of a State: no step can be quicker than reading and writing it once.
double copy_cost(const Character& character, const LayersSettings& settings) {
    const RigPtr rig = *bind_layers_by(character, settings, Engine::segments);
    const State from = rig->make_state();
    State to = from;
    const double seconds = best_seconds(300, [&] {
        for (auto [a, b] : {std::pair{&from.positions, &to.positions},
                            {&from.velocities, &to.velocities},
                            {&from.rotations, &to.rotations},
                            {&from.driven, &to.driven}})
            std::memcpy(b->data(), a->data(), a->size() * sizeof(float));
        asm volatile("" : : "r"(to.positions.data()) : "memory");
    });
    return 1e9 * seconds / double(rig->points().total);
}

double bullet_cost(const Character& character, const LayersSettings& settings, BulletLinks links) {
    const auto body = *build_layers_body(character, settings);
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
            k ? "," : "", r.what.c_str(), r.points, r.threads, r.step, r.pose, r.predict, r.stretch, r.volume, r.match,
            r.update, r.embed, r.state_bytes, r.bind_ms);
    }
    std::printf("\n]}\n");
}

void print_table(const std::vector<Row>& rows, double copy, double all, double tetrahedra) {
    std::printf("vectors: %s; ns per voxel and step, minima\n\n", vector_level());
    std::printf("%-26s %8s %3s %7s  %5s %7s %7s %6s %6s %6s  %9s %6s %8s\n", "", "voxels", "thr", "step", "pose",
                "predict", "stretch", "volume", "match", "update", "embed/vtx", "B/vox", "bind ms");
    for (const Row& r : rows)
        std::printf("%-26s %8zu %3d %7.1f  %5.1f %7.1f %7.1f %6.1f %6.1f %6.1f  %9.1f %6.0f %8.0f\n", r.what.c_str(),
                    r.points, r.threads, r.step, r.pose, r.predict, r.stretch, r.volume, r.match, r.update, r.embed,
                    r.state_bytes, r.bind_ms);
    std::printf(
        "\ncopy of the State %.1f, Bullet (5 iterations, 26 neighbours linked) %.0f = %.1f x, tetrahedra %.0f = %.1f "
        "x\n",
        copy, all, all / rows[0].step, tetrahedra, tetrahedra / rows[0].step);
    std::printf("%.0f flops per voxel and step: %.0f GFLOP/s; plain loops take %.1f x\n", flops, flops / rows[0].step,
                rows[2].step / rows[0].step);
}

int run(bool json, bool quick) {
    const Character bunny = *bundled_character("bunny");
    std::vector<Row> rows;
    constexpr int threads = 2;
    rows.push_back(bound_and_measured(bunny, settings_with(32, 3), Engine::segments, 1, 720, "bunny 32"));
    rows.push_back(bound_and_measured(bunny, settings_with(32, 9), Engine::segments, 1, 240, "bunny 32, width 9"));
    rows.push_back(bound_and_measured(bunny, settings_with(32, 3), Engine::reference, 1, 120, "bunny 32, plain loops"));
    rows.push_back(bound_and_measured(bunny, settings_with(64, 3), Engine::segments, 1, 120, "bunny 64"));
    rows.push_back(bound_and_measured(bunny, settings_with(64, 3), Engine::segments, threads, 120, "bunny 64"));
    if (!quick) {
        rows.push_back(bound_and_measured(bunny, settings_with(48, 3), Engine::segments, 1, 240, "bunny 48"));
        rows.push_back(bound_and_measured(bunny, settings_with(80, 3), Engine::segments, 1, 60, "bunny 80"));
        rows.push_back(bound_and_measured(bunny, settings_with(80, 3), Engine::segments, threads, 60, "bunny 80"));
        rows.push_back(bound_and_measured(bunny, settings_with(128, 3), Engine::segments, 1, 30, "bunny 128"));
        const RigPtr large = *bind_layers_by(bunny, settings_with(224, 3), Engine::segments);
        rows.push_back(measure("bunny 224", bunny, *large, 1, 6));
        rows.push_back(measure("bunny 224", bunny, *large, threads, 6));
    }
    const double copy = copy_cost(bunny, settings_with(32, 3));
    const double bullet_26 = bullet_cost(bunny, settings_with(32, 3), BulletLinks::all);
    const double bullet_tetrahedra = bullet_cost(bunny, settings_with(32, 3), BulletLinks::tetrahedra);
    (json ? print_json : print_table)(rows, copy, bullet_26, bullet_tetrahedra);
    return 0;
}

}  // namespace
}  // namespace fascia::bench

int main(int argc, char** argv) {
    bool json = false, quick = false;
    for (int k = 1; k < argc; ++k) {
        json |= std::strcmp(argv[k], "--json") == 0;
        quick |= std::strcmp(argv[k], "--quick") == 0;
    }
    return fascia::bench::run(json, quick);
}
