// What a user may rely on: flesh swings the same at every frame rate, resolution and size, and with dropped frames.
#include <cstdint>
#include <cstdio>

#include "support/damped_sine.h"
#include "support/flesh.h"
#include "support/performer.h"
#include "support/shared_data.h"
#include "support/steady_body.h"

namespace fascia {
namespace {

using test::belly_of;
using test::DampedSine;
using test::Performer;
using test::PoseAt;

/// A character and a motion that ends in a dead stop.
struct Scene {
    Character character;
    Clip clip;
    double stop = 2;
    PoseAt poses() const { return test::play(character, clip, stop); }
};

Scene shaken(const std::string& name, double stop = 2) {
    Scene scene{*bundled_character(name), {}, stop};
    scene.clip = **find_clip(scene.character, "shake");
    return scene;
}

Scene jumping_man(double stop = 4.5) {
    Scene scene{*load_character(test::shared_data("characters/mh_heavy_male.glb")), {}, stop};
    scene.clip = **find_clip(scene.character, "jumping_jacks");
    return scene;
}

RigPtr bound(const Character& character, int resolution, const std::string& method = "layers") {
    return *fascia::bind(character, method, test::flesh_with("default", {{"resolution", resolution}}));
}

/// When frames come; the first at 0.
std::vector<double> even_frames(double fps, double end) {
    std::vector<double> out;
    for (int k = 0; k <= int(end * fps + 1e-6); ++k) out.push_back(k / fps);
    return out;
}

/// Sixty frames per second, a tenth of them dropped and the others early or late by up to a third of a frame; the one
/// that shows the stop is not dropped.
std::vector<double> bad_frames(double stop, double end) {
    std::vector<double> out{0};
    std::uint32_t dice = 12345;
    for (int k = 1; k <= int(end * 60); ++k) {
        dice = dice * 1664525u + 1013904223u;
        if (std::abs(k / 60.0 - stop) < 0.02) {
            if (std::abs(k / 60.0 - stop) < 1e-6) out.push_back(stop);
            continue;
        }
        if (dice >> 28 == 0 || (dice >> 27 & 1 && k % 9 == 0)) continue;
        out.push_back((k + (double(dice >> 16 & 255) / 255 - 0.5) * 0.66) / 60);
    }
    return out;
}

/// How the belly keeps swinging after the stop, divided by the size.
DampedSine swing(const Scene& scene, const RigPtr& rig, const std::vector<double>& frames) {
    Performer performer(rig);
    const PoseAt pose = scene.poses();
    const std::vector<std::size_t> belly = belly_of(scene.character);
    std::vector<double> times;
    std::vector<Vec3d> offsets;
    performer.start(pose(frames[0]));
    for (std::size_t k = 1; k < frames.size(); ++k) {
        performer.go(pose(frames[k]), frames[k] - frames[k - 1]);
        if (frames[k] < scene.stop + 0.1) continue;
        performer.look();
        times.push_back(frames[k] - scene.stop);
        offsets.push_back(test::mean_offset(performer, belly) * (1 / scene.character.size()));
    }
    // Along the direction in which it moves most.
    const Vec3d rest = offsets.back();
    Vec3d axis{0.3, 1, 0.3};
    for (int round = 0; round < 20; ++round) {
        Vec3d next;
        for (const Vec3d o : offsets) next += (o - rest) * dot(o - rest, axis);
        axis = next * (1 / length(next));
    }
    std::vector<double> t, y;
    for (std::size_t k = 0; k < times.size() && times[k] < 1.2; ++k) {
        t.push_back(times[k]);
        y.push_back(dot(offsets[k], axis));
    }
    return test::fit_damped_sine(t, y, 2, 8);
}

void any_frame_rate(const Scene& scene, const std::string& method = "layers") {
    const RigPtr rig = bound(scene.character, 24, method);
    const double end = scene.stop + 2.5;
    std::vector<DampedSine> swings;
    const auto add = [&](const std::string& what, const std::vector<double>& frames) {
        swings.push_back(swing(scene, rig, frames));
        std::printf("%-28s %.3f Hz, %.2f %% of the size\n", what.c_str(), swings.back().hz,
                    100 * swings.back().amplitude);
    };
    for (const double fps : {24.0, 30.0, 60.0, 120.0, 144.0, 240.0})
        add(std::to_string(int(fps)) + " fps", even_frames(fps, end));
    add("frames lost and late", bad_frames(scene.stop, end));
    for (const DampedSine& a : swings)
        for (const DampedSine& b : swings) {
            EXPECT_LE(a.hz, 1.02 * b.hz);
            EXPECT_LE(a.amplitude, 1.05 * b.amplitude);
        }
}

void any_resolution(const Scene& scene) {
    double low = 1e9, high = 0;
    for (const int resolution : {24, 32, 48, 64}) {
        const DampedSine fit = swing(scene, bound(scene.character, resolution), even_frames(60, scene.stop + 2.5));
        std::printf("resolution %d: %.3f Hz, %.2f %% of the size\n", resolution, fit.hz, 100 * fit.amplitude);
        EXPECT_NEAR(fit.hz, 4, 0.4) << resolution;
        low = std::min(low, fit.amplitude);
        high = std::max(high, fit.amplitude);
    }
    EXPECT_LT(high / low, 1.2);
}

class AnyFrameRate : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Methods, AnyFrameRate, ::testing::ValuesIn(steady::methods_with_memory()),
                         steady::method_name);

// Stops at full speed, and where the speed changes fastest.
TEST_P(AnyFrameRate, BunnySwingsAlike) {
    for (const double stop : {1.5, 2.0}) any_frame_rate(shaken("bunny", stop), GetParam());
}
TEST_P(AnyFrameRate, BloatSwingsAlike) {
    for (const double stop : {1.5, 2.0}) any_frame_rate(shaken("bloat", stop), GetParam());
}
TEST_P(AnyFrameRate, AManSwingsAlike) {
    FASCIA_NEEDS_SHARED_DATA();
    for (const double stop : {3.5, 4.0, 4.5}) any_frame_rate(jumping_man(stop), GetParam());
}
TEST(Contract, BunnySwingsAsAskedAtAnyResolution) {
    any_resolution(shaken("bunny"));
}
TEST(Contract, BloatSwingsAsAskedAtAnyResolution) {
    any_resolution(shaken("bloat"));
}
TEST(Contract, AManSwingsAsAskedAtAnyResolution) {
    FASCIA_NEEDS_SHARED_DATA();
    any_resolution(jumping_man());
}

Character scaled(Character character, double by) {
    for (Vec3& p : character.mesh.positions) p = to_float(to_double(p) * by);
    for (Joint& joint : character.joints) {
        for (int r = 0; r < 3; ++r) joint.rest.m[r][3] *= by;
        joint.tail = joint.tail * by;
    }
    return character;
}

class AnySize : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Methods, AnySize, ::testing::ValuesIn(steady::methods_with_memory()), steady::method_name);

