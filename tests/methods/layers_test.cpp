#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "fascia/measure.h"
#include "fascia/method.h"
#include "lattice/meshes.h"
#include "methods/layers/layers_engine.h"
#include "methods/layers_egg.h"
#include "methods/layers_tube.h"
#include "support/points.h"

namespace fascia {
namespace {

using test::Actor;
using test::all_finite;
using test::at_resolution;
using test::bound;
using test::make_egg;
using test::make_tube;
using test::moved;
using test::rest_joints;
using test::turned_tube;

// ---- binding ---------------------------------------------------------------------------------------------------
TEST(LayersBind, CountsAddUpAndEveryLayerIsThere) {
    const RigPtr rig = bound(make_egg(), at_resolution(24));
    std::vector<std::string> names;
    std::size_t sum = 0;
    for (const LayerCount& layer : layer_counts(*rig)) {
        EXPECT_GT(layer.points, 0u) << layer.name;
        names.push_back(layer.name);
        sum += layer.points;
    }
    EXPECT_EQ(names, (std::vector<std::string>{"bone", "muscle", "fat", "skin"}));
    EXPECT_EQ(sum, rig->point_count());
}

TEST(LayersBind, TakesTheExtremesOfResolutionAndWidth) {
    for (const int resolution : {4, 7, 64}) EXPECT_GT(bound(make_egg(), at_resolution(resolution))->point_count(), 0u);
    for (const int width : {2, 3, 4, 9}) {
        LayersSettings settings = at_resolution(12);
        settings.region_width = width;
        Actor actor(bound(make_egg(), settings));
        const auto joints = rest_joints(make_egg());
        for (int k = 0; k < 30; ++k)
            actor.go(moved(joints, compose({0.05 * std::sin(0.7 * k), 0, 0}, {}, {1, 1, 1})), 1.0 / 60);
        EXPECT_TRUE(all_finite(actor.state.positions)) << width;
    }
}

TEST(LayersBind, ACharacterWithoutTrianglesIsRefusedInASentence) {
    Character egg = make_egg();
    egg.mesh.triangles.clear();
    const auto rig = bind(egg, at_resolution(16));
    ASSERT_FALSE(rig.ok());
    EXPECT_NE(rig.error().message.find("egg"), std::string::npos);
}

TEST(LayersBind, AClampedFrequencySaysWhatWouldReachIt) {
    LayersSettings settings = at_resolution(12), reached = settings;
    settings.layers[1].frequency = 25;
    settings.step = 1.0 / 120;
    const auto warnings = bound(make_egg(), settings)->warnings();
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_NE(warnings[0].find("'fat' asks for 25 Hz"), std::string::npos) << warnings[0];
    EXPECT_NE(warnings[0].find("it gets 15 Hz"), std::string::npos) << warnings[0];
    EXPECT_NE(warnings[0].find("step=0.005 would reach it"), std::string::npos) << warnings[0];
    reached.layers[1].frequency = 25;
    reached.step = 0.005;
    EXPECT_TRUE(bound(make_egg(), reached)->warnings().empty());
    // It behaves as if 15 Hz had been asked for.
    LayersSettings asked = settings;
    asked.layers[1].frequency = 15;
    Actor one(bound(make_egg(), settings)), two(bound(make_egg(), asked));
    for (int k = 0; k < 20; ++k) {
        const auto joints = moved(rest_joints(make_egg()), compose({0.1 * std::sin(0.4 * k), 0, 0}, {}, {1, 1, 1}));
        one.go(joints, 1.0 / 60);
        two.go(joints, 1.0 / 60);
    }
    EXPECT_EQ(hash(one.state), hash(two.state));
}

TEST(LayersBind, AClampedDampingSaysWhatWouldReachIt) {
    LayersSettings settings = at_resolution(12), reached = settings;
    settings.layers[1].damping = 0.01;
    settings.step = 0.0125;
    const auto warnings = bound(make_egg(), settings)->warnings();
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_NE(warnings[0].find("'fat' asks for a damping of 0.01"), std::string::npos) << warnings[0];
    EXPECT_NE(warnings[0].find("it gets 0.0157"), std::string::npos) << warnings[0];
    EXPECT_NE(warnings[0].find("step=0.00795 would reach it"), std::string::npos) << warnings[0];
    reached.layers[1].damping = 0.01;
    reached.step = 0.00795;
    EXPECT_TRUE(bound(make_egg(), reached)->warnings().empty());
    settings.layers[1].damping = 0;
    EXPECT_NE(bound(make_egg(), settings)->warnings().at(0).find("no step is short enough"), std::string::npos);
}

// ---- rest and rigid motion -------------------------------------------------------------------------------------
TEST(LayersRest, StaysAtRestAndFallsAsleep) {
    const Character egg = make_egg();
    Actor actor(bound(egg, at_resolution(24)));
    const auto joints = rest_joints(egg);
    actor.reset_to(joints);
    for (int k = 0; k < 60; ++k) actor.go(joints, 1.0 / 60);
    actor.look();
    for (std::size_t v = 0; v < actor.positions.size(); ++v)
        EXPECT_LT(length(actor.positions[v] - egg.mesh.positions[v]), 1e-5f);
    EXPECT_EQ(actor.state.asleep, 1u);
    for (const float v : actor.state.velocities) EXPECT_EQ(v, 0.0f);
    const auto steps = actor.state.counters.steps;
    actor.go(joints, 1.0 / 60);
    EXPECT_EQ(actor.state.counters.steps, steps);
}

TEST(LayersRigid, APlacedCharacterIsExact) {
    const Character tube = make_tube();
    Actor actor(bound(tube, at_resolution(24)));
    const Affine place = compose({12, -7, 30}, normalized(Quat{0.3, 0.4, -0.8, 0.1}), {1, 1, 1});
    const auto joints = moved(rest_joints(tube), place);
    actor.reset_to(joints);
    for (int k = 0; k < 30; ++k) actor.go(joints, 1.0 / 60);
    actor.look();
    for (std::size_t v = 0; v < actor.positions.size(); ++v) {
        EXPECT_LT(length(to_double(actor.positions[v]) - transform_point(place, to_double(tube.mesh.positions[v]))),
                  1e-5 * 8);
        EXPECT_LT(length(to_double(actor.normals[v]) - transform_vector(place, to_double(tube.mesh.normals[v]))), 1e-4);
    }
}

TEST(LayersRigid, SteadyTravelLeavesFleshAlone) {
    const Character egg = make_egg();
    Actor actor(bound(egg, at_resolution(16)));
    const auto at = [&](int k) { return moved(rest_joints(egg), compose({0.1 * k, 0, 0.02 * k}, {}, {1, 1, 1})); };
    actor.reset_to(at(0));
    for (int k = 1; k < 400; ++k) actor.go(at(k), 1.0 / 60);
    actor.look();
    EXPECT_LT(surface_offset(actor.positions, actor.skinned, 1).max, 1e-4);
}

TEST(LayersRigid, AMotionThatBeginsInFullSwingBeginsWithoutAJolt) {
    const Character egg = make_egg();
    Actor actor(bound(egg, at_resolution(16)));
    actor.reset_to(rest_joints(egg));
    for (int k = 1; k <= 30; ++k) {
        actor.go(moved(rest_joints(egg), compose({0.1 * k, 0, 0}, {}, {1, 1, 1})), 1.0 / 60);
        actor.look();
        for (std::size_t v = 0; v < actor.positions.size(); ++v)
            ASSERT_LT(length(actor.positions[v] - actor.skinned[v]), 1e-4) << k;
    }
    // Stopping is felt.
    for (int k = 1; k <= 5; ++k) actor.go(moved(rest_joints(egg), compose({3, 0, 0}, {}, {1, 1, 1})), 1.0 / 60);
    actor.look();
    double most = 0;
    for (std::size_t v = 0; v < actor.positions.size(); ++v)
        most = std::max(most, double(length(actor.positions[v] - actor.skinned[v])));
    EXPECT_GT(most, 0.02);
}

TEST(LayersRigid, AScaledRootScalesEverything) {
    const Character egg = make_egg();
    const RigPtr rig = bound(egg, at_resolution(16));
    Actor plain(rig), scaled(rig);
    const Affine triple = compose({}, {}, {3, 3, 3});
    for (int k = 0; k < 60; ++k) {
        const auto joints = moved(rest_joints(egg), compose({0.1 * std::sin(0.4 * k), 0, 0}, {}, {1, 1, 1}));
        if (k == 0) plain.reset_to(joints), scaled.reset_to(moved(joints, triple));
        plain.go(joints, 1.0 / 60);
        scaled.go(moved(joints, triple), 1.0 / 60);
    }
    plain.look();
    scaled.look();
    EXPECT_GT(surface_offset(plain.positions, plain.skinned, 1).max, 0.005);
    for (std::size_t v = 0; v < plain.positions.size(); ++v)
        EXPECT_LT(length(scaled.positions[v] - plain.positions[v] * 3.0f), 1e-4f);
}

// ---- swing -----------------------------------------------------------------------------------------------------
struct Swing {
    double hz = 0, decay = 0, amplitude = 0, rms = 0, last = 0;
};

/// Fits A e^(-d t) cos(2 pi f t + phase) + c to the samples by search.
Swing fit(const std::vector<double>& t, const std::vector<double>& y) {
    Swing best;
    double least = 1e300;
    for (double hz = 1; hz < 12; hz += 0.01)
        for (double decay = 0; decay < 10; decay += 0.25) {
            double a[2][2] = {}, b[2] = {};
            for (std::size_t k = 0; k < t.size(); ++k) {
                const double e = std::exp(-decay * t[k]);
                const double base[2] = {e * std::cos(6.283185307 * hz * t[k]), e * std::sin(6.283185307 * hz * t[k])};
                for (int i = 0; i < 2; ++i) {
                    b[i] += base[i] * y[k];
                    for (int j = 0; j < 2; ++j) a[i][j] += base[i] * base[j];
                }
            }
            const double det = a[0][0] * a[1][1] - a[0][1] * a[1][0];
            const double p = (b[0] * a[1][1] - b[1] * a[0][1]) / det, q = (a[0][0] * b[1] - a[1][0] * b[0]) / det;
            double error = 0;
            for (std::size_t k = 0; k < t.size(); ++k) {
                const double e = std::exp(-decay * t[k]);
                const double d =
                    e * (p * std::cos(6.283185307 * hz * t[k]) + q * std::sin(6.283185307 * hz * t[k])) - y[k];
                error += d * d;
            }
            if (error < least) least = error, best = {hz, decay, std::sqrt(p * p + q * q), 0, 0};
        }
    return best;
}

/// Two seconds of shaking along z, then a dead stop: how the front of the egg keeps swinging.
Swing shake(const Character& egg, const LayersSettings& settings, double fps, double scale = 1) {
    Actor actor(bound(egg, settings));
    const auto at = [&](double t) {
        const double z = t < 2 ? 0.1 * std::sin(6.283185307 * 1.5 * t) : 0;
        return moved(rest_joints(egg), compose({0, 0, z * scale}, {}, {1, 1, 1}));
    };
    std::size_t front = 0;
    for (std::size_t v = 0; v < egg.mesh.positions.size(); ++v)
        if (egg.mesh.positions[v].z > egg.mesh.positions[front].z) front = v;
    actor.reset_to(at(0));
    std::vector<double> t, y;
    double last = 0;
    for (int k = 1; k <= int(6 * fps); ++k) {
        actor.go(at(k / fps), 1 / fps);
        actor.look();
        const double u = double(actor.positions[front].z - actor.skinned[front].z) / scale;
        if (k / fps > 2.1 && k / fps < 3.3) t.push_back(k / fps - 2), y.push_back(u);
        last = std::abs(u);
    }
    EXPECT_EQ(actor.state.asleep, 1u);
    Swing out = fit(t, y);
    double square = 0;
    for (const double v : y) square += v * v;
    out.rms = std::sqrt(square / double(y.size()));
    out.last = last;
    return out;
}

TEST(LayersSwing, FrequencyIsWhatWasAskedAtEveryResolution) {
    double low = 1e9, high = 0;
    for (const int resolution : {16, 24, 32}) {
        const Swing swing = shake(make_egg(), at_resolution(resolution), 60);
        EXPECT_NEAR(swing.hz, 4.0, 0.4) << resolution;
        EXPECT_LT(swing.last, 1e-3);
        low = std::min(low, swing.amplitude);
        high = std::max(high, swing.amplitude);
    }
    EXPECT_LT(high / low, 1.2);
    EXPECT_GT(low, 0.02);
}

TEST(LayersSwing, FastQualityIsHalfTheStepsAndTheSameFrequency) {
    for (const int resolution : {16, 24, 32}) {
        const LayersSettings full = at_resolution(resolution);
        Settings asked(full);
        ASSERT_TRUE(set_field(asked, "quality", "fast").ok());
        const LayersSettings& fast = *asked.as<LayersSettings>();
        EXPECT_DOUBLE_EQ(fast.step, 1.0 / 120);
        const Swing slow = shake(make_egg(), full, 60), quick = shake(make_egg(), fast, 60);
        EXPECT_NEAR(quick.hz, slow.hz, 0.02 * slow.hz) << resolution;
        EXPECT_NEAR(quick.amplitude, slow.amplitude, 0.1 * slow.amplitude) << resolution;
        EXPECT_NEAR(quick.decay, slow.decay, 0.3) << resolution;
    }
}

TEST(LayersSwing, FollowsTheSettings) {
    for (const double asked : {2.5, 6.0}) {
        LayersSettings settings = at_resolution(16);
        for (LayerSettings& layer : settings.layers) layer.frequency = asked;
        EXPECT_NEAR(shake(make_egg(), settings, 60).hz, asked, 0.1 * asked);
    }
    LayersSettings still = at_resolution(16);
    for (LayerSettings& layer : still.layers) layer.amount = 0;
    EXPECT_LT(shake(make_egg(), still, 60).amplitude, 1e-5);
}

TEST(LayersSwing, DoesNotDependOnTheFrameRate) {
    const Swing base = shake(make_egg(), at_resolution(20), 240);
    for (const double fps : {24.0, 30.0, 60.0, 144.0}) {
        const Swing swing = shake(make_egg(), at_resolution(20), fps);
        EXPECT_NEAR(swing.hz, base.hz, 0.02 * base.hz) << fps;
        EXPECT_NEAR(swing.rms, base.rms, 0.05 * base.rms) << fps;
    }
}

TEST(LayersSwing, DoesNotDependOnTheSize) {
    const Swing base = shake(make_egg(), at_resolution(12), 60);
    for (const double scale : {0.01, 100.0}) {
        const Swing swing = shake(make_egg(scale), at_resolution(12), 60, scale);
        EXPECT_NEAR(swing.hz, base.hz, 0.011);
        EXPECT_NEAR(swing.amplitude, base.amplitude, 1e-3 * base.amplitude);
    }
}

TEST(LayersSwing, MuscleHoldsTighterThanFat) {
    LayersSettings muscle = at_resolution(24), fat = muscle;
    muscle.muscle = 1;
    fat.muscle = 0;
    EXPECT_GT(shake(make_egg(), fat, 60).amplitude, 1.5 * shake(make_egg(), muscle, 60).amplitude);
}

// ---- volume and twist ------------------------------------------------------------------------------------------
class BentTube : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(LayersTube, BentTube, ::testing::Values("full", "fast"));

TEST_P(BentTube, KeepsItsVolume) {
    const Character tube = make_tube();
    Settings settings(at_resolution(32));
    ASSERT_TRUE(set_field(settings, "quality", GetParam()).ok());
    Actor actor(bound(tube, *settings.as<LayersSettings>()));
    const SurfaceMeter meter(tube.mesh.positions, tube.mesh.triangles, 8);
    actor.reset_to(turned_tube({0, 0, 1}, 0));
    for (int k = 1; k <= 240; ++k) actor.go(turned_tube({0, 0, 1}, std::min(1.0, k / 60.0) * 2.0943951), 1.0 / 60);
    EXPECT_EQ(actor.state.asleep, 1u) << "crushed flesh in the crook of the bend must come to rest too";
    actor.look();
    EXPECT_NEAR(*meter.volume_ratio(actor.positions), 1, 0.01);
    for (std::size_t v = 96 * 48; v < 97 * 48; ++v) EXPECT_LT(length(actor.positions[v] - actor.skinned[v]), 0.01f * 8);
}

TEST(LayersTube, WithoutAnyAmountItIsPlainSkinning) {
    LayersSettings settings = at_resolution(24);
    for (LayerSettings& layer : settings.layers) layer.amount = 0;
    Actor actor(bound(make_tube(), settings));
    actor.reset_to(turned_tube({0, 0, 1}, 0));
    for (int k = 1; k <= 60; ++k) actor.go(turned_tube({0, 0, 1}, 2.0 * k / 60), 1.0 / 60);
    actor.look();
    EXPECT_LT(surface_offset(actor.positions, actor.skinned, 8).max, 1e-3) << "with flesh it is 3e-2";
}

TEST(LayersTube, TwistReachesItsAngle) {
    const Character tube = make_tube();
    Actor actor(bound(tube, at_resolution(32)));
    const SurfaceMeter meter(tube.mesh.positions, tube.mesh.triangles, 8);
    actor.reset_to(turned_tube({1, 0, 0}, 0));
    for (int k = 1; k <= 150; ++k) actor.go(turned_tube({1, 0, 0}, std::min(1.0, k / 60.0) * 3.14159), 1.0 / 60);
    actor.look();
    EXPECT_NEAR(*meter.volume_ratio(actor.positions), 1, 0.03);
    for (std::size_t v = 96 * 48; v < 97 * 48; ++v) {
        const Vec3 o = tube.mesh.positions[v], p = actor.positions[v];
        EXPECT_LT((o.y * p.y + o.z * p.z) / (o.y * o.y + o.z * o.z), std::cos(175 * 3.14159265 / 180));
    }
}

// ---- the same bits ---------------------------------------------------------------------------------------------
std::vector<Affine> dance(const Character& egg, int k) {
    auto joints = rest_joints(egg);
    joints[1] = joints[1] * compose({}, quat_from_axis_angle({0, 0, 1}, 0.5 * std::sin(0.3 * k)), {1, 1, 1});
    return moved(joints, compose({0.1 * std::sin(0.2 * k), 0.05 * std::cos(0.5 * k), 0}, {}, {1, 1, 1}));
}

TEST(LayersBits, SameInputSameHashAndOneUlpChangesIt) {
    const Character egg = make_egg();
    const RigPtr rig = bound(egg, at_resolution(16));
    const auto run = [&](bool nudge, int stop) {
        Actor actor(rig);
        actor.reset_to(dance(egg, 0));
        for (int k = 1; k < 60; ++k) {
            auto joints = dance(egg, k);
            if (nudge && k == 5) joints[1].m[0][0] = std::nextafter(float(joints[1].m[0][0]), 0.0f);
            actor.go(joints, 1.0 / 60);
            if (k == stop) actor.state = State(actor.state);  // a copy carries everything
        }
        return hash(actor.state);
    };
    EXPECT_EQ(run(false, -1), run(false, 30));
    EXPECT_NE(run(false, -1), run(true, -1));
}

TEST(LayersBits, FramesInBetweenDoNotChangeSteps) {
    // The same poses at 60 and, by interpolating the same straight motion, at 120 frames: the swing is the same.
    const Character egg = make_egg();
    const RigPtr rig = bound(egg, at_resolution(16));
    Actor coarse(rig), fine(rig);
    const auto at = [&](double t) {
        return moved(rest_joints(egg), compose({t < 0.5 ? t : 0.5, 0, 0}, {}, {1, 1, 1}));
    };
    coarse.reset_to(at(0));
    fine.reset_to(at(0));
    for (int k = 1; k <= 60; ++k) {
        coarse.go(at(k / 60.0), 1.0 / 60);
        fine.go(at((k - 0.5) / 60), 0.5 / 60);
        fine.go(at(k / 60.0), 0.5 / 60);
    }
    coarse.look();
    fine.look();
    EXPECT_GT(surface_offset(coarse.positions, coarse.skinned, 1).max, 1e-3);
    EXPECT_LT(surface_offset(coarse.positions, fine.positions, 1).max, 1e-5);
}

// ---- engines ---------------------------------------------------------------------------------------------------
/// A palm with two fingers that share cells: sheets, lists and cut faces all occur.
Character make_fork() {
    Character fork = make_egg();
    fork.name = "fork";
    fork.mesh = {};
    fork.weights = {};
    fork.weights.influences = 4;
    const auto add = [&](const test::TestMesh& piece, std::uint16_t joint) {
        test::TestMesh mesh{fork.mesh.positions, fork.mesh.triangles};
        mesh.add(piece);
        fork.mesh.positions = mesh.positions;
        fork.mesh.triangles = mesh.triangles;
        while (fork.weights.joints.size() < 4 * mesh.positions.size()) {
            fork.weights.joints.insert(fork.weights.joints.end(), {joint, 0, 0, 0});
            fork.weights.weights.insert(fork.weights.weights.end(), {1, 0, 0, 0});
        }
    };
    for (int j = 2; j < 4; ++j) {
        Joint joint = fork.joints[1];
        joint.name = j == 2 ? "left finger" : "right finger";
        joint.parent = 1;
        joint.rest = compose({j == 2 ? -0.12 : 0.12, 0.3, 0}, {}, {1, 1, 1});
        joint.tail = {j == 2 ? -0.12 : 0.12, 0.9, 0};
        fork.joints.push_back(joint);
    }
    add(test::box({-0.3f, -0.4f, -0.15f}, {0.3f, 0.25f, 0.15f}), 0);
    add(test::box({-0.29f, 0.2f, -0.14f}, {0.03f, 1.0f, 0.14f}), 2);
    add(test::box({0.06f, 0.2f, -0.14f}, {0.28f, 1.0f, 0.14f}), 3);
    fork.mesh.normals.assign(fork.mesh.positions.size(), {0, 1, 0});
    fork.mesh.parts.clear();
    return fork;
}

class LayersEnginesWidth : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Widths, LayersEnginesWidth, ::testing::Values(2, 3, 4, 5, 9, 15));

TEST_P(LayersEnginesWidth, VectorsAndPlainLoopsAgree) {
    for (const Character& character : {make_egg(), make_tube(), make_fork()}) {
        LayersSettings settings = at_resolution(16);
        settings.anatomy = Anatomies::names;  // by its shape, a fork of boxes would be a stiff thing
        settings.region_width = GetParam();
        Actor vectors(*bind_layers_by(character, settings, Engine::segments));
        Actor plain(*bind_layers_by(character, settings, Engine::reference));
        const double size = character.size();
        for (int k = 0; k < 40; ++k) {
            auto joints = rest_joints(character);
            joints[1] = joints[1] * compose({}, quat_from_axis_angle({0, 0, 1}, 0.2 * std::sin(0.15 * k)), {1, 1, 1});
            joints = moved(joints, compose({0.02 * size * std::sin(0.2 * k), 0, 0}, {}, {1, 1, 1}));
            for (Actor* actor : {&vectors, &plain}) k == 0 ? actor->reset_to(joints) : actor->go(joints, 1.0 / 60);
        }
        vectors.look();
        plain.look();
        EXPECT_GT(surface_offset(vectors.positions, vectors.skinned, size).max, 5e-4) << character.name;
        // The end of a finger or a block of two cells hardly has a rotation of its own: rounding errors show there.
        const bool loose = character.name == "fork" || GetParam() == 2;
        EXPECT_LT(surface_offset(vectors.positions, plain.positions, size).max, loose ? 2e-3 : 2e-5) << character.name;
    }
}

TEST(LayersEngines, AgreeAtOnceWhereFingersShareVoxels) {
    // A few steps far from rest, with coherent flesh: what the lists correct shows before rounding errors grow.
    const Character fork = make_fork();
    const double size = fork.size();
    LayersSettings settings = at_resolution(16);
    settings.anatomy = Anatomies::names;
    settings.bone_width = 0.001;
    for (LayerSettings& layer : settings.layers) layer.frequency = 12;
    Actor vectors(*bind_layers_by(fork, settings, Engine::segments));
    Actor plain(*bind_layers_by(fork, settings, Engine::reference));
    for (int k = 0; k < 3; ++k) {
        auto joints = rest_joints(fork);
        joints[2] = joints[2] * compose({}, quat_from_axis_angle({0, 0, 1}, 0.15 * k * k), {1, 1, 1});
        joints = moved(joints, compose({0, 0.05 * size * k * k, 0}, {}, {1, 1, 1}));
        for (Actor* actor : {&vectors, &plain}) k == 0 ? actor->reset_to(joints) : actor->go(joints, 1.0 / 60);
    }
    vectors.look();
    plain.look();
    EXPECT_GT(surface_offset(vectors.positions, vectors.skinned, size).max, 5e-3);
    EXPECT_LT(surface_offset(vectors.positions, plain.positions, size).max, 1e-5);
}

TEST(LayersEngines, FingersThatShareVoxelsMoveAlone) {
    const Character fork = make_fork();
    Actor actor(bound(fork, at_resolution(12)));
    auto joints = rest_joints(fork);
    actor.reset_to(joints);
    joints[2] = joints[2] * compose({}, quat_from_axis_angle({0, 0, 1}, 0.8), {1, 1, 1});
    for (int k = 0; k < 120; ++k) actor.go(joints, 1.0 / 60);
    actor.look();
    // The right finger stays where it was, except for what is transmitted through the palm.
    for (std::size_t v = 16; v < 24; ++v)
        if (fork.mesh.positions[v].y > 0.5f) {
            EXPECT_LT(length(actor.positions[v] - fork.mesh.positions[v]), 0.01f);
        }
    bool found = false;
    for (const std::string& warning : actor.rig->warnings())
        found = found || warning.find("share") != std::string::npos;
    EXPECT_TRUE(found);
}

TEST_P(LayersEnginesWidth, ThreadsDoNotChangeTheBits) {
    const Character egg = make_egg();
    LayersSettings settings = at_resolution(24);
    settings.region_width = GetParam();
    const RigPtr rig = bound(egg, settings);
    std::vector<std::uint64_t> hashes;
    for (const int threads : {1, 2, 4}) {
        Actor actor(rig, threads);
        actor.reset_to(dance(egg, 0));
        for (int k = 1; k < 40; ++k) actor.go(dance(egg, k), 1.0 / 60);
        hashes.push_back(hash(actor.state));
    }
    EXPECT_EQ(hashes[0], hashes[1]);
    EXPECT_EQ(hashes[0], hashes[2]);
}

TEST(LayersEngines, OneWorkspaceServesManyBodies) {
    // The scratch memory of another body must have no effect.
    const Character egg = make_egg(), tube = make_tube();
    const RigPtr a = bound(egg, at_resolution(16)), b = bound(tube, at_resolution(20));
    Workspace shared(1), own(1);
    State one = make_state(*a), two = make_state(*a), other = make_state(*b);
    for (int k = 0; k < 20; ++k) {
        advance(*a, dance(egg, k), 1.0 / 60, one, own);
        advance(*a, dance(egg, k), 1.0 / 60, two, shared);
        advance(*b, turned_tube({0, 0, 1}, 0.1 * k), 1.0 / 60, other, shared);
    }
    EXPECT_EQ(hash(one), hash(two));
}

// ---- faults ----------------------------------------------------------------------------------------------------
TEST(LayersFaults, OddStepsOfTimeAreHarmless) {
    const Character egg = make_egg();
    Actor actor(bound(egg, at_resolution(16)));
    actor.reset_to(dance(egg, 0));
    int k = 0;
    for (const double dt : {0.0, 1e-6, 0.5, 10.0, 3600.0, -1.0, std::nan(""), 1.0 / 60}) {
        actor.go(dance(egg, k += 3), dt);
        actor.look();
        EXPECT_TRUE(all_finite(actor.state.positions)) << dt;
        EXPECT_LT(surface_offset(actor.positions, actor.skinned, 1).max, 0.25) << dt;
    }
    for (int i = 0; i < 60; ++i) actor.go(dance(egg, k), 1.0 / 60);
    actor.look();
    EXPECT_LT(surface_offset(actor.positions, actor.skinned, 1).max, 0.05);
}

TEST(LayersFaults, BadPosesAreRefused) {
    const Character egg = make_egg();
    Actor actor(bound(egg, at_resolution(16)));
    actor.reset_to(dance(egg, 0));
    for (int k = 1; k < 60; ++k) {
        auto joints = dance(egg, k);
        if (k % 10 == 3) joints[1].m[0][0] = std::nan("");
        if (k % 10 == 5) joints[0].m[1][3] = INFINITY;
        if (k % 10 == 7) joints[1] = compose({}, {}, {-1, 1, 1});
        if (k % 10 == 9) joints[1] = compose({}, {}, {0, 1, 1});
        actor.go(joints, 1.0 / 60);
        actor.look();
        EXPECT_TRUE(all_finite(actor.state.positions));
        EXPECT_LT(surface_offset(actor.positions, actor.skinned, 1).max, 0.25);
    }
    EXPECT_GT(actor.state.counters.refused_poses, 20u);
}

TEST(LayersFaults, TeleportsAndFlipsAreCarried) {
    // After a body has been moved elsewhere its flesh swings on as if nothing had happened.
    const Character egg = make_egg();
    const RigPtr rig = bound(egg, at_resolution(16));
    Actor home(rig), jumper(rig);
    Affine place;
    home.reset_to(dance(egg, 0));
    jumper.reset_to(dance(egg, 0));
    for (int k = 1; k < 300; ++k) {
        if (k % 60 == 0)
            place =
                compose({1000.0 * (k / 60), -500, 300}, quat_from_axis_angle({0, 1, 0}, k / 60 * 3.14159), {1, 1, 1});
        home.go(dance(egg, k), 1.0 / 60);
        jumper.go(moved(dance(egg, k), place), 1.0 / 60);
        if (k % 7 != 0) continue;
        home.look();
        jumper.look();
        for (std::size_t v = 0; v < home.positions.size(); v += 37) {
            const Vec3d expected = transform_vector(place, to_double(home.positions[v]) - to_double(home.skinned[v]));
            EXPECT_LT(length(to_double(jumper.positions[v]) - to_double(jumper.skinned[v]) - expected), 0.02) << k;
        }
    }
    EXPECT_EQ(jumper.state.counters.resets, home.state.counters.resets);
}

TEST(LayersFaults, ScrubbingWhilePausedIsNotFelt) {
    const Character egg = make_egg();
    Actor actor(bound(egg, at_resolution(16)));
    const auto there = moved(rest_joints(egg), compose({0.3, 0, 0}, {}, {1, 1, 1}));
    actor.reset_to(rest_joints(egg));
    actor.go(there, 0);
    for (int k = 0; k < 10; ++k) actor.go(there, 1.0 / 60);
    actor.look();
    EXPECT_LT(surface_offset(actor.positions, actor.skinned, 1).max, 1e-4);
}

TEST(LayersFaults, TenKilometresAwayItSwingsAsAtHome) {
    const Character egg = make_egg();
    const RigPtr rig = bound(egg, at_resolution(16));
    Actor home(rig), away(rig);
    const Affine far = compose({10000, 0, -10000}, {}, {1, 1, 1});
    home.reset_to(dance(egg, 0));
    away.reset_to(moved(dance(egg, 0), far));
    for (int k = 1; k < 90; ++k) {
        home.go(dance(egg, k), 1.0 / 60);
        away.go(moved(dance(egg, k), far), 1.0 / 60);
    }
    home.look();
    away.look();
    for (std::size_t v = 0; v < home.positions.size(); ++v) {
        const Vec3d expected = transform_point(far, to_double(home.positions[v]));
        EXPECT_LT(length(to_double(away.positions[v]) - expected), 2e-3);  // floats are 1e-3 apart there
    }
    for (std::size_t k = 0; k < home.state.velocities.size(); ++k)
        EXPECT_NEAR(home.state.velocities[k], away.state.velocities[k], 1e-3);
}

TEST(LayersFaults, ViolentMotionStaysWithinItsReach) {
    const Character egg = make_egg();
    Actor actor(bound(egg, at_resolution(16)));
    const auto pose = [&](double t) {
        auto joints = rest_joints(egg);
        joints[1] =
            joints[1] * compose({}, quat_from_axis_angle({1, 0, 0}, 1.5 * std::sin(6.2831853 * 4 * t)), {1, 1, 1});
        return moved(joints,
                     compose({0.3 * std::sin(6.2831853 * 3 * t), 0, 0},
                             quat_from_axis_angle({0, 1, 0}, 3.14159 * std::sin(6.2831853 * 1.5 * t)), {1, 1, 1}));
    };
    actor.reset_to(pose(0));
    int moving = 0;
    for (int k = 1; k <= 600; ++k) {
        actor.go(pose(k / 60.0), 1.0 / 60);
        actor.look();
        const double most = surface_offset(actor.positions, actor.skinned, 1).max;
        EXPECT_LT(most, 0.15);
        moving += most > 1e-3;
    }
    EXPECT_GT(moving, 540);
    EXPECT_TRUE(all_finite(actor.state.positions));
}

// Moved and turned as a whole, every point goes where the rigid motion takes its rest position, whatever the internal
// order of points and axes.
TEST(Layers, PointsCanBeSeenInTheScene) {
    const Character egg = make_egg(2);
    const auto rig = bind(egg, at_resolution(12));
    ASSERT_TRUE(rig);
    Workspace work(1);
    State state = make_state(**rig);
    const std::size_t n = (*rig)->point_count();
    ASSERT_EQ((*rig)->inside()->point_layers().size(), n);
    EXPECT_NEAR((*rig)->inside()->point_spacing(), 2.0 / 12, 1e-3);
    const auto points_in = [&](const Affine& motion) {
        std::vector<Affine> joints;
        for (const Joint& joint : egg.joints) joints.push_back(motion * joint.rest);
        reset(**rig, joints, state, work);
        std::vector<Vec3> points(n);
        test::point_positions(**rig, state, points);
        return points;
    };
    const std::vector<Vec3> rest = points_in(Affine{});
    const Affine motion = compose({3, -1, 5}, {std::cos(0.4), 0, std::sin(0.4), 0}, {1, 1, 1});
    const std::vector<Vec3> moved = points_in(motion);
    for (std::size_t i = 0; i < n; ++i) {
        EXPECT_LT(std::abs(rest[i].y), 1.05f);
        EXPECT_LT(length(to_double(moved[i]) - transform_point(motion, to_double(rest[i]))), 1e-5);
    }
}

// ---- drag ------------------------------------------------------------------------------------------------------
/// The farthest that the egg's surface gets from the skinned one while the egg goes along x and stops.
double farthest(const Character& egg, const Flesh& flesh, double speed) {
    auto rig = bind(egg, "layers", flesh);
    EXPECT_TRUE(rig.ok()) << rig.error().message;
    Actor actor(*rig);
    actor.reset_to(rest_joints(egg));
    double at = 0, most = 0;
    for (int k = 0; k < 40; ++k) {
        if (k < 15) at += speed / 60;
        actor.go(moved(rest_joints(egg), compose({at, 0, 0}, {}, {1, 1, 1})), 1.0 / 60);
        actor.look();
        for (std::size_t v = 0; v < actor.positions.size(); ++v)
            most = std::max(most, double(length(actor.positions[v] - actor.skinned[v])));
    }
    return most;
}

TEST(Drag, HoldsBackWhatIsFlungOnlyWhereFrequenciesFollowTheDepth) {
    const Character egg = make_egg();
    Flesh following = *preset("default");
    ASSERT_TRUE(set_field(following, "resolution", "14").ok());
    Flesh asked = following;
    const auto rig = bind(egg, "layers", following);
    ASSERT_TRUE(rig.ok());
    for (const LayerFrequency& f : (*rig)->inside()->layer_frequencies())
        ASSERT_TRUE(set_field(asked, "layers." + f.layer + ".frequency", std::to_string(f.hz)).ok()) << f.layer;
    EXPECT_NEAR(farthest(egg, following, 0.1) / farthest(egg, asked, 0.1), 1, 1e-5) << "calm flesh swings freely";
    EXPECT_LT(farthest(egg, following, 1), 0.8 * farthest(egg, asked, 1));
}

}  // namespace
}  // namespace fascia
