// One small file per feature of glTF.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "fascia/io.h"
#include "io/gltf_builder.h"
#include "io/skinning_twin.h"

namespace fascia {
namespace {

using test::GltfBuilder;
using test::joined;
using test::json;
using test::StripFile;
using test::translation_matrix;

Character loaded(const std::vector<std::uint8_t>& bytes, const std::string& base_dir = {}) {
    auto character = load_character_from_memory(bytes, "test.glb", base_dir);
    EXPECT_TRUE(character) << character.error().message;
    return character ? std::move(*character) : Character{};
}
Character loaded(const GltfBuilder& file) {
    return loaded(file.glb());
}

std::size_t count_of(const Character& character, const std::string& code) {
    for (const Remark& remark : character.remarks)
        if (remark.code == code) return remark.count;
    return 0;
}

void expect_near(Vec3d a, Vec3d b, double tolerance = 1e-6) {
    EXPECT_LT(length(a - b), tolerance) << a.x << " " << a.y << " " << a.z << " is not " << b.x << " " << b.y << " "
                                        << b.z;
}

TEST(GltfRead, ReadsTheStrip) {
    const Character c = loaded(StripFile());
    ASSERT_EQ(c.mesh.vertex_count(), 6u);
    EXPECT_EQ(c.mesh.triangle_count(), 4u);
    ASSERT_EQ(c.joints.size(), 2u);
    EXPECT_EQ(c.name, "test");
    EXPECT_EQ(c.joints[0].name, "hip");
    EXPECT_EQ(c.joints[1].parent, 0);
    EXPECT_EQ(c.joints[1].tree, 0);
    expect_near(translation_of(c.joints[1].rest), {0, 1, 0});
    expect_near(c.joints[0].tail, {0, 1, 0});
    expect_near(c.joints[1].tail, {0, 2, 0});
    EXPECT_EQ(c.mesh.positions[5], (Vec3{1, 2, 0}));
    EXPECT_EQ(c.mesh.normals[0], (Vec3{0, 0, 1}));
    EXPECT_EQ(count_of(c, "normals-computed"), 6u);
    EXPECT_EQ(c.weights.influences, 4);
    EXPECT_EQ(c.weights.joints[4 * 5], 1);
    EXPECT_FLOAT_EQ(c.weights.weights[4 * 2], .5f);
}

TEST(GltfRead, ReadsADataUri) {
    StripFile file;
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t i = 0; i < file.binary.size(); i += 3) {
        std::uint32_t bits = 0;
        for (std::size_t k = 0; k < 3; ++k) bits = bits << 8 | (i + k < file.binary.size() ? file.binary[i + k] : 0u);
        for (std::size_t k = 0; k < 4; ++k)
            text += i + k > file.binary.size() ? '=' : digits[bits >> (18 - 6 * k) & 63];
    }
    json root = file.root;
    root["buffers"] = {{{"byteLength", file.binary.size()}, {"uri", "data:application/octet-stream;base64," + text}}};
    const std::string gltf = root.dump();
    const Character c = loaded(std::vector<std::uint8_t>(gltf.begin(), gltf.end()));
    EXPECT_EQ(c.mesh.vertex_count(), 6u);
    EXPECT_EQ(c.mesh.positions[5], (Vec3{1, 2, 0}));
    EXPECT_EQ(c.weights.joints[4 * 5], 1);
}

TEST(GltfRead, FindsBuffersAndPicturesBesideTheFile) {
    const std::string folder = ::testing::TempDir() + "fascia_beside";
    std::filesystem::create_directories(folder);
    StripFile file;
    json root = file.root;
    root["buffers"] = {{{"byteLength", file.binary.size()}, {"uri", "my%20buffer.bin"}}};
    root["images"] = json::array({{{"uri", "skin.png"}}, {{"uri", "lost.png"}}});
    root["textures"] = json::array({{{"source", 0}}, {{"source", 1}}});
    root["materials"] = json::array({{{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 0}}}}}},
                                     {{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 1}}}}}}});
    std::ofstream(folder + "/my buffer.bin", std::ios::binary)
        .write(reinterpret_cast<const char*>(file.binary.data()), static_cast<std::streamsize>(file.binary.size()));
    std::ofstream(folder + "/skin.png", std::ios::binary) << "\x89PNG and more";
    std::ofstream(folder + "/strip.gltf") << root.dump();
    auto c = load_character(folder + "/strip.gltf");
    ASSERT_TRUE(c) << c.error().message;
    EXPECT_EQ(c->name, "strip");
    ASSERT_EQ(c->textures.size(), 2u);
    EXPECT_EQ(c->textures[0].mime, "image/png");
    EXPECT_EQ(c->textures[0].bytes.size(), 13u);
    EXPECT_EQ(c->materials[0].texture, 0);
    EXPECT_EQ(c->materials[1].texture, -1);
    EXPECT_EQ(count_of(*c, "image-missing"), 1u);

    // From memory, without a folder, no other file is opened.
    const std::string text = root.dump();
    auto alone =
        load_character_from_memory({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, "strip.gltf");
    ASSERT_FALSE(alone);
    EXPECT_NE(alone.error().message.find("my buffer.bin"), std::string::npos);
    for (const char* uri : {"/etc/passwd", "https://example.org/a.bin", "file:///etc/passwd"}) {
        root["buffers"][0]["uri"] = uri;
        const std::string outside = root.dump();
        auto refused = load_character_from_memory(
            {reinterpret_cast<const std::uint8_t*>(outside.data()), outside.size()}, "strip.gltf", folder);
        ASSERT_FALSE(refused) << uri;
        EXPECT_NE(refused.error().message.find("only files beside"), std::string::npos);
    }
}

