#include "bake_options.h"

#include <algorithm>
#include <filesystem>
#include <thread>

#include <fmt/format.h>

#include "fascia/bundled.h"
#include "fascia/io.h"
#include "option_values.h"

namespace fascia::cli {

namespace {

constexpr double longest_time = 3600;  // seconds; a motion longer than an hour is a typo

std::vector<std::string> split_pair(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) return {};
    return {text.substr(0, equals), text.substr(equals + 1)};
}

Status apply_sets(Flesh& flesh, const std::vector<std::string>& sets, const std::vector<std::string>& methods) {
    for (const std::string& set : sets) {
        const std::vector<std::string> pair = split_pair(set);
        if (pair.empty())
            return usage_error("--set needs key=value, such as --set layers.fat.frequency=3, not '" + set + "'");
        Status status = set_field(flesh, pair[0], pair[1], methods);
        if (!status) return usage_error("--set " + set + ": " + status.error().message);
    }
    return ok_status();
}

}  // namespace

std::optional<std::string> flesh_beside(const std::string& character) {
    std::filesystem::path path(character);
    path.replace_extension(".flesh.json");
    std::error_code code;
    const bool both = std::filesystem::exists(character, code) && std::filesystem::exists(path, code);
    if (!both) return std::nullopt;
    return path.string();
}

void add_shared_options(CLI::App& app, BakeOptions& o) {
    app.add_option("--motion", o.motion,
                   "A clip by name or by its index from 0, a .bvh file, bundled:NAME, or 'all' (default: 0)")
        ->type_name("NAME|INDEX|FILE.bvh|all");
    add_number(app, "--fps", o.fps, 1, 1000, "Frames per second (default: 60; 30 for a GLB)");
    add_number(app, "--from", o.from, 0, longest_time, "First moment, seconds (default: 0)");
    add_number(app, "--to", o.to, 0, longest_time, "Last moment, seconds (default: the last key)");
    app.add_flag("--loop", o.loop, "Make the last frame meet the first; ends that differ are cross-faded");
    add_number(app, "--settle", o.settle, 0, longest_time,
               "Hold the first pose for this many more seconds before frame 0");
    app.add_option("--flesh", o.flesh_file, "A flesh file")->type_name("FILE.json");
    app.add_option("--preset", o.preset, fmt::format("Flesh to start from: {}", fmt::join(preset_names(), ", ")))
        ->type_name("NAME");
    add_choice(app, "--mode", o.mode, {"physical", "paper", "literal"}, "How the flesh's values are interpreted");
    add_list(app, "--set", o.sets, "Any setting, such as layers.fat.frequency=3; may be given many times")
        ->type_name("KEY=VALUE");
    add_choice(app, "--weights", o.weights,
               {"auto", "file", "geodesic", "diffusion", "biharmonic", "nearest", "points"},
               "Where skin weights come from (default: auto, the file's where it has them)");
    add_list(app, "--subdivide", o.subdivide, "Split the triangles around a joint; may be given many times")
        ->type_name("JOINT=1:3|1:4");
    add_list(app, "--attach", o.attach,
             "A further mesh that rides along (.obj .ply .off .glb); may be given many times")
        ->type_name("FILE");
    app.add_option("--map", o.map_file, "Joint names for a BVH: {\"its joint\": \"the character's joint\"}")
        ->type_name("FILE.json");
    add_choice(app, "--bvh-rest", o.bvh_rest, {"auto", "frame0", "zero"}, "How to find a BVH's rest pose");
    add_choice(app, "--clear", o.clear, {"on", "off"},
               "Whether arms of a BVH are turned so that they stay out of a stout body");
    app.add_flag("--raw-motion", o.raw_motion, "A BVH's rotations as they are: no foot is planted on the floor");
    add_count(app, "--threads", o.threads, 1, 256, "Threads to use (default: one per core); the result is the same");
    add_choice(app, "--color", o.color, {"layers", "weights", "strain", "offset", "parts", "contact"},
               "What pictures show by colour");
    add_picture_options(app, o.pictures);
    app.add_flag("--floor", o.floor, "Flesh is pressed by a floor at the character's feet");
    app.add_option("--collider", o.collider_file, "A world file: solids, wind and attractors")->type_name("FILE.json");
    app.add_flag("--quiet", o.quiet, "No progress, no warnings, no summary");
    add_choice(app, "--embed", o.embed.how, {"auto", "trilinear", "blend", "dq", "rbf", "domains"},
               "How points inside the body carry its surface (default: auto, as the method does)");
    add_choice(app, "--embed-kernel", o.embed.kernel, {"gauss", "wendland", "thin-plate"},
               "Radial functions of --embed rbf and domains");
    add_count(app, "--embed-samples", o.embed.samples, 4, 5000, "Samples of the surface for --embed domains");
    app.add_flag("--rectify", o.rectify, "Restore volume after lbs, dqs, bones-blending or a volumetric method");
}

void add_character(CLI::App& app, std::string& character) {
    app.add_option("CHARACTER", character,
                   fmt::format("A .glb, .gltf or .vrm file, or {}", fmt::join(bundled_names(), ", ")))
        ->type_name("");
}

void add_output_options(CLI::App& app, BakeOptions& o) {
    std::vector<std::string> names;
    for (const MethodInfo& info : methods()) names.push_back(info.name);
    app.add_option("--method", o.method, fmt::format("How to deform (default: layers): {}", fmt::join(names, ", ")))
        ->type_name("NAME");
    add_list(app, "-o,--output", o.outputs, "Where to write: .glb .pc2 .mdd .usda, or .obj for a folder of frames")
        ->type_name("OUT");
    app.add_option("--report", o.report, "Write what was measured, as JSON")->type_name("FILE.json");
    app.add_option("--preview", o.preview, "A contact sheet or a film")->type_name("FILE.png|.mp4|.webp");
    app.add_flag("--split", o.split, "PC2 and MDD: one file per mesh node");
    add_choice(app, "--axes", o.axes, {"gltf", "blender"}, "Axes of PC2, MDD and OBJ");
}

Result<Flesh> resolve_flesh(const BakeOptions& o, const Character& character, const std::vector<std::string>& methods) {
    Result<Flesh> flesh = preset(o.preset);
    if (!flesh) return usage_error("--preset: " + flesh.error().message);
    if (const auto beside = flesh_beside(o.character)) flesh = load_flesh(*beside, *flesh);
    if (flesh && !o.flesh_file.empty()) flesh = load_flesh(o.flesh_file, *flesh);
    if (!flesh) return flesh;
    if (!o.mode.empty()) {
        const Status status = set_field(*flesh, "mode", o.mode);
        if (!status) return status.error();
    }
    const Status set = apply_sets(*flesh, o.sets, methods);
    if (!set) return set.error();
    const Status checked = check(*flesh, &character);
    if (!checked) return checked.error();
    return flesh;
}

Status check_method(const std::string& method) {
    const Result<Settings> settings = settings_for(method, Flesh{});
    if (!settings) return settings.error();
    return ok_status();
}

int thread_count(const BakeOptions& o) {
    if (o.threads > 0) return o.threads;
    return static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1u, 16u));
}

}  // namespace fascia::cli
