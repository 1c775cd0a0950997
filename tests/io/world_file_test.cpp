// World files: what is read, and what is said about what cannot be.
#include <fstream>

#include <gtest/gtest.h>

#include "fascia/bundled.h"
#include "fascia/io.h"
#include "fascia/world.h"
#include "support/temporary_folder.h"

namespace fascia {
namespace {

const char* const sound = R"({
  "colliders": [
    {"name": "floor", "shape": "plane", "place": [0, -1, 0], "friction": 0.7},
    {"name": "ball", "shape": "sphere", "radius": 0.2, "keys": [{"time": 1, "place": [0, 0, 1]}, {"time": 3, "place": [0, 2, 1], "turn": [0, 90, 0]}]},
    {"name": "sword", "shape": "capsule", "radius": 0.02, "length": 0.8, "joint": "LeftHand", "turn": [90, 0, 0]},
    {"shape": "hull", "points": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}
  ],
  "wind": {"push": [1, 0, 0], "turbulence": 2, "eddy": 0.4, "pace": 2, "seed": 9},
  "attractors": [{"place": [0, 5, 0], "radius": 1, "strength": -3}]
})";

TEST(WorldFile, IsReadWhole) {
    const Result<WorldScene> scene = parse_world(sound, "x.json");
    ASSERT_TRUE(scene.ok()) << scene.error().message;
    ASSERT_EQ(scene->settings.colliders.size(), 4u);
    EXPECT_EQ(scene->settings.colliders[0].friction, 0.7);
    EXPECT_EQ(scene->settings.colliders[2].joint, "LeftHand");
    EXPECT_NEAR(scene->settings.colliders[2].turn.x, std::sqrt(0.5), 1e-12);
    EXPECT_EQ(scene->settings.wind.seed, 9u);
    EXPECT_EQ(scene->settings.attractors[0].strength, -3);
    World world = *World::make(scene->settings);
    const auto place_at = [&](double time) {
        pose_world(*scene, time, false, world);
        return world.place(1);
    };
    EXPECT_EQ(place_at(0), (Vec3d{0, 0, 1}));
    EXPECT_EQ(place_at(2), (Vec3d{0, 1, 1}));
    EXPECT_NEAR(world.turn(1).y, std::sin(std::acos(-1.0) / 8), 1e-12) << "half of 90 degrees";
    EXPECT_EQ(place_at(9), (Vec3d{0, 2, 1}));
    EXPECT_EQ(world.place(0), (Vec3d{0, -1, 0})) << "it has no keys";
}

TEST(WorldFile, AMeshLiesBesideIt) {
    const test::TemporaryFolder folder;
    std::ofstream(folder / "box.obj")
        << "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
           "v 0 0 0\nf 1 4 3 2\nf 1 9 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
    std::ofstream(folder / "world.json") << R"({"colliders": [{"shape": "mesh", "file": "box.obj"}]})";
    const Result<WorldScene> scene = load_world(folder / "world.json");
    ASSERT_TRUE(scene.ok()) << scene.error().message;
    const Result<World> world = World::make(scene->settings);
    ASSERT_TRUE(world.ok()) << world.error().message;
    EXPECT_NEAR(world->distance(0, {0.5, 0.5, 0.9}), -0.1, 0.01);
    EXPECT_FALSE(load_world(folder / "none.json").ok());
}

TEST(WorldFile, SaysWhatIsWrongAndWhere) {
    const auto said = [](const char* text) {
        const Result<WorldScene> scene = parse_world(text, "w.json");
        return scene ? std::string("fine") : scene.error().message;
    };
    EXPECT_EQ(said("{}"), "fine");
    EXPECT_EQ(said("[]"), "w.json: a world file is an object, {\"colliders\": \u2026}, not array");
    EXPECT_EQ(said("{\n "), "w.json: not valid JSON at line 2, column 2");
    EXPECT_EQ(said(R"({"colliders": [{"shape": "shere"}]})"),
              "w.json: colliders[0].shape must be one of plane, sphere, capsule, box, hull, mesh, not 'shere'; did you "
              "mean 'sphere'?");
    EXPECT_EQ(said(R"({"colliders": [{"name": "x"}]})"), "w.json: colliders[0] needs a 'shape'");
    EXPECT_EQ(said(R"({"colliders": [{"shape": "box", "sise": [1, 1, 1]}]})"),
              "w.json: colliders[0] has no field 'sise'; did you mean 'size'?");
    EXPECT_EQ(said(R"({"colliders": [{"shape": "box", "size": 2}]})"),
              "w.json: colliders[0].size must be a place [x, y, z], not 2");
    EXPECT_EQ(said(R"({"colliders": [{"shape": "sphere", "keys": [{"time": 1}, {"time": 1}]}]})"),
              "w.json: colliders[0].keys[1].time must be later than that of the key before");
    EXPECT_EQ(said(R"({"wind": {"turbulence": -1}})"),
              "w.json: wind.turbulence must be a number from 0 to 1000000, not -1");
    // A value in the wrong place may be of any depth and length.
    const std::string deep(1000000, '['), ends(1000000, ']');
    EXPECT_EQ(said(("{\"gravity\": " + deep + ends + "}").c_str()),
              "w.json: nests more than 128 levels deep, so it is no world file");
    EXPECT_LT(said(("{\"gravity\": \"" + std::string(100000, 'g') + "\"}").c_str()).size(), 300u);
    EXPECT_LT(said(("{\"" + std::string(100000, 'g') + "\": 1}").c_str()).size(), 300u);
    const WorldScene scene = *parse_world(sound, "w.json");
    const Status known = check_world(scene, *bundled_character("tube"));
    ASSERT_FALSE(known.ok());
    EXPECT_NE(known.error().message.find("moves with a joint 'LeftHand' that the character does not have"),
              std::string::npos);
}

}  // namespace
}  // namespace fascia
