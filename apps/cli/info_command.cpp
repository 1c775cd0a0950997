#include <memory>

#include "bake_options.h"
#include "command.h"
#include "console.h"
#include "file_facts.h"

namespace fascia::cli {

namespace {

struct InfoOptions {
    std::string character;
    bool json = false;
};

Status info(const InfoOptions& options) {
    const Result<FileFacts> facts = gather_facts(options.character);
    if (!facts) return facts.error();
    print_out(options.json ? facts_json(*facts) : facts_text(*facts));
    return ok_status();
}

}  // namespace

void add_info_command(CLI::App& root, Action& action) {
    CLI::App* app = root.add_subcommand("info", "What is in the file, what is wrong with it, what Fascia would build");
    auto options = std::make_shared<InfoOptions>();
    add_character(*app, options->character);
    app->add_flag("--json", options->json, "As JSON (docs/schemas/info.schema.json)");
    app->footer(
        "Examples:\n"
        "  fascia info bunny\n"
        "  fascia info hero.glb --json");
    app->callback([options, &action] { action = [options] { return info(*options); }; });
}

}  // namespace fascia::cli
