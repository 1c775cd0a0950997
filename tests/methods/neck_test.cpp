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

std::string refusal(const AnatomyScene& scene) {
    Character bunny = *bundled_character("bunny");
    bunny.scene = std::make_shared<const AnatomyScene>(scene);
    const auto rig = fascia::bind(bunny, "neck", *preset("default"));
    return rig ? "" : rig.error().message;
}

TEST(Neck, ScenesThatWouldTakeForeverAreRefused) {
    const AnatomyScene sound = *bundled_character("bunny")->scene;
    AnatomyScene scene = sound;
    for (int k = 0; k < 200; ++k) {
        scene.bodies.push_back(scene.bodies[0]);
        scene.bodies.back().name = "b" + std::to_string(k);
        scene.bodies.back().free = true;
    }
    EXPECT_NE(refusal(scene).find("free bodies, and method 'neck' takes at most 128"), std::string::npos);
    scene = sound;
    scene.joints.resize(2000, scene.joints.at(0));
    EXPECT_NE(refusal(scene).find("2000 joints, and method 'neck' takes at most 1024"), std::string::npos);
    scene = sound;
    scene.muscles.resize(2000, scene.muscles[0]);
    EXPECT_NE(refusal(scene).find("bodies and muscles, and method 'neck' takes at most 1024"), std::string::npos);
    scene = sound;
    scene.muscles[0].points.resize(300000);
    EXPECT_NE(refusal(scene).find("nodes of muscles, and method 'neck' takes at most 200000"), std::string::npos);
    scene = sound;
    scene.muscles[0].attachments.resize(100, {scene.bodies[0].name, 1, 1});
    EXPECT_NE(refusal(scene).find("attached more often than there are bodies"), std::string::npos);
}

/// A body without a volume needs a mass; with one it moves about the middle of its points.
TEST(Neck, AFlatBodyNeedsAMass) {
    AnatomyScene scene = *bundled_character("bunny")->scene;
    AnatomyScene::Body& flat = scene.bodies.emplace_back(scene.bodies[0]);
    flat.name = "plate";
    flat.free = true;
    flat.mass = 0;
    // A third is no float: what remains of the volume is rounding.
    flat.solid.points = {{0.1, 0.2, 0.1}, {1.1, 0.2 + 1 / 3.0, 0.1}, {1.1, 0.2 + 1 / 3.0, 1.3}, {0.1, 0.2, 1.3}};
    flat.solid.triangles = {0, 1, 2, 0, 2, 3, 0, 2, 1, 0, 3, 2};
    EXPECT_NE(refusal(scene).find("'plate' is free but encloses no volume"), std::string::npos);
    flat.mass = 0.5;
    EXPECT_EQ(refusal(scene), "");
}

TEST(Neck, StatesOfOtherBuiltInSettingsAreForeign) {
    const Character bunny = *bundled_character("bunny");
    Flesh firm = *preset("default"), fine = firm;
    ASSERT_TRUE(set_field(firm, "firmness", "2").ok());
    ASSERT_TRUE(set_field(fine, "anatomy_step", "0.002").ok());
    const RigPtr rig = *fascia::bind(bunny, "neck", *preset("default"));
    for (const Flesh& other : {firm, fine})
        EXPECT_NE((*fascia::bind(bunny, "neck", other))->fingerprint(), rig->fingerprint());
    EXPECT_EQ((*load_rig(*save_rig(*rig)))->fingerprint(), rig->fingerprint());
    EXPECT_EQ((*retune(rig, "drag", "3"))->fingerprint(), rig->fingerprint());
}

}  // namespace
}  // namespace fascia