TEST(GltfRead, ReadsInterleavedAndStridedAttributes) {
    StripFile file;
    // Position, a gap of four bytes, normal: 28 bytes apart; the last vertex has no gap after it.
    std::vector<float> both;
    for (int v = 0; v < 6; ++v) {
        for (float f : {v % 2 == 0 ? -1.0f : 1.0f, static_cast<float>(v / 2), 0.0f, 99.0f, 0.0f, 0.6f, 0.8f})
            both.push_back(f);
    }
    const int view = file.view(both, 28);
    file.attributes()["POSITION"] = file.accessor(view, 5126, "VEC3", 6);
    file.attributes()["NORMAL"] = file.accessor(view, 5126, "VEC3", 6, false, 16);
    const Character c = loaded(file);
    EXPECT_EQ(c.mesh.positions[3], (Vec3{1, 1, 0}));
    EXPECT_NEAR(c.mesh.normals[5].y, 0.6f, 1e-6);
    EXPECT_EQ(count_of(c, "normals-computed"), 0u);
}

TEST(GltfRead, AppliesSparseValues) {
    StripFile file;
    const int base = file.attributes()["POSITION"];
    json& accessor = file.root["accessors"][static_cast<std::size_t>(base)];
    const int indices = file.view(std::vector<std::uint8_t>{1, 4}),
              values = file.view(std::vector<float>{7, 8, 9, 10, 11, 12});
    accessor["sparse"] = {{"count", 2},
                          {"indices", {{"bufferView", indices}, {"componentType", 5121}}},
                          {"values", {{"bufferView", values}}}};
    const Character c = loaded(file);
    EXPECT_EQ(c.mesh.positions[0], (Vec3{-1, 0, 0}));
    EXPECT_EQ(c.mesh.positions[1], (Vec3{7, 8, 9}));
    EXPECT_EQ(c.mesh.positions[4], (Vec3{10, 11, 12}));

    // Without a bufferView all other values are zero.
    accessor.erase("bufferView");
    const Character zeros = loaded(file);
    EXPECT_EQ(zeros.mesh.positions[0], (Vec3{0, 0, 0}));
    EXPECT_EQ(zeros.mesh.positions[1], (Vec3{7, 8, 9}));
}

TEST(GltfRead, SparseIndicesMayBeOfAnyWidth) {
    for (const int type : {5121, 5123, 5125}) {
        StripFile file;
        const int indices = type == 5121   ? file.view(std::vector<std::uint8_t>{1, 4, 5})
                            : type == 5123 ? file.view(std::vector<std::uint16_t>{1, 4, 5})
                                           : file.view(std::vector<std::uint32_t>{1, 4, 5});
        const int values = file.view(std::vector<float>{7, 8, 9, 10, 11, 12, 13, 14, 15});
        const int base = file.attributes()["POSITION"];
        file.root["accessors"][static_cast<std::size_t>(base)]["sparse"] = {
            {"count", 3},
            {"indices", {{"bufferView", indices}, {"componentType", type}}},
            {"values", {{"bufferView", values}}}};
        const Character c = loaded(file);
        EXPECT_EQ(c.mesh.positions[0], (Vec3{-1, 0, 0})) << type;
        EXPECT_EQ(c.mesh.positions[1], (Vec3{7, 8, 9})) << type;
        EXPECT_EQ(c.mesh.positions[4], (Vec3{10, 11, 12})) << type;
        EXPECT_EQ(c.mesh.positions[5], (Vec3{13, 14, 15})) << type;
    }
}

TEST(GltfRead, MorphTargetsTurnNormalsToo) {
    StripFile file;
    std::vector<float> up, aside;
    for (int v = 0; v < 6; ++v) up.insert(up.end(), {0, 0, 1}), aside.insert(aside.end(), {2, 0, 0});
    file.attributes()["NORMAL"] = file.floats(up, "VEC3");
    file.primitive()["targets"] = json::array({{{"NORMAL", file.floats(aside, "VEC3")}}});
    file.root["meshes"][0]["weights"] = {0.5};
    const Vec3 expected = normalized(Vec3{1, 0, 1});
    for (const Vec3& normal : loaded(file).mesh.normals) EXPECT_LT(length(normal - expected), 1e-6f);
}

TEST(GltfRead, EndlessNamesAreCut) {
    StripFile file;
    const std::string endless = std::string(199, 'n') + "\u00fc" + std::string(10000, 'n');
    file.root["nodes"][0]["name"] = endless;
    file.push("materials", {{"name", endless}});
    file.push("animations",
              {{"name", endless},
               {"samplers", json::array({{{"input", file.floats({0, 1}, "SCALAR")},
                                          {"output", file.floats({0, 0, 0, 1, 1, 1}, "VEC3")}}})},
               {"channels", json::array({{{"sampler", 0}, {"target", {{"node", 1}, {"path", "translation"}}}}})}});
    const Character c = loaded(file);
    EXPECT_EQ(c.nodes[0].name, std::string(199, 'n')) << "not in the middle of a character";
    EXPECT_EQ(c.materials[0].name.size(), 199u);
    EXPECT_EQ(c.clips[0].name.size(), 199u);
}

TEST(GltfRead, DequantisesEveryIntegerType) {
    struct Case {
        int type;
        std::vector<std::uint8_t> bytes;  ///< x, y, z as raw little-endian components
        bool normalized;
        Vec3 expected;
    };
    const Case cases[] = {
        {5120, {0x7f, 0x81, 0x80, 0}, true, {1, -1, -1}},
        {5120, {0x7f, 0x81, 0x80, 0}, false, {127, -127, -128}},
        {5121, {255, 0, 51, 0}, true, {1, 0, .2f}},
        {5121, {255, 0, 51, 0}, false, {255, 0, 51}},
        {5122, {0xff, 0x7f, 0x01, 0x80, 0x00, 0x80, 0, 0}, true, {1, -1, -1}},
        {5122, {0xff, 0x7f, 0x01, 0x80, 0x00, 0x80, 0, 0}, false, {32767, -32767, -32768}},
        {5123, {0xff, 0xff, 0, 0, 0x33, 0x33, 0, 0}, true, {1, 0, .2f}},
        {5123, {0xff, 0xff, 0, 0, 0x33, 0x33, 0, 0}, false, {65535, 0, 13107}},
    };
    for (const Case& one : cases) {
        StripFile file;
        std::vector<std::uint8_t> raw;
        for (int v = 0; v < 6; ++v) raw.insert(raw.end(), one.bytes.begin(), one.bytes.end());
        file.attributes()["POSITION"] =
            file.accessor(file.view(raw, static_cast<int>(one.bytes.size())), one.type, "VEC3", 6, one.normalized);
        file.root["extensionsRequired"] = {"KHR_mesh_quantization"};
        file.root["extensionsUsed"] = {"KHR_mesh_quantization"};
        const Character c = loaded(file);
        ASSERT_EQ(c.mesh.vertex_count(), 6u);
        EXPECT_FLOAT_EQ(c.mesh.positions[2].x, one.expected.x) << one.type;
        EXPECT_FLOAT_EQ(c.mesh.positions[2].y, one.expected.y) << one.type;
        EXPECT_FLOAT_EQ(c.mesh.positions[2].z, one.expected.z) << one.type;
    }
}

