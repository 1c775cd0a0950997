// Masks: black does not jiggle, grey jiggles proportionally.
#include <cmath>

#include <gtest/gtest.h>

#include "fascia/measure.h"
#include "methods/layers_egg.h"
#include "methods/shared/thin_flesh.h"
#include "support/flesh.h"

namespace fascia {
namespace {

using test::Actor;
using test::at_resolution;
using test::bound;
using test::make_egg;
using test::moved;
using test::rest_joints;

/// An egg whose COLOR_1 is painted by height: in red, black below and white above; in green, grey all over.
Character painted_egg() {
    Character egg = make_egg();
    for (const Vec3 p : egg.mesh.positions)
        egg.mesh.mask_colors.push_back({std::clamp((p.y + 0.1f) / 0.2f, 0.0f, 1.0f), 0.5f, 1, 0});
    return egg;
}

/// Largest offset below y = -0.25 and above y = 0.25 while the egg is shaken.
std::pair<double, double> shake(const Character& egg, const std::string& mask, const std::string& method = "layers") {
    Flesh flesh = test::flesh_with("default", {{"resolution", 16}});
    EXPECT_TRUE(mask.empty() || set_field(flesh, "mask", mask).ok());
    Actor actor(*fascia::bind(egg, method, flesh));
    actor.reset_to(rest_joints(egg));
    double low = 0, high = 0;
    for (int k = 1; k < 60; ++k) {
        actor.go(moved(rest_joints(egg), compose({0.05 * std::sin(0.3 * k), 0, 0}, {}, {1, 1, 1})), 1.0 / 60);
        if (k % 5 != 0) continue;
        actor.look();
        for (std::size_t v = 0; v < egg.mesh.positions.size(); ++v) {
            const double off = length(actor.positions[v] - actor.skinned[v]);
            if (egg.mesh.positions[v].y < -0.25f) low = std::max(low, off);
            if (egg.mesh.positions[v].y > 0.25f) high = std::max(high, off);
        }
    }
    return {low, high};
}

TEST(LayersMask, BlackDoesNotJiggle) {
    const Character egg = painted_egg();
    const auto [free_low, free_high] = shake(egg, "");
    const auto [low, high] = shake(egg, "COLOR_1.r");
    EXPECT_GT(free_low, 0.01);
    EXPECT_LT(low, 5e-4);
    EXPECT_GT(high, 0.4 * free_high);
    EXPECT_LT(shake(egg, "COLOR_1.a").second, 1e-5) << "all black";
}

TEST(LayersMask, WhiteChangesNothingAndGreyGivesItsShare) {
    const Character egg = painted_egg();
    const auto [free_low, free_high] = shake(egg, "");
    const auto [white_low, white_high] = shake(egg, "COLOR_1.b");
    EXPECT_NEAR(white_low, free_low, 1e-6);
    EXPECT_NEAR(white_high, free_high, 1e-6);
    EXPECT_NEAR(shake(egg, "COLOR_1.g").second / free_high, 0.5, 0.1);
}

TEST(FleshReach, DepthBoundsTheMotionAndIsNotDividedByTheAmount) {
    for (const double amount : {0.0, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0})
        EXPECT_DOUBLE_EQ(flesh_reach(1, amount, 4, true), flesh_reach(1, amount, 4, false)) << amount;
    for (const double g : {0.1, 0.3, 0.6, 1.0}) {
        EXPECT_DOUBLE_EQ(flesh_reach(g, 1, 2, true), 0.12 * g) << "however soft, at depth " << g;
        EXPECT_LE(flesh_reach(g, 0.5, 2, true), flesh_reach(g, 1, 2, true)) << g;
    }
}

TEST(LayersMask, IsBuiltInSavedAndLoaded) {
    const Character egg = painted_egg();
    LayersSettings settings = at_resolution(12);
    settings.mask = "COLOR_1.r";
    const RigPtr rig = bound(egg, settings);
    const auto loaded = load_rig(*save_rig(*rig), "egg");
    ASSERT_TRUE(loaded.ok()) << loaded.error().message;
    Actor one(rig), two(*loaded);
    for (int k = 0; k < 10; ++k)
        for (Actor* actor : {&one, &two})
            actor->go(moved(rest_joints(egg), compose({0.02 * k, 0, 0}, {}, {1, 1, 1})), 1.0 / 60);
    EXPECT_EQ(hash(one.state), hash(two.state));
}

TEST(LatticeMask, BlackDoesNotJiggleAndWhiteChangesNothing) {
    const Character egg = painted_egg();
    const auto [free_low, free_high] = shake(egg, "", "lattice");
    const auto [low, high] = shake(egg, "COLOR_1.r", "lattice");
    EXPECT_GT(free_low, 0.01);
    EXPECT_LT(low, 0.1 * free_low);
    EXPECT_GT(high, 0.4 * free_high);
    EXPECT_LT(shake(egg, "COLOR_1.a", "lattice").second, 1e-5) << "all black";
    const auto [white_low, white_high] = shake(egg, "COLOR_1.b", "lattice");
    EXPECT_NEAR(white_low, free_low, 1e-6);
    EXPECT_NEAR(white_high, free_high, 1e-6);
    EXPECT_NEAR(shake(egg, "COLOR_1.g", "lattice").second / free_high, 0.5, 0.1) << "grey gives its share";
}

TEST(LatticeMask, IsSavedAndLoaded) {
    const Character egg = painted_egg();
    Flesh flesh = test::flesh_with("default", {{"resolution", 12}});
    ASSERT_TRUE(set_field(flesh, "mask", "COLOR_1.g").ok());
    const RigPtr rig = *fascia::bind(egg, "lattice", flesh);
    Actor one(rig), two(*load_rig(*save_rig(*rig), "egg"));
    for (int k = 0; k < 10; ++k)
        for (Actor* actor : {&one, &two})
            actor->go(moved(rest_joints(egg), compose({0.02 * k, 0, 0}, {}, {1, 1, 1})), 1.0 / 60);
    EXPECT_EQ(hash(one.state), hash(two.state));
}

TEST(LayersMask, WhatIsMissingIsNamed) {
    LayersSettings settings = at_resolution(8);
    BindInputs inputs;
    const auto message = [&](const Character& egg, const std::string& mask) {
        settings.mask = mask;
        const auto rig = bind(egg, settings, inputs);
        return rig.ok() ? std::string() : rig.error().message;
    };
    EXPECT_NE(message(make_egg(), "COLOR_1.r").find("egg has no vertex colours"), std::string::npos);
    EXPECT_NE(message(painted_egg(), "COLOR_0.r").find("egg has COLOR_1 only"), std::string::npos);
    EXPECT_NE(message(painted_egg(), "COLOR_1.q").find("COLOR_1.r"), std::string::npos);
    EXPECT_NE(message(painted_egg(), "belly.png").find("load_mask"), std::string::npos);
    inputs.mask.assign(3, 1.0f);
    EXPECT_NE(message(painted_egg(), "belly.png").find("BindInputs::mask"), std::string::npos);
}

}  // namespace
}  // namespace fascia
