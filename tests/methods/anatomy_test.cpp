// Anatomy by shape: shells of their own keep their shape, machines do not swing, parts are named by mesh and material,
// and frequencies follow the depth of the flesh.
#include <cmath>

#include <gtest/gtest.h>

#include "body/flesh_depth.h"
#include "body/joint_tree.h"
#include "body/shells.h"
#include "methods/layers_egg.h"
#include "methods/shared/auto_frequency.h"
#include "methods/shared/body_ends.h"

namespace fascia {
namespace {

using test::Actor;
using test::make_egg;
using test::moved;
using test::rest_joints;
using test::TestMesh;

/// A further piece of the egg's surface that follows one joint, with a mesh name and a material of its own.
void add_piece(Character& egg, const TestMesh& piece, const std::string& mesh, const std::string& material,
               std::uint16_t joint) {
    Part part;
    part.name = mesh;
    part.material = int(egg.materials.size());
    part.first_vertex = int(egg.mesh.positions.size());
    part.vertex_count = int(piece.positions.size());
    part.first_triangle = int(egg.mesh.triangle_count());
    part.triangle_count = int(piece.triangles.size() / 3);
    egg.mesh.parts.push_back(part);
    egg.materials.push_back({});
    egg.materials.back().name = material;
    for (const std::uint32_t t : piece.triangles) egg.mesh.triangles.push_back(std::uint32_t(part.first_vertex) + t);
    for (const Vec3 p : piece.positions) {
        egg.mesh.positions.push_back(p);
        egg.mesh.normals.push_back({0, 0, 1});
        egg.weights.joints.insert(egg.weights.joints.end(), {joint, 0, 0, 0});
        egg.weights.weights.insert(egg.weights.weights.end(), {1, 0, 0, 0});
    }
}

TestMesh ball_at(Vec3 centre, float radius) {
    TestMesh out = test::sphere(2, radius);
    for (Vec3& p : out.positions) p += centre;
    return out;
}

/// An eye that sticks halfway out of the egg's front.
Character egg_with_eye() {
    Character egg = make_egg();
    add_piece(egg, ball_at({0, 0.1f, 0.39f}, 0.03f), "eye", "Eye", 1);
    return egg;
}

std::vector<std::size_t> vertices_of_part(const Character& character, const std::string& mesh) {
    std::vector<std::size_t> out;
    for (const Part& part : character.mesh.parts)
        for (int v = part.first_vertex; part.name == mesh && v < part.first_vertex + part.vertex_count; ++v)
            out.push_back(std::size_t(v));
    return out;
}

/// What a shaken body shows: how far some vertices swing, and how much distances between them change.
struct Shaken {
    double offset = 0, bent = 0;
};

Shaken shake(const Character& character, const std::vector<std::size_t>& vertices, const Flesh& flesh,
             const std::string& method = "layers") {
    auto rig = bind(character, method, flesh);
    EXPECT_TRUE(rig.ok()) << rig.error().message;
    Actor actor(*rig);
    actor.reset_to(rest_joints(character));
    Shaken out;
    for (int k = 1; k < 60; ++k) {
        actor.go(moved(rest_joints(character), compose({0.08 * std::sin(0.3 * k), 0, 0}, {}, {1, 1, 1})), 1.0 / 60);
        if (k % 5 != 0) continue;
        actor.look();
        for (const std::size_t v : vertices) {
            const std::size_t w = vertices.front();
            const double rest = length(character.mesh.positions[v] - character.mesh.positions[w]);
            out.offset = std::max(out.offset, double(length(actor.positions[v] - actor.skinned[v])));
            out.bent = std::max(out.bent, std::abs(double(length(actor.positions[v] - actor.positions[w])) - rest));
        }
    }
    return out;
}

Flesh with(const std::vector<std::pair<std::string, std::string>>& said) {
    Flesh flesh = test::flesh_with("default", {{"resolution", 16}});
    for (const auto& [key, value] : said) {
        const Status status = set_field(flesh, key, value);
        if (!status) ADD_FAILURE() << status.error().message;
    }
    return flesh;
}

// ---- shells --------------------------------------------------------------------------------------------------------
TEST(Shells, PiecesOnOneJointAreStiffAndTheBodyIsNot) {
    const Character egg = egg_with_eye();
    const Shells shells = find_shells({egg.mesh.positions, egg.mesh.triangles, egg.weights});
    ASSERT_EQ(shells.all.size(), 2u);
    EXPECT_FALSE(shells.plates);
    const Shell &body = shells.all[0], &eye = shells.all[1];
    EXPECT_FALSE(body.stiff);
    EXPECT_TRUE(eye.stiff);
    EXPECT_FALSE(eye.holds_flesh) << "0.03 of 1 rides on the flesh";
    EXPECT_EQ(eye.joint, 1);
    EXPECT_NEAR(eye.held, 1, 1e-6);
    EXPECT_NEAR(eye.radius, 0.03, 1e-4);
    EXPECT_NEAR(length(eye.centre - Vec3d{0, 0.1, 0.39}), 0, 1e-4);
    EXPECT_NEAR(eye.area, 4 * 3.14159265 * 0.03 * 0.03, 0.06 * eye.area) << "a polyhedron, a little less";
}

TEST(Shells, ABodyOnOneJointIsFlesh) {
    Character slime = egg_with_eye();
    for (std::uint16_t& joint : slime.weights.joints) joint = 0;
    for (std::size_t k = 0; k < slime.weights.weights.size(); ++k) slime.weights.weights[k] = k % 4 == 0 ? 1.0f : 0.0f;
    const Shells shells = find_shells({slime.mesh.positions, slime.mesh.triangles, slime.weights});
    EXPECT_FALSE(shells.all[0].stiff);
    EXPECT_TRUE(shells.all[1].stiff);
    EXPECT_FALSE(shells.plates);
}

TEST(Anatomy, AnEyeKeepsItsShapeAndGoesWithTheFlesh) {
    const Character egg = egg_with_eye();
    const auto eye = vertices_of_part(egg, "eye");
    for (const char* method : {"layers", "lattice"}) {
        const Shaken by_shape = shake(egg, eye, with({}), method);
        const Shaken by_names = shake(egg, eye, with({{"anatomy", "names"}}), method);
        EXPECT_GT(by_shape.offset, 0.01) << method << ": it rides on the flesh";
        EXPECT_LT(by_shape.bent, 2e-6) << method;
        EXPECT_GT(by_names.bent, 1e-4) << method << ": the test can tell";
    }
}

/// Three plates, one above the other, a joint for each.
Character plated_robot() {
    Character robot = make_egg();
    robot.mesh = {};
    robot.weights = {};
    robot.weights.influences = 4;
    Joint head = robot.joints[1];
    head.name = "x";
    head.parent = 1;
    head.rest = compose({0, 0.35, 0}, {}, {1, 1, 1});
    head.tail = {0, 0.5, 0};
    robot.joints.push_back(head);
    for (int j = 0; j < 3; ++j) {
        const float low = -0.45f + 0.31f * float(j);
        add_piece(robot, test::box({-0.3f, low, -0.3f}, {0.3f, low + 0.28f, 0.3f}), "plate", "steel", std::uint16_t(j));
    }
    return robot;
}

TEST(Anatomy, AMachineOfPlatesDoesNotSwing) {
    const Character robot = plated_robot();
    const Flesh flesh = with({});
    for (const char* method : {"layers", "lattice"}) {
        const Shaken shaken = shake(robot, vertices_of_part(robot, "plate"), flesh, method);
        EXPECT_LT(shaken.offset, 1e-5) << method;
    }
    const auto rig = bind(robot, "layers", flesh);
    ASSERT_TRUE(rig.ok());
    const FoundAnatomy found = (*rig)->inside()->anatomy();
    EXPECT_TRUE(found.plates);
    ASSERT_EQ(found.stiff.size(), 3u);
    EXPECT_EQ(found.stiff[0].vertices, 8u);
    EXPECT_TRUE(found.soft.empty());
    EXPECT_GT(shake(robot, vertices_of_part(robot, "plate"), with({{"anatomy", "names"}})).offset, 1e-3)
        << "the test can tell";
}

/// Regions of flesh reach over joints, and turn when those bend.
TEST(Anatomy, PlatesGoWhereTheirJointTakesThem) {
    const Character robot = plated_robot();
    std::vector<Affine> bent = rest_joints(robot);
    const Affine turn = compose({}, quat_from_axis_angle({0, 0, 1}, 1), {1, 1, 1});
    for (std::size_t j = 1; j < bent.size(); ++j) bent[j] = turn * bent[j];
    for (const char* method : {"layers", "lattice"}) {
        Actor actor(*bind(robot, method, with({})));
        actor.reset_to(rest_joints(robot));
        for (int k = 0; k < 20; ++k) actor.go(bent, 1.0 / 60);
        actor.look();
        double off = 0;
        for (std::size_t v = 0; v < actor.positions.size(); ++v)
            off = std::max(off, double(length(actor.positions[v] - actor.skinned[v])));
        EXPECT_LT(off, 1e-5) << method;
    }
}

TEST(Anatomy, SoftnessIsFoundAndStiffShellsAreNamed) {
    const Character egg = egg_with_eye();
    const auto rig = bind(egg, "layers", with({}));
    ASSERT_TRUE(rig.ok());
    const FoundAnatomy found = (*rig)->inside()->anatomy();
    ASSERT_EQ(found.stiff.size(), 1u);
    EXPECT_EQ(found.stiff[0].joint, 1u);
    EXPECT_EQ(found.stiff[0].shells, 1u);
    ASSERT_FALSE(found.soft.empty());
    EXPECT_GT(found.soft[0].softness, 0.5) << "an egg is deep everywhere";
    const std::vector<float> softness = (*rig)->inside()->vertex_softness();
    ASSERT_EQ(softness.size(), egg.mesh.vertex_count());
    for (const float s : softness) EXPECT_TRUE(s >= 0 && s <= 1.0001f);
}

// ---- ends ----------------------------------------------------------------------------------------------------------
TEST(Anatomy, EndsAreFoundWithoutNames) {
    std::vector<Joint> joints;
    const auto add = [&](int parent, Vec3d at) {
        Joint joint;
        joint.name = "b" + std::to_string(joints.size());
        joint.parent = parent;
        joint.rest = compose(at, {}, {1, 1, 1});
        joints.push_back(joint);
        return int(joints.size()) - 1;
    };
    const int hips = add(-1, {0, 1, 0}), spine = add(hips, {0, 1.2, 0}), chest = add(spine, {0, 1.4, 0});
    const int neck = add(chest, {0, 1.55, 0}), head = add(neck, {0, 1.65, 0});
    int hands[2], feet[2];
    for (int side = 0; side < 2; ++side) {
        const double s = side == 0 ? 1 : -1;
        const int upper = add(chest, {0.2 * s, 1.45, 0}), lower = add(upper, {0.5 * s, 1.45, 0});
        hands[side] = add(lower, {0.8 * s, 1.45, 0});
        const int thigh = add(hips, {0.1 * s, 0.95, 0}), shin = add(thigh, {0.1 * s, 0.5, 0});
        feet[side] = add(shin, {0.1 * s, 0.08, 0});
    }
    const std::vector<BodyEnd> ends = find_body_ends(joints);
    EXPECT_EQ(ends[std::size_t(head)], BodyEnd::head);
    EXPECT_EQ(ends[std::size_t(neck)], BodyEnd::neck);
    EXPECT_EQ(ends[std::size_t(chest)], BodyEnd::none);
    for (int side = 0; side < 2; ++side) {
        EXPECT_EQ(ends[std::size_t(hands[side])], BodyEnd::hand);
        EXPECT_EQ(ends[std::size_t(feet[side])], BodyEnd::foot);
    }
}

// ---- parts of the surface
// --------------------------------------------------------------------------------------------
Character bearded_egg() {
    Character egg = make_egg();
    add_piece(egg, test::box({-0.1f, -0.6f, 0.2f}, {0.1f, -0.1f, 0.45f}), "face", "Beard", 1);
    return egg;
}

TEST(SurfaceParts, AMaterialOrMeshHasAnAmountOfItsOwn) {
    const Character egg = bearded_egg();
    const auto beard = vertices_of_part(egg, "face");
    for (const char* method : {"layers", "lattice"})
        for (const char* part : {"parts.material:Beard.amount", "parts.mesh:f*.amount"}) {
            const double none = shake(egg, beard, with({{part, "0"}}), method).offset;
            const double one = shake(egg, beard, with({{part, "1"}}), method).offset;
            // A lattice is one tissue: what does not swing by itself is still dragged along by what does.
            EXPECT_LT(none, (method == std::string("layers") ? 0.2 : 0.8) * one) << method << " " << part;
            EXPECT_GT(one, 2e-3) << method << " " << part;
        }
    const double one = shake(egg, beard, with({{"parts.material:Beard.amount", "1"}})).offset;
    const double half = shake(egg, beard, with({{"parts.material:Beard.amount", "0.5"}})).offset;
    EXPECT_LT(half, 0.8 * one);
    // Joints have no say where a material has spoken.
    const double still =
        shake(egg, beard, with({{"parts.*.amount", "0"}, {"parts.material:Beard.amount", "1"}})).offset;
    EXPECT_GT(still, 0.3 * one);
}

TEST(SurfaceParts, WhatMatchesNothingIsSaid) {
    const Character egg = bearded_egg();
    const Status unknown = check(with({{"parts.material:Bread.amount", "1"}}), &egg);
    ASSERT_FALSE(unknown.ok());
    EXPECT_NE(unknown.error().message.find("there is no material 'Bread'"), std::string::npos)
        << unknown.error().message;
    EXPECT_NE(unknown.error().message.find("'Beard'"), std::string::npos) << unknown.error().message;
    const auto idle = idle_settings(with({{"parts.mesh:hat*.amount", "0"}}), egg, {"layers"});
    ASSERT_EQ(idle.size(), 1u);
    EXPECT_NE(idle[0].find("no mesh matches the part 'mesh:hat*'"), std::string::npos) << idle[0];
    const Flesh wide = with({{"parts.material:Beard.bone_width", "0.1"}});
    const Status refused = check(wide, &egg);
    ASSERT_FALSE(refused.ok());
    EXPECT_NE(refused.error().message.find("'material:Beard' takes an amount only"), std::string::npos);
}

// ---- frequencies
// -----------------------------------------------------------------------------------------------------
FleshSettings with_depth(double depth, double tone = 1) {
    FleshSettings settings = *settings_from<LayersSettings>(*preset("default"));
    settings.tone = tone;
    resolve_frequencies(depth, settings);
    return settings;
}

TEST(AutoFrequency, FallsWithTheDepth) {
    const double usual = with_depth(0.088).layers[1].frequency;
    EXPECT_NEAR(usual, 4, 1e-12);
    EXPECT_NEAR(with_depth(0.088 * 1.25).layers[1].frequency, usual / 1.25, 1e-12);
    EXPECT_NEAR(with_depth(0.088).layers[0].frequency, 8, 1e-12);
    EXPECT_NEAR(with_depth(0.088).layers[2].frequency, 4.5, 1e-12);
    EXPECT_NEAR(with_depth(0.088, 0.5).layers[1].frequency, 2, 1e-12);
    EXPECT_NEAR(with_depth(10).layers[1].frequency, 2.4, 1e-12) << "slowest";
    EXPECT_NEAR(with_depth(0.001).layers[1].frequency, 6, 1e-12) << "fastest";
    FleshSettings given = *settings_from<LayersSettings>(*preset("soft"));
    given.layers[1].frequency = 3.3;
    resolve_frequencies(0.1, given);
    EXPECT_EQ(given.layers[1].frequency, 3.3) << "a number that is given stays, whatever the tone";
}

TEST(AutoFrequency, DepthIsThatOfAClosedForm) {
    // A ball of radius 1 around a bone of no length: the skin is equally deep everywhere.
    Character ball;
    const TestMesh mesh = test::sphere(4);
    ball.mesh.positions = mesh.positions;
    ball.mesh.triangles = mesh.triangles;
    const lattice::Bone bone{{0, 0, 0}, {0, 0, 0}, 0};
    EXPECT_NEAR(deep_flesh(ball, std::span(&bone, 1)), 0.5, 2e-3);
    // A bone along its axis: the depth at height y is sqrt(1 - y^2), and the tenth of a sphere nearest to the equator
    // has |y| below 0.1.
    const lattice::Bone axis{{0, -2, 0}, {0, 2, 0}, 0};
    EXPECT_NEAR(deep_flesh(ball, std::span(&axis, 1)), 0.5 * std::sqrt(1 - 0.01), 3e-3);
}

TEST(AutoFrequency, IsResolvedAtBindAndKeptAsAuto) {
    const Character egg = make_egg();
    Flesh flesh = *preset("default");
    ASSERT_TRUE(set_field(flesh, "resolution", "16").ok());
    for (const char* method : {"layers", "lattice"}) {
        const auto rig = bind(egg, method, flesh);
        ASSERT_TRUE(rig.ok()) << rig.error().message;
        EXPECT_EQ(*get_field((*rig)->settings(), "layers.fat.frequency"), "auto");
        const auto frequencies = (*rig)->inside()->layer_frequencies();
        ASSERT_EQ(frequencies.size(), 3u);
        EXPECT_NEAR(frequencies[1].hz, 2.4, 1e-12) << "an egg is deep everywhere";
    }
}

}  // namespace
}  // namespace fascia
