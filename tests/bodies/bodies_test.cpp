// The odd bodies are what they claim to be, and methods take them.
#include "bodies.h"

#include <gtest/gtest.h>

#include "fascia/io.h"
#include "fascia/measure.h"
#include "fascia/method.h"
#include "support/performer.h"
#include "support/temporary_folder.h"
#include "support/zone_folds.h"

namespace fascia {
namespace {

class OddBodies : public ::testing::TestWithParam<test::NamedBody> {};
INSTANTIATE_TEST_SUITE_P(All, OddBodies, ::testing::ValuesIn(test::odd_bodies),
                         [](const auto& info) { return info.param.name; });

TEST_P(OddBodies, AreClosedAndMoveAfterBeingWrittenAndRead) {
    const Character made = GetParam().make();
    const test::TemporaryFolder folder;
    const std::string path = folder / (std::string(GetParam().name) + ".glb");
    ASSERT_TRUE(write_character(path, made).ok());
    const auto read = load_character(path);
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(read->mesh.vertex_count(), made.mesh.vertex_count());
    ASSERT_EQ(read->clips.size(), made.clips.size());
    const Weld weld = weld_by_position(read->mesh.positions);
    for (const bool closed : find_components(read->mesh.triangles, weld).closed) EXPECT_TRUE(closed);
    test::PosedSurface skinned(*read, LbsSettings{});
    Pose pose;
    evaluate(*read, &read->clips.back(), 0.3 * read->clips.back().duration, pose);
    const Offset offset = surface_offset(skinned.at(pose), read->mesh.positions, read->size());
    EXPECT_GT(offset.max, 0.02);
    EXPECT_LT(offset.max, 1);
}

TEST(OddBody, ArmsOfTheHeavyOneTouchHerSides) {
    const Character c = test::heavy_body();
    const std::vector<std::size_t> arm = test::vertices_of(c, {"left_upper_arm", "left_lower_arm"});
    const std::vector<std::size_t> trunk = test::vertices_of(c, {"spine", "chest"});
    std::size_t touching = 0;
    for (const std::size_t a : arm) {
        // Below the armpit, where both have been grown together.
        if (c.mesh.positions[a].y > 1.22f) continue;
        double nearest = 1e9;
        for (const std::size_t t : trunk)
            nearest = std::min<double>(nearest, length(c.mesh.positions[a] - c.mesh.positions[t]));
        if (nearest < 0.03 * c.size()) ++touching;
    }
    EXPECT_GT(touching, 20u);
}

TEST(OddBody, SitsWithoutASlitAtTheHip) {
    const Character c = test::heavy_body();
    const test::BorderCount count = test::count_sharp_borders(c, c.clips.back());
    EXPECT_GT(count.folds, 500u);
    EXPECT_EQ(count.sharp, 0u) << "by up to " << count.worst << " degrees";
}

}  // namespace
}  // namespace fascia
