#include <memory>

#include "command.h"

namespace fascia::cli {

void add_rig_command(CLI::App& root, Action& action) {
    CLI::App* app =
        root.add_subcommand("rig", "Give a static mesh a skeleton and automatic weights (not yet available)");
    struct RigOptions {
        std::string mesh, skeleton, output;
    };
    auto options = std::make_shared<RigOptions>();
    app->add_option("MESH", options->mesh, "A .obj, .ply or .off file")->type_name("");
    app->add_option("--skeleton", options->skeleton, "Where the joints come from")->type_name("FILE");
    app->add_option("-o,--output", options->output, "The rigged character")->type_name("OUT.glb");
    app->callback([options, &action] {
        action = [options] {
            return Status(usage_error("the command 'rig' is not yet available; rig the mesh in another program"));
        };
    });
}

}  // namespace fascia::cli
