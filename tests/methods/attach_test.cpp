// Clothes: with every method a further mesh goes where the body beneath it goes.
#include <cmath>

#include <gtest/gtest.h>

#include "fascia/measure.h"
#include "methods/layers_egg.h"
#include "support/flesh.h"

namespace fascia {
namespace {

using test::Actor;
using test::make_egg;
using test::moved;
using test::rest_joints;

/// The egg's own surface, moved outwards by `off`.
Mesh shell(const Character& egg, float off) {
    Mesh mesh;
    mesh.triangles = egg.mesh.triangles;
    mesh.normals = egg.mesh.normals;
    for (std::size_t v = 0; v < egg.mesh.vertex_count(); ++v)
        mesh.positions.push_back(egg.mesh.positions[v] + egg.mesh.normals[v] * off);
    return mesh;
}

RigPtr rig_of(const std::string& method, const Character& egg) {
    return *fascia::bind(egg, method, test::flesh_with("default", {{"resolution", 16}}));
}

std::vector<Affine> dance(const Character& egg, int k) {
    auto joints = rest_joints(egg);
    joints[1] = joints[1] * compose({}, quat_from_axis_angle({0, 0, 1}, 0.6 * std::sin(0.3 * k)), {1, 1, 1});
    return moved(joints, compose({0.15 * std::sin(0.25 * k), 0, 0}, {}, {1, 1, 1}));
}

struct Dressed {
    Actor body;
    AttachedMesh clothes;
    std::vector<Vec3> positions, normals;

    Dressed(RigPtr rig, const Mesh& mesh)
        : body(rig), clothes(*attach(rig, mesh)), positions(mesh.vertex_count()), normals(mesh.vertex_count()) {}
    void look() {
        body.look();
        embed(clothes, body.state, {positions, normals, {}}, body.work);
    }
};

class Attach : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, Attach,
                         ::testing::Values("lbs", "dqs", "bones-blending", "layers", "lattice", "particles",
                                           "volumetric-dqs", "volumetric-arap"));

TEST_P(Attach, ACopyOfTheSurfaceMovesAsTheSurface) {
    const Character egg = make_egg();
    Dressed dressed(rig_of(GetParam(), egg), shell(egg, 0));
    dressed.body.reset_to(dance(egg, 0));
    double secondary = 0;
    for (int k = 1; k <= 60; ++k) {
        dressed.body.go(dance(egg, k), 1.0 / 60);
        dressed.look();
        for (std::size_t v = 0; v < dressed.positions.size(); ++v) {
            ASSERT_LT(length(dressed.positions[v] - dressed.body.positions[v]), 1e-4f) << k;
            ASSERT_LT(length(dressed.normals[v] - dressed.body.normals[v]), 1e-3f) << k;
        }
        secondary = std::max(secondary, surface_offset(dressed.body.positions, dressed.body.skinned, 1).max);
    }
    // Otherwise only skinning would have been tested.
    if (const std::string method = GetParam(); method == "layers" || method == "lattice" || method == "particles") {
        EXPECT_GT(secondary, 0.02);
    }
}

TEST_P(Attach, WhatLiesOnTheBodyStaysOnIt) {
    const Character egg = make_egg();
    // Within the voxels of the skin, and far outside them all.
    for (const float off : {0.01f, 0.15f}) {
        Dressed dressed(rig_of(GetParam(), egg), shell(egg, off));
        dressed.body.reset_to(dance(egg, 0));
        for (int k = 1; k <= 40; ++k) {
            dressed.body.go(dance(egg, k), 1.0 / 60);
            dressed.look();
            for (std::size_t v = 0; v < dressed.positions.size(); ++v) {
                const Vec3 arm = dressed.positions[v] - dressed.body.positions[v];
                ASSERT_GT(length(arm), 0.5f * off) << k;
                ASSERT_LT(length(arm), 2.0f * off) << k;
                ASSERT_GT(dot(arm, dressed.body.normals[v]), 0.3f * off) << k;
            }
        }
    }
}

TEST_P(Attach, RigidMotionIsExact) {
    const Character egg = make_egg();
    const Mesh mesh = shell(egg, 0.1f);
    Dressed dressed(rig_of(GetParam(), egg), mesh);
    const Affine to = compose({3, -2, 5}, quat_from_axis_angle(normalized(Vec3d{1, 2, 3}), 2.1), {1, 1, 1});
    dressed.body.reset_to(moved(rest_joints(egg), to));
    dressed.look();
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        EXPECT_LT(length(to_double(dressed.positions[v]) - transform_point(to, to_double(mesh.positions[v]))), 1e-5);
        EXPECT_LT(length(to_double(dressed.normals[v]) - transform_vector(to, to_double(mesh.normals[v]))), 1e-5);
    }
}

