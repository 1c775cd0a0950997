// The step of `lattice`, by stage, from 1,000 to 100,000 particles; primary deformation and volume pass of a frame are
// included in the figure for its steps. The second body is the one nearest to the publication's largest, of 3,058
// particles.
//
//     bench_lattice                    all figures, minima of many runs
//     bench_lattice --json             the same for programs
//     bench_lattice --quick            up to 10,000 particles
#include <cstdio>

#include "fascia/bundled.h"
#include "step_row.h"

namespace fascia::bench {
namespace {

/// Resolutions of the bunny, with the published region radius.
struct Body {
    int resolution, threads, frames;
    bool quick;
};
constexpr Body bodies[] = {{16, 1, 480, true}, {26, 1, 480, true}, {42, 1, 120, true}, {63, 1, 40, false},
                           {63, 2, 40, false}, {99, 1, 12, false}, {99, 2, 12, false}};

StepRow bound_and_measured(const Character& character, const Body& body) {
    LatticeSettings settings;
    settings = *settings_from<LatticeSettings>(*preset("default"));
    settings.resolution = body.resolution;
    RigPtr rig;
    const double seconds = seconds_of([&] { rig = *fascia::bind(character, settings); });
    StepRow row = measure_steps("bunny " + std::to_string(body.resolution), character, *rig, body.threads, body.frames);
    row.bind_ms = 1e3 * seconds;
    return row;
}

/// Time that no stage accounts for: poses of the joints, the blend before the volume pass, limits.
double rest_of(const StepRow& r) {
    return r.step - stage(r, "pose") - stage(r, "volume") - stage(r, "match") - stage(r, "update");
}

void print_table(const std::vector<StepRow>& rows) {
    std::printf("vectors: %s; region radius 2; ns per particle and step, minima\n\n", vector_level());
    std::printf("%-10s %9s %3s %8s %7s  %6s %6s %6s %6s %6s  %9s %6s %8s\n", "", "particles", "thr", "ms", "step",
                "pose", "volume", "match", "update", "other", "embed/vtx", "B/part", "bind ms");
    for (const StepRow& r : rows)
        std::printf("%-10s %9zu %3d %8.3f %7.1f  %6.1f %6.1f %6.1f %6.1f %6.1f  %9.1f %6.0f %8.0f\n", r.what.c_str(),
                    r.points, r.threads, 1e-6 * r.step * double(r.points), r.step, stage(r, "pose"), stage(r, "volume"),
                    stage(r, "match"), stage(r, "update"), rest_of(r), r.embed, r.state_bytes, r.bind_ms);
}

void print_json(const std::vector<StepRow>& rows) {
    std::printf("{\"vector_level\": \"%s\", \"region_radius\": 2, \"rows\": [", vector_level());
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const StepRow& r = rows[k];
        std::printf(
            "%s\n {\"what\": \"%s\", \"points\": %zu, \"threads\": %d, \"step_ns\": %.2f, \"pose\": %.2f, "
            "\"volume\": %.2f, \"match\": %.2f, \"update\": %.2f, \"other\": %.2f, \"embed_ns_per_vertex\": %.1f, "
            "\"state_bytes\": %.0f, \"bind_ms\": %.1f}",
            k ? "," : "", r.what.c_str(), r.points, r.threads, r.step, stage(r, "pose"), stage(r, "volume"),
            stage(r, "match"), stage(r, "update"), rest_of(r), r.embed, r.state_bytes, r.bind_ms);
    }
    std::printf("\n]}\n");
}

int run(const Options& options) {
    const Character bunny = *bundled_character("bunny");
    std::vector<StepRow> rows;
    for (const Body& body : bodies)
        if (body.quick || !options.quick) rows.push_back(bound_and_measured(bunny, body));
    (options.json ? print_json : print_table)(rows);
    return 0;
}

}  // namespace
}  // namespace fascia::bench

int main(int argc, char** argv) {
    return fascia::bench::run(fascia::bench::options_of(argc, argv));
}
