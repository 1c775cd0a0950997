// The contents of a baked GLB, and the character's own GLB read back.
#include <cmath>
#include <filesystem>
#include <set>

#include <gtest/gtest.h>

#include "fascia/io.h"
#include "io/gltf_builder.h"
#include "support/glb_file.h"
#include "support/shared_data.h"
#include "support/small_character.h"

namespace fascia {
namespace {

using nlohmann::json;
using test::Frame;
using test::GlbFile;
using test::small_character;
using test::TemporaryFolder;

Status bake(const std::string& path, const Character& character, const Clip* clip, std::size_t frames, double fps) {
    BakeInfo info;
    info.fps = fps;
    info.frames = frames;
    auto writer = open_writer(path, character, info);
    if (!writer) return writer.error();
    for (std::size_t k = 0; k < frames; ++k) {
        const Frame frame = test::skinned_frame(character, clip, static_cast<double>(k) / fps);
        if (Status s = (*writer)->frame({frame.positions, frame.normals}, frame.pose); !s) return s;
    }
    return (*writer)->finish();
}

const json& node_named(const json& root, const std::string& name) {
    for (const json& node : root["nodes"])
        if (node.value("name", "") == name) return node;
    static const json none;
    return none;
}

TEST(WriteBakedGlb, SurfaceHasTargetsAndNoSkin) {
    TemporaryFolder folder;
    const Character character = small_character();
    ASSERT_TRUE(bake(folder / "x.glb", character, &character.clips[0], 3, 2));
    const GlbFile file = test::read_glb(folder / "x.glb");
    EXPECT_EQ(file.header_length, std::filesystem::file_size(folder / "x.glb"));
    EXPECT_FALSE(file.json.contains("skins"));
    const json& node = node_named(file.json, "column");
    ASSERT_TRUE(node.contains("mesh"));
    EXPECT_FALSE(node.contains("skin"));
    const json& primitive = file.json["meshes"][node["mesh"].get<std::size_t>()]["primitives"][0];
    EXPECT_EQ(primitive["targets"].size(), 3u);
    for (const char* attribute : {"POSITION", "NORMAL", "TEXCOORD_0", "COLOR_0"})
        EXPECT_TRUE(primitive["attributes"].contains(attribute)) << attribute;
    EXPECT_FALSE(primitive["attributes"].contains("JOINTS_0"));
    EXPECT_EQ(primitive["material"], 0);
}

TEST(WriteBakedGlb, BasePlusTargetIsTheFrame) {
    TemporaryFolder folder;
    const Character character = small_character();
    ASSERT_TRUE(bake(folder / "x.glb", character, &character.clips[0], 3, 2));
    const GlbFile file = test::read_glb(folder / "x.glb");
    const json& primitive =
        file.json["meshes"][node_named(file.json, "column")["mesh"].get<std::size_t>()]["primitives"][0];
    for (const auto& [attribute, normals] : {std::pair{"POSITION", false}, std::pair{"NORMAL", true}}) {
        const std::vector<float> base = file.floats(primitive["attributes"][attribute], 3);
        for (std::size_t k = 0; k < 3; ++k) {
            const Frame frame = test::skinned_frame(character, &character.clips[0], static_cast<double>(k) / 2);
            const std::vector<float> target = file.floats(primitive["targets"][k][attribute], 3);
            ASSERT_EQ(target.size(), 60u);
            for (std::size_t v = 0; v < 20; ++v) {
                const Vec3 wanted = normals ? frame.normals[v] : frame.positions[v];
                EXPECT_NEAR(base[3 * v] + target[3 * v], wanted.x, 1e-6);
                EXPECT_NEAR(base[3 * v + 1] + target[3 * v + 1], wanted.y, 1e-6);
                EXPECT_NEAR(base[3 * v + 2] + target[3 * v + 2], wanted.z, 1e-6);
            }
        }
    }
}

TEST(WriteBakedGlb, BoundsOfTargetsAreTheirOwn) {
    TemporaryFolder folder;
    const Character character = small_character();
    ASSERT_TRUE(bake(folder / "x.glb", character, &character.clips[0], 3, 2));
    const GlbFile file = test::read_glb(folder / "x.glb");
    const json& primitive =
        file.json["meshes"][node_named(file.json, "column")["mesh"].get<std::size_t>()]["primitives"][0];
    for (const json& target : primitive["targets"]) {
        const int accessor = target["POSITION"];
        const std::vector<float> values = file.floats(accessor, 3);
        for (std::size_t c = 0; c < 3; ++c) {
            float low = values[c], high = values[c];
            for (std::size_t i = c; i < values.size(); i += 3) {
                low = std::min(low, values[i]);
                high = std::max(high, values[i]);
            }
            const json& written = file.json["accessors"][static_cast<std::size_t>(accessor)];
            EXPECT_EQ(written["min"][c].get<float>(), low);
            EXPECT_EQ(written["max"][c].get<float>(), high);
        }
    }
}

TEST(WriteBakedGlb, ClipPlaysTargetsAndOnlyTheNodesThatMove) {
    TemporaryFolder folder;
    const Character character = small_character();
    ASSERT_TRUE(bake(folder / "x.glb", character, &character.clips[0], 3, 2));
    const GlbFile file = test::read_glb(folder / "x.glb");
    ASSERT_EQ(file.json["animations"].size(), 1u);
    const json& clip = file.json["animations"][0];
    std::set<std::string> channels;
    for (const json& channel : clip["channels"]) {
        const std::size_t node = channel["target"]["node"];
        channels.insert(file.json["nodes"][node]["name"].get<std::string>() + "." +
                        channel["target"]["path"].get<std::string>());
    }
    EXPECT_EQ(channels, (std::set<std::string>{"column.weights", "upper.rotation"}));
    const json& sampler = clip["samplers"][clip["channels"][0]["sampler"].get<std::size_t>()];
    EXPECT_EQ(file.floats(sampler["input"], 1), (std::vector<float>{0, 0.5f, 1}));
    EXPECT_EQ(file.floats(sampler["output"], 1), (std::vector<float>{1, 0, 0, 0, 1, 0, 0, 0, 1}));
}

TEST(WriteBakedGlb, MeshNodeThatIsAJointStaysAndGetsACompanion) {
    TemporaryFolder folder;
    Character character = small_character();
    character.mesh.parts[0].node = 1;  // the surface is attached to the joint "lower"
    ASSERT_TRUE(bake(folder / "x.glb", character, &character.clips[0], 2, 1));
    const GlbFile file = test::read_glb(folder / "x.glb");
    EXPECT_FALSE(node_named(file.json, "lower").contains("mesh"));
    EXPECT_TRUE(node_named(file.json, "lower_baked").contains("mesh"));
    const json& roots = file.json["scenes"][0]["nodes"];
    EXPECT_EQ(roots.size(), 3u);
}

TEST(WriteBakedGlb, SoDoesOneThatEndsAChainOfJoints) {
    TemporaryFolder folder;
    Character character = small_character();
    character.nodes.pop_back();  // the hat: nothing hangs on the joint "upper" any more
    character.rigid = {};
    character.mesh.parts[0].node = 2;
    ASSERT_TRUE(bake(folder / "x.glb", character, &character.clips[0], 2, 1));
    const GlbFile file = test::read_glb(folder / "x.glb");
    EXPECT_FALSE(node_named(file.json, "upper").contains("mesh"));
    EXPECT_EQ(node_named(file.json, "upper")["translation"], json({0.0, 1.0, 0.0}));
    EXPECT_EQ(node_named(file.json, "lower")["children"].size(), 1u) << "the joint stays where it was";
    EXPECT_TRUE(node_named(file.json, "upper_baked").contains("mesh"));
}

TEST(WriteBakedGlb, SoDoesOneThatCarriesOthers) {
    TemporaryFolder folder;
    Character character = small_character();
    character.nodes[0].translation = {5, 0, 0};  // no joint, and its own mesh is skinned: only the hat goes with it
    character.nodes[3].parent = 0;
    ASSERT_TRUE(bake(folder / "x.glb", character, &character.clips[0], 2, 1));
    const GlbFile file = test::read_glb(folder / "x.glb");
    EXPECT_FALSE(node_named(file.json, "column").contains("mesh"));
    EXPECT_EQ(node_named(file.json, "column")["translation"], json({5.0, 0.0, 0.0}));
    EXPECT_EQ(node_named(file.json, "column")["children"].size(), 1u);
    EXPECT_TRUE(node_named(file.json, "column_baked").contains("mesh"));
}

TEST(WriteBakedGlb, SharesOfASurfaceFollowTheirParts) {
    TemporaryFolder folder;
    Character character = small_character();
    // The same column as two parts of one node: the lower 4 rings' sides, and the rest.
    Part second = character.mesh.parts[0];
    character.mesh.parts[0].vertex_count = 12;
    second.first_vertex = 12;
    second.vertex_count = 8;
    character.mesh.triangles = {0, 1, 4, 12, 13, 16};
    character.mesh.parts[0].triangle_count = 1;
    second.first_triangle = 1;
    second.triangle_count = 1;
    second.material = 1;
    character.mesh.parts.push_back(second);
    ASSERT_TRUE(bake(folder / "x.glb", character, &character.clips[0], 2, 1));
    const GlbFile file = test::read_glb(folder / "x.glb");
    const json& primitives =
        file.json["meshes"][node_named(file.json, "column")["mesh"].get<std::size_t>()]["primitives"];
    ASSERT_EQ(primitives.size(), 2u);
    EXPECT_EQ(primitives[1]["material"], 1);
    const Frame frame = test::skinned_frame(character, &character.clips[0], 1);
    const std::vector<float> base = file.floats(primitives[1]["attributes"]["POSITION"], 3);
    const std::vector<float> target = file.floats(primitives[1]["targets"][1]["POSITION"], 3);
    ASSERT_EQ(base.size(), 24u);
    EXPECT_NEAR(base[0] + target[0], frame.positions[12].x, 1e-6);
}

TEST(WriteBakedGlb, PicturesThatWeCannotShowAreCarriedOnUnchanged) {
    TemporaryFolder folder;
    test::StripFile source;
    const std::vector<std::uint8_t> ktx2 = {0xAB, 'K', 'T', 'X', ' ', '2', '0', 0xBB, '\r', '\n', 0x1A, '\n', 1, 2, 3};
    const std::vector<std::uint8_t> webp = {'R', 'I', 'F', 'F', 4, 0, 0, 0, 'W', 'E', 'B', 'P', 9, 8, 7};
    source.root["images"] = json::array({{{"bufferView", source.view(ktx2)}}, {{"bufferView", source.view(webp)}}});
    source.root["textures"] = json::array({{{"extensions", {{"KHR_texture_basisu", {{"source", 0}}}}}},
                                           {{"extensions", {{"EXT_texture_webp", {{"source", 1}}}}}}});
    source.push("materials", {{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 0}}}}},
                              {"emissiveTexture", {{"index", 1}}}});
    source.primitive()["material"] = 0;
    source.root["extensionsUsed"] = source.root["extensionsRequired"] = {"KHR_texture_basisu", "EXT_texture_webp"};
    auto character = load_character_from_memory(source.glb(), "strip.glb");
    ASSERT_TRUE(character) << character.error().message;
    ASSERT_TRUE(bake(folder / "x.glb", *character, nullptr, 2, 1));
    const GlbFile file = test::read_glb(folder / "x.glb");
    for (const char* key : {"textures", "materials"}) EXPECT_EQ(file.json[key], source.root[key]) << key;
    EXPECT_EQ(file.json["extensionsRequired"], source.root["extensionsRequired"]);
    EXPECT_EQ(file.json["images"][0]["mimeType"], "image/ktx2");
    EXPECT_EQ(file.json["images"][1]["mimeType"], "image/webp");
    for (const auto& [image, bytes] : {std::pair{0u, ktx2}, std::pair{1u, webp}}) {
        const json& view = file.json["bufferViews"][file.json["images"][image]["bufferView"].get<std::size_t>()];
        ASSERT_EQ(view["byteLength"], bytes.size());
        const std::string kept = file.binary.substr(view.value("byteOffset", std::size_t{0}), bytes.size());
        EXPECT_EQ(kept, std::string(bytes.begin(), bytes.end()));
    }
}

