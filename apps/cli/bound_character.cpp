#include "bound_character.h"

#include <algorithm>
#include <chrono>
#include <limits>

#include <fmt/format.h>

#include "console.h"
#include "file_facts.h"

namespace fascia::cli {

Result<BoundRig> bind_method(const Character& character, const BakeOptions& options, const std::string& method,
                             const Flesh& flesh, const std::vector<MotionJob>& jobs) {
    BindInputs inputs;
    inputs.read_mask = load_mask;
    inputs.rectify = options.rectify;
    inputs.embed = options.embed;
    inputs.threads = thread_count(options);
    // Weights that the method does not compute itself have already been given to the character (prepare_character).
    if (computes_own_weights(method, options.weights)) inputs.weights = options.weights;
    // Which joints to blend may depend on the motions.
    for (const MotionJob& job : jobs) inputs.clips.push_back(job.clip);
    const auto start = std::chrono::steady_clock::now();
    Result<RigPtr> rig = fascia::bind(character, method, flesh, inputs);
    if (!rig && options.rectify) return Error{rig.error().kind, "--rectify: " + rig.error().message};
    if (!rig) return rig.error();
    const std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - start;
    BoundRig bound{*rig, {}, spent.count()};
    if (character.attached.vertex_count() == 0) return bound;
    Result<AttachedMesh> clothes = attach(*rig, character.attached);
    if (!clothes) return clothes.error();
    bound.clothes = std::move(*clothes);
    return bound;
}

Result<std::optional<WorldScene>> open_world(const BakeOptions& options, const Character& character) {
    if (!options.floor && options.collider_file.empty()) return std::optional<WorldScene>();
    WorldScene scene;
    if (!options.collider_file.empty()) {
        Result<WorldScene> read = load_world(options.collider_file);
        if (!read) return read.error();
        scene = std::move(*read);
    }
    if (const Status known = check_world(scene, character); !known)
        return input_error(options.collider_file + ": " + known.error().message);
    if (options.floor) {
        Collider floor;
        floor.name = "floor";
        floor.shape = ColliderShape::plane;
        floor.place.y = std::numeric_limits<double>::max();
        for (const Vec3& p : character.mesh.positions) floor.place.y = std::min(floor.place.y, double(p.y));
        scene.settings.colliders.push_back(floor);
        scene.keys.emplace_back();
    }
    const Result<World> world = World::make(scene.settings);
    if (!world)
        return input_error((options.collider_file.empty() ? "--floor" : options.collider_file) + ": " +
                           world.error().message);
    return std::optional<WorldScene>(std::move(scene));
}

SessionSettings session_settings(const BakeOptions& options, const BoundRig& bound, const WorldScene* world) {
    return {options.settle.value_or(0),
            options.loop,
            thread_count(options),
            options.quiet,
            bound.clothes ? &*bound.clothes : nullptr,
            !options.report.empty(),
            world};
}

std::vector<std::string> gather_warnings(const Character& character, const Flesh& flesh, const MotionJob& job,
                                         const Rig& rig, const BakeMeasures& measures) {
    std::vector<std::string> out;
    for (const Remark& remark : character.remarks) out.push_back(remark_text(remark));
    out.insert(out.end(), job.warnings.begin(), job.warnings.end());
    for (const std::string& idle : idle_settings(flesh, character, {rig.method()})) out.push_back(idle);
    for (const std::string& warning : rig.warnings()) out.push_back(warning);
    out.insert(out.end(), measures.warnings.begin(), measures.warnings.end());
    constexpr double far_from_lbs = 0.1;  // of the size
    if (const double offset = measures.quality.max_offset_from_lbs.value_or(0); offset > far_from_lbs)
        out.push_back(
            fmt::format("method '{}' leaves plain skinning by up to {:.3g} % of the size; look at the surface",
                        rig.method(), 100 * offset));
    if (measures.counters.refused_poses > 0)
        out.push_back(fmt::format("{} joint poses were refused: not finite, singular or mirrored",
                                  measures.counters.refused_poses));
    return out;
}

void print_warnings(const std::vector<std::string>& warnings, bool quiet) {
    if (quiet) return;
    for (const std::string& warning : warnings) print_warning(warning);
}

}  // namespace fascia::cli
