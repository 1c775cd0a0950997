// Anatomy files from memory, and back; one that fits the character must also run.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "fascia/io.h"
#include "fascia/method.h"
#include "support/small_character.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace fascia;
    const Result<AnatomyScene> scene = parse_anatomy({reinterpret_cast<const char*>(data), size}, "fuzz.anatomy.json");
    if (!scene) {
        if (scene.error().message.empty()) std::abort();
        return 0;
    }
    const std::string text = anatomy_to_json(*scene);
    const Result<AnatomyScene> again = parse_anatomy(text, "again.anatomy.json");
    if (!again || anatomy_to_json(*again) != text) std::abort();
    Character column = test::small_character();
    column.scene = std::make_shared<const AnatomyScene>(*scene);
    std::size_t points = 0;
    for (const auto& muscle : scene->muscles) points += muscle.points.size();
    if (points > 2000 || !check_anatomy(*scene, column)) return 0;
    const Result<RigPtr> rig = bind(column, "neck", *preset("default"));
    if (!rig) {
        if (rig.error().message.empty()) std::abort();
        return 0;
    }
    Workspace work(1);
    State state = make_state(**rig);
    std::vector<Affine> joints = state.joints;
    std::vector<Vec3> surface((*rig)->vertex_count());
    for (int frame = 1; frame <= 3; ++frame) {
        joints.back().m[0][3] += 0.02;
        advance(**rig, joints, 1 / 60.0, state, work);
        embed(**rig, state, {surface, {}, {}}, work);
        for (const Vec3 p : surface)
            if (!std::isfinite(p.x + p.y + p.z) || length(p) > 100) std::abort();
    }
    return 0;
}
