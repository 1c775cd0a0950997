// Rigs and states to bytes and back: the same bits, and a sentence for everything that is not a valid file.
#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "fascia/bundled.h"
#include "fascia/method.h"
#include "fascia/pose.h"
#include "support/rig_bytes.h"

namespace fascia {
namespace {

using Bytes = std::vector<std::uint8_t>;

struct Kind {
    const char* name;
    const char* method;
    std::function<void(LayersSettings&)> change;  ///< for layers
};

std::vector<Kind> kinds() {
    return {{"lbs", "lbs", {}},
            {"dqs", "dqs", {}},
            {"default", "layers", [](LayersSettings&) {}},
            {"wide", "layers", [](LayersSettings& s) { s.region_width = 5; }},
            {"even", "layers", [](LayersSettings& s) { s.region_width = 2; }},
            {"geodesic", "layers", [](LayersSettings&) {}},
            {"paper", "layers", [](LayersSettings& s) { s = *settings_from<LayersSettings>(*preset("paper-bunny")); }},
            {"parts", "layers",
             [](LayersSettings& s) {
                 s.parts.push_back({"*", 0.02, 0.3, 1.3, {}});
                 s.layers[1].frequency = 3.3;
             }},
            {"blending", "bones-blending", {}},
            {"lattice", "lattice", {}},
            {"pivoted", "lattice", {}},
            {"particles", "particles", {}},
            {"paper particles", "particles", {}},
            {"hull", "volumetric-dqs", {}},
            {"arap", "volumetric-arap", {}},
            {"warm", "volumetric-arap", {}}};
}

RigPtr rig_of(const Kind& kind, const Character& character, int resolution) {
    Settings settings = *settings_for(kind.method, *preset("default"));
    if (auto* layers = settings.as<LayersSettings>()) {
        kind.change(*layers);
        layers->resolution = resolution;
    }
    if (auto* lattice = settings.as<LatticeSettings>()) {
        lattice->resolution = resolution;
        if (kind.name == std::string("pivoted")) {
            lattice->pivoted = lattice->unbiased = true;
            lattice->region_radius = 3;
            lattice->delta = 0.6;
        }
    }
    if (auto* particles = settings.as<ParticlesSettings>()) {
        if (kind.name == std::string("paper particles"))
            *particles = *settings_from<ParticlesSettings>(*preset("paper-hand"));
        particles->resolution = resolution;
    }
    if (auto* hull = settings.as<VolumetricDqsSettings>()) hull->resolution = resolution;
    if (auto* arap = settings.as<VolumetricArapSettings>()) {
        arap->resolution = resolution;
        arap->warm = kind.name == std::string("warm");
    }
    BindInputs inputs;
    if (kind.name == std::string("geodesic")) inputs.weights = "geodesic";
    auto rig = fascia::bind(character, settings, inputs);
    EXPECT_TRUE(rig.ok()) << kind.name;
    return *rig;
}

/// Some frames of the first clip.
class Player {
public:
    Player(const Character& character, RigPtr rig) : character_(character), rig_(std::move(rig)) {
        state = make_state(*rig_);
    }
    void play(int frames) {
        for (int k = 0; k < frames; ++k, ++frame_) {
            evaluate(character_, &character_.clips[0], frame_ / 60.0, pose_);
            if (frame_ == 0) reset(*rig_, pose_.joints, state, work_);
            advance(*rig_, pose_.joints, 1 / 60.0, state, work_);
        }
    }
    std::vector<Vec3> surface() {
        std::vector<Vec3> out(2 * rig_->vertex_count());
        const std::size_t n = rig_->vertex_count();
        embed(*rig_, state, {std::span(out).first(n), std::span(out).last(n), {}}, work_);
        return out;
    }
    State state;

private:
    const Character& character_;
    RigPtr rig_;
    Workspace work_;
    Pose pose_;
    int frame_ = 0;
};

Character small_tube() {
    return *bundled_character("tube");
}

Bytes bytes_of(const Rig& rig) {
    auto bytes = save_rig(rig);
    EXPECT_TRUE(bytes.ok());
    return *bytes;
}

TEST(RigFile, LoadsToTheSameBits) {
    const Character bunny = *bundled_character("bunny");
    for (const Kind& kind : kinds()) {
        const RigPtr rig = rig_of(kind, bunny, 14);
        const Bytes bytes = bytes_of(*rig);
        const auto loaded = load_rig(bytes);
        ASSERT_TRUE(loaded.ok()) << kind.name << ": " << loaded.error().message;
        EXPECT_STREQ((*loaded)->method(), rig->method());
        EXPECT_EQ((*loaded)->warnings(), rig->warnings());
        EXPECT_EQ((*loaded)->point_count(), rig->point_count());
        const std::vector<LayerCount> now = layer_counts(**loaded), before = layer_counts(*rig);
        ASSERT_EQ(now.size(), before.size());
        for (std::size_t k = 0; k < now.size(); ++k) EXPECT_EQ(now[k].points, before[k].points) << now[k].name;
        EXPECT_EQ(bytes_of(**loaded), bytes) << kind.name;
        Player bound(bunny, rig), read(bunny, *loaded);
        bound.play(40);
        read.play(40);
        EXPECT_EQ(hash(bound.state), hash(read.state)) << kind.name;
        EXPECT_EQ(bound.surface(), read.surface()) << kind.name;
    }
}

// ---- damage ----------------------------------------------------------------------------------------------------
void expect_refused(const Bytes& bytes, const std::string& word) {
    const auto rig = load_rig(bytes, "body.rig");
    ASSERT_FALSE(rig.ok()) << word;
    EXPECT_NE(rig.error().message.find("body.rig"), std::string::npos) << rig.error().message;
    EXPECT_NE(rig.error().message.find(word), std::string::npos) << rig.error().message;
}

/// Vertices that lie exactly on an edge of the simpler surface, or in its flat ends.
TEST(RigFile, ParticlesOfATubeLoadAtEveryResolution) {
    const Character tube = *bundled_character("tube");
    for (const char* resolution : {"16", "24", "32"}) {
        Flesh flesh = *preset("default");
        ASSERT_TRUE(set_field(flesh, "resolution", resolution).ok());
        const Result<RigPtr> loaded = load_rig(*save_rig(**fascia::bind(tube, "particles", flesh)));
        EXPECT_TRUE(loaded.ok()) << resolution << ": " << (loaded.ok() ? "" : loaded.error().message);
    }
}

TEST(RigFile, WhatIsNotARigIsRefusedInASentence) {
    const Bytes good = bytes_of(*rig_of(kinds()[2], small_tube(), 8));
    expect_refused({}, "no rig file");
    expect_refused(Bytes(100, 'x'), "no rig file");
    for (std::size_t size = 8; size < good.size(); size += 1 + size / 7)
        expect_refused(Bytes(good.begin(), good.begin() + std::ptrdiff_t(size)), "cut off");
    Bytes longer = good;
    longer.push_back(0);
    expect_refused(longer, "past its end");
    Bytes newer = good;
    newer[test::version_at] ^= 2;
    expect_refused(newer, "version");
    const auto other = load_rig(good, "body.rig", "dqs");
    ASSERT_FALSE(other.ok());
    EXPECT_NE(other.error().message.find("layers"), std::string::npos);
    EXPECT_TRUE(load_rig(good, "body.rig", "layers").ok());
}

TEST(RigFile, NoBitMayFlip) {
    const Bytes good = bytes_of(*rig_of(kinds()[2], small_tube(), 8));
    for (std::size_t at = 0; at < good.size(); at += at < 200 ? 1 : 977) {
        Bytes bad = good;
        bad[at] ^= std::uint8_t(1 << at % 8);
        EXPECT_FALSE(load_rig(bad).ok()) << at;
    }
}

/// Damage behind a correct checksum: refused, or a rig that runs. Neither a crash nor a huge allocation.
TEST(RigFile, DamageBehindARightChecksumIsHarmless) {
    const Character tube = small_tube();
    std::uint64_t dice = 7;
    const auto roll = [&](std::size_t sides) {
        dice = dice * 6364136223846793005ull + 1442695040888963407ull;
        return std::size_t(dice >> 33) % sides;
    };
    int refused = 0, ran = 0;
    for (const std::size_t kind : {1, 2, 4, 9}) {
        const Bytes good = bytes_of(*rig_of(kinds()[kind], tube, 6));
        for (int k = 0; k < 300; ++k) {
            Bytes bad = good;
            // Half of the changes are near the beginning, where lengths and settings are.
            const std::size_t range = k % 2 == 0 ? std::min<std::size_t>(bad.size(), 900) : bad.size();
            const std::size_t at = test::content_at + roll(range - test::content_at);
            if (k % 5 == 4)
                bad.resize(at);
            else
                bad[at] = std::uint8_t(k % 3 == 0 ? 0xff : roll(256));
            test::mend_checksum(bad);
            const auto rig = load_rig(bad);
            if (!rig) {
                EXPECT_FALSE(rig.error().message.empty());
                ++refused;
                continue;
            }
            ++ran;
            if (k % 8 != 0 || (*rig)->joint_count() != tube.joints.size()) continue;
            Player player(tube, *rig);
            player.play(3);
            player.surface();
        }
    }
    EXPECT_GT(refused, 300);
    EXPECT_GT(ran, 30);
}

// ---- states ----------------------------------------------------------------------------------------------------
TEST(StateFile, SaveRestoreAndContinueIsTheSameAsNeverStopping) {
    const Character bunny = *bundled_character("bunny");
    for (const Kind& kind : kinds()) {
        const RigPtr rig = rig_of(kind, bunny, 14);
        Player straight(bunny, rig), stopped(bunny, rig);
        straight.play(60);
        stopped.play(25);
        const Bytes bytes = save_state(*rig, stopped.state);
        stopped.state = make_state(*rig);
        // Into another copy of the rig, as after a restart.
        const RigPtr again = *load_rig(bytes_of(*rig));
        auto restored = load_state(*again, bytes);
        ASSERT_TRUE(restored.ok()) << kind.name << ": " << restored.error().message;
        stopped.state = std::move(*restored);
        stopped.play(35);
        EXPECT_EQ(hash(straight.state), hash(stopped.state)) << kind.name;
        EXPECT_EQ(straight.state.counters.steps, stopped.state.counters.steps);
        EXPECT_EQ(straight.surface(), stopped.surface()) << kind.name;
    }
}

TEST(StateFile, AStateOfAnotherRigOrADamagedOneIsRefused) {
    const Character tube = small_tube();
    const RigPtr rig = rig_of(kinds()[2], tube, 8), finer = rig_of(kinds()[2], tube, 10),
                 dqs = rig_of(kinds()[1], tube, 8);
    const Bytes good = save_state(*rig, make_state(*rig));
    EXPECT_TRUE(load_state(*rig, good).ok());
    for (const RigPtr& other : {finer, dqs}) {
        const auto state = load_state(*other, good, "a.state");
        ASSERT_FALSE(state.ok());
        EXPECT_NE(state.error().message.find("another rig"), std::string::npos);
    }
    EXPECT_FALSE(load_state(*rig, bytes_of(*rig)).ok());  // a rig is not a state
    for (std::size_t at = 0; at < good.size(); at += at < 100 ? 1 : 997) {
        Bytes bad = good;
        bad[at] ^= 4;
        EXPECT_FALSE(load_state(*rig, bad).ok()) << at;
        EXPECT_FALSE(load_state(*rig, Bytes(good.begin(), good.begin() + std::ptrdiff_t(at))).ok()) << at;
    }
}

}  // namespace
}  // namespace fascia
