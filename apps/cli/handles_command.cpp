#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "command.h"
#include "console.h"
#include "fascia/fascia.h"
#include "interrupt.h"
#include "kept_inputs.h"
#include "option_values.h"

namespace fascia::cli {

namespace {

struct HandlesCommand {
    std::string mesh, points, output;
    int count = 0, clusters = 5;
    bool add = false, quiet = false;
};

Status check(const HandlesCommand& o) {
    if (o.mesh.empty()) return usage_error("which mesh? Give a .obj, .ply, .off, .glb, .gltf or .vrm file");
    const auto ending = std::filesystem::path(o.output).extension();
    if (ending != ".glb" && ending != ".tgf")
        return usage_error("where to? Give -o NAME.glb for a character, or NAME.tgf for the points alone, not '" +
                           o.output + "'");
    if (o.add && o.points.empty()) return usage_error("--add needs points to add; give them with --points FILE");
    return ok_status();
}

Status write_points(const HandlesCommand& o, const Mesh& mesh, const std::string& name, const HandleOptions& options) {
    const Result<PlacedHandles> placed = place_handles(mesh, name, options);
    if (!placed) return placed.error();
    const std::string text = handles_to_tgf(placed->handles);
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
    if (Status written = write_file_atomically(o.output, {bytes, text.size()}); !written) return written;
    if (o.quiet) return ok_status();
    for (const std::string& note : placed->notes) print_warning(note);
    print_out(fmt::format("{} handles{}\nwrote {}\n", placed->handles.size(), placed->mirrored ? ", mirrored" : "",
                          printable(o.output)));
    return ok_status();
}

Status place(const HandlesCommand& o) {
    if (Status status = check(o); !status) return status;
    KeptInputs inputs;
    inputs.add(o.mesh);
    if (!o.points.empty()) inputs.add(o.points);
    if (Status kept = inputs.check({o.output}); !kept) return kept;
    const Result<Mesh> mesh = load_mesh(o.mesh);
    if (!mesh) return mesh.error();
    HandleOptions options;
    options.count = o.count;
    options.clusters = o.clusters;
    options.add_to_found = o.add;
    if (!o.points.empty()) {
        Result<Skeleton> points = load_skeleton(o.points);
        if (!points) return points.error();
        options.points = std::move(*points);
    }
    const std::string name = std::filesystem::path(o.mesh).stem().string();
    if (std::filesystem::path(o.output).extension() == ".tgf") return write_points(o, *mesh, name, options);
    const Result<RiggedMesh> rigged = rig_with_handles(*mesh, name, options);
    if (!rigged) return rigged.error();
    if (interrupted()) return output_error("interrupted");
    if (Status written = write_character(o.output, rigged->character); !written) return written;
    if (o.quiet) return ok_status();
    for (const std::string& note : rigged->notes) print_warning(note);
    print_out(fmt::format("{} vertices on {} handles\nwrote {}\n", mesh->vertex_count(),
                          rigged->character.joints.size(), printable(o.output)));
    return ok_status();
}

}  // namespace

void add_handles_command(CLI::App& root, Action& action) {
    CLI::App* app = root.add_subcommand("handles", "Give a static mesh points that pose it");
    auto o = std::make_shared<HandlesCommand>();
    app->add_option("MESH", o->mesh, "A .obj, .ply, .off, .glb, .gltf or .vrm file")->type_name("");
    app->add_option("-o,--output", o->output, "The character with handles as joints, or the points alone")
        ->type_name("OUT.glb|OUT.tgf");
    add_count(*app, "--count", o->count, 1, 200, "How many handles (default: as the shape suggests)");
    add_count(*app, "--clusters", o->clusters, 2, 12, "Thicknesses that are told apart (default: 5)");
    app->add_option("--points", o->points, "Use these handles instead of finding some: .tgf .bvh .glb .gltf .vrm")
        ->type_name("FILE");
    app->add_flag("--add", o->add, "Add the given handles to those that are found");
    app->add_flag("--quiet", o->quiet, "No summary, no notes");
    app->footer(
        "Examples:\n"
        "  fascia handles statue.obj -o statue.glb\n"
        "  fascia handles statue.obj --count 12 -o points.tgf\n"
        "  fascia handles statue.obj --points points.tgf -o statue.glb");
    app->callback([o, &action] { action = [o] { return place(*o); }; });
}

}  // namespace fascia::cli