TEST(GltfRead, FoldsDequantisationOutOfTheInverseBinds) {
    // Positions as unsigned bytes 0..200; the inverse binds carry the scale 1/100 and the shift by -1.
    StripFile file;
    std::vector<std::uint8_t> raw;
    for (int v = 0; v < 6; ++v) {
        const std::uint8_t vertex[4] = {static_cast<std::uint8_t>(v % 2 * 200), static_cast<std::uint8_t>(v / 2 * 100),
                                        100, 0};
        raw.insert(raw.end(), vertex, vertex + 4);
    }
    file.attributes()["POSITION"] = file.accessor(file.view(raw, 4), 5121, "VEC3", 6);
    const auto bind = [](float y) {
        return std::vector<float>{.01f, 0, 0, 0, 0, .01f, 0, 0, 0, 0, .01f, 0, -1, y, -1, 1};
    };
    file.root["skins"][0]["inverseBindMatrices"] = file.floats(joined({bind(0), bind(-1)}), "MAT4");
    const Character c = loaded(file);
    for (std::size_t v = 0; v < 6; ++v) {
        expect_near(to_double(c.mesh.positions[v]), {v % 2 == 0 ? -1.0 : 1.0, static_cast<double>(v / 2), 0}, 1e-6);
    }
    expect_near(translation_of(c.joints[1].rest), {0, 1, 0}, 1e-6);
    EXPECT_NEAR(c.joints[1].rest.m[0][0], 1, 1e-6);
}

TEST(GltfRead, ReadsWeightsOfEveryType) {
    for (const char* type : {"bytes", "shorts", "floats"}) {
        StripFile file;
        std::vector<std::uint8_t> eight;
        std::vector<std::uint16_t> sixteen;
        std::vector<float> real;
        for (int v = 0; v < 6; ++v) {
            for (int share : {204, 51, 0, 0}) {
                eight.push_back(static_cast<std::uint8_t>(share));
                sixteen.push_back(static_cast<std::uint16_t>(share * 257));
                real.push_back(static_cast<float>(share) / 255);
            }
        }
        file.attributes()["WEIGHTS_0"] = type[0] == 'b'   ? file.bytes(eight, "VEC4", true)
                                         : type[0] == 's' ? file.shorts(sixteen, "VEC4", true)
                                                          : file.floats(real, "VEC4");
        const Character c = loaded(file);
        EXPECT_FLOAT_EQ(c.weights.weights[0], .8f) << type;
        EXPECT_FLOAT_EQ(c.weights.weights[1], .2f) << type;
        EXPECT_EQ(count_of(c, "weights-renormalised"), 0u) << type;
    }
}

TEST(GltfRead, RepairsWeights) {
    StripFile file;
    file.attributes()["WEIGHTS_0"] = file.floats({.5f, .25f, 0,   0,   // sums to 0.75
                                                  0,   0,    0,   0,   // none at all: nearest joint
                                                  .5f, .5f,  0,   0,   // fine
                                                  1,   1,    0,   0,   // sums to 2
                                                  0,   NAN,  0,   1,   // NaN, ignored
                                                  .5f, 0,    .5f, 0},  // half of it on a joint that does not exist
                                                 "VEC4");
    file.attributes()["JOINTS_0"] =
        file.bytes({0, 1, 9, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 1, 9, 0}, "VEC4");
    const Character c = loaded(file);
    EXPECT_FLOAT_EQ(c.weights.weights[0], 2 / 3.f);
    EXPECT_FLOAT_EQ(c.weights.weights[4], 1);
    EXPECT_EQ(c.weights.joints[4], 0);
    EXPECT_FLOAT_EQ(c.weights.weights[12], .5f);
    EXPECT_EQ(c.weights.joints[16], 1);
    EXPECT_FLOAT_EQ(c.weights.weights[16], 1);
    EXPECT_EQ(c.weights.joints[20], 0);
    EXPECT_FLOAT_EQ(c.weights.weights[20], 1);
    EXPECT_EQ(count_of(c, "weights-renormalised"), 3u);
    EXPECT_EQ(count_of(c, "weights-missing"), 1u);
    EXPECT_EQ(count_of(c, "joints-out-of-range"), 2u);
    EXPECT_EQ(count_of(c, "joints-out-of-range-weighted"), 1u);
}

