// Every method bound, advanced and embedded by four threads gives what one thread gives. A new method is included
// automatically.
#include <gtest/gtest.h>

#include "base/hash.h"
#include "fascia/bundled.h"
#include "fascia/method.h"
#include "fascia/pose.h"

namespace fascia {
namespace {

std::uint64_t hash_of_a_short_dance(const Character& character, const Clip* dance, const Rig& rig, int threads) {
    Workspace work(threads);
    State state = make_state(rig);
    std::vector<Vec3> positions(rig.vertex_count()), normals(positions.size());
    Hasher hasher;
    Pose pose;
    for (int frame = 0; frame < 6; ++frame) {
        evaluate(character, dance, frame / 30.0, pose);
        if (frame == 0) reset(rig, pose.joints, state, work);
        advance(rig, pose.joints, 1 / 30.0, state, work);
        embed(rig, state, {.positions = positions, .normals = normals, .tangents = {}}, work);
        hasher.values(std::span<const Vec3>(positions));
        hasher.values(std::span<const Vec3>(normals));
    }
    return hasher.value();
}

TEST(EveryMethod, IsTheSameOnAnyNumberOfThreads) {
    const auto bunny = bundled_character("bunny");
    const auto dance = find_clip(*bunny, "dance");
    auto flesh = preset("default");
    ASSERT_TRUE(set_field(*flesh, "resolution", "16").ok());
    for (const MethodInfo& method : methods()) {
        const auto rig = bind(*bunny, *settings_for(method.name, *flesh), {});
        ASSERT_TRUE(rig.ok()) << method.name;
        const std::uint64_t alone = hash_of_a_short_dance(*bunny, *dance, **rig, 1);
        for (const int threads : {2, 4})
            EXPECT_EQ(hash_of_a_short_dance(*bunny, *dance, **rig, threads), alone) << method.name << " " << threads;
    }
}

}  // namespace
}  // namespace fascia
