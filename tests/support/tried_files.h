// World and anatomy files of any content: what is accepted must also be usable.
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fascia/io.h"
#include "fascia/method.h"
#include "fascia/world.h"
#include "support/small_character.h"

namespace fascia::test {

/// What is wrong with what a few frames show; empty: nothing.
template <class Advance>
std::string flaw_in_frames(const Rig& rig, Advance advance_by) {
    Workspace work(1);
    State state = make_state(rig);
    std::vector<Affine> joints = state.joints;
    std::vector<Vec3> surface(rig.vertex_count());
    for (int frame = 1; frame <= 3; ++frame) {
        joints.back().m[0][3] += 0.02;
        advance_by(frame, joints, state, work);
        embed(rig, state, {surface, {}, {}}, work);
        for (const Vec3 p : surface)
            if (!std::isfinite(p.x + p.y + p.z) || length(p) > 100) return "a surface that is torn away";
    }
    return "";
}

/// Refused with a sentence, or good for a body in it; else what is wrong.
inline std::string flaw_of_world(std::string_view text) {
    static const Character column = small_character();
    static const RigPtr flesh = [] {
        Flesh coarse = *preset("default");
        (void)set_field(coarse, "resolution", "6");
        return *bind(column, "layers", coarse);
    }();
    const Result<WorldScene> scene = parse_world(text, "tried.json", "/nowhere");
    if (!scene) return scene.error().message.empty() ? "no sentence" : "";
    Result<World> world = World::make(scene->settings);
    if (!world) return world.error().message.empty() ? "no sentence" : "";
    (void)check_world(*scene, column);
    pose_world(*scene, 0, true, *world);
    for (std::size_t k = 0; k < world->collider_count(); ++k)
        if (std::isnan(world->distance(k, {0.1, 0.2, 0.3}))) return "a distance that is no number";
    const Vec3d push = world->field({0.1, 0.2, 0.3});
    if (!std::isfinite(push.x + push.y + push.z)) return "a field that is not finite";
    return flaw_in_frames(*flesh, [&](int frame, const std::vector<Affine>& joints, State& state, Workspace& work) {
        world->begin_frame(1 / 60.0);
        pose_world(*scene, frame / 60.0, false, *world);
        advance(*flesh, joints, 1 / 60.0, *world, state, work);
    });
}

/// The same for an anatomy, which must also be written as it was read.
inline std::string flaw_of_anatomy(std::string_view text) {
    const Result<AnatomyScene> scene = parse_anatomy(text, "tried.anatomy.json");
    if (!scene) return scene.error().message.empty() ? "no sentence" : "";
    const std::string written = anatomy_to_json(*scene);
    const Result<AnatomyScene> again = parse_anatomy(written, "again.anatomy.json");
    if (!again) return "what was written is not read: " + again.error().message;
    if (anatomy_to_json(*again) != written) return "what was written is read as something else";
    std::size_t nodes = 0;
    for (const auto& muscle : scene->muscles) nodes += muscle.points.size();
    Character column = small_character();
    if (nodes > 2000 || !check_anatomy(*scene, column)) return "";
    column.scene = std::make_shared<const AnatomyScene>(*scene);
    const Result<RigPtr> rig = bind(column, "neck", *preset("default"));
    if (!rig) return rig.error().message.empty() ? "no sentence" : "";
    return flaw_in_frames(**rig, [&](int, const std::vector<Affine>& joints, State& state, Workspace& work) {
        advance(**rig, joints, 1 / 60.0, state, work);
    });
}

}  // namespace fascia::test