TEST(WriteBakedGlb, MoreThan200MegabytesAreRefusedAtOnceWithAdvice) {
    TemporaryFolder folder;
    BakeInfo info;
    info.frames = 10000;  // the weights alone take 400 MB
    const auto writer = open_writer(folder / "x.glb", small_character(), info);
    ASSERT_FALSE(writer);
    EXPECT_EQ(writer.error().kind, Error::Kind::output);
    for (const char* word : {"200 MB", "--fps", "--to", ".pc2"})
        EXPECT_NE(writer.error().message.find(word), std::string::npos) << writer.error().message;
    EXPECT_TRUE(folder.names().empty());
}

TEST(WriteBakedGlb, TheLimitCountsEverythingInTheFile) {
    TemporaryFolder folder;
    const Character character = small_character();
    // 4 bytes of weight per frame and frame, 480 bytes of targets, 160 of node motion and some 450 of JSON per frame.
    BakeInfo info;
    info.frames = 6800;
    EXPECT_TRUE(open_writer(folder / "x.glb", character, info));
    info.frames = 7000;
    EXPECT_FALSE(open_writer(folder / "x.glb", character, info));
}

// ---- the character itself ------------------------------------------------------------------------

void expect_same_surface(const Character& a, const Character& b, double seconds) {
    const auto clip = [&](const Character& c) { return c.clips.empty() ? nullptr : &c.clips[0]; };
    const Frame one = test::skinned_frame(a, clip(a), seconds), two = test::skinned_frame(b, clip(b), seconds);
    ASSERT_EQ(one.positions.size(), two.positions.size());
    double worst = 0;
    for (std::size_t v = 0; v < one.positions.size(); ++v)
        worst = std::max<double>(worst, length(one.positions[v] - two.positions[v]));
    EXPECT_LE(worst, 1e-5 * a.size()) << "at " << seconds << " s";
}

