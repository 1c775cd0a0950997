// Method `neck` on characters with an anatomy and without one.
#include <gtest/gtest.h>

#include "fascia/anatomy_scene.h"
#include "fascia/live.h"
#include "support/small_anatomy.h"
#include "support/small_character.h"
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

// ---- the small character, whose upper half lies on a free bone ----------------------------------------------------
class SmallNeck {
public:
    explicit SmallNeck(const AnatomyScene& scene = test::bones_and_muscle(), const char* drag = "2") {
        character.scene = std::make_shared<const AnatomyScene>(scene);
        Flesh flesh = *preset("default");
        (void)set_field(flesh, "drag", drag);
        rig = *fascia::bind(character, "neck", flesh);
        state = make_state(*rig);
        for (const Joint& joint : character.joints) pose.push_back(joint.rest);
        reset(*rig, pose, state, work);
    }
    void hold(int frames, double dt = 1 / 60.0) {
        for (int k = 0; k < frames; ++k) advance(*rig, pose, dt, state, work);
    }
    /// The skeleton goes aside within a tenth of a second.
    void push() {
        for (int k = 0; k < 6; ++k) {
            for (Affine& joint : pose) joint.m[0][3] += 0.03;
            hold(1);
        }
    }
    std::vector<Vec3> offsets() {
        std::vector<Vec3> shown(rig->vertex_count()), skinned = shown;
        embed(*rig, state, {shown, {}, {}}, work);
        embed_skinned(*rig, state, {skinned, {}, {}}, work);
        for (std::size_t v = 0; v < shown.size(); ++v) shown[v] = shown[v] - skinned[v];
        return shown;
    }
    double most() {
        double out = 0;
        for (const Vec3 u : offsets()) out = std::max(out, double(length(u)));
        return out;
    }

    Character character = test::small_character();
    RigPtr rig;
    State state;
    Workspace work;
    std::vector<Affine> pose;
};

TEST(Neck, DragEndsSwingsSooner) {
    SmallNeck free(test::bones_and_muscle(), "0"), slow(test::bones_and_muscle(), "20");
    for (SmallNeck* each : {&free, &slow}) each->push(), each->hold(20);
    double of_free = 0, of_slow = 0;
    for (int k = 0; k < 30; ++k) {
        free.hold(1), slow.hold(1);
        of_free = std::max(of_free, free.most()), of_slow = std::max(of_slow, slow.most());
    }
    EXPECT_GT(of_free, 1e-3);
    EXPECT_LT(of_slow, 0.5 * of_free);
}

TEST(Neck, AnActuatorIsExcitedByItsJoint) {
    AnatomyScene scene = test::bones_and_muscle();
    AnatomyScene::Actuator& pull = scene.actuators.emplace_back();
    pull.a = "hip", pull.b = "top", pull.from = {0.1, 0.4, 0}, pull.to = {0.1, 1.7, 0}, pull.f0 = 3000;
    std::vector<Vec3> shown[2];
    for (const bool by_joint : {false, true}) {
        scene.actuators[0].joint = by_joint ? "upper" : "";
        SmallNeck body(scene, "5");
        body.pose[1].m[1][3] += 0.2;
        body.hold(60);
        shown[by_joint] = body.offsets();
    }
    double most = 0;
    for (std::size_t v = 0; v < shown[0].size(); ++v) most = std::max(most, double(length(shown[1][v] - shown[0][v])));
    EXPECT_GT(most, 1e-3);
}

TEST(Neck, NothingGoesFartherThanAQuarterOfTheSize) {
    AnatomyScene scene = test::bones_and_muscle();
    scene.joints.clear();
    AnatomyScene::Actuator& pull = scene.actuators.emplace_back();
    pull.a = "hip", pull.b = "top", pull.from = {3, 0.4, 0}, pull.to = {0.1, 1.7, 0};
    pull.f0 = 1e7, pull.activation = 1;
    SmallNeck body(scene);
    body.hold(30);
    EXPECT_GT(body.state.counters.limited_points, 0u);
    EXPECT_GT(body.most(), 0.01);
    EXPECT_LT(body.most(), 0.26 * 2);
}

