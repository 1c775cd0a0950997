// Bad characters: one sentence, no crash, no more memory than promised.
#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include <gtest/gtest.h>
#include <malloc.h>

#include "fascia/io.h"
#include "io/gltf_builder.h"
#include "support/sanitized.h"
#include "support/shared_data.h"

namespace fascia {
namespace {

using test::GltfBuilder;
using test::json;
using test::sanitized;
using test::StripFile;

using Bytes = std::vector<std::uint8_t>;

Bytes as_bytes(const std::string& text) {
    return {text.begin(), text.end()};
}

/// The message of a refusal; fails the test if the file is accepted.
std::string refused(const Bytes& bytes) {
    auto character = load_character_from_memory(bytes, "bad.glb");
    EXPECT_FALSE(character);
    if (character) return "";
    const std::string& message = character.error().message;
    EXPECT_EQ(character.error().kind, Error::Kind::input);
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    EXPECT_EQ(message.back(), '.') << message;
    EXPECT_EQ(message.substr(0, 7), "bad.glb") << message;
    return message;
}
std::string refused(const GltfBuilder& file) {
    return refused(file.glb());
}
std::string refused(const std::string& text) {
    return refused(as_bytes(text));
}

#define EXPECT_SAYS(file, words)                                                                    \
    do {                                                                                            \
        const std::string message = refused(file);                                                  \
        EXPECT_NE(message.find(words), std::string::npos) << message << "\n  instead of " << words; \
    } while (false)

TEST(BadLoad, NotAGltf) {
    EXPECT_SAYS(std::string(), "empty");
    EXPECT_SAYS("hello", "not valid JSON");
    EXPECT_SAYS("{}", "asset");
    EXPECT_SAYS("[1, 2]", "not a glTF");
    EXPECT_SAYS(R"({"asset": 3})", "asset");
    EXPECT_SAYS(R"({"asset": {"version": "2.0"}})", "no mesh");
    EXPECT_SAYS(R"({"asset": {"version": "2.0"}, "meshes": 3, "nodes": "x", "accessors": {"a": []}, "skins": null})",
                "no mesh");
    EXPECT_SAYS(R"({"asset": {"version": "2.0"}, "nodes": [3]})", "not a valid glTF");
    EXPECT_SAYS(R"({"asset": {"version": "2.0"}, "meshes": [3]})", "mesh 0 is not an object");
    EXPECT_SAYS(R"({"asset": {"version": "2.0"}, "meshes": [{"primitives": [{}]}]})", "attributes");
    EXPECT_SAYS(
        R"({"asset": {"version": "2.0"}, "meshes": [{"primitives": [{"attributes": {"POSITION": "x"}, "indices": 9}]}]})",
        "attributes");
    EXPECT_SAYS(R"({"asset": {"version": "2.0"}, "meshes": {"a": {"primitives": [{"attributes": {}, "indices": 9}]}}})",
                "no mesh");
    EXPECT_SAYS(R"({"asset": {"version": "2.0"}, "buffers": [7]})", "buffer 0 is not an object");
    EXPECT_SAYS(R"({"asset": {"version": "2.0"}, "buffers": [{}]})", "byteLength");
    EXPECT_SAYS(R"({"asset": {"version": "2.0"}, "images": [7]})", "image 0 is not an object");
    EXPECT_SAYS(R"({"asset": {"version": "2.0"}, "buffers": [{"byteLength": 4, "uri": "data:;base64,!!!!"}]})",
                "base64");
    EXPECT_SAYS(R"({"asset": {"version": "2.0"}, "buffers": [{"byteLength": 4, "uri": "data:nothing"}]})", "comma");
    EXPECT_SAYS(R"({"asset": {"version": "2.0"}, "buffers": [{"byteLength": 40, "uri": "data:,ab"}]})",
                "only 2 are there");
    Bytes version = StripFile().glb();
    version[4] = 1;
    EXPECT_SAYS(version, "version 1");
    EXPECT_SAYS(Bytes({'g', 'l', 'T', 'F', 2, 0, 0, 0}), "cut short");
}

TEST(BadLoad, DeepAndWideJson) {
    EXPECT_SAYS("{\"extras\": " + std::string(100000, '[') + std::string(100000, ']') + "}", "levels deep");
    EXPECT_SAYS(std::string(1000000, '['), "levels deep");
    std::string wide = R"({"asset": {"version": "2.0"}, "extras": [0)";
    for (int i = 0; i < 4000000; ++i) wide += ",0";
    EXPECT_SAYS(wide + "]}", "far more than");
}

TEST(BadLoad, RequiredExtensionIsNamed) {
    StripFile file;
    file.root["extensionsRequired"] = {"EXT_mesh_of_tomorrow"};
    EXPECT_SAYS(file, "EXT_mesh_of_tomorrow");
}

TEST(BadLoad, NoSkinNoTriangles) {
    StripFile file;
    file.root["nodes"][2].erase("skin");
    EXPECT_SAYS(file, "has a skin");
    StripFile points;
    points.primitive()["mode"] = 0;
    EXPECT_SAYS(points, "no triangles");
    StripFile elsewhere;
    elsewhere.root["scenes"][0]["nodes"] = {0};
    EXPECT_SAYS(elsewhere, "has a skin");
}

TEST(BadLoad, NodesThatCannotBeATree) {
    StripFile cycle;
    cycle.root["nodes"][1]["children"] = {0};
    EXPECT_SAYS(cycle, "cycle");
    StripFile itself;
    itself.root["nodes"][0]["children"] = {0, 1};
    EXPECT_SAYS(itself, "cycle");
    StripFile child;
    child.root["nodes"][0]["children"] = {1, 99};
    EXPECT_SAYS(child, "child 99");
    StripFile negative;
    negative.root["nodes"][0]["children"] = {-2};
    EXPECT_SAYS(negative, "child -2");
    StripFile deep;
    for (int i = 0; i < 5000; ++i) deep.push("nodes", {{"children", {deep.root["nodes"].size() + 1}}});
    deep.push("nodes", json::object());
    EXPECT_SAYS(deep, "levels deep");
}

TEST(BadLoad, NumbersThatPointNowhere) {
    StripFile mesh;
    mesh.root["nodes"][2]["mesh"] = 5;
    EXPECT_SAYS(mesh, "mesh 5");
    StripFile skin;
    skin.root["nodes"][2]["skin"] = 5;
    EXPECT_SAYS(skin, "skin 5");
    StripFile joint;
    joint.root["skins"][0]["joints"] = {0, 55};
    EXPECT_SAYS(joint, "node 55");
    StripFile joints;
    joints.root["skins"][0]["joints"] = json::array();
    EXPECT_SAYS(joints, "no joints");
    StripFile binds;
    binds.root["skins"][0]["joints"] = {0, 1, 2};
    EXPECT_SAYS(binds, "inverse bind matrices");
    StripFile accessor;
    accessor.attributes()["POSITION"] = 500;
    EXPECT_SAYS(accessor, "accessor 500");
    StripFile view;
    view.root["accessors"][0]["bufferView"] = 77;
    EXPECT_SAYS(view, "bufferView 77");
    StripFile buffer;
    buffer.root["bufferViews"][0]["buffer"] = 3;
    EXPECT_SAYS(buffer, "buffer 3");
    StripFile index;
    index.primitive()["indices"] = index.shorts({0, 1, 6}, "SCALAR");
    EXPECT_SAYS(index, "vertex 6 of 6");
    StripFile indices;
    indices.primitive()["indices"] = 12345;
    EXPECT_SAYS(indices, "accessor 12345");
}

TEST(BadLoad, AccessorsThatDoNotFit) {
    StripFile count;
    count.root["accessors"][0]["count"] = 7;
    EXPECT_SAYS(count, "reaches beyond its bufferView");
    StripFile huge;
    huge.root["accessors"][0]["count"] = 18446744073709551615ull;
    EXPECT_SAYS(huge, "reaches beyond its bufferView");
    StripFile offset;
    offset.root["accessors"][0]["byteOffset"] = 18446744073709551612ull;
    EXPECT_SAYS(offset, "reaches beyond its bufferView");
    StripFile view;
    view.root["bufferViews"][0]["byteLength"] = 1 << 30;
    EXPECT_SAYS(view, "reaches beyond its buffer");
    StripFile view_offset;
    view_offset.root["bufferViews"][0]["byteOffset"] = 18446744073709551612ull;
    EXPECT_SAYS(view_offset, "reaches beyond its buffer");
    StripFile stride;
    stride.root["bufferViews"][0]["byteStride"] = 8;
    EXPECT_SAYS(stride, "reaches beyond its bufferView");
    StripFile type;
    type.root["accessors"][0]["type"] = "VEC2";
    EXPECT_SAYS(type, "3 are needed");
    StripFile component;
    component.root["accessors"][0]["componentType"] = 5124;
    EXPECT_SAYS(component, "component type");
    StripFile few;
    few.attributes()["WEIGHTS_0"] = few.floats({1, 0, 0, 0}, "VEC4");
    EXPECT_SAYS(few, "WEIGHTS_0 has 1 elements for 6 vertices");
    StripFile color;
    color.attributes()["COLOR_0"] = color.floats(std::vector<float>(12, 1), "VEC2");
    EXPECT_SAYS(color, "COLOR_0");
    StripFile morph;
    morph.primitive()["targets"] = json::array({{{"POSITION", 999}}});
    morph.root["meshes"][0]["weights"] = {1};
    EXPECT_SAYS(morph, "accessor 999");
    StripFile not_a_number;
    not_a_number.attributes()["POSITION"] = not_a_number.floats(std::vector<float>(18, NAN), "VEC3");
    EXPECT_SAYS(not_a_number, "NaN or infinite at vertex 0");
    StripFile far;
    far.attributes()["POSITION"] = far.floats(std::vector<float>(18, 3e38f), "VEC3");
    far.root["nodes"][0]["scale"] = {1e30, 1e30, 1e30};
    EXPECT_SAYS(far, "beyond what a float can hold");
}

json sparse(int count, int indices, int component_type, int values) {
    return {{"count", count},
            {"indices", {{"bufferView", indices}, {"componentType", component_type}}},
            {"values", {{"bufferView", values}}}};
}

TEST(BadLoad, SparseValuesThatDoNotFit) {
    const auto with = [](int count, std::uint8_t target, int component_type) {
        StripFile file;
        const int indices = file.view(Bytes{target, 0, 0, 0}), values = file.view(std::vector<float>{1, 2, 3});
        file.root["accessors"][0]["sparse"] = sparse(count, indices, component_type, values);
        return file;
    };
    EXPECT_SAYS(with(1, 6, 5121), "element 6 of 6");
    EXPECT_SAYS(with(2, 0, 5121), "sparse values");
    EXPECT_SAYS(with(1000, 0, 5121), "sparse indices");
    EXPECT_SAYS(with(-1, 0, 5121), "negative");
    EXPECT_SAYS(with(1, 0, 77), "sparse indices");
    EXPECT_SAYS(with(1, 0, 5126), "sparse indices");
}

TEST(BadLoad, CompressedDataThatIsDamaged) {
    const auto meshopt = [](const json& header) {
        StripFile file;
        file.root["bufferViews"][0]["extensions"]["EXT_meshopt_compression"] = header;
        return file;
    };
    const json good = {{"buffer", 0}, {"byteLength", 72}, {"byteStride", 12}, {"count", 6}, {"mode", "ATTRIBUTES"}};
    EXPECT_SAYS(meshopt(good), "cannot be decompressed");
    for (const auto& [key, value] : {std::pair<const char*, json>{"buffer", 9},
                                     {"byteOffset", 1e9},
                                     {"byteLength", 1e9},
                                     {"byteStride", 13},
                                     {"byteStride", 0},
                                     {"byteStride", 1024},
                                     {"count", -1},
                                     {"mode", "MAGIC"},
                                     {"mode", 7},
                                     {"filter", "QUATERNION"},
                                     {"filter", "MAGIC"},
                                     {"mode", "TRIANGLES"}}) {
        json header = good;
        header[key] = value;
        EXPECT_SAYS(meshopt(header), "damaged EXT_meshopt_compression");
    }
    json bomb = good;
    bomb["count"] = 1e12;
    EXPECT_SAYS(meshopt(bomb), "far more than");

    const auto draco = [](const json& header, const Bytes& bytes) {
        StripFile file;
        const int view = file.view(bytes);
        file.primitive()["extensions"]["KHR_draco_mesh_compression"] = header;
        if (header.is_object() && header.contains("bufferView"))
            file.primitive()["extensions"]["KHR_draco_mesh_compression"]["bufferView"] = view;
        return file;
    };
    const json header = {{"bufferView", 0}, {"attributes", {{"POSITION", 0}}}};
    Bytes stream = {'D', 'R', 'A', 'C', 'O', 2, 2, 1, 1, 0, 0, 0, 6, 4, 0, 0, 0, 0};
    EXPECT_SAYS(draco(header, stream), "cannot be decompressed");
    EXPECT_SAYS(draco({{"bufferView", 0}}, stream), "damaged KHR_draco");
    EXPECT_SAYS(draco({{"attributes", {{"POSITION", 0}}}}, stream), "bufferView -1");
    EXPECT_SAYS(draco(header, Bytes{'D', 'R'}), "damaged Draco");
    stream[12] = 7;  // more vertices than the accessor has
    EXPECT_SAYS(draco(header, stream), "damaged Draco");
    stream[12] = 0xff;
    stream[13] = 0xff;
    EXPECT_SAYS(draco(header, stream), "damaged Draco");
    StripFile bare = draco(header, stream);
    bare.primitive().erase("indices");
    EXPECT_SAYS(bare, "names no positions or indices");
}

TEST(BadLoad, EveryTruncationOfASmallFile) {
    const Bytes whole = StripFile().glb();
    for (std::size_t n = 0; n < whole.size(); ++n)
        refused(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(n)));
}

Bytes shared_file(const std::string& name) {
    std::ifstream in(test::shared_data("characters/" + name), std::ios::binary);
    std::stringstream out;
    out << in.rdbuf();
    return as_bytes(out.str());
}

TEST(BadLoad, TruncationsOfRealFiles) {
    FASCIA_NEEDS_SHARED_DATA();
    const Bytes figure = shared_file("RiggedFigure.glb");
    for (std::size_t n = 0; n < figure.size(); n += 97)
        refused(Bytes(figure.begin(), figure.begin() + static_cast<std::ptrdiff_t>(n)));
    for (const char* name :
         {"quaternius_FinnTheFrog_draco.glb", "valid_Black_F_2_Casual_meshopt.glb", "mh_heavy_male.glb"}) {
        const Bytes whole = shared_file(name);
        const std::size_t step = whole.size() / 40;
        for (std::size_t n = 0; n < whole.size(); n += step)
            refused(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(n)));
    }
}