TEST(WriteCharacter, SmallOneReadsBackAsItWas) {
    TemporaryFolder folder;
    const Character character = small_character();
    const Status status = write_character(folder / "x.glb", character);
    ASSERT_TRUE(status) << status.error().message;
    const auto back = load_character(folder / "x.glb");
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(back->mesh.vertex_count(), 20u);
    EXPECT_EQ(back->rigid.vertex_count(), 4u);
    EXPECT_EQ(back->mesh.triangles, character.mesh.triangles);
    ASSERT_EQ(back->joints.size(), 2u);
    EXPECT_EQ(back->joints[1].name, "upper");
    ASSERT_EQ(back->clips.size(), 1u);
    EXPECT_EQ(back->clips[0].name, "bend");
    ASSERT_EQ(back->materials.size(), 2u);
    EXPECT_EQ(back->materials[0].name, "skin");
    EXPECT_EQ(back->materials[0].base_color.y, 0.25f);
    EXPECT_TRUE(back->materials[1].double_sided);
    ASSERT_EQ(back->mesh.uvs.size(), 20u);
    EXPECT_EQ(back->mesh.uvs[17].x, 0.25f);
    ASSERT_EQ(back->mesh.colors.size(), 20u);
    EXPECT_NEAR(back->mesh.colors[4].x, 0.25, 1e-5);
    for (const Remark& remark : back->remarks) ADD_FAILURE() << remark.text;
    for (const double seconds : {0.0, 0.3, 1.0}) expect_same_surface(character, *back, seconds);
}

