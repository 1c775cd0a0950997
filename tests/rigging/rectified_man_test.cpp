// Volume rectification where it is needed most: a heavy man getting up, hips and knees bent deeply.
#include <gtest/gtest.h>

#include "fascia/io.h"
#include "fascia/measure.h"
#include "fascia/pose.h"
#include "support/flesh.h"
#include "support/shared_data.h"

namespace fascia {
namespace {

double least_volume(const Character& c, const Clip& clip, const Rig& rig) {
    const SurfaceMeter meter(c.mesh.positions, c.mesh.triangles, c.size());
    State state = make_state(rig);
    Workspace work;
    Pose pose;
    std::vector<Vec3> positions(c.mesh.vertex_count());
    double least = 1;
    for (double time = 1; time <= 5; time += 0.5) {
        evaluate(c, &clip, time, pose);
        reset(rig, pose.joints, state, work);
        embed(rig, state, {positions, {}, {}}, work);
        least = std::min(least, meter.volume_ratio(positions).value_or(0));
    }
    return least;
}

TEST(RectifiedMan, AtLeastHalvesWhatDeepBendsLose) {
    FASCIA_NEEDS_SHARED_DATA();
    const Character c = *load_character(test::shared_data("characters/mh_heavy_male.glb"));
    const auto motion = retarget(c, *load_motion(test::shared_data("motion/cmu_13_02_sit_stand.bvh")));
    ASSERT_TRUE(motion.ok());
    const Flesh flesh = test::flesh_with("default", {{"resolution", 32}});
    BindInputs rectify;
    rectify.rectify = true;
    for (const Settings& settings : {Settings{LbsSettings{}}, Settings{DqsSettings{}}}) {
        const double plain = least_volume(c, motion->clip, **bind(c, settings));
        const double rectified = least_volume(c, motion->clip, **fascia::bind(c, settings.method(), flesh, rectify));
        EXPECT_LT(plain, 0.95);
        EXPECT_LT(1 - rectified, 0.5 * (1 - plain)) << plain << " " << rectified;
    }
}

}  // namespace
}  // namespace fascia
