// Every shared character gets flesh and survives a second of its own motion, or of being shaken.
#include <filesystem>

#include "fascia/io.h"
#include "support/flesh.h"
#include "support/shared_data.h"
#include "support/steady_body.h"

namespace fascia {
namespace {

TEST(SharedBodies, BindAndMove) {
    FASCIA_NEEDS_SHARED_DATA();
    int tried = 0;
    for (const auto& entry : std::filesystem::directory_iterator(test::shared_data("characters"))) {
        const std::string path = entry.path().string(), extension = entry.path().extension().string();
        if (extension != ".glb" && extension != ".gltf" && extension != ".vrm") continue;
        const auto character = load_character(path);
        if (!character) continue;  // one has no skin; the reader's tests cover it
        SCOPED_TRACE(entry.path().filename().string());
        const auto rig = fascia::bind(*character, "layers", test::flesh_with("default", {{"resolution", 20}}));
        ASSERT_TRUE(rig.ok()) << rig.error().message;
        State state = make_state(**rig);
        Workspace work;
        Pose pose;
        std::vector<Vec3> positions((*rig)->vertex_count()), skinned(positions.size());
        for (int k = 0; k < 60; ++k) {
            evaluate(*character, character->clips.empty() ? nullptr : &character->clips[0], k / 60.0, pose);
            const double x = character->clips.empty() ? 0.1 * character->size() * std::sin(0.25 * k) : 0;
            const auto joints = steady::moved(pose.joints, compose({x, 0, 0}, {}, {1, 1, 1}));
            if (k == 0)
                reset(**rig, joints, state, work);
            else
                advance(**rig, joints, 1 / 60.0, state, work);
            if (k % 6 != 0) continue;
            embed(**rig, state, {positions, {}, {}}, work);
            (*rig)->embed_skinned(state, {skinned, {}, {}}, work);
            for (const Vec3 p : positions) ASSERT_TRUE(std::isfinite(p.x + p.y + p.z));
            ASSERT_LE(surface_offset(positions, skinned, character->size()).max, 0.25) << k;
        }
        EXPECT_EQ(state.counters.refused_poses, 0u);
        ++tried;
    }
    EXPECT_GE(tried, 14);
}

}  // namespace
}  // namespace fascia
