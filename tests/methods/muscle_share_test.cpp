// The bundled characters: more fat, more swing.
#include <gtest/gtest.h>

#include "fascia/bundled.h"
#include "fascia/measure.h"
#include "fascia/method.h"
#include "fascia/pose.h"
#include "support/flesh.h"

namespace fascia {
namespace {

/// Largest offset of the surface from the skinned one in the second after `shake` has stopped, in sizes.
double swing(const Character& character, double muscle) {
    LayersSettings settings;
    settings = *settings_from<LayersSettings>(test::flesh_with("default", {}));
    settings.resolution = 24;
    settings.muscle = muscle;
    const auto rig = bind(character, settings);
    EXPECT_TRUE(rig.ok()) << rig.error().message;
    const auto clip = find_clip(character, "shake");
    EXPECT_TRUE(clip.ok());
    Workspace work(1);
    State state = make_state(**rig);
    Pose pose;
    std::vector<Vec3> now((*rig)->vertex_count()), skinned(now.size());
    double most = 0;
    for (int k = 0; k <= 180; ++k) {
        evaluate(character, *clip, std::min(k / 60.0, 2.0), pose);
        if (k == 0) reset(**rig, pose.joints, state, work);
        advance(**rig, pose.joints, 1.0 / 60, state, work);
        if (k < 121) continue;
        embed(**rig, state, {now, {}, {}}, work);
        (*rig)->embed_skinned(state, {skinned, {}, {}}, work);
        most = std::max(most, surface_offset(now, skinned, character.size()).max);
    }
    return most;
}

TEST(LayersMuscleShare, FatSwingsFurtherThanMuscle) {
    for (const char* name : {"bunny", "bloat"}) {
        const Character character = *bundled_character(name);
        const double muscle = swing(character, 1), fat = swing(character, 0);
        EXPECT_GT(fat, 1.5 * muscle) << name;
    }
}

}  // namespace
}  // namespace fascia
