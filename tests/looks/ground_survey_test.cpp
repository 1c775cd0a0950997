// Captured motions and stunts on bodies of every build: planted feet slide no more than the source's, nothing sinks in,
// and no joint jumps that does not jump in plain retargeting.
#include <gtest/gtest.h>

#include "character/motion_quality.h"
#include "character/stunts.h"
#include "fascia/bundled.h"
#include "fascia/io.h"
#include "support/shared_data.h"

namespace fascia {
namespace {

using namespace test;

/// Large enough to show any fault that is seen, few enough to be quick.
std::vector<Motion> surveyed_motions() {
    std::vector<Motion> motions{sit_down(), crawl(), cartwheel(), jump()};
    for (const char* file : {"cmu_13_17_boxing.bvh", "pirouette_mixed_order.bvh"})
        motions.push_back(*load_motion(shared_data(std::string("motion/") + file)));
    return motions;
}

/// Largest second difference of a joint's path, in heights of the body.
double largest_jump(const Character& character, const Clip& clip, double height) {
    const std::vector<Pose> poses = poses_of(character, clip);
    double largest = 0;
    for (std::size_t f = 1; f + 1 < poses.size(); ++f)
        for (std::size_t j = 0; j < character.joints.size(); ++j) {
            const auto at = [&](std::size_t g) { return translation_of(poses[g].joints[j]); };
            largest = std::max(largest, length(at(f + 1) - at(f) * 2 + at(f - 1)) / height);
        }
    return largest;
}

void survey(const Character& character, const std::vector<Motion>& motions) {
    const Heights rest = extent_of(character, rest_pose(character));
    const double height = rest.high - rest.low;
    RetargetOptions plainly;
    plainly.raw = true;
    for (const Motion& motion : motions) {
        SCOPED_TRACE(character.name + " " + motion.name);
        const auto planted = retarget(character, motion), plain = retarget(character, motion, plainly);
        ASSERT_TRUE(planted.ok() && plain.ok());
        const MotionQuality quality = quality_of(character, motion, planted->clip, 4);
        EXPECT_LT(quality.depth, 0.02);
        EXPECT_LT(quality.excess, 0);
        EXPECT_LT(largest_jump(character, planted->clip, height),
                  1.2 * largest_jump(character, plain->clip, height) + 0.05);
    }
}

TEST(GroundSurvey, SharedCharacters) {
    FASCIA_NEEDS_SHARED_DATA();
    const std::vector<Motion> motions = surveyed_motions();
    for (const char* file : {"CesiumMan.glb", "RobotExpressive.glb", "Yeti.gltf", "kaykit_Barbarian.glb",
                             "mh_heavy_male.glb", "quaternius_FinnTheFrog_draco.glb"}) {
        const auto character = load_character(shared_data(std::string("characters/") + file));
        ASSERT_TRUE(character.ok()) << character.error().message;
        survey(*character, motions);
    }
}

TEST(GroundSurvey, BundledCharacters) {
    FASCIA_NEEDS_SHARED_DATA();
    const std::vector<Motion> motions = surveyed_motions();
    for (const std::string& name : bundled_names())
        if (name != "tube" && name != "neck") survey(*bundled_character(name), motions);
}

}  // namespace
}  // namespace fascia