TEST_P(AnySize, DoesNotMatter) {
    const Scene scene = shaken("bunny");
    const PoseAt pose = scene.poses();
    Performer base(bound(scene.character, 24, GetParam()));
    const auto at = [&](double t, double by) {
        std::vector<Affine> joints = pose(t);
        for (Affine& j : joints)
            for (int r = 0; r < 3; ++r) j.m[r][3] *= by;
        return joints;
    };
    for (const double by : {0.01, 100.0}) {
        base.start(at(0, 1));
        Performer other(bound(scaled(scene.character, by), 24, GetParam()));
        other.start(at(0, by));
        for (int k = 1; k <= 150; ++k) {
            base.go(at(k / 60.0, 1), 1 / 60.0);
            other.go(at(k / 60.0, by), 1 / 60.0);
        }
        base.look();
        other.look();
        double worst = 0, moved = 0;
        for (std::size_t v = 0; v < base.surface().size(); ++v) {
            worst = std::max(worst, length(to_double(other.surface()[v]) * (1 / by) - to_double(base.surface()[v])));
            moved = std::max(moved, double(length(base.surface()[v] - base.skinned()[v])));
        }
        EXPECT_LT(worst, 1e-3 * scene.character.size()) << by;
        EXPECT_GT(moved, 0.005 * scene.character.size());
    }
}

}  // namespace
}  // namespace fascia