/// Six vertices on 12 joints, three sets of slots.
TEST(GltfRead, KeepsTheEightLargestOfTwelve) {
    StripFile file;
    file.root["skins"][0].erase("inverseBindMatrices");
    std::vector<int> joints = {0, 1};
    for (int j = 2; j < 12; ++j) {
        joints.push_back(file.push("nodes", {{"name", "extra"}}));
        file.root["nodes"][0]["children"].push_back(joints.back());
    }
    file.root["skins"][0]["joints"] = joints;
    for (int set = 0; set < 3; ++set) {
        std::vector<std::uint8_t> joint;
        std::vector<float> weight;
        for (int v = 0; v < 6; ++v) {
            for (int i = 0; i < 4; ++i) {
                joint.push_back(static_cast<std::uint8_t>(set * 4 + i));
                weight.push_back(static_cast<float>(set * 4 + i + 1) / 78);
            }
        }
        file.attributes()["JOINTS_" + std::to_string(set)] = file.bytes(joint, "VEC4");
        file.attributes()["WEIGHTS_" + std::to_string(set)] = file.floats(weight, "VEC4");
    }
    const Character c = loaded(file);
    ASSERT_EQ(c.weights.influences, 8);
    EXPECT_EQ(count_of(c, "weights-cut"), 6u);
    for (std::size_t i = 0; i < 8; ++i) {
        EXPECT_EQ(c.joints[c.weights.joints[i]].node, joints[11 - i]);
        EXPECT_NEAR(c.weights.weights[i], (12.0 - static_cast<double>(i)) / 68, 1e-6);
    }
    // Names were made unique.
    EXPECT_EQ(c.joints[2].name, "extra");
    EXPECT_EQ(c.joints[3].name, "extra_2");
}

TEST(GltfRead, ReadsStripsFansAndPlainVertices) {
    for (const int mode : {4, 5, 6}) {
        StripFile file;
        file.primitive().erase("indices");
        file.primitive()["mode"] = mode;
        const Character c = loaded(file);
        const std::vector<std::uint32_t> expected =
            mode == 4   ? std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5}
            : mode == 5 ? std::vector<std::uint32_t>{0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5}
                        : std::vector<std::uint32_t>{0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 5};
        EXPECT_EQ(c.mesh.triangles, expected) << mode;
    }
}

TEST(GltfRead, LeavesOutPointsAndLines) {
    StripFile file;
    json points = file.primitive();
    points["mode"] = 0;
    file.root["meshes"][0]["primitives"].push_back(points);
    file.root["meshes"][0]["primitives"].push_back({{"attributes", json::object()}});
    const Character c = loaded(file);
    EXPECT_EQ(c.mesh.parts.size(), 1u);
    EXPECT_EQ(count_of(c, "primitives-ignored"), 2u);
}

TEST(GltfRead, CountsASharedAccessorTwice) {
    StripFile file;
    json second = file.primitive();
    second["material"] = 0;
    file.root["meshes"][0]["primitives"].push_back(second);
    file.push(
        "materials",
        {{"name", "red"}, {"doubleSided", true}, {"pbrMetallicRoughness", {{"baseColorFactor", {1, 0, 0, 0.5}}}}});
    const Character c = loaded(file);
    EXPECT_EQ(c.mesh.vertex_count(), 12u);
    ASSERT_EQ(c.mesh.parts.size(), 2u);
    EXPECT_EQ(c.mesh.parts[1].first_vertex, 6);
    EXPECT_EQ(c.mesh.parts[1].primitive, 1);
    EXPECT_EQ(c.mesh.parts[0].material, -1);
    EXPECT_EQ(c.mesh.parts[1].material, 0);
    EXPECT_TRUE(c.materials[0].double_sided);
    EXPECT_FLOAT_EQ(c.materials[0].base_color.w, .5f);
    EXPECT_EQ(c.mesh.triangles[12], 6u);
}

TEST(GltfRead, ReadsColoursUvsAndTangents) {
    StripFile file;
    file.attributes()["COLOR_0"] = file.bytes(std::vector<std::uint8_t>(18, 51), "VEC3", true);
    file.attributes()["COLOR_1"] = file.floats(std::vector<float>(24, .25f), "VEC4");
    file.attributes()["TEXCOORD_0"] = file.shorts(std::vector<std::uint16_t>(12, 13107), "VEC2", true);
    std::vector<float> tangents;
    for (int v = 0; v < 6; ++v) tangents.insert(tangents.end(), {1, 0, 0, -1});
    file.attributes()["TANGENT"] = file.floats(tangents, "VEC4");
    // A second primitive without any of it is filled up with neutral values.
    json bare = {{"attributes",
                  {{"POSITION", file.attributes()["POSITION"]},
                   {"JOINTS_0", file.attributes()["JOINTS_0"]},
                   {"WEIGHTS_0", file.attributes()["WEIGHTS_0"]}}}};
    file.root["meshes"][0]["primitives"].push_back(bare);
    const Character c = loaded(file);
    ASSERT_EQ(c.mesh.colors.size(), 12u);
    EXPECT_FLOAT_EQ(c.mesh.colors[0].x, .2f);
    EXPECT_FLOAT_EQ(c.mesh.colors[0].w, 1);
    EXPECT_FLOAT_EQ(c.mesh.colors[7].x, 1);
    ASSERT_EQ(c.mesh.mask_colors.size(), 12u);
    EXPECT_FLOAT_EQ(c.mesh.mask_colors[5].y, .25f);
    ASSERT_EQ(c.mesh.uvs.size(), 12u);
    EXPECT_FLOAT_EQ(c.mesh.uvs[3].y, .2f);
    ASSERT_EQ(c.mesh.tangents.size(), 12u);
    EXPECT_EQ(c.mesh.tangents[2].w, -1);
}

TEST(GltfRead, AppliesDefaultMorphWeights) {
    StripFile file;
    file.primitive()["targets"] = json::array({{{"POSITION", file.floats(std::vector<float>(18, 2), "VEC3")}},
                                               {{"POSITION", file.floats(std::vector<float>(18, 100), "VEC3")}}});
    file.root["meshes"][0]["weights"] = {0.5, 0};
    EXPECT_EQ(loaded(file).mesh.positions[0], (Vec3{0, 1, 1}));
    file.root["nodes"][2]["weights"] = {0.25, 0};
    EXPECT_EQ(loaded(file).mesh.positions[0], (Vec3{-.5f, .5f, .5f}));
    file.push(
        "animations",
        {{"samplers",
          json::array({{{"input", file.floats({0, 1}, "SCALAR")}, {"output", file.floats({0, 0, 1, 1}, "SCALAR")}}})},
         {"channels", json::array({{{"sampler", 0}, {"target", {{"node", 2}, {"path", "weights"}}}}})}});
    const Character c = loaded(file);
    EXPECT_EQ(count_of(c, "morph-animation-ignored"), 1u);
    ASSERT_EQ(c.clips.size(), 1u);
    EXPECT_TRUE(c.clips[0].channels.empty());
}

