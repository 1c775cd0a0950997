// A bundled character written and read again is the same body: same bones, same flesh, same motion.
#include <cmath>

#include <gtest/gtest.h>

#include "fascia/bundled.h"
#include "fascia/io.h"
#include "fascia/method.h"
#include "fascia/pose.h"
#include "support/points.h"
#include "support/small_character.h"
#include "support/temporary_folder.h"

namespace fascia {
namespace {

struct Played {
    std::vector<std::uint8_t> layers;
    std::vector<Vec3> positions;  ///< of the points, after the last frame
};

Played run_layers(const Character& character, int frames) {
    const auto rig = bind(character, "layers", *preset("default"));
    if (!rig) {
        ADD_FAILURE() << rig.error().message;
        return {};
    }
    Workspace work;
    State state = make_state(**rig);
    const Clip* dance = nullptr;
    for (const Clip& clip : character.clips)
        if (clip.name == "dance") dance = &clip;
    EXPECT_NE(dance, nullptr);
    Pose pose;
    for (int k = 0; k < frames; ++k) {
        evaluate(character, dance, k / 60.0, pose);
        if (k == 0)
            reset(**rig, pose.joints, state, work);
        else
            advance(**rig, pose.joints, 1.0 / 60, state, work);
    }
    Played run{(*rig)->inside()->point_layers(), {}};
    run.positions.resize(run.layers.size());
    test::point_positions(**rig, state, run.positions);
    return run;
}

TEST(RoundTrip, BundledCharactersKeepTheirBonesAndTheirMotion) {
    for (const std::string& name : bundled_names()) {
        SCOPED_TRACE(name);
        test::TemporaryFolder folder;
        const Character original = bundled_character(name).value();
        ASSERT_TRUE(write_character(folder / "x.glb", original));
        const auto back = load_character(folder / "x.glb");
        ASSERT_TRUE(back) << back.error().message;
        ASSERT_EQ(back->joints.size(), original.joints.size());
        for (std::size_t j = 0; j < original.joints.size(); ++j) {
            EXPECT_EQ(back->joints[j].name, original.joints[j].name);
            EXPECT_LT(length(back->joints[j].tail - original.joints[j].tail), 1e-6 * original.size())
                << original.joints[j].name;
        }
        if (name == "tube" || name == "neck") continue;  // no clip "dance"
        const Played a = run_layers(original, 30), b = run_layers(*back, 30);
        EXPECT_EQ(a.layers, b.layers);
        ASSERT_EQ(a.layers, b.layers);  // exactly the same lattice
        double worst = 0;
        for (std::size_t p = 0; p < a.positions.size(); ++p)
            worst = std::max<double>(worst, length(a.positions[p] - b.positions[p]));
        // Inverse bind matrices and weights go through the file as floats.
        EXPECT_LT(worst, 1e-5 * original.size());
    }
}

}  // namespace
}  // namespace fascia
