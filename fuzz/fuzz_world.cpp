// World files from memory; a world that is accepted must also hold a body.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "fascia/world.h"
#include "support/small_character.h"

namespace {

using namespace fascia;

const Character& column() {
    static const Character small = test::small_character();
    return small;
}

const Rig& flesh() {
    static const RigPtr rig = [] {
        Flesh coarse = *preset("default");
        (void)set_field(coarse, "resolution", "6");
        return *bind(column(), "layers", coarse);
    }();
    return *rig;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Result<WorldScene> scene = parse_world({reinterpret_cast<const char*>(data), size}, "fuzz.json", "/nowhere");
    if (!scene) {
        if (scene.error().message.empty()) std::abort();
        return 0;
    }
    Result<World> world = World::make(scene->settings);
    if (!world) {
        if (world.error().message.empty()) std::abort();
        return 0;
    }
    (void)check_world(*scene, column());
    Workspace work(1);
    State state = make_state(flesh());
    std::vector<Affine> joints = state.joints;
    std::vector<Vec3> surface(flesh().vertex_count());
    pose_world(*scene, 0, true, *world);
    for (int frame = 1; frame <= 3; ++frame) {
        for (Affine& joint : joints) joint.m[0][3] += 0.01;
        world->begin_frame(1 / 60.0);
        pose_world(*scene, frame / 60.0, false, *world);
        advance(flesh(), joints, 1 / 60.0, *world, state, work);
        embed(flesh(), state, {surface, {}, {}}, work);
        for (const Vec3 p : surface)
            if (!std::isfinite(p.x + p.y + p.z) || length(p) > 100) std::abort();
    }
    for (std::size_t k = 0; k < world->collider_count(); ++k)
        if (std::isnan(world->distance(k, {0.1, 0.2, 0.3}))) std::abort();
    const Vec3d push = world->field({0.1, 0.2, 0.3});
    if (!std::isfinite(push.x + push.y + push.z)) std::abort();
    return 0;
}
