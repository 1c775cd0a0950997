// Bodies that are not a single closed surface: simulated, or carried rigidly with a warning that names the part.
#include <cmath>

#include <gtest/gtest.h>

#include "fascia/measure.h"
#include "methods/layers_egg.h"

namespace fascia {
namespace {

using test::Actor;
using test::at_resolution;
using test::bound;
using test::make_egg;
using test::moved;
using test::rest_joints;

/// A further piece of surface that one joint holds.
void add_piece(Character& egg, const std::string& name, const std::vector<Vec3>& positions,
               const std::vector<std::uint32_t>& triangles, std::uint16_t joint) {
    Part part;
    part.name = name;
    part.first_vertex = int(egg.mesh.positions.size());
    part.vertex_count = int(positions.size());
    part.first_triangle = int(egg.mesh.triangle_count());
    part.triangle_count = int(triangles.size() / 3);
    egg.mesh.parts.push_back(part);
    for (const std::uint32_t v : triangles) egg.mesh.triangles.push_back(v + std::uint32_t(part.first_vertex));
    for (const Vec3 p : positions) {
        egg.mesh.positions.push_back(p);
        egg.mesh.normals.push_back({0, 0, 1});
        egg.weights.joints.insert(egg.weights.joints.end(), {joint, 0, 0, 0});
        egg.weights.weights.insert(egg.weights.weights.end(), {1, 0, 0, 0});
    }
}

void add_ball(Character& egg, const std::string& name, Vec3 at, float radius, std::uint16_t joint) {
    const test::TestMesh ball = test::sphere(2);
    std::vector<Vec3> positions;
    for (const Vec3 p : ball.positions) positions.push_back(at + p * radius);
    add_piece(egg, name, positions, ball.triangles, joint);
}

/// A flat sheet of one layer of triangles hanging at the back.
void add_cape(Character& egg) {
    constexpr int n = 12;
    std::vector<Vec3> positions;
    std::vector<std::uint32_t> triangles;
    for (int y = 0; y <= n; ++y)
        for (int x = 0; x <= n; ++x)
            positions.push_back({0.6f * (float(x) / n - 0.5f), 0.3f - 0.9f * float(y) / n, -0.55f});
    for (std::uint32_t y = 0; y < n; ++y)
        for (std::uint32_t x = 0; x < n; ++x) {
            const std::uint32_t a = y * (n + 1) + x, b = a + 1, c = a + n + 1, d = c + 1;
            for (const std::uint32_t v : {a, b, c, b, d, c}) triangles.push_back(v);
        }
    add_piece(egg, "cape", positions, triangles, 1);
}

/// A second of shaking: finite, within its limits, and the given piece moves with its joint.
void expect_sound(const Character& character, const RigPtr& rig) {
    Actor actor(rig);
    actor.reset_to(rest_joints(character));
    actor.look();
    for (std::size_t v = 0; v < actor.positions.size(); ++v)
        ASSERT_LT(length(actor.positions[v] - character.mesh.positions[v]), 1e-5f);
    double moving = 0;
    for (int k = 1; k <= 60; ++k) {
        actor.go(moved(rest_joints(character), compose({0.15 * std::sin(0.25 * k), 0, 0}, {}, {1, 1, 1})), 1.0 / 60);
        actor.look();
        ASSERT_TRUE(test::all_finite(actor.state.positions));
        const Offset offset = surface_offset(actor.positions, actor.skinned, character.size());
        ASSERT_LT(offset.max, 0.25) << k;
        moving = std::max(moving, offset.max);
    }
    EXPECT_GT(moving, 0.01);  // the egg itself has flesh
}

bool warns_of(const Rig& rig, const std::string& name) {
    for (const std::string& warning : rig.warnings())
        if (warning.find("'" + name + "'") != std::string::npos) return true;
    return false;
}

TEST(OddMeshes, OpenSurfacesAreFilled) {
    Character egg = make_egg();
    const std::size_t whole = bound(egg, at_resolution(16))->point_count();
    std::vector<std::uint32_t> kept;
    for (std::size_t t = 0; t < egg.mesh.triangles.size(); t += 3) {
        const Vec3 p = egg.mesh.positions[egg.mesh.triangles[t]];
        if (p.y > 0.4f || (p.z > 0.37f)) continue;  // no top, and a hole in the front
        for (std::size_t c = 0; c < 3; ++c) kept.push_back(egg.mesh.triangles[t + c]);
    }
    egg.mesh.triangles = kept;
    egg.mesh.parts[0].triangle_count = int(kept.size() / 3);
    const RigPtr rig = bound(egg, at_resolution(16));
    EXPECT_GT(rig->point_count(), 0.8 * double(whole));
    expect_sound(egg, rig);
}

TEST(OddMeshes, APartWithoutBonesIsCarriedAndNamed) {
    Character egg = make_egg();
    add_ball(egg, "balloon", {1.0f, 0.3f, 0}, 0.15f, 1);
    const RigPtr rig = bound(egg, at_resolution(24));
    EXPECT_TRUE(warns_of(*rig, "balloon"));
    EXPECT_FALSE(warns_of(*rig, "shell"));
    expect_sound(egg, rig);
    // Rigidly: the balloon goes where its joint takes it, whatever the flesh does.
    Actor actor(rig);
    actor.reset_to(rest_joints(egg));
    for (int k = 1; k <= 30; ++k)
        actor.go(moved(rest_joints(egg), compose({0.15 * std::sin(0.25 * k), 0, 0}, {}, {1, 1, 1})), 1.0 / 60);
    actor.look();
    for (std::size_t v = std::size_t(egg.mesh.parts[1].first_vertex); v < actor.positions.size(); ++v)
        EXPECT_LT(length(actor.positions[v] - actor.skinned[v]), 1e-4f);
}

TEST(OddMeshes, ThinSheetsAreCarriedOrSwing) {
    Character egg = make_egg();
    add_cape(egg);
    for (const int resolution : {12, 24, 40}) {
        const RigPtr rig = bound(egg, at_resolution(resolution));
        expect_sound(egg, rig);
    }
}

TEST(OddMeshes, PiecesMayOverlap) {
    Character egg = make_egg();
    add_ball(egg, "nose", {0, 0, 0.4f}, 0.15f, 0);
    add_ball(egg, "inside", {0, 0.1f, 0}, 0.1f, 1);
    add_ball(egg, "around", {0, 0, 0}, 0.6f, 0);
    expect_sound(egg, bound(egg, at_resolution(20)));
}

TEST(OddMeshes, PointsLinesAndDoubledTriangles) {
    Character egg = make_egg();
    add_piece(egg, "line", {{0, 0.6f, 0}, {0, 0.7f, 0}, {0, 0.8f, 0}}, {0, 1, 2, 0, 0, 1}, 1);
    const std::size_t first = egg.mesh.triangles.size();
    for (std::size_t k = 0; k < 300; ++k) egg.mesh.triangles.push_back(egg.mesh.triangles[k]);
    EXPECT_EQ(egg.mesh.triangles.size(), first + 300);
    expect_sound(egg, bound(egg, at_resolution(16)));
}

}  // namespace
}  // namespace fascia
