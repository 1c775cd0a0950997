// Method `neck` on characters with an anatomy and without one.
#include <gtest/gtest.h>

#include "fascia/anatomy_scene.h"
#include "fascia/live.h"
#include "support/steady_body.h"

namespace fascia {
namespace {

using steady::Actor;
using steady::Body;

TEST(Neck, WithoutAnAnatomySkinIsSkinned) {
    const Body body("neck", "tube");
    Actor actor(body);
    actor.reset_to(body.clip("bend", 0));
    for (int k = 1; k < 30; ++k) actor.go(body.clip("bend", k / 60.0), 1 / 60.0);
    actor.look();
    for (std::size_t v = 0; v < actor.positions.size(); ++v) ASSERT_EQ(actor.positions[v], actor.skinned[v]) << v;
}

TEST(Neck, InItsRestPoseNothingMoves) {
    for (const char* name : {"bunny", "gnome", "bloat"}) {
        const Body body("neck", name);
        Actor actor(body);
        std::vector<Affine> rest;
        for (const Joint& joint : body.character.joints) rest.push_back(joint.rest);
        actor.reset_to(rest);
        for (int k = 0; k < 30; ++k) actor.go(rest, 1 / 60.0);
        EXPECT_LT(actor.look().max, 1e-4) << name;
    }
}

TEST(Neck, SkinOutOfReachIsSkinned) {
    const Body body("neck", "bloat");
    Actor actor(body);
    actor.reset_to(body.clip("dance", 0));
    for (int k = 1; k < 60; ++k) actor.go(body.clip("dance", k / 60.0), 1 / 60.0);
    EXPECT_GT(actor.look().max, 2e-3);
    const std::size_t vertices = actor.positions.size();
    std::vector<double> offset(vertices);
    std::size_t skinned = 0;
    for (std::size_t v = 0; v < vertices; ++v) {
        offset[v] = length(actor.positions[v] - actor.skinned[v]) / body.puppet.size();
        skinned += offset[v] == 0;
    }
    EXPECT_GT(skinned, vertices / 2);
}

TEST(Neck, ActuatorsLiftTheLarynx) {
    const Body body("neck", "bloat");
    std::vector<Affine> rest;
    for (const Joint& joint : body.character.joints) rest.push_back(joint.rest);
    const auto lifted = [&](const char* excitation) {
        const RigPtr rig = *retune(body.rig, "excitation", excitation);
        State state = make_state(*rig);
        Workspace work;
        reset(*rig, rest, state, work);
        for (int k = 0; k < 60; ++k) advance(*rig, rest, 1 / 60.0, state, work);
        std::vector<Vec3> positions(rig->vertex_count());
        embed(*rig, state, {.positions = positions}, work);
        double most = 0;
        for (std::size_t v = 0; v < positions.size(); ++v)
            most = std::max(most, double(positions[v].y - body.character.mesh.positions[v].y));
        return most;
    };
    EXPECT_LT(lifted("0"), 1e-3);
    EXPECT_GT(lifted("1"), 2e-3);
}

TEST(Neck, ScenesThatNameWhatIsNotThereAreRefused) {
    Character bunny = *bundled_character("bunny");
    AnatomyScene scene = *bunny.scene;
    scene.bodies[0].joint = "trunk";
    bunny.scene = std::make_shared<const AnatomyScene>(scene);
    const auto refused = fascia::bind(bunny, "neck", *preset("default"));
    ASSERT_FALSE(refused.ok());
    EXPECT_NE(refused.error().message.find("'trunk'"), std::string::npos) << refused.error().message;
    scene = *(*bundled_character("bunny")).scene;
    scene.muscles[0].hexahedra[3] = 100000;
    bunny.scene = std::make_shared<const AnatomyScene>(scene);
    EXPECT_FALSE(fascia::bind(bunny, "neck", *preset("default")).ok());
}

}  // namespace
}  // namespace fascia