/// The step is a sixtieth of a second; pictures come four times as often.
TEST(Neck, BetweenStepsTheSurfaceGoesOn) {
    SmallNeck body;
    body.push();
    body.hold(2);
    std::vector<Vec3> before = body.offsets();
    for (int k = 0; k < 12; ++k) {
        body.hold(1, 1 / 240.0);
        const std::vector<Vec3> now = body.offsets();
        double most = 0;
        for (std::size_t v = 0; v < now.size(); ++v) most = std::max(most, double(length(now[v] - before[v])));
        EXPECT_GT(most, 1e-5) << k;
        before = now;
    }
}

TEST(Neck, NormalsTurnWithTheSkin) {
    SmallNeck body;
    body.push();
    body.hold(4);
    std::vector<Vec3> positions(body.rig->vertex_count()), normals = positions, skinned = positions, old = positions;
    embed(*body.rig, body.state, {positions, normals, {}}, body.work);
    embed_skinned(*body.rig, body.state, {skinned, old, {}}, body.work);
    double most = 0;
    for (std::size_t v = 0; v < normals.size(); ++v) {
        EXPECT_NEAR(length(normals[v]), 1, 1e-4);
        most = std::max(most, double(length(normals[v] - old[v])));
    }
    EXPECT_GT(most, 1e-3);
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

// ---- bones that actuators move ------------------------------------------------------------------------------------
/// How far the bust's skin has gone from its rest pose after half a second.
std::vector<Vec3> excited_bust(const std::string& excite) {
    static const Character bust = *bundled_character("neck");
    Flesh flesh = *preset("default");
    EXPECT_TRUE(set_field(flesh, "bones", "actuators").ok());
    EXPECT_TRUE(set_field(flesh, "excite", excite).ok());
    const RigPtr rig = *fascia::bind(bust, "neck", flesh);
    State state = make_state(*rig);
    Workspace work;
    std::vector<Affine> rest;
    for (const Joint& joint : bust.joints) rest.push_back(joint.rest);
    reset(*rig, rest, state, work);
    for (int k = 0; k < 30; ++k) advance(*rig, rest, 1 / 60.0, state, work);
    std::vector<Vec3> positions(rig->vertex_count());
    embed(*rig, state, {.positions = positions}, work);
    for (std::size_t v = 0; v < positions.size(); ++v) positions[v] = positions[v] - bust.mesh.positions[v];
    return positions;
}

/// The foremost point of the face.
std::size_t tip_of_the_nose() {
    const Character bust = *bundled_character("neck");
    std::size_t out = 0;
    for (std::size_t v = 0; v < bust.mesh.positions.size(); ++v)
        if (bust.mesh.positions[v].y > 0.3f && bust.mesh.positions[v].z > bust.mesh.positions[out].z) out = v;
    return out;
}

TEST(Neck, ActivationsAloneTurnTheHead) {
    const std::size_t nose = tip_of_the_nose();
    double most = 0;
    for (const Vec3& u : excited_bust("")) most = std::max(most, double(length(u)));
    EXPECT_LT(most, 1e-3) << "at rest";
    // What pulls on one side turns the head to that side or away from it; the other side mirrors it.
    const Vec3 left = excited_bust("left_sternomastoid=0.5")[nose], right = excited_bust("right_stern*=0.5")[nose];
    EXPECT_GT(std::abs(left.x), 0.01f);
    EXPECT_NEAR(left.x, -right.x, 2e-3);
    EXPECT_NEAR(left.y, right.y, 2e-3);
    const Vec3 back = excited_bust("*semispinalis=0.5")[nose];
    EXPECT_GT(back.y, 0.005f);
    EXPECT_NEAR(back.x, 0, 2e-3);
}

TEST(Neck, UnknownActuatorsAreRefused) {
    const Character bust = *bundled_character("neck");
    const auto refused = [&](const char* excite) {
        Flesh flesh = *preset("default");
        EXPECT_TRUE(set_field(flesh, "excite", excite).ok());
        const auto rig = fascia::bind(bust, "neck", flesh);
        return rig ? std::string() : rig.error().message;
    };
    EXPECT_NE(refused("left_spleen=1").find("did you mean 'left_splenius'"), std::string::npos);
    EXPECT_NE(refused("left_splenius=2").find("a share from 0 to 1"), std::string::npos);
    EXPECT_NE(refused("left_splenius").find("a share from 0 to 1"), std::string::npos);
    EXPECT_EQ(refused("left_splenius=0.2, *digastric=1"), "");
}

}  // namespace
}  // namespace fascia
