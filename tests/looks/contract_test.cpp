// What a user may rely on: flesh swings the same at every frame rate, resolution and size, and with dropped frames.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <numeric>

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

/// Keys on a curve. Straight lines between 30 keys a second are another motion at 240 fps, with a jolt at every key and
/// another speed at a stop, than at 30 fps, where nothing of them is seen.
void smooth(Channel& channel) {
    ASSERT_EQ(channel.interpolation, Channel::Interpolation::linear);
    const std::size_t keys = channel.times.size(), n = channel.values.size() / keys;
    std::vector<float>& values = channel.values;
    for (std::size_t k = n; k < values.size() && n == 4; k += n) {
        const bool far = std::inner_product(&values[k], &values[k] + n, &values[k - n], 0.0f) < 0;
        for (std::size_t i = k; i < k + n && far; ++i) values[i] = -values[i];
    }
    std::vector<float> out;
    for (std::size_t k = 0; k < keys; ++k) {
        const std::size_t before = k > 0 ? k - 1 : k, after = std::min(k + 1, keys - 1);
        const float seconds = std::max(channel.times[after] - channel.times[before], 1e-6f);
        std::vector<float> slope;
        for (std::size_t i = 0; i < n; ++i) slope.push_back((values[after * n + i] - values[before * n + i]) / seconds);
        out.insert(out.end(), slope.begin(), slope.end());
        out.insert(out.end(), &values[k * n], &values[k * n] + n);
        out.insert(out.end(), slope.begin(), slope.end());
    }
    values = out;
    channel.interpolation = Channel::Interpolation::cubic;
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

/// How far the belly is from plain skinning, divided by the size; seconds since the stop.
struct Swing {
    std::vector<double> times;
    std::vector<Vec3d> offsets;
};

Swing swing(const Scene& scene, const RigPtr& rig, const std::vector<double>& frames) {
    Performer performer(rig);
    const PoseAt pose = scene.poses();
    const std::vector<std::size_t> belly = belly_of(scene.character);
    Swing out;
    performer.start(pose(frames[0]));
    for (std::size_t k = 1; k < frames.size(); ++k) {
        performer.go(pose(frames[k]), frames[k] - frames[k - 1]);
        if (frames[k] < scene.stop + 0.05) continue;
        performer.look();
        out.times.push_back(frames[k] - scene.stop);
        out.offsets.push_back(test::mean_offset(performer, belly) * (1 / scene.character.size()));
    }
    return out;
}

/// The same motion seen at other times.
Swing seen_at(const std::vector<double>& times, const Swing& dense) {
    Swing out{times, {}};
    for (const double t : times) {
        const auto after = std::lower_bound(dense.times.begin() + 1, dense.times.end() - 1, t);
        const auto k = std::size_t(after - dense.times.begin());
        const double share = (t - dense.times[k - 1]) / (dense.times[k] - dense.times[k - 1]);
        out.offsets.push_back(dense.offsets[k - 1] * (1 - share) + dense.offsets[k] * share);
    }
    return out;
}

/// Along the direction in which it moves most.
DampedSine sine_of(const Swing& swing) {
    const Vec3d rest = swing.offsets.back();
    Vec3d axis{0.3, 1, 0.3};
    for (int round = 0; round < 20; ++round) {
        Vec3d next;
        for (std::size_t k = 0; k < swing.times.size(); ++k)
            if (swing.times[k] > 0.099) next += (swing.offsets[k] - rest) * dot(swing.offsets[k] - rest, axis);
        axis = next * (1 / length(next));
    }
    std::vector<double> t, y;
    for (std::size_t k = 0; k < swing.times.size(); ++k) {
        if (swing.times[k] < 0.099 || swing.times[k] >= 1.2) continue;
        t.push_back(swing.times[k]);
        y.push_back(dot(swing.offsets[k], axis));
    }
    return test::fit_damped_sine(t, y, 2, 8);
}

double farthest_apart(const Swing& a, const Swing& b) {
    double out = 0;
    for (std::size_t k = 0; k < a.times.size(); ++k) out = std::max(out, length(a.offsets[k] - b.offsets[k]));
    return out;
}

/// A swing of flesh is not a pure damped sine, so the sine that fits it best depends on when it is looked at: one and
/// the same motion has amplitudes 5 % apart if it is seen 24 or 30 times a second. Therefore each frame rate is
/// compared with the run at 240 fps as seen at its own times.
void any_frame_rate(const Scene& scene, const std::string& method, double allowed = 0.02) {
    const RigPtr rig = bound(scene.character, 24, method);
    const double end = scene.stop + 2.5;
    const Swing dense = swing(scene, rig, even_frames(240, end));
    std::vector<double> hz;
    const auto add = [&](const std::string& what, const std::vector<double>& frames) {
        const Swing own = swing(scene, rig, frames), same_times = seen_at(own.times, dense);
        const DampedSine sine = sine_of(own), expected = sine_of(same_times);
        const double share = sine.amplitude / expected.amplitude;
        const double apart = farthest_apart(own, same_times) / expected.amplitude;
        std::printf("%-28s %.3f Hz, %.2f %% of the size, %.4f of that at 240 fps, never apart by more than %.4f\n",
                    what.c_str(), sine.hz, 100 * sine.amplitude, share, apart);
        EXPECT_NEAR(share, 1, allowed) << what;
        EXPECT_LE(apart, allowed) << what;
        hz.push_back(sine.hz);
    };
    for (const double fps : {24.0, 30.0, 60.0, 120.0, 144.0})
        add(std::to_string(int(fps)) + " fps", even_frames(fps, end));
    add("frames lost and late", bad_frames(scene.stop, end));
    hz.push_back(sine_of(dense).hz);
    const auto [slowest, fastest] = std::minmax_element(hz.begin(), hz.end());
    EXPECT_LE(*fastest, 1.02 * *slowest);
}

void any_resolution(const Scene& scene) {
    double low = 1e9, high = 0;
    for (const int resolution : {24, 32, 48, 64}) {
        const RigPtr rig = bound(scene.character, resolution);
        const DampedSine fit = sine_of(swing(scene, rig, even_frames(60, scene.stop + 2.5)));
        std::printf("resolution %d: %.3f Hz, %.2f %% of the size\n", resolution, fit.hz, 100 * fit.amplitude);
        EXPECT_NEAR(fit.hz, 4, 0.4) << resolution;
        low = std::min(low, fit.amplitude);
        high = std::max(high, fit.amplitude);
    }
    EXPECT_LT(high / low, 1.2);
}

class AnyFrameRate : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Methods, AnyFrameRate, ::testing::ValuesIn(steady::methods_that_swing_everywhere()),
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
    for (const double stop : {3.5, 4.0, 4.5}) {
        Scene scene = jumping_man(stop);
        any_frame_rate(scene, GetParam(), 0.05);
        for (Channel& channel : scene.clip.channels) smooth(channel);
        any_frame_rate(scene, GetParam());
    }
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
INSTANTIATE_TEST_SUITE_P(Methods, AnySize, ::testing::ValuesIn(steady::methods_that_swing_everywhere()),
                         steady::method_name);

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
