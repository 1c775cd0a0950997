#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "command.h"
#include "console.h"
#include "crowd_frames.h"
#include "fascia/fascia.h"
#include "frame_measures.h"
#include "inputs.h"
#include "interrupt.h"
#include "option_values.h"

namespace fascia::cli {

namespace {

using nlohmann::ordered_json;
using clock = std::chrono::steady_clock;

struct BenchOptions {
    bool json = false, quiet = false;
    int threads = 1;
    std::optional<double> asked_seconds;
    std::vector<std::string> characters;  ///< whose crowds are measured
    std::string crowds = "1,50";          ///< numbers of instances
    bool only_crowds = false;

    double seconds() const { return asked_seconds.value_or(0.4); }
};

/// One method on one character.
struct BenchRow {
    std::string character, method;
    std::size_t vertices = 0, points = 0;
    double bind_ms = 0, ms_per_frame = 0, embed_ns_per_vertex = 0;
    std::optional<double> step_us, ns_per_point_step;  ///< no value if the method runs no steps
};

double seconds_since(clock::time_point start) {
    return std::chrono::duration<double>(clock::now() - start).count();
}

std::string cpu_name() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string text; std::getline(file, text);)
        if (text.rfind("model name", 0) == 0 && text.find(": ") != std::string::npos)
            return text.substr(text.find(": ") + 2);
    return "unknown";
}

/// Plays the clip over and over at 60 frames per second until the figures are steady.
void measure_frames(const Character& character, const Rig& rig, const BenchOptions& options, BenchRow& row) {
    constexpr double fps = 60;
    constexpr std::size_t fewest_frames = 3;
    const Clip* clip = lively_clip(character);
    const double duration = clip ? std::max(clip->duration, 1 / fps) : 1;
    Workspace work(options.threads);
    State state = rig.make_state();
    std::vector<Vec3> positions(character.mesh.vertex_count()), normals(positions.size());
    Pose pose;
    evaluate(character, clip, 0, pose);
    rig.reset(pose.joints, state, work);
    FrameClock frames;
    double spent = 0;
    for (std::size_t k = 1; (spent < options.seconds() || k <= fewest_frames) && !interrupted(); ++k) {
        evaluate(character, clip, std::fmod(static_cast<double>(k) / fps, duration), pose);
        const std::uint64_t steps = state.counters.steps;
        const auto start = clock::now();
        rig.advance(pose.joints, 1 / fps, state, work);
        const double advanced = seconds_since(start);
        rig.embed(state, {positions, normals, {}}, work);
        const double all = seconds_since(start);
        frames.advanced(advanced, state.counters.steps - steps);
        frames.embedded(all - advanced, positions.size());
        spent += all;
    }
    row.ms_per_frame = frames.ms_per_frame();
    row.embed_ns_per_vertex = frames.embed_ns_per_vertex();
    row.step_us = frames.step_us(0.5);
    if (row.step_us && row.points > 0) row.ns_per_point_step = 1e3 * *row.step_us / static_cast<double>(row.points);
}

/// No value if the method does not fit the character.
std::optional<BenchRow> bench_method(const Character& character, const std::string& name, const std::string& method,
                                     const BenchOptions& options) {
    constexpr int tries = 3;
    std::vector<double> bind_ms;
    RigPtr rig;
    const auto begun = clock::now();
    for (int i = 0; i < tries && (i == 0 || seconds_since(begun) < 5 * options.seconds()); ++i) {
        const auto start = clock::now();
        const Result<RigPtr> bound = fascia::bind(character, method, *preset("default"));
        if (!bound) return std::nullopt;
        bind_ms.push_back(1e3 * seconds_since(start));
        rig = *bound;
    }
    BenchRow row;
    row.character = name;
    row.method = method;
    row.vertices = character.mesh.vertex_count();
    row.points = rig->point_count();
    row.bind_ms = quantile(bind_ms, 0.5);
    measure_frames(character, *rig, options, row);
    return row;
}

Result<std::vector<BenchRow>> bench_all(const BenchOptions& options) {
    std::vector<BenchRow> rows;
    Progress progress("bench", bundled_names().size() * methods().size(), options.quiet);
    for (const std::string& name : bundled_names()) {
        const Result<Character> character = bundled_character(name);
        if (!character) return character.error();
        for (const MethodInfo& method : methods()) {
            if (interrupted()) return output_error("interrupted");
            if (auto row = bench_method(*character, name, method.name, options)) rows.push_back(*row);
            progress.advance();
        }
    }
    return rows;
}

/// "1,50" as numbers; empty unless each is a number from 1 to 10,000.
std::vector<std::size_t> crowd_sizes(const std::string& text) {
    std::vector<std::size_t> out;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::optional<double> size = parse_number(text.substr(begin, end - begin));
        if (!size || !(*size >= 1 && *size <= 10000) || *size != std::floor(*size)) return {};
        out.push_back(std::size_t(*size));
        begin = end + 1;
    }
    return out;
}

/// Crowds of the characters asked for, on one and on two threads.
Result<std::vector<CrowdRow>> bench_crowds(const BenchOptions& options) {
    const std::vector<std::size_t> sizes = crowd_sizes(options.crowds);
    if (sizes.empty())
        return usage_error("--crowds must be whole numbers from 1 to 10000 such as 1,50,500, not '" + options.crowds +
                           "'");
    std::vector<CrowdRow> rows;
    for (const std::string& name : options.characters) {
        const Result<Character> character = open_character(name);
        if (!character) return character.error();
        const std::vector<NamedRig> rigs = crowd_rigs(*character);
        Progress progress(name, rigs.size() * sizes.size() * 2, options.quiet);
        for (const NamedRig& rig : rigs)
            for (const std::size_t instances : sizes)
                for (const int threads : {1, 2}) {
                    rows.push_back(measure_crowd(*character, rig, instances, threads, options.seconds()));
                    rows.back().character = is_bundled_name(name) ? name : character->name;
                    if (interrupted()) return output_error("interrupted");
                    progress.advance();
                }
    }
    return rows;
}