TEST(GltfRead, PutsParentsFirstWhateverTheOrder) {
    StripFile file;
    // The child's index is smaller than its parent's.
    file.root["nodes"] = json::array({{{"name", "knee"}, {"translation", {0, 1, 0}}},
                                      {{"name", "hip"}, {"children", {0}}},
                                      {{"name", "skin"}, {"mesh", 0}, {"skin", 0}}});
    file.root["skins"][0]["joints"] = {1, 0};
    file.root["scenes"][0]["nodes"] = {1, 2};
    const Character c = loaded(file);
    EXPECT_EQ(c.nodes[0].name, "hip");
    EXPECT_EQ(c.nodes[0].source, 1);
    EXPECT_EQ(c.nodes[1].parent, 0);
    EXPECT_EQ(c.joints[0].name, "hip");
    EXPECT_EQ(c.weights.joints[4 * 5], 1);
}

TEST(GltfRead, SplitsMatricesAndKeepsSheared) {
    StripFile file;
    file.root["nodes"][0]["matrix"] = {0, 2, 0, 0, -3, 0, 0, 0,
                                       0, 0, 4, 0, 5,  6, 7, 1};  // 90 degrees about z, scale 2, 3, 4
    const Character c = loaded(file);
    EXPECT_FALSE(c.nodes[0].matrix);
    EXPECT_NEAR(c.nodes[0].scale.x, 2, 1e-12);
    EXPECT_NEAR(c.nodes[0].scale.y, 3, 1e-12);
    EXPECT_NEAR(c.nodes[0].rotation.z, std::sqrt(.5), 1e-12);
    expect_near(c.nodes[0].translation, {5, 6, 7});
    // The rest shape is placed where the scene has the root joint.
    expect_near(translation_of(c.joints[0].rest), {5, 6, 7});
    expect_near(to_double(c.mesh.positions[1]), {5, 8, 7});

    file.root["nodes"][0]["matrix"] = {1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const Character sheared = loaded(file);
    ASSERT_TRUE(sheared.nodes[0].matrix);
    EXPECT_EQ(sheared.nodes[0].matrix->m[0][1], 1);
    expect_near(to_double(sheared.mesh.positions[5]), {3, 2, 0});
}

TEST(GltfRead, TurnsAMirroredCharacterInsideOutAgain) {
    StripFile file;
    file.root["nodes"][0]["scale"] = {-1, 1, 1};
    const Character c = loaded(file);
    const auto& t = c.mesh.triangles;
    const Vec3 normal =
        cross(c.mesh.positions[t[1]] - c.mesh.positions[t[0]], c.mesh.positions[t[2]] - c.mesh.positions[t[0]]);
    EXPECT_GT(dot(normal, c.mesh.normals[t[0]]), 0);
    EXPECT_EQ(c.mesh.positions[0], (Vec3{1, 0, 0}));
}

TEST(GltfRead, IgnoresTheTransformOfASkinnedMeshNode) {
    StripFile file;
    file.root["nodes"][2]["translation"] = {100, 0, 0};
    EXPECT_EQ(loaded(file).mesh.positions[5], (Vec3{1, 2, 0}));
}

TEST(GltfRead, CarriesRigidPartsInTheirOwnSpace) {
    StripFile file;
    json rigid = file.root["meshes"][0];
    rigid["name"] = "hat";
    file.push("meshes", rigid);
    file.root["nodes"][1]["mesh"] = 1;
    const Character c = loaded(file);
    EXPECT_EQ(c.mesh.vertex_count(), 6u);
    ASSERT_EQ(c.rigid.vertex_count(), 6u);
    EXPECT_EQ(c.rigid.positions[5], (Vec3{1, 2, 0}));
    EXPECT_EQ(c.rigid.parts[0].node, 1);
    EXPECT_EQ(c.rigid.parts[0].skin, -1);
    EXPECT_EQ(c.rigid.parts[0].name, "hat");
}

TEST(GltfRead, ReadsOnlyTheDefaultScene) {
    StripFile file;
    file.push("nodes", {{"name", "elsewhere"}, {"mesh", 0}, {"skin", 0}});
    file.push("scenes", {{"nodes", {0, 2, 3}}});
    EXPECT_EQ(loaded(file).mesh.vertex_count(), 6u);
    file.root["scene"] = 1;
    EXPECT_EQ(loaded(file).mesh.vertex_count(), 12u);
    file.root["scene"] = 7;
    const Character c = loaded(file);
    EXPECT_EQ(c.mesh.vertex_count(), 6u);
    EXPECT_EQ(count_of(c, "scene-missing"), 1u);
    file.root.erase("scene");
    file.root.erase("scenes");
    EXPECT_EQ(loaded(file).mesh.vertex_count(), 12u);
}

TEST(GltfRead, SharesJointsOfSkinsThatAgree) {
    StripFile file;
    // The same rest, from a mesh in centimetres.
    const auto bind = [](float y) {
        return std::vector<float>{.01f, 0, 0, 0, 0, .01f, 0, 0, 0, 0, .01f, 0, 0, y, 0, 1};
    };
    file.push("skins", {{"joints", {1, 0}}, {"inverseBindMatrices", file.floats(joined({bind(-1), bind(0)}), "MAT4")}});
    file.push("nodes", {{"mesh", 0}, {"skin", 1}});
    file.root["scenes"][0]["nodes"] = {0, 2, 3};
    const Character c = loaded(file);
    ASSERT_EQ(c.joints.size(), 2u);
    EXPECT_EQ(count_of(c, "skins-disagree"), 0u);
    EXPECT_NEAR(c.mesh.positions[11].y, .02, 1e-6);
    // Slot 0 of the second skin is the knee.
    EXPECT_EQ(c.weights.joints[4 * 6], 1);
}

TEST(GltfRead, GivesDisagreeingSkinsJointsOfTheirOwn) {
    StripFile file;
    // The second skin was bound with the knee bent sideways, at (1, 0, 0).
    file.push("skins", {{"joints", {0, 1}},
                        {"inverseBindMatrices",
                         file.floats(joined({translation_matrix(0, 0, 0), translation_matrix(-1, 0, 0)}), "MAT4")}});
    file.push("nodes", {{"mesh", 0}, {"skin", 1}});
    file.root["scenes"][0]["nodes"] = {0, 2, 3};
    const Character c = loaded(file);
    ASSERT_EQ(c.joints.size(), 4u);
    EXPECT_EQ(count_of(c, "skins-disagree"), 1u);
    EXPECT_EQ(c.joints[0].node, c.joints[2].node);
    EXPECT_EQ(c.joints[3].parent, 2);
    EXPECT_NE(c.joints[0].tree, c.joints[2].tree);
    EXPECT_EQ(c.joints[3].name, "knee_2");
    expect_near(translation_of(c.joints[3].rest), {1, 0, 0});
    // Both still skin exactly as the file says.
    std::vector<test::Matrix4> local;
    std::vector<Affine> ours;
    for (std::size_t n = 0; n < c.nodes.size(); ++n) {
        local.push_back(test::local_matrix(c.document->model.nodes[n]));
        ours.push_back(compose(c.nodes[n].translation, c.nodes[n].rotation, c.nodes[n].scale));
    }
    const auto expected = test::skinned_by_file(c.document->model, local);
    const auto got = test::skinned_by_character(c, test::world_of(c.nodes, ours));
    for (std::size_t v = 0; v < got.size(); ++v) expect_near(got[v], expected[v]);
}

TEST(GltfRead, LetsASecondSkinHangOnTheFirst) {
    // A hair joint under the knee has a skin of its own; the default pose differs from the bind pose (knee moved by 5).
    StripFile file;
    file.root["nodes"][1]["translation"] = {0, 6, 0};
    const int hair = file.push("nodes", {{"name", "hair"}, {"translation", {0, 1, 0}}});
    file.root["nodes"][1]["children"] = {hair};
    file.push("skins",
              {{"joints", {hair}}, {"inverseBindMatrices", file.floats(translation_matrix(0, -2, 0), "MAT4")}});
    file.push("nodes", {{"mesh", 0}, {"skin", 1}});
    file.root["scenes"][0]["nodes"] = {0, 2, hair + 1};
    const Character c = loaded(file);
    ASSERT_EQ(c.joints.size(), 3u);
    EXPECT_EQ(c.joints[2].parent, 1);
    EXPECT_EQ(c.joints[2].tree, 0);
    // Bound at y = 1, so the hair rests one above, not at the 7 of the default pose.
    expect_near(translation_of(c.joints[1].rest), {0, 1, 0});
    expect_near(translation_of(c.joints[2].rest), {0, 2, 0});
}

TEST(GltfRead, SurvivesSingularInverseBinds) {
    StripFile file;
    file.root["skins"][0]["inverseBindMatrices"] =
        file.floats(joined({translation_matrix(0, 0, 0), std::vector<float>(16, 0)}), "MAT4");
    const Character c = loaded(file);
    EXPECT_EQ(count_of(c, "inverse-bind-singular"), 1u);
    expect_near(translation_of(c.joints[1].rest), {0, 1, 0});
    // All of them: the scene decides.
    file.root["skins"][0]["inverseBindMatrices"] = file.floats(std::vector<float>(32, NAN), "MAT4");
    EXPECT_EQ(count_of(loaded(file), "inverse-bind-singular"), 2u);
    // Without any: the identity.
    file.root["skins"][0].erase("inverseBindMatrices");
    const Character none = loaded(file);
    EXPECT_EQ(none.mesh.positions[5], (Vec3{1, 2, 0}));
    expect_near(translation_of(none.joints[1].rest), {0, 0, 0});
}

TEST(GltfRead, ReadsChannelsOfEveryInterpolation) {
    StripFile file;
    const int times = file.floats({0, 1.5f}, "SCALAR");
    const int rotations =
        file.accessor(file.view(std::vector<std::int16_t>{0, 0, 0, 32767, 0, 0, -32768, 0}), 5122, "VEC4", 2, true);
    file.push("animations",
              {{"name", "wave"},
               {"samplers",
                json::array(
                    {{{"input", times}, {"output", file.floats({0, 0, 0, 1, 1, 1}, "VEC3")}, {"interpolation", "STEP"}},
                     {{"input", times}, {"output", rotations}},
                     {{"input", times},
                      {"output", file.floats(std::vector<float>(18, 2), "VEC3")},
                      {"interpolation", "CUBICSPLINE"}}})},
               {"channels", json::array({{{"sampler", 0}, {"target", {{"node", 0}, {"path", "translation"}}}},
                                         {{"sampler", 1}, {"target", {{"node", 1}, {"path", "rotation"}}}},
                                         {{"sampler", 2}, {"target", {{"node", 1}, {"path", "scale"}}}}})}});
    const Character c = loaded(file);
    ASSERT_EQ(c.clips.size(), 1u);
    ASSERT_EQ(c.clips[0].channels.size(), 3u);
    EXPECT_EQ(c.clips[0].duration, 1.5);
    EXPECT_EQ(c.clips[0].channels[0].interpolation, Channel::Interpolation::step);
    EXPECT_EQ(c.clips[0].channels[1].interpolation, Channel::Interpolation::linear);
    EXPECT_EQ(c.clips[0].channels[2].interpolation, Channel::Interpolation::cubic);
    EXPECT_EQ(c.clips[0].channels[1].values, (std::vector<float>{0, 0, 0, 1, 0, 0, -1, 0}));
    EXPECT_EQ(c.clips[0].channels[2].values.size(), 18u);
    EXPECT_EQ(c.clips[0].channels[1].node, 1);
}

TEST(GltfRead, LeavesOutChannelsThatCannotBePlayed) {
    StripFile file;
    const int times = file.floats({0, 1}, "SCALAR"), backwards = file.floats({1, 0}, "SCALAR"),
              moves = file.floats({0, 0, 0, 1, 1, 1}, "VEC3");
    const int nans = file.floats({0, 0, 0, NAN, 1, 1}, "VEC3"), few = file.floats({0, 0, 0}, "VEC3"),
              scalars = file.floats({1, 2}, "SCALAR");
    json samplers = json::array(), channels = json::array();
    const auto add = [&](int input, int output, const json& node, const char* path,
                         const char* interpolation = "LINEAR") {
        channels.push_back({{"sampler", samplers.size()}, {"target", {{"node", node}, {"path", path}}}});
        samplers.push_back({{"input", input}, {"output", output}, {"interpolation", interpolation}});
    };
    add(times, moves, 0, "translation");
    add(backwards, moves, 0, "translation");
    add(times, nans, 0, "translation");
    add(times, few, 0, "translation");
    add(times, scalars, 0, "translation");
    add(times, moves, 99, "translation");
    add(times, moves, 0, "pointer");
    add(times, moves, 0, "translation", "BOUNCE");
    add(99, moves, 0, "translation");
    add(times, moves, 0, "translation", "CUBICSPLINE");
    channels.push_back({{"sampler", 99}, {"target", {{"node", 0}, {"path", "scale"}}}});
    file.push("animations", {{"samplers", samplers}, {"channels", channels}});
    const Character c = loaded(file);
    ASSERT_EQ(c.clips.size(), 1u);
    EXPECT_EQ(c.clips[0].name, "clip_0");
    EXPECT_EQ(c.clips[0].channels.size(), 1u);
    EXPECT_EQ(count_of(c, "channels-ignored"), 10u);
}

TEST(GltfRead, TakesStatedEndsOfBonesOnlyWhereTheyArePlaces) {
    const auto with_tail = [](const json& tail) {
        StripFile file;
        for (json& node : file.root["nodes"])
            if (node.value("name", "") == "knee") node["extras"] = {{"fascia_tail", tail}, {"mine", 1}};
        return loaded(file);
    };
    const Character stated = with_tail({0.5, 1, 0});
    expect_near(stated.joints[1].tail, {0.5, 2, 0});
    EXPECT_EQ(count_of(stated, "tail-ignored"), 0u);
    for (const json& wrong : {json("up"), json(1), json({0, 1}), json({0, 1, 0, 1}), json({0, "1", 0}),
                              json({0, 1, nullptr}), json({0, 1e300, 0}), json({0, 1e6, 0}), json({{"x", 1}})}) {
        const Character c = with_tail(wrong);
        expect_near(c.joints[1].tail, {0, 2, 0});
        EXPECT_EQ(count_of(c, "tail-ignored"), 1u) << wrong.dump();
    }
}

TEST(GltfRead, ReadsBothKindsOfVrm) {
    StripFile file;
    file.root["extensionsUsed"] = {"VRM", "VRMC_vrm"};
    file.root["extensions"]["VRM"]["humanoid"]["humanBones"] = json::array({{{"bone", "hips"}, {"node", 0}},
                                                                            {{"bone", "spine"}, {"node", 1}},
                                                                            {{"bone", "head"}, {"node", 77}},
                                                                            {{"node", 1}}});
    const Character old = loaded(file);
    ASSERT_EQ(old.humanoid.size(), 2u);
    EXPECT_EQ(old.humanoid[1].bone, "spine");
    EXPECT_EQ(old.humanoid[1].node, 1);
    file.root["extensions"]["VRMC_vrm"]["humanoid"]["humanBones"] = {
        {"chest", {{"node", 1}}}, {"hips", {{"node", 0}}}, {"neck", 3}};
    const Character recent = loaded(file);
    ASSERT_EQ(recent.humanoid.size(), 2u);
    EXPECT_EQ(recent.humanoid[0].bone, "chest");
}

TEST(GltfRead, ReadsTheOlderBaseColourAndWebp) {
    StripFile file;
    const int image = file.view(std::vector<std::uint8_t>{'R', 'I', 'F', 'F', 0, 0, 0, 0, 'W', 'E', 'B', 'P'});
    file.root["images"] = json::array({{{"bufferView", image}}});
    file.root["textures"] = json::array({{{"extensions", {{"EXT_texture_webp", {{"source", 0}}}}}}});
    file.push("materials", {{"extensions",
                             {{"KHR_materials_pbrSpecularGlossiness",
                               {{"diffuseFactor", {0.25, 0.5, 2, 1}}, {"diffuseTexture", {{"index", 0}}}}}}}});
    file.root["extensionsRequired"] = {"EXT_texture_webp", "KHR_materials_pbrSpecularGlossiness"};
    const Character c = loaded(file);
    EXPECT_FLOAT_EQ(c.materials[0].base_color.x, .25f);
    EXPECT_FLOAT_EQ(c.materials[0].base_color.z, 1);
    EXPECT_EQ(c.materials[0].texture, 0);
    EXPECT_EQ(c.textures[0].mime, "image/webp");
    EXPECT_EQ(c.textures[0].bytes.size(), 12u);
}

const std::vector<std::uint8_t> ktx2 = {0xAB, 'K', 'T', 'X', ' ', '2', '0', 0xBB, '\r', '\n', 0x1A, '\n'};

TEST(GltfRead, LeavesOutKtx2Pictures) {
    StripFile file;
    file.root["images"] = json::array({{{"bufferView", file.view(ktx2)}, {"mimeType", "image/ktx2"}}});
    file.root["textures"] = json::array({{{"extensions", {{"KHR_texture_basisu", {{"source", 0}}}}}}});
    file.push("materials", {{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 0}}}}}});
    file.root["extensionsRequired"] = {"KHR_texture_basisu"};
    const Character c = loaded(file);
    EXPECT_EQ(c.materials[0].texture, -1);
    EXPECT_EQ(count_of(c, "image-ktx2"), 1u);

    // With a fallback image in a standard format.
    file.push("images", {{"bufferView", file.view(std::vector<std::uint8_t>{0x89, 'P', 'N', 'G'})}});
    file.root["textures"][0]["source"] = 1;
    EXPECT_EQ(loaded(file).materials[0].texture, 1);
    EXPECT_EQ(loaded(file).textures[1].mime, "image/png");
}

