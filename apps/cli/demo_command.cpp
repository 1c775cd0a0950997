#include <memory>

#include <fmt/format.h>

#include "bake_run.h"
#include "bound_character.h"
#include "command.h"
#include "console.h"
#include "fascia/fascia.h"
#include "option_values.h"
#include "output_paths.h"

namespace fascia::cli {

namespace {

struct DemoOptions {
    std::string name = "bunny", folder = "out";
    bool quiet = false;
};

/// The liveliest clip: a dance, or whatever else there is.
std::string best_clip(const Character& character) {
    for (const char* wanted : {"dance", "bend"})
        for (const Clip& clip : character.clips)
            if (clip.name == wanted) return clip.name;
    return "";
}

/// The main method if it is built in, otherwise the best skinning there is.
std::string best_method(const Character& character) {
    BakeOptions options;
    const Result<Flesh> flesh = preset("default");
    return flesh && bind_method(character, options, "layers", *flesh, {}) ? "layers" : "dqs";
}

Status demo(const DemoOptions& demo) {
    const Result<Character> character = bundled_character(demo.name);
    if (!character) return character.error();
    Status folder = check_folder(demo.folder);
    if (folder) folder = make_folder(demo.folder);
    if (!folder) return folder;
    const std::string base = demo.folder + "/" + demo.name;
    BakeOptions options;
    options.character = demo.name;
    options.method = best_method(*character);
    options.motion = best_clip(*character);
    options.outputs = {base + ".glb", base + ".pc2"};
    options.report = base + ".report.json";
    options.preview = base + ".png";
    options.quiet = demo.quiet;
    const Result<BakeSummary> summary = run_bake(options);
    if (!summary) return summary.error();
    if (demo.quiet) return ok_status();
    print_out(table(summary->rows) + "\n");
    const char* what[] = {"plays in any glTF viewer", "vertex cache for Blender, Maya, Houdini", "what was measured",
                          "frames over time"};
    std::vector<std::vector<std::string>> rows;
    for (std::size_t i = 0; i < summary->files.size(); ++i) rows.push_back({summary->files[i], what[i]});
    for (const auto& row : rows) print_out(fmt::format("{:<24} {}\n", row[0], row[1]));
    return ok_status();
}

}  // namespace

void add_demo_command(CLI::App& root, Action& action) {
    CLI::App* app = root.add_subcommand("demo", "Bake a bundled character, with pictures");
    auto options = std::make_shared<DemoOptions>();
    app->add_option("NAME", options->name, fmt::format("{} (default: bunny)", fmt::join(bundled_names(), ", ")))
        ->type_name("");
    app->add_option("-o,--output", options->folder, "Where to put the files (default: out)")->type_name("DIR");
    app->add_flag("--quiet", options->quiet, "No progress, no summary");
    app->footer(
        "Examples:\n"
        "  fascia demo              writes out/bunny.glb, .pc2, .report.json and .png\n"
        "  fascia demo gnome -o /tmp/demo");
    app->callback([options, &action] { action = [options] { return demo(*options); }; });
}

}  // namespace fascia::cli
