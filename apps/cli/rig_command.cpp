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

struct RigCommand {
    std::string mesh, skeleton, output, weights = "geodesic", fit = "auto";
    std::optional<double> scale, x, y, z;
    int influences = 4, resolution = 0;
    bool center = false, quiet = false;
};

Status check(const RigCommand& o) {
    if (o.mesh.empty()) return usage_error("which mesh? Give a .obj, .ply, .off, .glb, .gltf or .vrm file");
    if (o.skeleton.empty())
        return usage_error("which skeleton? Give --skeleton FILE (.tgf, .bvh, .glb, .gltf or .vrm)");
    if (std::filesystem::path(o.output).extension() != ".glb")
        return usage_error("where to? Give -o NAME.glb, not '" + o.output + "'");
    if (o.influences != 4 && o.influences != 8)
        return usage_error(fmt::format("--influences must be 4 or 8, not {}", o.influences));
    return ok_status();
}

RigOptions options_of(const RigCommand& o) {
    RigOptions out;
    out.weights.method = o.weights;
    out.weights.influences = o.influences;
    out.weights.resolution = o.resolution;
    out.fit = o.fit == "none" ? RigOptions::Fit::none : o.fit == "box" ? RigOptions::Fit::box : out.fit;
    out.scale = o.scale.value_or(1);
    out.offset = {o.x.value_or(0), o.y.value_or(0), o.z.value_or(0)};
    out.center = o.center;
    return out;
}

Status rig(const RigCommand& o) {
    if (Status status = check(o); !status) return status;
    KeptInputs inputs;
    for (const std::string& path : {o.mesh, o.skeleton}) inputs.add(path);
    if (Status kept = inputs.check({o.output}); !kept) return kept;
    const Result<Mesh> mesh = load_mesh(o.mesh);
    if (!mesh) return mesh.error();
    const Result<Skeleton> skeleton = load_skeleton(o.skeleton);
    if (!skeleton) return skeleton.error();
    const std::string name = std::filesystem::path(o.mesh).stem().string();
    const Result<RiggedMesh> rigged = rig_mesh(*mesh, name, *skeleton, options_of(o));
    if (!rigged) return rigged.error();
    if (interrupted()) return output_error("interrupted");
    if (Status written = write_character(o.output, rigged->character); !written) return written;
    if (o.quiet) return ok_status();
    for (const std::string& note : rigged->notes) print_warning(note);
    print_out(fmt::format("{} vertices on {} joints, {} weights, {:.2f} % of the vertices by fallback\nwrote {}\n",
                          mesh->vertex_count(), rigged->character.joints.size(), o.weights,
                          100 * rigged->fallback_share, printable(o.output)));
    return ok_status();
}

}  // namespace

void add_rig_command(CLI::App& root, Action& action) {
    CLI::App* app = root.add_subcommand("rig", "Give a static mesh a skeleton and automatic weights");
    auto o = std::make_shared<RigCommand>();
    app->add_option("MESH", o->mesh, "A .obj, .ply, .off, .glb, .gltf or .vrm file")->type_name("");
    app->add_option("--skeleton", o->skeleton, "Where the joints come from: .tgf .bvh .glb .gltf .vrm")
        ->type_name("FILE");
    app->add_option("-o,--output", o->output, "The rigged character")->type_name("OUT.glb");
    add_choice(*app, "--weights", o->weights, {"geodesic", "diffusion", "biharmonic", "nearest", "points"},
               "How weights are computed (default: geodesic)");
    add_count(*app, "--influences", o->influences, 4, 8, "Joints per vertex at most, 4 or 8 (default: 4)");
    add_count(*app, "--resolution", o->resolution, 4, 256, "Voxels along the longest side");
    add_choice(*app, "--fit", o->fit, {"auto", "none", "box"}, "Whether the skeleton is scaled into the mesh");
    add_number(*app, "--scale", o->scale, 1e-6, 1e6, "Scale the skeleton by this, after the fit");
    add_number(*app, "--dx", o->x, -1e6, 1e6, "Move the skeleton");
    add_number(*app, "--dy", o->y, -1e6, 1e6, "Move the skeleton");
    add_number(*app, "--dz", o->z, -1e6, 1e6, "Move the skeleton");
    app->add_flag("--center", o->center, "Move joints to the middle of the body around them");
    app->add_flag("--quiet", o->quiet, "No summary, no notes");
    app->footer(
        "Examples:\n"
        "  fascia rig statue.obj --skeleton statue.tgf -o statue.glb\n"
        "  fascia rig statue.obj --skeleton walk.bvh --fit box --center -o statue.glb");
    app->callback([o, &action] { action = [o] { return rig(*o); }; });
}

}  // namespace fascia::cli