/// For switching a body from one level of detail to another.
TEST_P(Attach, KnowsWhatLiesBeneath) {
    const Character egg = make_egg();
    const auto clothes = *rig_of(GetParam(), egg)->clothes()->attach(shell(egg, 0.01f));
    ASSERT_EQ(clothes->beneath.size(), egg.mesh.vertex_count());
    for (std::size_t v = 0; v < clothes->beneath.size(); ++v)
        ASSERT_LT(length(egg.mesh.positions[clothes->beneath[v]] - egg.mesh.positions[v]), 1e-6f) << v;
}

TEST_P(Attach, AStateOfAnotherRigShowsNothing) {
    const Character egg = make_egg();
    const RigPtr rig = rig_of(GetParam(), egg);
    const auto clothes = *rig->clothes()->attach(shell(egg, 0.01f));
    State foreign = rig->make_state();
    foreign.rig ^= 1;
    std::vector<Vec3> positions(clothes->vertex_count(), Vec3{7, 7, 7});
    Workspace work;
    rig->clothes()->embed_attached(*clothes, foreign, {positions, {}, {}}, work);
    for (const Vec3 p : positions) ASSERT_EQ(p, (Vec3{7, 7, 7}));
}

TEST_P(Attach, BadMeshesAreRefusedAndFarOnesNamed) {
    const Character egg = make_egg();
    const RigPtr rig = rig_of(GetParam(), egg);
    EXPECT_FALSE(attach(rig, Mesh{}).ok());
    Mesh bad = shell(egg, 0);
    bad.positions[7].y = std::nanf("");
    const auto refused = attach(rig, bad);
    ASSERT_FALSE(refused.ok());
    EXPECT_NE(refused.error().message.find("vertex 7"), std::string::npos);
    Mesh far = shell(egg, 0);
    for (Vec3& p : far.positions) p.x += 100;
    const auto away = attach(rig, far);
    ASSERT_TRUE(away.ok());
    ASSERT_EQ(away->surface->warnings.size(), 1u);
    EXPECT_NE(away->surface->warnings[0].find("rest pose"), std::string::npos);
    EXPECT_TRUE(attach(rig, shell(egg, 0.02f))->surface->warnings.empty());
}

// A lump in the middle of the flesh swings with the flesh, not with the skin above it.
TEST(AttachLayers, WhatLiesInTheFleshSwingsWithIt) {
    const Character egg = make_egg();
    Mesh lump;
    lump.positions = {{0.2f, 0, 0}, {0.22f, 0.02f, 0}, {0.2f, 0.02f, 0.02f}};
    lump.normals.assign(3, {1, 0, 0});
    lump.triangles = {0, 1, 2};
    Dressed dressed(rig_of("layers", egg), lump);
    dressed.body.reset_to(rest_joints(egg));
    double most = 0;
    for (int k = 1; k <= 60; ++k) {
        const double x = 0.15 * std::sin(0.25 * k);
        dressed.body.go(moved(rest_joints(egg), compose({x, 0, 0}, {}, {1, 1, 1})), 1.0 / 60);
        dressed.look();
        most = std::max(most, std::abs(double(dressed.positions[0].x) - 0.2 - x));
    }
    const double skin = surface_offset(dressed.body.positions, dressed.body.skinned, 1).max;
    EXPECT_GT(most, 0.003);
    EXPECT_LT(most, 0.1) << skin;
}

}  // namespace
}  // namespace fascia