/// The strip with normals of `z` at its lower quad and `other_z` at its upper one.
StripFile with_normals(float z, float other_z) {
    StripFile file;
    // Six vertices for each quad, so that none are shared.
    file.attributes()["POSITION"] = file.floats({-1, 0, 0, 1, 0, 0, 1, 1, 0, -1, 0, 0, 1, 1, 0, -1, 1, 0}, "VEC3");
    file.primitive().erase("indices");
    std::vector<float> normals;
    for (int v = 0; v < 6; ++v) normals.insert(normals.end(), {0, 0, v < 3 ? z : other_z});
    file.attributes()["NORMAL"] = file.floats(normals, "VEC3");
    file.attributes()["TANGENT"] =
        file.floats({1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1}, "VEC4");
    return file;
}

TEST(GltfRead, ReplacesNormalsThatPointAwayFromTheFaces) {
    const Character good = loaded(with_normals(1, 1));
    EXPECT_EQ(count_of(good, "normals-recomputed"), 0u);
    const Character contrary = loaded(with_normals(-1, -1));
    EXPECT_EQ(count_of(contrary, "normals-recomputed"), 1u);
    for (const Vec3& n : contrary.mesh.normals) EXPECT_EQ(n, (Vec3{0, 0, 1}));
    for (const Vec4& t : contrary.mesh.tangents) EXPECT_EQ(t.w, -1) << "the texture is mirrored from here";
    // Half of the area is more than a third.
    const Character half = loaded(with_normals(1, -1));
    EXPECT_EQ(count_of(half, "normals-recomputed"), 1u);
    for (const Vec3& n : half.mesh.normals) EXPECT_EQ(n, (Vec3{0, 0, 1}));
    EXPECT_EQ(half.mesh.tangents[0].w, 1);
    EXPECT_EQ(half.mesh.tangents[5].w, -1);
}