/// Random damage gives a character or an error message, never a crash.
void damage(const Bytes& whole, int rounds, unsigned seed) {
    std::mt19937 random(seed);
    for (int round = 0; round < rounds; ++round) {
        Bytes bytes = whole;
        const int flips = 1 + static_cast<int>(random() % 4);
        for (int i = 0; i < flips; ++i) bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random());
        auto character = load_character_from_memory(bytes, "bad.glb");
        EXPECT_TRUE(character || !character.error().message.empty());
    }
}

TEST(BadLoad, SurvivesDamage) {
    damage(StripFile().glb(), 2000, 1);
    FASCIA_NEEDS_SHARED_DATA();
    damage(shared_file("RiggedFigure.glb"), 200, 2);
    damage(shared_file("quaternius_FinnTheFrog_draco.glb"), 60, 3);
    damage(shared_file("mh_heavy_male.glb"), 20, 4);
}

TEST(BadLoad, Paths) {
    const auto message = [](const std::string& path) {
        auto character = load_character(path);
        EXPECT_FALSE(character);
        return character ? std::string() : character.error().message;
    };
    EXPECT_NE(message("/nowhere/at/all.glb").find("no such file"), std::string::npos);
    EXPECT_NE(message(::testing::TempDir()).find("not a file"), std::string::npos);
    EXPECT_NE(message("/dev/zero").find("not a file"), std::string::npos);
    const std::string empty = ::testing::TempDir() + "empty.glb";
    std::ofstream(empty).close();
    EXPECT_NE(message(empty).find("empty"), std::string::npos);
    const std::string locked = ::testing::TempDir() + "locked.glb";
    std::filesystem::remove(locked);
    std::ofstream(locked) << "x";
    std::filesystem::permissions(locked, std::filesystem::perms::none);
    // The superuser can read it anyway; then the error is that it is not a glTF.
    EXPECT_FALSE(message(locked).empty());
}