ordered_json crowds_json(const std::vector<CrowdRow>& rows) {
    ordered_json out = ordered_json::array();
    for (const CrowdRow& row : rows)
        out.push_back({{"character", row.character},
                       {"rig", row.rig},
                       {"vertices", row.vertices},
                       {"points", row.points},
                       {"instances", row.instances},
                       {"threads", row.threads},
                       {"pose_ms", row.pose_ms},
                       {"advance_ms", row.advance_ms},
                       {"embed_ms", row.embed_ms},
                       {"sum_ms", row.sum_ms()},
                       {"state_kb", row.state_kb}});
    return out;
}

std::string crowds_text(const std::vector<CrowdRow>& rows) {
    std::vector<std::vector<std::string>> lines{
        {"character", "rig", "instances", "threads", "pose ms", "advance ms", "embed ms", "sum ms", "kB each"}};
    const auto ms = [](double value) { return fmt::format("{:.4f}", value); };
    for (const CrowdRow& row : rows)
        lines.push_back({row.character, row.rig, std::to_string(row.instances), std::to_string(row.threads),
                         ms(row.pose_ms), ms(row.advance_ms), ms(row.embed_ms), ms(row.sum_ms()),
                         fmt::format("{:.0f}", row.state_kb)});
    return "a frame of 1/60 s, milliseconds per instance\n" + table(lines);
}

ordered_json optional_json(const std::optional<double>& value) {
    return value ? ordered_json(*value) : ordered_json(nullptr);
}

std::string bench_json(const BenchOptions& options, const std::vector<BenchRow>& rows,
                       const std::vector<CrowdRow>& crowds) {
    ordered_json results = ordered_json::array();
    for (const BenchRow& row : rows) {
        results.push_back({{"character", row.character},
                           {"method", row.method},
                           {"vertices", row.vertices},
                           {"points", row.points},
                           {"bind_ms", row.bind_ms},
                           {"ms_per_frame", row.ms_per_frame},
                           {"step_us", optional_json(row.step_us)},
                           {"ns_per_point_step", optional_json(row.ns_per_point_step)},
                           {"embed_ns_per_vertex", row.embed_ns_per_vertex}});
    }
    const ordered_json out{{"fascia", FASCIA_VERSION_STRING}, {"cpu", cpu_name()},  {"isa", vector_level()},
                           {"threads", options.threads},      {"results", results}, {"crowds", crowds_json(crowds)}};
    return out.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::string bench_text(const BenchOptions& options, const std::vector<BenchRow>& rows) {
    const auto figure = [](const std::optional<double>& value) {
        return value ? fmt::format("{:.1f}", *value) : std::string("-");
    };
    std::vector<std::vector<std::string>> lines{
        {"character", "method", "vertices", "points", "bind ms", "ms/frame", "ns/point step", "embed ns/vertex"}};
    for (const BenchRow& row : rows) {
        lines.push_back({row.character, row.method, std::to_string(row.vertices), std::to_string(row.points),
                         fmt::format("{:.2f}", row.bind_ms), fmt::format("{:.3f}", row.ms_per_frame),
                         figure(row.ns_per_point_step), fmt::format("{:.2f}", row.embed_ns_per_vertex)});
    }
    return fmt::format("{}, kernels {}, {} thread{}\n", cpu_name(), vector_level(), options.threads,
                       options.threads == 1 ? "" : "s") +
           table(lines);
}

Status bench(const BenchOptions& options) {
    const Result<std::vector<CrowdRow>> crowds = bench_crowds(options);
    if (!crowds) return crowds.error();
    const Result<std::vector<BenchRow>> rows =
        options.only_crowds ? Result<std::vector<BenchRow>>(std::vector<BenchRow>{}) : bench_all(options);
    if (!rows) return rows.error();
    if (options.json)
        print_out(bench_json(options, *rows, *crowds));
    else
        print_out(options.only_crowds ? crowds_text(*crowds)
                                      : bench_text(options, *rows) + "\n" + crowds_text(*crowds));
    return ok_status();
}

}  // namespace

void add_bench_command(CLI::App& root, Action& action) {
    CLI::App* app = root.add_subcommand("bench", "Speed of every method on the bundled characters");
    auto options = std::make_shared<BenchOptions>();
    app->add_flag("--json", options->json, "As JSON (docs/schemas/bench.schema.json)");
    add_count(*app, "--threads", options->threads, 1, 256, "Threads to use (default: 1)");
    add_number(*app, "--seconds", options->asked_seconds, 0.001, 60,
               "How long each figure is measured (default: 0.4); less is quicker and noisier");
    app->add_option("CHARACTER", options->characters,
                    "Files or bundled characters: measures crowds of these, and nothing else (default: all methods on "
                    "all bundled characters, and crowds of bunnies)");
    app->add_option("--crowds", options->crowds,
                    "How many instances a crowd has, one number or several such as 1,50,500 (default: 1,50)");
    app->add_flag("--quiet", options->quiet, "No progress");
    app->footer(
        "Examples:\n"
        "  fascia bench\n"
        "  fascia bench --json --threads 2\n"
        "  fascia bench --seconds 0.05\n"
        "  fascia bench bunny --crowds 1,50,500");
    app->callback([options, &action] {
        options->only_crowds = !options->characters.empty();
        if (options->characters.empty()) options->characters = {"bunny"};
        action = [options] { return bench(*options); };
    });
}

}  // namespace fascia::cli
