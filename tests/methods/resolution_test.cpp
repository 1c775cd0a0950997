// The resolution that bind chooses where none is given.
#include <algorithm>

#include <gtest/gtest.h>

#include "body/fineness.h"
#include "body/joint_tree.h"
#include "fascia/bundled.h"
#include "methods/layers_egg.h"
#include "support/flesh.h"
#include "support/lying_bodies.h"
#include "support/steady_body.h"

namespace fascia {
namespace {

TEST(ResolutionFor, LimbsFleshAndGaps) {
    // Three cells across a limb, within what a lean figure may cost.
    EXPECT_EQ(resolution_for({.limbs = 0.2}), 24);
    EXPECT_EQ(resolution_for({.limbs = 0.1}), 30);
    EXPECT_EQ(resolution_for({.limbs = 0.02}), 32);
    EXPECT_EQ(resolution_for({.limbs = 0}), 32);
    // Eight across deep flesh.
    EXPECT_EQ(resolution_for({.limbs = 0.1, .deep = 0.2}), 40);
    EXPECT_EQ(resolution_for({.limbs = 0.1, .deep = 0.4}), 32);
    EXPECT_EQ(resolution_for({.limbs = 0.1, .deep = 0.01}), 96);
    // A cell in the gap, for at most a quarter more; gaps of stiff or hardly any skin do not count.
    EXPECT_EQ(resolution_for({.limbs = 0.1, .deep = 0.2, .gap = 1.0 / 45, .together = 0.1}), 45);
    EXPECT_EQ(resolution_for({.limbs = 0.1, .deep = 0.2, .gap = 0, .together = 0.1}), 50);
    EXPECT_EQ(resolution_for({.limbs = 0.1, .deep = 0.2, .gap = 0.1, .together = 0.1}), 40);
    EXPECT_EQ(resolution_for({.limbs = 0.1, .deep = 0.2, .gap = 0, .together = 0.001}), 40);
    EXPECT_EQ(resolution_for({.limbs = 0.1, .deep = 0, .gap = 0, .together = 0.1}), 30);
}

FleshFeatures features_of(const Character& character) {
    const auto used = used_joints(character, true);
    const auto bones = bones_of<lattice::Bone>(character, used);
    const auto followed = triangle_joints(character, bones, true);
    const BodySurface surface(character, followed);
    return flesh_features(surface.fill(32), surface, bones);
}

TEST(FleshFeatures, OfAnEgg) {
    // Axes of 0.8, 1 and 0.8 around a bone of 0.7: a ball of 0.8 fits most of it, and one of 2 * 0.4^2 / 0.5 its tips.
    // Balls are measured within a tenth.
    const FleshFeatures found = features_of(test::make_egg());
    EXPECT_NEAR(found.limbs, 0.64, 0.064);
    EXPECT_NEAR(found.deep, 0.8, 0.1);
    EXPECT_EQ(found.together, 0);
}

TEST(FleshFeatures, SeeAGap) {
    // Buttocks, 0.25 wide, 0.45 from the bone at their ends, 0.01 apart. Smaller balls than 0.25 fill their edges.
    for (const test::LyingBody& body : test::lying_bodies()) {
        if (body.name != "buttocks") continue;
        const FleshFeatures found = features_of(test::BlockCharacter(body, 0.025, 0.01, {}, true).character());
        EXPECT_NEAR(found.gap, 0.01, 0.001);
        EXPECT_GT(found.together, 0.05);
        EXPECT_GE(found.deep, 0.12);
        EXPECT_LE(found.deep, 0.25);
    }
}

/// Particles lie on the surface, not in voxels: ParticlesSurface tests what they choose.
std::vector<std::string> methods_with_voxels() {
    std::vector<std::string> out = steady::methods_with_flesh();
    std::erase(out, "particles");
    return out;
}

class ChosenResolution : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Methods, ChosenResolution, testing::ValuesIn(methods_with_voxels()), steady::method_name);

TEST_P(ChosenResolution, IsTheDefaultAndToldByTheRig) {
    const Character egg = test::make_egg();
    const Flesh flesh = *preset("default");
    const RigPtr chosen = *fascia::bind(egg, GetParam(), flesh);
    const int resolution = chosen->inside()->resolution();
    EXPECT_GE(resolution, coarsest_choice);
    EXPECT_LE(resolution, finest_choice);
    const RigPtr named = *fascia::bind(egg, GetParam(), test::flesh_with("default", {{"resolution", resolution}}));
    EXPECT_EQ(named->inside()->resolution(), resolution);
    EXPECT_EQ(named->point_count(), chosen->point_count());
    EXPECT_EQ(
        (*fascia::bind(egg, GetParam(), test::flesh_with("default", {{"resolution", 13}})))->inside()->resolution(),
        13);
}

TEST_P(ChosenResolution, KeepsToTheBudget) {
    const Character bloat = *bundled_character("bloat");
    int last = 0;
    for (const double budget : {1000., 4000., 7000., 12000., 30000.}) {
        const RigPtr rig = *fascia::bind(bloat, GetParam(), test::flesh_with("default", {{"point_budget", budget}}));
        const int resolution = rig->inside()->resolution();
        if (resolution > coarsest_choice) {
            EXPECT_LE(rig->point_count(), std::size_t(budget));
        }
        EXPECT_GE(resolution, last);
        last = resolution;
    }
    EXPECT_GT(last, coarsest_choice);
}

TEST_P(ChosenResolution, DoesNotDependOnTheSize) {
    const RigPtr one = *fascia::bind(test::make_egg(), GetParam(), *preset("default")),
                 large = *fascia::bind(test::make_egg(1024), GetParam(), *preset("default"));
    EXPECT_EQ(one->inside()->resolution(), large->inside()->resolution());
    EXPECT_EQ(one->point_count(), large->point_count());
}

TEST_P(ChosenResolution, OfPublishedModesIsThePublications) {
    Flesh flesh = *preset("default");
    ASSERT_TRUE(set_field(flesh, "mode", "paper"));
    EXPECT_EQ((*fascia::bind(test::make_egg(), GetParam(), flesh))->inside()->resolution(), 32);
}

}  // namespace
}  // namespace fascia