/// A line of /proc/self/status, in bytes.
std::size_t memory_of(const char* field) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.rfind(field, 0) == 0) return std::stoull(line.substr(line.find_first_of("0123456789"))) * 1024;
    }
    return 0;
}

/// By how much loading raised the peak memory.
std::size_t peak_of(const Bytes& bytes) {
    malloc_trim(0);  // memory kept from earlier files must not hide what this one needs
    std::ofstream("/proc/self/clear_refs") << "5";
    const std::size_t before = memory_of("VmRSS:");
    { auto character = load_character_from_memory(bytes, "bad.glb"); }
    const std::size_t peak = memory_of("VmHWM:");
    return peak > before ? peak - before : 0;
}

TEST(BadLoad, NeverTakesMoreMemoryThanPromised) {
    if (sanitized) GTEST_SKIP() << "sanitizers take memory of their own";
    std::vector<std::pair<std::string, Bytes>> files;

    StripFile zeros;
    for (int i = 0; i < 2000; ++i) zeros.accessor(-1, 5126, "VEC3", 1000000);
    files.emplace_back("accessors of zeros", zeros.glb());

    StripFile one_accessor;
    one_accessor.attributes()["POSITION"] = one_accessor.accessor(-1, 5126, "VEC3", 0xffffffffull);
    files.emplace_back("a huge accessor", one_accessor.glb());

    StripFile instances;
    const int big = instances.floats(std::vector<float>(3 * 20000, 0), "VEC3");
    const int joints = instances.bytes(Bytes(4 * 20000, 0), "VEC4"),
              weights = instances.bytes(Bytes(4 * 20000, 64), "VEC4", true);
    instances.root["meshes"][0]["primitives"] =
        json::array({{{"attributes", {{"POSITION", big}, {"JOINTS_0", joints}, {"WEIGHTS_0", weights}}}}});
    for (int i = 0; i < 5000; ++i) {
        instances.root["scenes"][0]["nodes"].push_back(instances.push("nodes", {{"mesh", 0}, {"skin", 0}}));
    }
    files.emplace_back("one mesh, many nodes", instances.glb());

    StripFile buffers;
    buffers.binary.resize(1000000);
    json root = buffers.root;
    root["buffers"] = json::array();
    for (int i = 0; i < 3000; ++i) root["buffers"].push_back({{"byteLength", 1000000}});
    files.emplace_back("many buffers, one chunk", GltfBuilder::container(root.dump(), buffers.binary));

    StripFile names;
    names.root["nodes"][2]["name"] = names.root["meshes"][0]["name"] = std::string(1000000, 'x');
    for (int i = 0; i < 5000; ++i)
        names.root["scenes"][0]["nodes"].push_back(names.push("nodes", {{"mesh", 0}, {"skin", 0}}));
    files.emplace_back("one long name, many nodes", names.glb());

    for (const char* value : {",[]", ",{}", ",0", ",\"\""}) {
        for (const int count : {1000000, 2000000}) {
            std::string text = R"({"asset": {"version": "2.0"}, "unknown": [0)";
            for (int i = 0; i < count; ++i) text += value;
            files.emplace_back(value, as_bytes(text + "]}"));
        }
    }

    StripFile empty;
    for (int i = 0; i < 3000; ++i) {
        empty.root["meshes"][0]["primitives"].push_back({{"attributes", json::object()}});
        empty.root["scenes"][0]["nodes"].push_back(empty.push("nodes", {{"mesh", 0}, {"skin", 0}}));
    }
    files.emplace_back("empty primitives on many nodes", empty.glb());

    StripFile images;
    const int picture = images.view(Bytes(1000000, 0));
    for (int i = 0; i < 3000; ++i) images.push("images", {{"bufferView", picture}, {"mimeType", "image/png"}});
    files.emplace_back("many images, one picture", images.glb());

    // Three bytes in the file take hundreds in memory, up to the largest number that is accepted.
    for (const char* list : {"nodes", "materials", "accessors", "meshes", "skins", "samplers", "cameras", "scenes",
                             "animations", "extras"}) {
        for (const std::size_t count : {40000, 80000, 320000}) {
            std::string text = R"({"asset": {"version": "2.0"}, ")";
            text.append(list).append("\": [{}");
            for (std::size_t i = 1; i < count; ++i) text.append(",{}");
            files.emplace_back(list, as_bytes(text.append("]}")));
        }
    }

    for (const auto& [what, bytes] : files) EXPECT_LT(peak_of(bytes), 16 * bytes.size() + 200'000'000) << what;
}

TEST(BadLoad, RealFilesStayFarBelowThePromise) {
    if (sanitized) GTEST_SKIP() << "sanitizers take memory of their own";
    FASCIA_NEEDS_SHARED_DATA();
    for (const char* name :
         {"valid_Black_F_2_Casual_meshopt.glb", "kaykit_Barbarian.glb", "mh_female_hires_quantized.glb"}) {
        const Bytes bytes = shared_file(name);
        EXPECT_LT(peak_of(bytes), 16 * bytes.size() + 200'000'000) << name;
    }
}

}  // namespace
}  // namespace fascia