TEST(WriteCharacter, BonesEndWhereTheyDid) {
    TemporaryFolder folder;
    Character character = small_character();
    // A joint with axes and a scale of its own, whose bone leaves the column sideways.
    const Quat turned = normalized(Quat{1, 0, 0, 1});
    character.nodes[2].rotation = turned, character.nodes[2].scale = {2, 2, 2};
    character.joints[1].rest = compose({0, 1, 0}, turned, {2, 2, 2});
    character.joints[0].tail = {0, 1, 0};
    character.joints[1].tail = {0.3, 1.25, 0.5};
    ASSERT_TRUE(write_character(folder / "x.glb", character));
    const GlbFile file = test::read_glb(folder / "x.glb");
    EXPECT_FALSE(node_named(file.json, "lower").contains("extras"));  // its child determines where it ends
    const json& stated = node_named(file.json, "upper")["extras"]["fascia_tail"];
    ASSERT_EQ(stated.size(), 3u);
    EXPECT_NEAR(stated[0], 0.125, 1e-12);  // turned by 90 degrees about z, half as long
    EXPECT_NEAR(stated[1], -0.15, 1e-12);
    EXPECT_NEAR(stated[2], 0.25, 1e-12);
    const auto back = load_character(folder / "x.glb");
    ASSERT_TRUE(back) << back.error().message;
    for (std::size_t j = 0; j < 2; ++j)
        EXPECT_LT(length(back->joints[j].tail - character.joints[j].tail), 1e-6) << character.joints[j].name;

    // Written again, also from the file's own document; a bone that ends where a reader would guess needs no entry.
    ASSERT_TRUE(write_character(folder / "again.glb", *back));
    const auto again = load_character(folder / "again.glb");
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_LT(length(again->joints[1].tail - character.joints[1].tail), 1e-6);
    Character straight = *back;
    straight.joints[1].tail = {0, 2, 0};
    ASSERT_TRUE(write_character(folder / "straight.glb", straight));
    EXPECT_FALSE(node_named(test::read_glb(folder / "straight.glb").json, "upper").contains("extras"));
}

