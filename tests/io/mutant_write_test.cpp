// Whatever is read from a damaged file can be written, and what is written is valid.
#include <filesystem>
#include <set>

#include <gtest/gtest.h>

#include "support/baked_bytes.h"
#include "support/glb_validity.h"
#include "support/gltf_mutants.h"
#include "support/places.h"
#include "support/temporary_folder.h"
#include "support/tried_files.h"

namespace fascia {
namespace {

using test::FileBytes;
using test::GlbValidity;

FileBytes file_bytes(const std::string& path) {
    const std::string text = test::read_text(path);
    return {text.begin(), text.end()};
}

/// The seeds of the fuzzer, and a small character of our own.
std::vector<FileBytes> seed_files() {
    std::set<std::string> paths;
    for (const auto& entry : std::filesystem::directory_iterator(test::source_folder() + "/fuzz/corpus/gltf"))
        paths.insert(entry.path().string());
    std::vector<FileBytes> out;
    for (const std::string& path : paths) out.push_back(file_bytes(path));
    out.push_back(*test::written_bytes(test::small_character()));
    return out;
}

TEST(Mutants, WhatIsWrittenIsValid) {
    const std::vector<FileBytes> seeds = seed_files();
    ASSERT_GT(seeds.size(), 15u);
    test::GltfMutants make(1);
    std::size_t written = 0;
    for (std::size_t k = 0; k < 60 * seeds.size(); ++k) {
        const FileBytes input = make.mutant(seeds[k % seeds.size()]);
        const auto character = load_character_from_memory(input, "mutant.glb");
        if (!character) continue;
        for (const auto& output : {test::baked_bytes(*character), test::written_bytes(*character)}) {
            if (!output) continue;
            ++written;
            const auto flaws = GlbValidity::flaws(*output);
            EXPECT_TRUE(flaws.empty()) << "mutant " << k << ": " << flaws[0];
        }
    }
    EXPECT_GT(written, 500u) << "too few mutants can be read for this to show anything";
}

/// Worlds and anatomies with a few things wrong are refused, or of use.
TEST(Mutants, OfFilesThatPeopleWriteAreOfUse) {
    const auto try_mutants = [](const char* kind, int count, auto flaw_of) {
        test::GltfMutants make(3);
        int accepted = 0;
        const std::string seed = test::read_text(test::source_folder() + "/fuzz/corpus/" + kind + "/all.json");
        for (int k = 0; k < count; ++k) {
            const FileBytes bytes = make.mutant({seed.begin(), seed.end()});
            const std::string text(bytes.begin(), bytes.end());
            EXPECT_EQ(flaw_of(text), "") << text;
            accepted += std::string(kind) == "world" ? parse_world(text, "m").ok() : parse_anatomy(text, "m").ok();
        }
        EXPECT_GT(accepted, count / 20) << kind << ": too few are read for this to show anything";
    };
    try_mutants("world", 300, test::flaw_of_world);
    try_mutants("anatomy", 200, test::flaw_of_anatomy);
}

TEST(Mutants, ASplineOfOneKeyIsWrittenAsItsValue) {
    Character character = test::small_character();
    ASSERT_FALSE(character.clips.empty());
    Channel turn;
    turn.node = character.clips[0].channels.at(0).node;
    turn.path = Channel::Path::rotation;
    turn.interpolation = Channel::Interpolation::cubic;
    turn.times = {0.5f};
    turn.values = {9, 9, 9, 9, 0, 1, 0, 0, 9, 9, 9, 9};  // the slopes before and after are no part of it
    character.clips[0].channels = {turn};
    const FileBytes written = *test::written_bytes(character);
    const auto flaws = GlbValidity::flaws(written);
    EXPECT_TRUE(flaws.empty()) << flaws[0];
    const auto back = load_character_from_memory(written, "spline.glb");
    ASSERT_TRUE(back);
    EXPECT_EQ(back->clips.at(0).channels.at(0).values, (std::vector<float>{0, 1, 0, 0}));
}

// ---- the check itself ----------------------------------------------------------------------------

/// A valid file with one change.
std::string flaw_after(void (*change)(nlohmann::json&)) {
    const FileBytes good = *test::baked_bytes(test::small_character());
    std::uint32_t text = 0;
    std::memcpy(&text, good.data() + 12, 4);
    nlohmann::json root = nlohmann::json::parse(good.begin() + 20, good.begin() + 20 + text);
    change(root);
    const auto flaws =
        GlbValidity::flaws(test::GltfBuilder::container(root.dump(), FileBytes(good.begin() + 28 + text, good.end())));
    return flaws.empty() ? "" : flaws[0];
}

TEST(Mutants, TheCheckFindsWhatIsWrong) {
    using nlohmann::json;
    EXPECT_EQ(flaw_after([](json&) {}), "");
    EXPECT_NE(flaw_after([](json& root) { root["nodes"][3]["children"] = {1}; }), "");
    EXPECT_NE(flaw_after([](json& root) { root["scenes"][0]["nodes"].push_back(99); }), "");
    EXPECT_NE(flaw_after([](json& root) { root["nodes"][1]["rotation"] = {0, 0, 0, 1, 5}; }), "");
    EXPECT_NE(flaw_after([](json& root) { root["nodes"][1]["rotation"] = {0, 0, 0, 2}; }), "");
    EXPECT_NE(flaw_after([](json& root) { root["nodes"][1]["translation"] = {1e39, 0, 0}; }), "");
    EXPECT_NE(flaw_after([](json& root) { root["accessors"][0]["count"] = 100000; }), "");
    EXPECT_NE(flaw_after([](json& root) { root["accessors"][0]["type"] = "VEC2"; }), "");
    EXPECT_NE(flaw_after([](json& root) { root["bufferViews"][0]["byteLength"] = 1 << 30; }), "");
    EXPECT_NE(flaw_after([](json& root) { root["meshes"][0]["primitives"] = json::array(); }), "");
    EXPECT_NE(flaw_after([](json& root) { root["meshes"][0]["primitives"][0]["material"] = 7; }), "");
    EXPECT_NE(flaw_after([](json& root) { root["animations"][0]["channels"][0]["sampler"] = 7; }), "");
    EXPECT_NE(flaw_after([](json& root) {
                  root["animations"][0]["channels"].push_back(root["animations"][0]["channels"][0]);
              }),
              "");
    EXPECT_NE(flaw_after([](json& root) { root["asset"]["version"] = "1.0"; }), "");
}

}  // namespace
}  // namespace fascia
