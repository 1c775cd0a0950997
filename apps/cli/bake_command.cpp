#include <memory>

#include "bake_run.h"
#include "command.h"
#include "console.h"

namespace fascia::cli {

namespace {

Status bake(const BakeOptions& options) {
    const Result<BakeSummary> summary = run_bake(options);
    if (!summary) return summary.error();
    if (options.quiet) return ok_status();
    print_out(table(summary->rows));
    for (const std::string& file : summary->files) print_out("wrote " + printable(file) + "\n");
    return ok_status();
}

}  // namespace

void add_bake_command(CLI::App& root, Action& action) {
    CLI::App* app = root.add_subcommand("bake", "Deform a motion and write it");
    auto options = std::make_shared<BakeOptions>();
    add_character(*app, options->character);
    add_output_options(*app, *options);
    add_shared_options(*app, *options);
    app->footer(
        "Examples:\n"
        "  fascia bake bunny --method dqs --motion jump -o jump.glb\n"
        "  fascia bake hero.glb --method dqs --motion walk.bvh -o walk.pc2 --report walk.json --preview walk.png\n"
        "  fascia bake hero.glb --preset jelly --set parts.belly.amount=1.5 -o soft.glb\n"
        "  fascia bake hero.glb --motion all -o clips/hero.glb        writes clips/hero.CLIP.glb for each clip\n"
        "  fascia bake hero.glb -o hero.mdd --split --axes blender    one MDD per mesh, for Blender's Mesh Cache");
    app->callback([options, &action] { action = [options] { return bake(*options); }; });
}

}  // namespace fascia::cli
