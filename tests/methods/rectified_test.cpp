// The volume pass after the deformation of other methods.
#include <numbers>

#include <gtest/gtest.h>

#include "fascia/bundled.h"
#include "fascia/measure.h"
#include "fascia/method.h"
#include "fascia/pose.h"
#include "support/flesh.h"
#include "support/tube.h"

namespace fascia {
namespace {

Result<RigPtr> bind_rectified(const Character& character, const std::string& method, const Flesh& flesh) {
    BindInputs inputs;
    inputs.rectify = true;
    return fascia::bind(character, method, flesh, inputs);
}

double volume(const Character& c, const RigPtr& rig, const std::vector<Affine>& pose) {
    State state = make_state(*rig);
    Workspace work;
    reset(*rig, pose, state, work);
    std::vector<Vec3> out(c.mesh.vertex_count());
    embed(*rig, state, {out, {}, {}}, work);
    return SurfaceMeter(c.mesh.positions, c.mesh.triangles, c.size()).volume_ratio(out).value_or(0);
}

Character tube() {
    Character c = test::tube_character({80, 32, 1});
    c.joints[0].tail = {0, 0, 0};
    c.joints[1].tail = {4, 0, 0};
    return c;
}

std::vector<Affine> bent(const Character& c, double degrees) {
    const Quat q = quat_from_axis_angle({0, 0, 1}, degrees * std::numbers::pi / 180);
    return {c.joints[0].rest, compose({0, 0, 0}, q, {1, 1, 1})};
}

TEST(Rectified, HalvesWhatLinearBlendingLoses) {
    const Character c = tube();
    const Flesh flesh = test::flesh_with("default", {{"resolution", 32}});
    const RigPtr plain = *fascia::bind(c, LbsSettings{}), rectified = *bind_rectified(c, "lbs", flesh);
    for (const double angle : {60.0, 90.0, 120.0}) {
        const double lost = 1 - volume(c, plain, bent(c, angle)), left = 1 - volume(c, rectified, bent(c, angle));
        std::printf("%.0f degrees: %.2f %% lost, %.2f %% rectified\n", angle, 100 * lost, 100 * left);
        EXPECT_GT(lost, 0.01);
        EXPECT_LT(std::abs(left), 0.5 * lost) << angle;
    }
}

TEST(Rectified, WhatLosesNothingStaysAsItIs) {
    const Character c = *bundled_character("bunny");
    const Flesh flesh = test::flesh_with("default", {{"resolution", 16}});
    Pose rest;
    evaluate(c, nullptr, 0, rest);
    for (const Settings& settings : {Settings{LbsSettings{}}, Settings{DqsSettings{}}}) {
        const RigPtr rig = *bind_rectified(c, settings.method(), flesh);
        State state = make_state(*rig);
        Workspace work;
        const Affine move = compose({5, 1, -3}, quat_from_axis_angle({0, 1, 0}, 1), {2, 2, 2});
        std::vector<Affine> joints;
        for (const Joint& joint : c.joints) joints.push_back(move * joint.rest);
        reset(*rig, joints, state, work);
        std::vector<Vec3> out(c.mesh.vertex_count());
        embed(*rig, state, {out, {}, {}}, work);
        for (std::size_t v = 0; v < out.size(); ++v)
            ASSERT_LT(length(to_double(out[v]) - transform_point(move, to_double(c.mesh.positions[v]))),
                      2e-4 * c.size());
    }
}

TEST(Rectified, BonesBlendingToo) {
    const Character c = tube();
    BonesBlendingSettings settings;
    const auto rig = bind_rectified(c, "bones-blending", test::flesh_with("default", {{"resolution", 32}}));
    ASSERT_TRUE(rig.ok());
    EXPECT_STREQ((*rig)->method(), "bones-blending");
    EXPECT_NEAR(volume(c, *rig, bent(c, 90)), 1, 0.01);
}

/// Of voxels that are solved for, by where they have come to.
TEST(Rectified, VoxelsThatKeepTheirEdges) {
    const Character c = tube();
    const Flesh flesh = test::flesh_with("default", {{"resolution", 32}, {"volume_rounds", 0}});
    const RigPtr plain = *fascia::bind(c, "volumetric-arap", flesh);
    const auto rig = bind_rectified(c, "volumetric-arap", flesh);
    ASSERT_TRUE(rig.ok()) << rig.error().message;
    const double lost = 1 - volume(c, plain, bent(c, 90)), left = 1 - volume(c, *rig, bent(c, 90));
    EXPECT_GT(lost, 0.01);
    EXPECT_LT(std::abs(left), 0.5 * lost);
    EXPECT_NEAR(volume(c, *rig, bent(c, 0)), 1, 1e-4);
}

TEST(Rectified, MethodsWithVolumesOfTheirOwnAreRefused) {
    const auto rig = bind_rectified(tube(), "layers", *preset("default"));
    ASSERT_FALSE(rig.ok());
    EXPECT_NE(rig.error().message.find("lbs"), std::string::npos);
}

}  // namespace
}  // namespace fascia