TEST(GltfRead, KeepsNormalsOfASmallContraryArea) {
    // A quarter of the area: one of the strip's four triangles, with its own corners.
    StripFile file;
    std::vector<float> positions, normals;
    const float corners[12][2] = {{-1, 0}, {1, 0}, {1, 1}, {-1, 0}, {1, 1}, {-1, 1},
                                  {-1, 1}, {1, 1}, {1, 2}, {-1, 1}, {1, 2}, {-1, 2}};
    for (int v = 0; v < 12; ++v) {
        positions.insert(positions.end(), {corners[v][0], corners[v][1], 0});
        normals.insert(normals.end(), {0, 0, v < 3 ? -1.0f : 1.0f});
    }
    file.attributes()["POSITION"] = file.floats(positions, "VEC3");
    file.attributes()["NORMAL"] = file.floats(normals, "VEC3");
    file.attributes()["JOINTS_0"] = file.bytes(std::vector<std::uint8_t>(48, 0), "VEC4");
    file.attributes()["WEIGHTS_0"] = file.bytes(std::vector<std::uint8_t>(48, 255), "VEC4", true);
    file.primitive().erase("indices");
    const Character c = loaded(file);
    EXPECT_EQ(count_of(c, "normals-recomputed"), 0u);
    EXPECT_EQ(c.mesh.normals[0], (Vec3{0, 0, -1}));
}

