// Whatever a written GLB passes on from a flawed source is repaired or left out: see gltf_carried.h and
// packed_elements.h.
#include <cmath>

#include <gtest/gtest.h>

#include "fascia/io.h"
#include "io/gltf_builder.h"
#include "support/glb_file.h"
#include "support/small_character.h"

namespace fascia {
namespace {

using test::GlbFile;
using test::json;
using test::StripFile;

/// The strip with a rigid mesh on node 3 that has everything that is passed on.
struct FlawedFile : StripFile {
    FlawedFile() {
        const int positions = floats({0, 0, 0, 1, 0, 0, 0, 1, 0}, "VEC3");
        push("meshes", {{"primitives", json::array({{{"attributes", {{"POSITION", positions}}}}})}});
        push("nodes", {{"name", "hat"}, {"mesh", 1}});
        root["scenes"][0]["nodes"].push_back(3);
    }
    json& rigid() { return root["meshes"][1]["primitives"][0]; }
};

Character loaded(const StripFile& file) {
    auto character = load_character_from_memory(file.glb(), "strip.glb");
    if (!character) ADD_FAILURE() << character.error().message;
    return character ? std::move(*character) : Character();
}

GlbFile written(const StripFile& file) {
    const test::TemporaryFolder folder;
    const Character character = loaded(file);
    BakeInfo info;
    info.frames = 1;
    auto writer = open_writer(folder / "x.glb", character, info);
    if (!writer) ADD_FAILURE() << writer.error().message;
    const test::Frame frame = test::skinned_frame(character, nullptr, 0);
    EXPECT_TRUE((*writer)->frame({frame.positions, frame.normals}, frame.pose));
    EXPECT_TRUE((*writer)->finish());
    return test::read_glb(folder / "x.glb");
}

/// The rigid mesh comes first in the written file.
const json& rigid_of(const GlbFile& file) {
    return file.json["meshes"][0]["primitives"][0];
}

TEST(WrittenIsValid, ACycleByASecondParentIsRefusedByName) {
    FlawedFile file;
    file.root["nodes"][1]["children"] = {3};
    file.root["nodes"][3]["children"] = {0};  // the root of the tree
    const auto character = load_character_from_memory(file.glb(), "strip.glb");
    ASSERT_FALSE(character);
    EXPECT_NE(character.error().message.find("'hip'"), std::string::npos) << character.error().message;
    EXPECT_NE(character.error().message.find("cycle"), std::string::npos) << character.error().message;

    FlawedFile twice;  // node 1 keeps its first parent; below it there is a path back to the second one
    twice.root["nodes"][3]["children"] = {1};
    twice.root["nodes"][1]["children"] = {3};
    EXPECT_FALSE(load_character_from_memory(twice.glb(), "strip.glb"));
}

TEST(WrittenIsValid, ChildrenAndRootsAreListedOnce) {
    FlawedFile file;
    file.root["nodes"][3]["children"] = {1};
    file.root["scenes"][0]["nodes"] = {0, 2, 99, 3, 0, 1, -4};
    const GlbFile out = written(file);
    EXPECT_EQ(out.json["nodes"][0]["children"], json({1}));
    EXPECT_FALSE(out.json["nodes"][3].contains("children"));
    EXPECT_EQ(out.json["scenes"][0]["nodes"], json({0, 2, 3}));
}

TEST(WrittenIsValid, TransformsAreThoseThatWereRead) {
    FlawedFile file;
    file.root["nodes"][3]["rotation"] = {0, 0, 0, 1, 5};
    file.root["nodes"][0]["translation"] = {1e300, 0, 0};
    file.root["nodes"][2]["scale"] = "large";
    const Character character = loaded(file);
    const auto ignored = std::find_if(character.remarks.begin(), character.remarks.end(),
                                      [](const Remark& r) { return r.code == "node-transform-ignored"; });
    ASSERT_NE(ignored, character.remarks.end());
    EXPECT_EQ(ignored->count, 2u);
    const GlbFile out = written(file);
    for (const std::size_t node : {0u, 2u, 3u})
        for (const char* key : {"rotation", "translation", "scale", "matrix"})
            EXPECT_FALSE(out.json["nodes"][node].contains(key)) << node << key;

    FlawedFile sheared;
    sheared.root["nodes"][3]["matrix"] = {1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 2, 0, 1};
    const json node = written(sheared).json["nodes"][3];
    EXPECT_FALSE(node.contains("matrix"));
    EXPECT_EQ(node["translation"], json({0.0, 2.0, 0.0}));
}

TEST(WrittenIsValid, NumbersAreFiniteAndInRange) {
    FlawedFile file;
    file.rigid()["attributes"]["TEXCOORD_0"] = file.floats({NAN, 0.5f, 1, INFINITY, 0, 0}, "VEC2");
    file.rigid()["attributes"]["NORMAL"] = file.floats({0, 0, 0, 0, 0, 1e30f, NAN, 0, 3}, "VEC3");
    file.rigid()["attributes"]["TANGENT"] = file.floats({0, 2, 0, -0.5f, 0, 0, 0, 0, 1, 0, 0, 1}, "VEC4");
    file.rigid()["attributes"]["COLOR_0"] = file.floats({2, -1, 0.5f, 1, 1, 1, 1, 1, 1}, "VEC3");
    const GlbFile out = written(file);
    const json& attributes = rigid_of(out)["attributes"];
    EXPECT_EQ(out.floats(attributes["TEXCOORD_0"], 2), (std::vector<float>{0, 0.5f, 1, 0, 0, 0}));
    EXPECT_EQ(out.floats(attributes["NORMAL"], 3), (std::vector<float>{0, 1, 0, 0, 0, 1, 0, 0, 1}));
    EXPECT_EQ(out.floats(attributes["TANGENT"], 4), (std::vector<float>{0, 1, 0, -1, 1, 0, 0, 1, 1, 0, 0, 1}));
    EXPECT_EQ(out.floats(attributes["COLOR_0"], 3), (std::vector<float>{1, 0, 0.5f, 1, 1, 1, 1, 1, 1}));
}

TEST(WrittenIsValid, AttributesHaveAFormAndACountThatTheFormatAllows) {
    FlawedFile file;
    json& attributes = file.rigid()["attributes"];
    attributes["NORMAL"] = file.floats({0, 0, 1}, "VEC3");                               // one for three vertices
    attributes["TEXCOORD_0"] = file.floats(std::vector<float>(9, 0), "VEC3");            // three numbers
    attributes["FANCY"] = file.floats(std::vector<float>(9, 0), "VEC3");                 // not a name in the format
    attributes["_FANCY"] = file.floats(std::vector<float>(9, 0), "VEC3");                // its own attribute
    attributes["COLOR_1"] = file.bytes(std::vector<std::uint8_t>(12, 9), "VEC4", true);  // without COLOR_0
    file.rigid()["material"] = 7;
    file.rigid()["mode"] = 12;
    const GlbFile out = written(file);
    std::set<std::string> names;
    for (const auto& [name, accessor] : rigid_of(out)["attributes"].items()) names.insert(name);
    EXPECT_EQ(names, (std::set<std::string>{"POSITION", "_FANCY", "COLOR_0", "COLOR_1"}));
    EXPECT_FALSE(rigid_of(out).contains("material"));
    EXPECT_FALSE(rigid_of(out).contains("mode"));
}

TEST(WrittenIsValid, MaterialsFindTheirTextureCoordinates) {
    FlawedFile file;
    const int image = file.view(std::vector<std::uint8_t>{0x89, 'P', 'N', 'G', 0, 0, 0, 0});
    file.root["images"] = json::array({{{"bufferView", image}, {"mimeType", "image/png"}}});
    file.root["textures"] = json::array({{{"source", 0}, {"sampler", 3}}});
    file.push(
        "materials",
        {{"pbrMetallicRoughness",
          {{"baseColorTexture", {{"index", 0}, {"texCoord", 1}}}, {"metallicFactor", 7}, {"baseColorFactor", {1, 2}}}},
         {"emissiveTexture", {{"index", 4}}},
         {"alphaMode", "SOMETIMES"}});
    file.rigid()["material"] = 0;
    file.primitive()["material"] = 0;
    const GlbFile out = written(file);
    for (const json& mesh : out.json["meshes"])
        for (const char* set : {"TEXCOORD_0", "TEXCOORD_1"})
            EXPECT_TRUE(mesh["primitives"][0]["attributes"].contains(set)) << set;
    EXPECT_EQ(out.json["materials"][0],
              (json{{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 0}, {"texCoord", 1}}}}}}));
    EXPECT_EQ(out.json["textures"][0], (json{{"source", 0}}));
}

