// The odd bodies are what they claim to be, and methods take them.
#include "bodies.h"

#include <optional>

#include <gtest/gtest.h>

#include "body/body_cells.h"
#include "body/opened_overlaps.h"
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

/// Once they are filled, her arms are connected to the trunk at the shoulders only.
TEST(OddBody, ArmsPressedIntoTheSidesPartFromThem) {
    const Character given = test::pressed_body();
    const std::optional<Character> opened = with_overlaps_opened(given);
    ASSERT_TRUE(opened.has_value());
    EXPECT_FALSE(with_overlaps_opened(*opened).has_value());
    const double shoulders = 1.12;
    const auto is_arm = [&](std::uint16_t joint) {
        const std::string& name = given.joints[joint].name;
        return name.find("_arm") != std::string::npos || name.find("hand") != std::string::npos;
    };
    const std::vector<int> of_vertex = test::followed_joints(given);
    std::vector<std::uint16_t> followed;
    for (std::size_t t = 0; t < given.mesh.triangle_count(); ++t)
        followed.push_back(std::uint16_t(of_vertex[given.mesh.triangles[3 * t]]));
    for (const int resolution : {24, 32, 48}) {
        const BodyCells cells = fill_body(*opened, followed, resolution);
        const lattice::Tissue& tissue = cells.tissue;
        const auto holds = [&](std::uint32_t n, bool arm) {
            const auto here = tissue.triangles_of(n);
            return std::any_of(here.begin(), here.end(), [&](std::uint32_t t) { return is_arm(followed[t]) == arm; });
        };
        const auto is_below = [&](std::uint32_t n) { return cells.grid.center(tissue.cells[n]).y < shoulders; };
        std::vector<std::uint8_t> seen(tissue.size(), 0);
        std::vector<std::uint32_t> queue;
        for (std::uint32_t n = 0; n < tissue.size(); ++n)
            if (is_below(n) && holds(n, true)) seen[n] = 1, queue.push_back(n);
        EXPECT_GT(queue.size(), 20u);
        for (std::size_t k = 0; k < queue.size(); ++k) {
            EXPECT_FALSE(tissue.on_surface[queue[k]] && holds(queue[k], false)) << resolution;
            for (int d = 0; d < 6; ++d)
                for (const std::uint32_t next : tissue.through(queue[k], d))
                    if (!seen[next] && is_below(next)) seen[next] = 1, queue.push_back(next);
        }
        EXPECT_LT(queue.size(), tissue.size() / 4);
    }
}

TEST(OddBody, FleshOfHersThatOverlappedHasNoFins) {
    const Character c = test::pressed_body();
    const Clip& jump = **find_clip(c, "jump");
    LayersSettings flesh = *settings_from<LayersSettings>(*preset("default"));
    flesh.resolution = 32;
    test::Performer performer(*bind(c, flesh));
    ASSERT_FALSE(performer.rig().warnings().empty());
    EXPECT_NE(performer.rig().warnings().front().find("overlaps other flesh"), std::string::npos);
    const SurfaceMeter meter(c.mesh.positions, c.mesh.triangles, c.size());
    const test::PoseAt pose = test::play(c, jump);
    performer.start(pose(0));
    for (int k = 1; k <= 40; ++k) {
        performer.go(pose(k / 30.0), 1 / 30.0);
        performer.look();
        const Offset offset = surface_offset(performer.surface(), performer.skinned(), c.size());
        EXPECT_LT(offset.max, 0.075);
        EXPECT_LT(double(meter.flipped_triangles(performer.surface(), performer.skinned())),
                  0.003 * double(c.mesh.triangle_count()));
    }
}

TEST(OddBody, SitsWithoutASlitAtTheHip) {
    const Character c = test::heavy_body();
    const test::BorderCount count = test::count_sharp_borders(c, c.clips.back());
    EXPECT_GT(count.folds, 500u);
    EXPECT_EQ(count.sharp, 0u) << "by up to " << count.worst << " degrees";
}

}  // namespace
}  // namespace fascia
