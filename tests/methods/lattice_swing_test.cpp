// Secondary motion of `lattice`: delta, frequency, settling, changes while running.
#include <cmath>

#include <gtest/gtest.h>

#include "fascia/bundled.h"
#include "fascia/live.h"
#include "fascia/measure.h"
#include "fascia/pose.h"
#include "methods/layers_egg.h"
#include "support/damped_sine.h"
#include "support/flesh.h"
#include "support/steady_body.h"

namespace fascia {
namespace {

using steady::moved;

LatticeSettings with_delta(double delta) {
    LatticeSettings out;
    out = *settings_from<LatticeSettings>(test::flesh_with("default", {}));
    out.resolution = 12;
    out.delta = delta;
    return out;
}

/// The bloat shaken from side to side.
struct Shaken {
    Character character = *bundled_character("bloat");
    RigPtr rig;
    State state;
    Workspace work;
    std::vector<Vec3> surface, skinned;
    Pose rest;

    explicit Shaken(const LatticeSettings& settings, const BindInputs& inputs = {})
        : rig(*bind(character, settings, inputs)), state(make_state(*rig)) {
        evaluate(character, nullptr, 0, rest);
        surface.resize(rig->vertex_count());
        skinned.resize(rig->vertex_count());
        reset(*rig, rest.joints, state, work);
    }
    void go(double x) {
        advance(*rig, moved(rest.joints, compose({x * character.size(), 0, 0}, {}, {1, 1, 1})), 1 / 60.0, state, work);
    }
    Offset look() {
        embed(*rig, state, {surface, {}, {}}, work);
        rig->embed_skinned(state, {skinned, {}, {}}, work);
        return surface_offset(surface, skinned, character.size());
    }
    double most(int frames) {
        double out = 0;
        for (int k = 1; k <= frames; ++k) {
            go(0.1 * std::sin(0.25 * k));
            out = std::max(out, look().max);
        }
        return out;
    }
};

TEST(LatticeSwing, DeltaZeroIsThePrimaryDeformation) {
    Shaken still(with_delta(0));
    EXPECT_LT(still.most(30), 1e-6);
}

TEST(LatticeSwing, AmplitudeGrowsWithDelta) {
    double last = 0;
    for (const double delta : {0.3, 0.5, 0.7, 0.9}) {
        Shaken shaken(with_delta(delta));
        const double most = shaken.most(40);
        EXPECT_GT(most, 1.1 * last) << delta;
        EXPECT_GT(most, 1e-3);
        last = most;
    }
}

TEST(LatticeSwing, RestIsAFixedPoint) {
    Shaken shaken(with_delta(0.9));
    for (int k = 0; k < 60; ++k) shaken.go(0);
    EXPECT_LT(shaken.look().max, 1e-6);
    EXPECT_EQ(shaken.state.asleep, 1u);
}

/// Hertz at which the flesh of an egg goes on swinging after it was shaken and stopped.
double hertz_after_a_stop(double asked, double step = LatticeSettings{}.step) {
    const Character egg = test::make_egg();
    LatticeSettings settings = with_delta(0.5);
    settings.step = step;
    for (LayerSettings& layer : settings.layers) layer.frequency = asked, layer.damping = 0.08;
    const RigPtr rig = *bind(egg, settings);
    State state = make_state(*rig);
    Workspace work;
    Pose rest;
    evaluate(egg, nullptr, 0, rest);
    reset(*rig, rest.joints, state, work);
    std::size_t front = 0;
    for (std::size_t v = 0; v < egg.mesh.positions.size(); ++v)
        if (egg.mesh.positions[v].z > egg.mesh.positions[front].z) front = v;
    std::vector<Vec3> surface(rig->vertex_count()), skinned(rig->vertex_count());
    std::vector<double> t, y;
    for (int k = 1; k <= 210; ++k) {
        const double z = k < 90 ? 0.05 * std::sin(0.16 * k) : 0;
        advance(*rig, moved(rest.joints, compose({0, 0, z}, {}, {1, 1, 1})), 1 / 60.0, state, work);
        if (k < 95) continue;
        embed(*rig, state, {surface, {}, {}}, work);
        rig->embed_skinned(state, {skinned, {}, {}}, work);
        t.push_back(k / 60.0), y.push_back(surface[front].z - skinned[front].z);
    }
    return test::fit_damped_sine(t, y, 0.5 * asked, 2 * asked).hz;
}

TEST(LatticeSwing, FrequencyIsWhatWasAsked) {
    for (const double asked : {2.0, 4.0}) EXPECT_NEAR(hertz_after_a_stop(asked), asked, 0.1 * asked);
}

TEST(LatticeSwing, FastQualityHasTheSameFrequency) {
    const double full = hertz_after_a_stop(4.0);
    EXPECT_NEAR(hertz_after_a_stop(4.0, 1.0 / 120), full, 0.02 * full);
}

TEST(LatticeSwing, AmountZeroDoesNotSwing) {
    LatticeSettings settings = with_delta(0.8);
    for (LayerSettings& layer : settings.layers) layer.amount = 0;
    Shaken shaken(settings);
    EXPECT_LT(shaken.most(30), 1e-4);
}

TEST(LatticeSwing, APartMayHaveADeltaOfItsOwn) {
    LatticeSettings settings = with_delta(0.8);
    PartSettings all;
    all.joint = "*";
    all.delta = 0;
    settings.parts.push_back(all);
    Shaken shaken(settings);
    EXPECT_LT(shaken.most(20), 1e-6);
}

TEST(LatticeSwing, DeltaChangesWhileRunningWithoutAJump) {
    Shaken shaken(with_delta(0.5));
    shaken.most(20);
    const double before = shaken.look().max;
    const auto rig = retune(shaken.rig, with_delta(0.55));
    ASSERT_TRUE(rig.ok()) << rig.error().message;
    shaken.rig = *rig;
    const double after = shaken.look().max;
    EXPECT_GT(before, 1e-3);
    EXPECT_NEAR(after, before * 0.55 / 0.5, 0.02 * before);  // the same offset with another mix
    shaken.most(20);
    EXPECT_EQ(shaken.state.counters.resets, 1u);
    LatticeSettings finer = with_delta(0.5);
    finer.resolution = 16;
    const auto refused = retune(shaken.rig, finer);
    ASSERT_FALSE(refused.ok());
    EXPECT_NE(refused.error().message.find("resolution"), std::string::npos);
}

/// docs/formulas.md D7: smoothing keeps a bent pose away from where it is skinned; with unbiased it does not.
TEST(LatticeSwing, UnbiasedRestsWhereItIsSkinned) {
    const auto bias = [](bool unbiased) {
        LatticeSettings settings = with_delta(0.8);
        settings.unbiased = unbiased;
        Shaken body(settings);
        Pose pose;
        evaluate(body.character, *find_clip(body.character, "dance"), 0.6, pose);
        reset(*body.rig, pose.joints, body.state, body.work);
        for (int k = 0; k < 300; ++k) advance(*body.rig, pose.joints, 1 / 60.0, body.state, body.work);
        return body.look().max;
    };
    const double biased = bias(false), unbiased = bias(true);
    std::printf("rests %.4f of the size away, unbiased %.6f\n", biased, unbiased);
    EXPECT_GT(biased, 1e-3);
    EXPECT_LT(unbiased, 1e-4);
}

TEST(LatticeSwing, GravityPullsDown) {
    LatticeSettings settings = with_delta(0.8);
    settings.gravity = {0, -20, 0};
    Shaken body(settings);
    for (int k = 0; k < 120; ++k) body.go(0);
    body.look();
    Vec3d mean;
    for (std::size_t v = 0; v < body.surface.size(); ++v)
        mean += to_double(body.surface[v] - body.skinned[v]) * (1.0 / double(body.surface.size()));
    EXPECT_LT(mean.y, -1e-3 * body.character.size());
    EXPECT_LT(std::abs(mean.x), 0.2 * std::abs(mean.y));
}

TEST(LatticeSwing, ThePublishedStepIsBoundedAndComesToRest) {
    LatticeSettings settings;
    settings = *settings_from<LatticeSettings>(*preset("paper-lattice"));
    settings.resolution = 12;
    BindInputs published;
    published.weights = "diffusion";
    Shaken shaken(settings, published);
    EXPECT_LT(shaken.most(60), 0.25);
    const double start = shaken.look().max;
    for (int k = 0; k < 300; ++k) shaken.go(0);
    EXPECT_GT(start, 1e-3);
    EXPECT_LT(shaken.look().max, 0.2 * start);
}

TEST(LatticeSwing, FadesHideAndShow) {
    Shaken shaken(with_delta(0.8));
    shaken.most(20);
    ASSERT_GT(shaken.look().max, 1e-3);
    ASSERT_TRUE(fade(*shaken.rig, "*", 0, 0, shaken.state).ok());
    EXPECT_LT(shaken.look().max, 1e-6);
    ASSERT_TRUE(fade(*shaken.rig, "*", 1, 0, shaken.state).ok());
    EXPECT_GT(shaken.look().max, 1e-3);
    EXPECT_FALSE(fade(*shaken.rig, "nobody", 1, 0, shaken.state).ok());
}

}  // namespace
}  // namespace fascia