TEST(WrittenIsValid, TargetsAgree) {
    FlawedFile file;
    const json target = {{"POSITION", file.floats(std::vector<float>(9, 0), "VEC3")}};
    file.rigid()["targets"] = json::array({target, target});
    file.root["meshes"][1]["weights"] = {0.5, 0.5};
    file.root["nodes"][3]["weights"] = {0.5, 0.5};
    const GlbFile good = written(file);
    EXPECT_EQ(rigid_of(good)["targets"].size(), 2u);
    EXPECT_EQ(good.json["meshes"][0]["weights"].size(), 2u);
    EXPECT_EQ(good.json["nodes"][3]["weights"].size(), 2u);

    json bare = file.rigid();
    bare.erase("targets");
    file.root["meshes"][1]["primitives"].push_back(bare);
    const GlbFile out = written(file);
    EXPECT_FALSE(rigid_of(out).contains("targets"));
    EXPECT_FALSE(out.json["meshes"][0].contains("weights"));
    EXPECT_FALSE(out.json["nodes"][3].contains("weights"));
}

TEST(WrittenIsValid, CamerasAndLightsThatNobodyCanUseAreReplaced) {
    FlawedFile file;
    file.push("cameras", {{"type", "perspective"}, {"perspective", {{"yfov", -1}, {"znear", 0.1}}}});
    file.push("cameras", {{"type", "orthographic"},
                          {"orthographic", {{"xmag", 1}, {"ymag", 1}, {"znear", 0}, {"zfar", 5}, {"what", 1}}}});
    file.root["nodes"][1]["camera"] = 0;
    file.root["nodes"][3]["camera"] = 2;
    file.root["extensions"]["KHR_lights_punctual"]["lights"] = json::array({{{"type", "moon"}}});
    file.root["nodes"][1]["extensions"]["KHR_lights_punctual"]["light"] = 0;
    file.root["nodes"][3]["extensions"]["KHR_lights_punctual"]["light"] = 1;
    const GlbFile out = written(file);
    EXPECT_GT(out.json["cameras"][0]["perspective"]["yfov"].get<double>(), 0);
    EXPECT_FALSE(out.json["cameras"][1]["orthographic"].contains("what"));
    EXPECT_EQ(out.json["cameras"][1]["orthographic"]["zfar"], 5);
    EXPECT_EQ(out.json["nodes"][1]["camera"], 0);
    EXPECT_FALSE(out.json["nodes"][3].contains("camera"));
    EXPECT_EQ(out.json["extensions"]["KHR_lights_punctual"]["lights"][0]["type"], "point");
    EXPECT_TRUE(out.json["nodes"][1].contains("extensions"));
    EXPECT_FALSE(out.json["nodes"][3].contains("extensions"));
}

}  // namespace
}  // namespace fascia