TEST(WriteCharacter, MaskedMaterialStaysMasked) {
    TemporaryFolder folder;
    Character character = small_character();
    character.materials[0].alpha_cutoff = 0.25f;
    ASSERT_TRUE(write_character(folder / "x.glb", character));
    const auto back = load_character(folder / "x.glb");
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(back->materials[0].alpha_cutoff, 0.25f);
    EXPECT_EQ(back->materials[1].alpha_cutoff, 0.0f);
}

TEST(WriteCharacter, JointsThatShareANodeGetSkinsOfTheirOwn) {
    TemporaryFolder folder;
    Character character = small_character();
    // A second column two units aside, whose skin has "upper" bound half a unit higher.
    const Mesh first = character.mesh;
    for (std::size_t v = 0; v < 20; ++v) {
        character.mesh.positions.push_back(first.positions[v] + Vec3{2, 0, 0});
        character.mesh.normals.push_back(first.normals[v]);
        character.mesh.uvs.push_back(first.uvs[v]);
        character.mesh.colors.push_back(first.colors[v]);
        for (std::size_t s = 0; s < 4; ++s) {
            const std::size_t slot = v * 4 + s;
            const std::uint16_t joint = character.weights.joints[slot];
            character.weights.joints.push_back(joint == 1 ? 2 : joint);
            character.weights.weights.push_back(character.weights.weights[slot]);
        }
    }
    for (const std::uint32_t v : first.triangles) character.mesh.triangles.push_back(v + 20);
    Joint raised = character.joints[1];
    raised.name = "upper_raised";
    raised.rest = compose({2, 1.5, 0}, {}, {1, 1, 1});
    character.joints.push_back(raised);
    character.nodes.push_back({"second", -1, -1, {}, {}, {1, 1, 1}, {}});
    Part part = first.parts[0];
    part.node = 4;
    part.first_vertex = 20;
    part.first_triangle = first.parts[0].triangle_count;
    character.mesh.parts.push_back(part);

    ASSERT_TRUE(write_character(folder / "x.glb", character));
    const GlbFile file = test::read_glb(folder / "x.glb");
    ASSERT_EQ(file.json["skins"].size(), 2u);
    for (const json& skin : file.json["skins"]) {
        std::set<int> distinct;
        for (const json& joint : skin["joints"]) distinct.insert(joint.get<int>());
        EXPECT_EQ(distinct.size(), skin["joints"].size());
    }
}

