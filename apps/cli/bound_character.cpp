#include "bound_character.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "console.h"
#include "fascia/rectify.h"
#include "file_facts.h"

namespace fascia::cli {

namespace {

/// A part of the user's own that no joint answers to is worth a word; those of the presets are not.
void warn_of_idle_parts(const Character& character, const Flesh& flesh, std::vector<std::string>& out) {
    const Result<Flesh> start = preset(flesh.preset);
    for (const PartSettings& part : flesh.parts) {
        const auto same = [&](const PartSettings& other) { return other.joint == part.joint; };
        if (start && std::any_of(start->parts.begin(), start->parts.end(), same)) continue;
        Flesh only;
        only.parts.push_back({part.joint, {}, {}, 2.0, {}});
        const bool used = std::any_of(character.joints.begin(), character.joints.end(),
                                      [&](const Joint& joint) { return flesh_at(only, joint.name).amount == 2.0; });
        if (!used) out.push_back(fmt::format("no joint matches the part '{}'", part.joint));
    }
}

}  // namespace

Result<BoundRig> bind_method(const Character& character, const BakeOptions& options, const std::string& method,
                             const Flesh& flesh, const std::vector<MotionJob>& jobs) {
    Result<Settings> settings = resolve_settings(options, method, flesh);
    if (!settings) return settings.error();
    // The joints worth blending depend on what is to come.
    if (auto* bones = std::get_if<BonesBlendingSettings>(&*settings))
        for (const MotionJob& job : jobs) bones->clips.push_back(job.clip);
    if (auto* layers = std::get_if<LayersSettings>(&*settings); layers && !flesh.mask.empty()) {
        Result<std::vector<float>> mask = load_mask(flesh.mask, character);
        if (!mask) return mask.error();
        layers->mask_values = std::move(*mask);
    }
    const auto start = std::chrono::steady_clock::now();
    Result<RigPtr> rig =
        options.rectify ? bind_rectified(character, *settings, flesh) : fascia::bind(character, *settings);
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

SessionSettings session_settings(const BakeOptions& options, const BoundRig& bound) {
    return {options.settle.value_or(0), options.loop, thread_count(options), options.quiet,
            bound.clothes ? &*bound.clothes : nullptr};
}

std::vector<std::string> gather_warnings(const Character& character, const Flesh& flesh, const MotionJob& job,
                                         const Rig& rig, const BakeMeasures& measures) {
    std::vector<std::string> out;
    for (const Remark& remark : character.remarks) out.push_back(remark_text(remark));
    out.insert(out.end(), job.warnings.begin(), job.warnings.end());
    warn_of_idle_parts(character, flesh, out);
    for (const std::string& warning : rig.warnings()) out.push_back(warning);
    out.insert(out.end(), measures.warnings.begin(), measures.warnings.end());
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
