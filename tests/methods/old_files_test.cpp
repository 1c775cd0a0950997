// Files of earlier versions are still read.
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "fascia/bundled.h"
#include "fascia/method.h"
#include "fascia/pose.h"
#include "support/places.h"
#include "support/small_character.h"

namespace fascia {
namespace {

std::vector<std::uint8_t> old_file(const std::string& name) {
    std::ifstream file(test::source_folder() + "/tests/methods/old_files/" + name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Written by the version before states had fingerprints (8): 20 frames of small_character's bend. A method whose rigs
/// can no longer be read says how to make them anew.
TEST(OldFiles, RigsAndStatesOfVersion8AreRead) {
    const std::pair<const char*, std::uint64_t> hashes[] = {
        {"lbs", 0x88a9b8c3ffd45aa2},    {"dqs", 0x88a9b8c3ffd45aa2},     {"bones-blending", 0x6b42a064f4f21380},
        {"layers", 0x2273c9a66827b417}, {"lattice", 0xf48089b1c4dd27dc},
    };
    const Character small = test::small_character(), bunny = *bundled_character("bunny");
    Flesh coarse = *preset("default");
    ASSERT_TRUE(set_field(coarse, "resolution", "8").ok());
    for (const auto& [method, hashed] : hashes) {
        const auto rig = load_rig(old_file(std::string(method) + ".rig"), method);
        ASSERT_TRUE(rig.ok()) << method << ": " << rig.error().message;
        const std::vector<std::uint8_t> bytes = old_file(std::string(method) + ".state");
        auto state = load_state(**rig, bytes, method);
        ASSERT_TRUE(state.ok()) << state.error().message;
        EXPECT_EQ(hash(*state), hashed) << method;
        EXPECT_EQ(state->rig, (*rig)->fingerprint());
        EXPECT_EQ(state->counters.foreign_states, 0u);
        EXPECT_EQ(state->counters.steps, (*rig)->live() != nullptr ? 80u : 0u) << method;
        // It goes on from there; saved in today's version and loaded again, it goes on to the same bits.
        Workspace work;
        Pose pose;
        State again = *load_state(**rig, save_state(**rig, *state));
        for (int k = 20; k < 40; ++k) {
            evaluate(small, &small.clips[0], k / 60.0, pose);
            EXPECT_EQ(advance(**rig, pose.joints, 1 / 60.0, *state, work), Verdict::fine) << method;
            advance(**rig, pose.joints, 1 / 60.0, again, work);
        }
        EXPECT_EQ(hash(*state), hash(again)) << method;
        // A state of another body is still recognised by its sizes.
        const auto other = fascia::bind(bunny, method, coarse);
        EXPECT_FALSE(load_state(**other, bytes).ok()) << method;
    }
    std::vector<std::uint8_t> older = old_file("lbs.rig");
    older[8] = 7;
    EXPECT_NE(load_rig(older).error().message.find("bind the character again"), std::string::npos);
    older = old_file("lbs.state");
    older[8] = 7;
    const RigPtr rig = *fascia::bind(small, LbsSettings{});
    EXPECT_NE(load_state(*rig, older).error().message.find("save it again"), std::string::npos);
    older[8] = 77;
    EXPECT_NE(load_state(*rig, older).error().message.find("newer"), std::string::npos);
}

/// As version 8 wrote them for methods that came later: 20 frames of small_character's bend.
TEST(OldFiles, WhatLaterMethodsWroteIsReadOrSaysHowToMakeItAnew) {
    const Character small = test::small_character();
    for (const char* method : {"particles", "volumetric-dqs", "volumetric-arap", "handles"}) {
        const auto rig = load_rig(old_file(std::string(method) + ".rig"), method);
        if (!rig) {
            EXPECT_NE(rig.error().message.find("bind the character again"), std::string::npos) << rig.error().message;
            continue;
        }
        auto state = load_state(**rig, old_file(std::string(method) + ".state"), method);
        if (!state) {
            EXPECT_NE(state.error().message.find("let it settle"), std::string::npos) << state.error().message;
            continue;
        }
        EXPECT_EQ(state->rig, (*rig)->fingerprint()) << method;
        Workspace work;
        Pose pose;
        State again = *load_state(**rig, save_state(**rig, *state));
        const std::uint64_t before = hash(*state);
        for (int k = 20; k < 40; ++k) {
            evaluate(small, &small.clips[0], k / 60.0, pose);
            EXPECT_EQ(advance(**rig, pose.joints, 1 / 60.0, *state, work), Verdict::fine) << method;
            advance(**rig, pose.joints, 1 / 60.0, again, work);
        }
        EXPECT_NE(hash(*state), before) << method;
        EXPECT_EQ(hash(*state), hash(again)) << method;
    }
}

}  // namespace
}  // namespace fascia