class SharedCharacter : public testing::TestWithParam<const char*> {
protected:
    std::string path() const { return test::shared_data(std::string("characters/") + GetParam()); }
};

INSTANTIATE_TEST_SUITE_P(Write, SharedCharacter,
                         testing::Values("CesiumMan.glb", "Fox.glb", "RiggedFigure.glb", "RobotExpressive.glb",
                                         "SimpleSkin.gltf", "Yeti.gltf", "kaykit_Barbarian.glb", "CoolBunny.vrm",
                                         "mh_heavy_male.glb", "mh_female_hires_quantized.glb", "quaternius_Frog.glb",
                                         "quaternius_Manta_ray.glb", "RecursiveSkeletons.glb",
                                         "quaternius_FinnTheFrog_draco.glb", "valid_Black_F_2_Casual_meshopt.glb"),
                         [](const auto& info) {
                             std::string name = std::filesystem::path(info.param).stem().string();
                             for (char& c : name)
                                 if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
                             return name;
                         });

TEST_P(SharedCharacter, RiggedFileDeformsAsTheOriginal) {
    FASCIA_NEEDS_SHARED_DATA();
    TemporaryFolder folder;
    const auto original = load_character(path());
    ASSERT_TRUE(original) << original.error().message;
    const Status status = write_character(folder / "x.glb", *original);
    ASSERT_TRUE(status) << status.error().message;
    const auto back = load_character(folder / "x.glb");
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(back->clips.size(), original->clips.size());
    EXPECT_EQ(back->mesh.triangle_count(), original->mesh.triangle_count());
    for (const double seconds : {0.0, 0.4}) expect_same_surface(*original, *back, seconds);
}

TEST_P(SharedCharacter, BakedFileKeepsTexturesCoordinatesAndColours) {
    FASCIA_NEEDS_SHARED_DATA();
    TemporaryFolder folder;
    const auto original = load_character(path());
    ASSERT_TRUE(original) << original.error().message;
    const Clip* clip = original->clips.empty() ? nullptr : &original->clips[0];
    const Status status = bake(folder / "x.glb", *original, clip, 2, 10);
    ASSERT_TRUE(status) << status.error().message;
    const GlbFile file = test::read_glb(folder / "x.glb");
    // Images byte for byte.
    std::multiset<std::string> pictures;
    for (const json& image : file.json.value("images", json::array())) {
        const json& view = file.json["bufferViews"][image["bufferView"].get<std::size_t>()];
        pictures.insert(file.binary.substr(view.value("byteOffset", std::size_t{0}), view["byteLength"]));
    }
    for (const Texture& texture : original->textures) {
        if (texture.bytes.empty()) continue;
        EXPECT_TRUE(pictures.count(std::string(texture.bytes.begin(), texture.bytes.end()))) << texture.name;
    }
    // Every part with its texture coordinates, colours and material.
    const auto mesh = load_mesh(folder / "x.glb");
    ASSERT_TRUE(mesh) << mesh.error().message;
    EXPECT_EQ(mesh->vertex_count(), original->mesh.vertex_count() + original->rigid.vertex_count());
    EXPECT_EQ(mesh->uvs.empty(), original->mesh.uvs.empty() && original->rigid.uvs.empty());
    EXPECT_EQ(mesh->colors.empty(), original->mesh.colors.empty() && original->rigid.colors.empty());
    std::multiset<std::pair<float, float>> before, after;
    for (const Mesh* m : {&original->mesh, &original->rigid})
        for (const Vec2& uv : m->uvs) before.insert({uv.x, uv.y});
    for (const Vec2& uv : mesh->uvs) after.insert({uv.x, uv.y});
    const bool all_have_them = original->rigid.vertex_count() == 0 || !original->rigid.uvs.empty();
    if (all_have_them) {
        EXPECT_EQ(before, after);
    }
    EXPECT_EQ(file.json.value("materials", json::array()).size(), original->materials.size());
}

}  // namespace
}  // namespace fascia