TEST(GltfRead, JudgesNormalsPartByPart) {
    StripFile file = with_normals(1, 1);
    json other = file.primitive();
    std::vector<float> contrary;
    for (int v = 0; v < 6; ++v) contrary.insert(contrary.end(), {0, 0, -1});
    other["attributes"]["NORMAL"] = file.floats(contrary, "VEC3");
    file.root["meshes"][0]["primitives"].push_back(other);
    const Character c = loaded(file);
    EXPECT_EQ(count_of(c, "normals-recomputed"), 1u);
    for (const Vec3& n : c.mesh.normals) EXPECT_EQ(n, (Vec3{0, 0, 1}));
}

TEST(GltfRead, KeepsNormalsOfASheetWithTwoFaces) {
    StripFile file = with_normals(-1, -1);
    file.primitive()["indices"] = file.shorts({0, 1, 2, 3, 4, 5, 2, 1, 0, 5, 4, 3}, "SCALAR");
    const Character c = loaded(file);
    EXPECT_EQ(count_of(c, "normals-recomputed"), 0u);
    for (const Vec3& n : c.mesh.normals) EXPECT_EQ(n, (Vec3{0, 0, -1}));
}

TEST(GltfRead, RepairsZeroAndNaNNormals) {
    StripFile file;
    file.attributes()["NORMAL"] = file.floats({0, 0, 2, 0, 0, 0, NAN, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1}, "VEC3");
    const Character c = loaded(file);
    EXPECT_EQ(count_of(c, "normals-computed"), 2u);
    EXPECT_EQ(c.mesh.normals[0], (Vec3{0, 0, 1}));
    EXPECT_EQ(c.mesh.normals[1], (Vec3{0, 0, 1}));
    EXPECT_EQ(c.mesh.normals[2], (Vec3{0, 0, 1}));
    EXPECT_EQ(c.mesh.normals[3], (Vec3{0, 1, 0}));
}

TEST(GltfRead, RepairsNodes) {
    StripFile file;
    file.root["nodes"].push_back({{"name", "again"}, {"children", {1}}});
    file.root["scenes"][0]["nodes"].push_back(3);
    const Character c = loaded(file);
    EXPECT_EQ(count_of(c, "node-two-parents"), 1u);
    EXPECT_EQ(c.nodes[1].parent, 0);
}

}  // namespace
}  // namespace fascia
