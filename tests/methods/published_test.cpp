// The modes that follow the publication: `paper`, its stable form, and `literal`, the loop as printed.
#include <cmath>

#include <gtest/gtest.h>

#include "fascia/live.h"
#include "fascia/measure.h"
#include "methods/layers_egg.h"
#include "methods/layers_tube.h"
#include "support/points.h"

namespace fascia {
namespace {

using test::Actor;
using test::all_finite;
using test::bound;
using test::make_egg;
using test::make_tube;
using test::moved;
using test::rest_joints;
using test::turned_tube;

LayersSettings published(const std::string& name, Mode mode = Mode::paper, int resolution = 12) {
    LayersSettings settings;
    settings = *settings_from<LayersSettings>(*preset(name));
    settings.mode = mode;
    settings.resolution = resolution;
    return settings;
}

double offset(Actor& actor) {
    actor.look();
    return surface_offset(actor.positions, actor.skinned, 1).max;
}

struct Shaken {
    double most = 0, after_four_seconds = 0;
    bool asleep = false;
};

/// Two seconds of shaking, then a dead stop.
Shaken shake(const LayersSettings& settings) {
    const Character egg = make_egg();
    Actor actor(bound(egg, settings));
    const auto at = [&](double t) {
        return moved(rest_joints(egg),
                     compose({0, 0, t < 2 ? 0.1 * std::sin(6.283185307 * 1.5 * t) : 0}, {}, {1, 1, 1}));
    };
    actor.reset_to(at(0));
    Shaken out;
    for (int k = 1; k <= 360; ++k) {
        actor.go(at(k / 60.0), 1.0 / 60);
        if (k % 3 == 0) out.most = std::max(out.most, offset(actor));
    }
    EXPECT_TRUE(all_finite(actor.state.positions));
    out.after_four_seconds = offset(actor);
    out.asleep = actor.state.asleep == 1;
    return out;
}

// ---- paper -----------------------------------------------------------------------------------------------------
TEST(LayersPaper, EveryPresetMovesStaysBoundedAndComesToRest) {
    for (const char* name : {"paper-bunny", "paper-smurf", "paper-bloat"}) {
        const Shaken shaken = shake(published(name));
        EXPECT_GT(shaken.most, 0.002) << name;
        EXPECT_LT(shaken.most, 0.25) << name;
        EXPECT_LT(shaken.after_four_seconds, 1e-3) << name;
        EXPECT_TRUE(shaken.asleep) << name;
    }
}

TEST(LayersPaper, StiffnessAndDampingAreThePublications) {
    // A larger k_s holds tighter; a smaller k_d keeps less of the motion.
    const auto most = [](double k_s, double k_d) {
        LayersSettings settings = published("paper-bunny");
        for (LayerSettings& layer : settings.layers) layer.k_s = k_s, layer.k_d = k_d;
        return shake(settings).most;
    };
    const double lively = most(0.1, 0.95);
    EXPECT_GT(lively, 1.5 * most(3, 0.95));
    EXPECT_GT(lively, 1.5 * most(0.1, 0.3));
}

TEST(LayersPaper, TheSkeletonDrivesByLinearBlending) {
    const Character tube = make_tube();
    const auto twisted = turned_tube({1, 0, 0}, 3.14159265);
    LayersSettings linear = published("paper-bunny", Mode::paper, 16), dual = linear;
    dual.primary = "dqs";
    Actor plain(*bind(tube, LbsSettings{})), one(bound(tube, linear)), two(bound(tube, dual));
    for (Actor* actor : {&plain, &one, &two}) actor->reset_to(twisted), actor->look();
    EXPECT_LT(surface_offset(one.skinned, plain.positions, 8).max, 1e-6);
    EXPECT_GT(surface_offset(two.skinned, plain.positions, 8).max, 0.05);

    // Bone points in the middle of the twist fall onto the axis; dual quaternions keep them off it.
    const auto nearest_axis = [&](Actor& actor) {
        const auto layers = actor.rig->inside()->point_layers();
        std::vector<Vec3> rest(layers.size()), now(layers.size());
        test::point_positions(*actor.rig, make_state(*actor.rig), rest);
        test::point_positions(*actor.rig, actor.state, now);
        double least = 1;
        for (std::size_t i = 0; i < layers.size(); ++i) {
            const double before = std::hypot(rest[i].y, rest[i].z);
            if (layers[i] == 0 && before > 0.2) least = std::min(least, std::hypot(now[i].y, now[i].z) / before);
        }
        return least;
    };
    EXPECT_LT(nearest_axis(one), 0.5);
    EXPECT_GT(nearest_axis(two), 0.99);
}

TEST(LayersPaper, PhysicalFleshMayBeDrivenLinearlyToo) {
    const Character tube = make_tube();
    LayersSettings settings = test::at_resolution(16);
    settings.primary = "lbs";
    Actor actor(bound(tube, settings)), plain(*bind(tube, LbsSettings{}));
    for (Actor* a : {&actor, &plain}) a->reset_to(turned_tube({0, 0, 1}, 1.5)), a->look();
    EXPECT_LT(surface_offset(actor.positions, plain.positions, 8).max, 1e-6);
}

// ---- literal ---------------------------------------------------------------------------------------------------
TEST(LayersLiteral, SaysWhatItIs) {
    const auto says = [](const RigPtr& rig) {
        for (const std::string& warning : rig->warnings())
            if (warning.find("mode literal") != std::string::npos) return true;
        return false;
    };
    const RigPtr literal = bound(make_egg(), published("paper-bunny", Mode::literal, 8));
    EXPECT_TRUE(says(literal));
    EXPECT_TRUE(says(*retune(literal, published("paper-bunny", Mode::literal, 8))));
    EXPECT_FALSE(says(bound(make_egg(), published("paper-bunny", Mode::paper, 8))));
}

TEST(LayersLiteral, PublishedStiffnessNeverSettles) {
    const Shaken printed = shake(published("paper-bloat", Mode::literal));
    EXPECT_FALSE(printed.asleep);
    EXPECT_GT(printed.after_four_seconds, 0.01);
    LayersSettings gentle = published("paper-bloat", Mode::literal);
    for (LayerSettings& layer : gentle.layers) layer.k_s = std::min(layer.k_s, 0.9);
    const Shaken bounded = shake(gentle);
    EXPECT_LT(bounded.after_four_seconds, 1e-3);
    EXPECT_LT(bounded.most, 0.3);
}

TEST(LayersLiteral, DampingInTheWorldLeavesFleshBehind) {
    // Steady travel along x: damping relative to the skinned motion does not notice it.
    const Character egg = make_egg();
    const auto behind = [&](Mode mode) {
        LayersSettings settings = published("paper-bunny", mode);
        for (LayerSettings& layer : settings.layers) layer.k_s = std::min(layer.k_s, 0.9);
        Actor actor(bound(egg, settings));
        const auto at = [&](int k) { return moved(rest_joints(egg), compose({0.02 * k, 0, 0}, {}, {1, 1, 1})); };
        actor.reset_to(at(0));
        for (int k = 1; k < 240; ++k) actor.go(at(k), 1.0 / 60);
        actor.look();
        double sum = 0;
        for (std::size_t v = 0; v < actor.positions.size(); ++v) sum += actor.positions[v].x - actor.skinned[v].x;
        return sum / double(actor.positions.size());
    };
    EXPECT_LT(behind(Mode::literal), -0.01);
    EXPECT_LT(std::abs(behind(Mode::paper)), 1e-3);
}

/// Frequency in Hz of the front of an egg after a push, from its zero crossings.
double swing_hz(double step) {
    LayersSettings settings = published("paper-bunny", Mode::literal);
    settings.step = step;
    for (LayerSettings& layer : settings.layers) layer.k_s = 0.2, layer.k_d = 0.99;
    const Character egg = make_egg();
    Actor actor(bound(egg, settings));
    actor.reset_to(rest_joints(egg));
    std::size_t front = 0;
    for (std::size_t v = 0; v < egg.mesh.positions.size(); ++v)
        if (egg.mesh.positions[v].z > egg.mesh.positions[front].z) front = v;
    EXPECT_TRUE(pull(*actor.rig, to_double(egg.mesh.positions[front]), {0, 0, 0.6}, 0.2, actor.state));
    for (int k = 0; k < 240; ++k) actor.go(rest_joints(egg), step);
    release(actor.state);
    std::vector<double> crossings;
    double last = 1;
    for (int k = 0; k < 240; ++k) {
        actor.go(rest_joints(egg), step);
        actor.look();
        const double z = actor.positions[front].z - actor.skinned[front].z;
        if (last > 0 && z <= 0) crossings.push_back((k - 1 + last / (last - z)) * step);
        last = z;
    }
    EXPECT_GE(crossings.size(), 2u);
    return crossings.size() < 2 ? 0 : double(crossings.size() - 1) / (crossings.back() - crossings.front());
}

TEST(LayersLiteral, FrequencyIsProportionalToTheStepRate) {
    const double slow = swing_hz(1.0 / 60), fast = swing_hz(1.0 / 120);
    EXPECT_NEAR(fast / slow, 2, 0.2);
}

}  // namespace
}  // namespace fascia
