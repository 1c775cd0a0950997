// Bones blending on shared characters in the deepest poses of their clips and of captured ones: the borders of zones
// show neither slit nor step.
#include <gtest/gtest.h>

#include "fascia/io.h"
#include "support/shared_data.h"
#include "support/zone_folds.h"

namespace fascia {
namespace {

class ZoneBorders : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Shared, ZoneBorders,
                         ::testing::Values("CesiumMan.glb", "Fox.glb", "Yeti.gltf", "kaykit_Barbarian.glb",
                                           "mh_female_hires_quantized.glb", "mh_heavy_male.glb",
                                           "quaternius_Frog.glb"));

/// Other moments are looked at than those that the fades were lowered for: a few folds in a thousand may get past.
void expect_smooth(const test::BorderCount& count, const std::string& clip) {
    EXPECT_LE(double(count.sharp), 0.001 * double(count.folds)) << clip << ", by up to " << count.worst << " degrees";
}

TEST_P(ZoneBorders, FoldLittleSharperThanPlainSkinning) {
    FASCIA_NEEDS_SHARED_DATA();
    const auto c = load_character(test::shared_data(std::string("characters/") + GetParam()));
    ASSERT_TRUE(c.ok());
    for (std::size_t k = 0; k < std::min<std::size_t>(c->clips.size(), 3); ++k)
        expect_smooth(test::count_sharp_borders(*c, c->clips[k]), c->clips[k].name);
    for (const char* file : {"cmu_13_02_sit_stand.bvh", "cmu_60_01_salsa.bvh"}) {
        const auto motion = load_motion(test::shared_data(std::string("motion/") + file));
        ASSERT_TRUE(motion.ok());
        const auto played = retarget(*c, *motion);
        if (!played) continue;  // a body that cannot sit
        BindInputs inputs;
        inputs.clips = {played->clip};
        expect_smooth(test::count_sharp_borders(*c, played->clip, inputs), file);
    }
}

}  // namespace
}  // namespace fascia
