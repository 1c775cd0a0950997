// Writes the seed corpus of every fuzz target: small files that together use every feature of its reader.
//     make_corpus FOLDER
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <draco/compression/encode.h>
#include <draco/mesh/triangle_soup_mesh_builder.h>
#include <meshoptimizer.h>

#include "fascia/method.h"
#include "io/gltf_builder.h"
#include "support/small_character.h"

namespace {

using fascia::test::GltfBuilder;
using fascia::test::joined;
using fascia::test::json;
using fascia::test::StripFile;
using fascia::test::translation_matrix;
using Bytes = std::vector<std::uint8_t>;

std::filesystem::path folder;

void save(const std::string& target, const std::string& name, const std::string& bytes) {
    std::filesystem::create_directories(folder / target);
    std::ofstream(folder / target / name, std::ios::binary)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

void save(const std::string& name, const GltfBuilder& file) {
    const Bytes bytes = file.glb();
    save("gltf", name, std::string(bytes.begin(), bytes.end()));
}

std::string base64(const Bytes& bytes) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t bits = 0;
        for (std::size_t k = 0; k < 3; ++k) bits = bits << 8 | (i + k < bytes.size() ? bytes[i + k] : 0u);
        for (std::size_t k = 0; k < 4; ++k) text += i + k > bytes.size() ? '=' : digits[bits >> (18 - 6 * k) & 63];
    }
    return text;
}

// ---- glTF ----------------------------------------------------------------------------------------

void save_plain_gltf() {
    StripFile file;
    json root = file.root;
    root["buffers"] = {
        {{"byteLength", file.binary.size()}, {"uri", "data:application/octet-stream;base64," + base64(file.binary)}}};
    root["images"] = {
        {{"uri", "data:image/png;base64,iVBORw0KGgo="}}, {{"uri", "beside.png"}}, {{"uri", "data:,a%20b"}}};
    root["textures"] = {{{"source", 0}}};
    root["materials"] = {
        {{"name", "m"},
         {"doubleSided", true},
         {"pbrMetallicRoughness", {{"baseColorFactor", {1, 0, 0, 1}}, {"baseColorTexture", {{"index", 0}}}}}}};
    root["meshes"][0]["primitives"][0]["material"] = 0;
    save("gltf", "plain.gltf", root.dump());
    save("gltf", "bare.gltf", R"({"asset":{"version":"2.0"}})");
}

void save_attributes() {
    StripFile file;
    std::vector<float> both;
    for (int v = 0; v < 6; ++v) {
        for (float f : {v % 2 == 0 ? -1.0f : 1.0f, static_cast<float>(v / 2), 0.0f, 0.0f, 0.0f, 1.0f})
            both.push_back(f);
    }
    const int view = file.view(both, 24);
    file.attributes()["POSITION"] = file.accessor(view, 5126, "VEC3", 6);
    file.attributes()["NORMAL"] = file.accessor(view, 5126, "VEC3", 6, false, 12);
    file.attributes()["COLOR_0"] = file.bytes(Bytes(18, 51), "VEC3", true);
    file.attributes()["COLOR_1"] = file.floats(std::vector<float>(24, .25f), "VEC4");
    file.attributes()["TEXCOORD_0"] = file.shorts(std::vector<std::uint16_t>(12, 13107), "VEC2", true);
    file.attributes()["TANGENT"] = file.floats(std::vector<float>(24, 1), "VEC4");
    file.primitive()["targets"] = {{{"POSITION", file.floats(std::vector<float>(18, 2), "VEC3")},
                                    {"NORMAL", file.floats(std::vector<float>(18, 0), "VEC3")}}};
    file.root["meshes"][0]["weights"] = {0.5};
    file.root["meshes"][0]["name"] = "body";
    save("attributes.glb", file);

    for (const int mode : {0, 5, 6}) {
        StripFile other;
        other.primitive().erase("indices");
        other.primitive()["mode"] = mode;
        json second = other.primitive();
        second["mode"] = 4;
        other.root["meshes"][0]["primitives"].push_back(second);
        save("mode" + std::to_string(mode) + ".glb", other);
    }
}

void save_quantized() {
    StripFile file;
    file.root["extensionsUsed"] = file.root["extensionsRequired"] = {"KHR_mesh_quantization"};
    file.attributes()["POSITION"] = file.accessor(
        file.view(
            std::vector<std::int16_t>{-9, 0, 0, 0, 9, 0, 0, 0, -9, 9, 0, 0, 9, 9, 0, 0, -9, 18, 0, 0, 9, 18, 0, 0}, 8),
        5122, "VEC3", 6, true);
    file.attributes()["NORMAL"] = file.accessor(file.view(std::vector<std::int8_t>(24, 100), 4), 5120, "VEC3", 6, true);
    file.attributes()["WEIGHTS_0"] =
        file.bytes({255, 0, 0, 0, 255, 0, 0, 0, 128, 127, 0, 0, 100, 50, 0, 0, 0, 0, 0, 0, 1, 255, 9, 9}, "VEC4", true);
    file.attributes()["JOINTS_0"] =
        file.shorts({0, 1, 0, 0, 0, 1, 9, 9, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 7, 8}, "VEC4");
    file.attributes()["WEIGHTS_1"] = file.shorts(std::vector<std::uint16_t>(24, 10), "VEC4", true);
    file.attributes()["JOINTS_1"] = file.bytes(Bytes(24, 1), "VEC4");
    file.primitive()["indices"] = file.bytes({0, 1, 3, 0, 3, 2}, "SCALAR");
    save("quantized.glb", file);
}

void save_sparse() {
    StripFile file;
    const int indices = file.view(Bytes{1, 4}), values = file.view(std::vector<float>{7, 8, 9, 10, 11, 12});
    json& accessor = file.root["accessors"][0];
    accessor["sparse"] = {{"count", 2},
                          {"indices", {{"bufferView", indices}, {"componentType", 5121}}},
                          {"values", {{"bufferView", values}}}};
    save("sparse.glb", file);
    accessor.erase("bufferView");
    save("sparse_zeros.glb", file);
}

void save_skins() {
    StripFile file;
    file.push("skins", {{"joints", {0, 1}},
                        {"inverseBindMatrices",
                         file.floats(joined({translation_matrix(0, 0, 0), translation_matrix(-1, 0, 0)}), "MAT4")}});
    file.push("skins", {{"name", "lone"}, {"joints", {1}}});
    file.push("nodes", {{"mesh", 0}, {"skin", 1}, {"scale", {2, 2, 2}}});
    file.push("nodes", {{"mesh", 0}, {"skin", 2}, {"weights", {1}}});
    file.push("nodes",
              {{"mesh", 0}, {"rotation", {0, 0, 0, 1}}, {"matrix", {1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}}});
    file.root["scenes"][0]["nodes"] = {0, 2, 3, 4, 5};
    file.root["scene"] = 0;
    save("skins.glb", file);

    StripFile singular;
    singular.root["skins"][0]["inverseBindMatrices"] =
        singular.floats(joined({translation_matrix(0, 0, 0), std::vector<float>(16, 0)}), "MAT4");
    singular.root["nodes"][0]["matrix"] = {0, 2, 0, 0, -3, 0, 0, 0, 0, 0, -4, 0, 5, 6, 7, 1};
    singular.root["scene"] = 7;
    save("singular.glb", singular);
}

void save_clips() {
    StripFile file;
    const int times = file.floats({0, 1.5f}, "SCALAR");
    const int rotations =
        file.accessor(file.view(std::vector<std::int16_t>{0, 0, 0, 32767, 0, 0, 0, 0}), 5122, "VEC4", 2, true);
    file.push("animations",
              {{"name", "wave"},
               {"samplers",
                json::array(
                    {{{"input", times}, {"output", file.floats({0, 0, 0, 1, 1, 1}, "VEC3")}, {"interpolation", "STEP"}},
                     {{"input", times}, {"output", rotations}},
                     {{"input", times},
                      {"output", file.floats(std::vector<float>(24, 1), "VEC4")},
                      {"interpolation", "CUBICSPLINE"}}})},
               {"channels", json::array({{{"sampler", 0}, {"target", {{"node", 0}, {"path", "translation"}}}},
                                         {{"sampler", 1}, {"target", {{"node", 1}, {"path", "rotation"}}}},
                                         {{"sampler", 2}, {"target", {{"node", 1}, {"path", "rotation"}}}},
                                         {{"sampler", 0}, {"target", {{"node", 1}, {"path", "scale"}}}},
                                         {{"sampler", 0}, {"target", {{"node", 1}, {"path", "weights"}}}},
                                         {{"sampler", 9}, {"target", {{"node", 1}, {"path", "scale"}}}}})}});
    save("clips.glb", file);
}

void save_vrm() {
    StripFile file;
    file.root["extensionsUsed"] = {"VRM", "VRMC_vrm"};
    file.root["extensions"]["VRM"]["humanoid"]["humanBones"] = {{{"bone", "hips"}, {"node", 0}},
                                                                {{"bone", "spine"}, {"node", 1}}};
    const int picture = file.view(Bytes{'R', 'I', 'F', 'F', 0, 0, 0, 0, 'W', 'E', 'B', 'P'});
    file.root["images"] = {{{"bufferView", picture}}, {{"bufferView", 99}}};
    file.root["textures"] = {{{"extensions", {{"EXT_texture_webp", {{"source", 0}}}}}}};
    file.push("materials", {{"extensions",
                             {{"KHR_materials_pbrSpecularGlossiness",
                               {{"diffuseFactor", {0.25, 0.5, 2, 1}}, {"diffuseTexture", {{"index", 0}}}}}}}});
    save("vrm0.glb", file);
    file.root["extensions"].erase("VRM");
    file.root["extensions"]["VRMC_vrm"]["humanoid"]["humanBones"] = {{"chest", {{"node", 1}}}, {"hips", {{"node", 0}}}};
    save("vrm1.glb", file);
    file.root["extensionsRequired"] = {"KHR_texture_basisu"};
    save("refused.glb", file);
}

/// A compressed bufferView over `encoded`, standing in for `count` elements.
int meshopt_view(GltfBuilder& file, Bytes encoded, std::size_t size, std::size_t stride, std::size_t count,
                 const char* mode, const char* filter) {
    encoded.resize(size);
    const int source = file.view(encoded);
    const json& from = file.root["bufferViews"][static_cast<std::size_t>(source)];
    json view = {{"buffer", 0}, {"byteOffset", 0}, {"byteLength", stride * count}};
    if (std::string(mode) == "ATTRIBUTES") view["byteStride"] = stride;
    view["extensions"]["EXT_meshopt_compression"] = {{"buffer", 0},        {"byteOffset", from["byteOffset"]},
                                                     {"byteLength", size}, {"byteStride", stride},
                                                     {"count", count},     {"mode", mode},
                                                     {"filter", filter}};
    return file.push("bufferViews", view);
}

template <class T>
int meshopt_attribute(GltfBuilder& file, const std::vector<T>& values, std::size_t stride, const char* filter) {
    const std::size_t count = values.size() * sizeof(T) / stride;
    Bytes encoded(meshopt_encodeVertexBufferBound(count, stride));
    const std::size_t size = meshopt_encodeVertexBuffer(encoded.data(), encoded.size(), values.data(), count, stride);
    return meshopt_view(file, encoded, size, stride, count, "ATTRIBUTES", filter);
}

void save_meshopt() {
    const std::vector<float> positions = {-1, 0, 0, 1, 0, 0, -1, 1, 0, 1, 1, 0, -1, 2, 0, 1, 2, 0};
    const std::vector<std::uint32_t> indices = {0, 1, 3, 0, 3, 2, 2, 3, 5, 2, 5, 4};
    for (const bool sequence : {false, true}) {
        StripFile file;
        file.root["extensionsUsed"] =
            file.root["extensionsRequired"] = {"EXT_meshopt_compression", "KHR_mesh_quantization"};
        file.attributes()["POSITION"] =
            file.accessor(meshopt_attribute(file, positions, 12, sequence ? "EXPONENTIAL" : "NONE"), 5126, "VEC3", 6);
        file.attributes()["NORMAL"] =
            file.accessor(meshopt_attribute(file, std::vector<std::int8_t>{0, 0, 127, 0, 9, 0, 127, 0, 0, 9, 127, 0,
                                                                           1, 1, 127, 0, 0, 0, 127, 0, 0, 0, 127, 0},
                                            4, "OCTAHEDRAL"),
                          5120, "VEC3", 6, true);
        Bytes encoded(1024);
        const std::size_t size =
            sequence ? meshopt_encodeIndexSequence(encoded.data(), encoded.size(), indices.data(), indices.size())
                     : meshopt_encodeIndexBuffer(encoded.data(), encoded.size(), indices.data(), indices.size());
        file.primitive()["indices"] = file.accessor(meshopt_view(file, encoded, size, sequence ? 4 : 2, indices.size(),
                                                                 sequence ? "INDICES" : "TRIANGLES", "NONE"),
                                                    sequence ? 5125 : 5123, "SCALAR", indices.size());
        const int quaternions = file.accessor(
            meshopt_attribute(file, std::vector<std::int16_t>{0, 0, 0, 32767, 3, 3, 3, 32764}, 8, "QUATERNION"), 5122,
            "VEC4", 2, true);
        file.push("animations",
                  {{"samplers", json::array({{{"input", file.floats({0, 1}, "SCALAR")}, {"output", quaternions}}})},
                   {"channels", json::array({{{"sampler", 0}, {"target", {{"node", 1}, {"path", "rotation"}}}}})}});
        save(sequence ? "meshopt_sequence.glb" : "meshopt.glb", file);
    }
}

void save_draco() {
    const float corner[6][3] = {{-1, 0, 0}, {1, 0, 0}, {-1, 1, 0}, {1, 1, 0}, {-1, 2, 0}, {1, 2, 0}};
    const std::uint32_t triangles[4][3] = {{0, 1, 3}, {0, 3, 2}, {2, 3, 5}, {2, 5, 4}};
    for (const bool sequential : {false, true}) {
        draco::TriangleSoupMeshBuilder builder;
        builder.Start(4);
        const int position = builder.AddAttribute(draco::GeometryAttribute::POSITION, 3, draco::DT_FLOAT32);
        const int joints = builder.AddAttribute(draco::GeometryAttribute::GENERIC, 4, draco::DT_UINT8);
        const int weights = builder.AddAttribute(draco::GeometryAttribute::GENERIC, 4, draco::DT_FLOAT32);
        const std::uint8_t joint[4] = {0, 1, 0, 0};
        for (std::uint32_t f = 0; f < 4; ++f) {
            float w[3][4] = {};
            for (int c = 0; c < 3; ++c) w[c][corner[triangles[f][c]][1] > 1 ? 1 : 0] = 1;
            const auto face = draco::FaceIndex(f);
            builder.SetAttributeValuesForFace(position, face, corner[triangles[f][0]], corner[triangles[f][1]],
                                              corner[triangles[f][2]]);
            builder.SetAttributeValuesForFace(joints, face, joint, joint, joint);
            builder.SetAttributeValuesForFace(weights, face, w[0], w[1], w[2]);
        }
        const auto mesh = builder.Finalize();
        draco::Encoder encoder;
        encoder.SetEncodingMethod(sequential ? draco::MESH_SEQUENTIAL_ENCODING : draco::MESH_EDGEBREAKER_ENCODING);
        encoder.SetAttributeQuantization(draco::GeometryAttribute::POSITION, 11);
        draco::EncoderBuffer buffer;
        if (mesh == nullptr || !encoder.EncodeMeshToBuffer(*mesh, &buffer).ok()) continue;

        StripFile file;
        file.root["extensionsUsed"] = file.root["extensionsRequired"] = {"KHR_draco_mesh_compression"};
        const int view = file.view(Bytes(buffer.data(), buffer.data() + buffer.size()));
        file.attributes()["POSITION"] = file.accessor(-1, 5126, "VEC3", mesh->num_points());
        file.attributes()["JOINTS_0"] = file.accessor(-1, 5121, "VEC4", mesh->num_points());
        file.attributes()["WEIGHTS_0"] = file.accessor(-1, 5126, "VEC4", mesh->num_points());
        file.primitive()["indices"] = file.accessor(-1, 5123, "SCALAR", 12);
        file.primitive()["extensions"]["KHR_draco_mesh_compression"] = {
            {"bufferView", view},
            {"attributes",
             {{"POSITION", mesh->attribute(position)->unique_id()},
              {"JOINTS_0", mesh->attribute(joints)->unique_id()},
              {"WEIGHTS_0", mesh->attribute(weights)->unique_id()}}}};
        save(sequential ? "draco_sequential.glb" : "draco.glb", file);
    }
}

// ---- texts ---------------------------------------------------------------------------------------

void save_bvh() {
    save("bvh", "two_joints.bvh",
         "HIERARCHY\nROOT Hips\n{\n OFFSET 0 0 0\n CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation "
         "Yrotation\n"
         " JOINT Knee\n {\n  OFFSET 0 2 0\n  CHANNELS 3 Zrotation Xrotation Yrotation\n  End Site\n  {\n   OFFSET 0 1 "
         "0\n  }\n }\n}\n"
         "MOTION\nFrames: 2\nFrame Time: .5\n1 2 3 90 0 0 0 90 0\n0 0 0 0 0 0 0 0 0\n");
    save("bvh", "one_line.bvh",
         "HIERARCHY ROOT a long name {\r\n OFFSET .5 -.25 +1e-1 CHANNELS 1 Zrotation }\r\nMOTION Frames: 3 Frame Time: "
         ".03\r\n-.5e1\r\n+5.\r\n1e-400\r\n");
    save("bvh", "two_roots.bvh",
         "\xEF\xBB\xBFHIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 0\n}\nROOT b\n{\nOFFSET 1 1 1\nCHANNELS 2 xPOSITION "
         "yROTATION\n}\n}\nMOTION\nFrames: 9\nFrame Time: 1\n1 2\n3");
    save("bvh", "no_frames.bvh",
         "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\nMOTION\nFrames: 0\nFrame Time: 1\n");
    save("bvh", "bad_number.bvh",
         "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\nMOTION\nFrames: 2\nFrame Time: 1\n1\nx\n");
    save("bvh", "bad_channel.bvh", "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Wrotation\n}\n");
    save("bvh", "bad_word.bvh", "HIERARCHY\nROOT a\n{\nOFFSET 0 zero\n");
    save("bvh", "no_brace.bvh", "HIERARCHY\nROOT\na\nEnd Site\n");
}

template <class T>
void put(std::string& out, T value, bool big) {
    char raw[sizeof value];
    std::memcpy(raw, &value, sizeof value);
    if (big) std::reverse(raw, raw + sizeof value);
    out.append(raw, sizeof value);
}

void save_ply(const std::string& name, bool ascii, bool big) {
    std::string out = "ply\nformat ";
    out += ascii ? "ascii" : big ? "binary_big_endian" : "binary_little_endian";
    out +=
        " 1.0\ncomment seed\nelement vertex 4\nproperty float x\nproperty double y\nproperty float z\nproperty float "
        "nx\nproperty float ny\n"
        "property float nz\nproperty float s\nproperty float t\nproperty uchar red\nproperty ushort green\nproperty "
        "float blue\nproperty uchar alpha\n"
        "element camera 1\nproperty short id\nproperty list uchar char tags\n"
        "element face 2\nproperty uint8 flags\nproperty list uchar int vertex_indices\nproperty list uint8 float "
        "other\nend_header\n";
    const float corner[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const std::int32_t faces[2][4] = {{0, 1, 2, 3}, {0, 2, 1, 0}};
    if (ascii) {
        out +=
            "0 0 0 0 0 1 0 0 255 1 1 255\n1 0 0 0 0 1 0 0 255 1 1 255\n0 1 0 0 0 1 0 0 255 1 1 255\n0 0 1 0 0 1 0 0 "
            "255 1 1 255\n7 2 1 1\n9 4 0 1 2 3 1 3.0\n9 3 0 2 1 0\n";
    } else {
        for (const auto& c : corner) {
            put(out, c[0], big);
            put(out, double{c[1]}, big);
            put(out, c[2], big);
            for (float f : {0.f, 0.f, 1.f, .5f, .5f}) put(out, f, big);
            put(out, std::uint8_t{255}, big);
            put(out, std::uint16_t{7}, big);
            put(out, .5f, big);
            put(out, std::uint8_t{255}, big);
        }
        put(out, std::int16_t{7}, big);
        out += "\x02zz";
        for (const auto& f : faces) {
            out += "\x09\x04";
            for (std::int32_t i : f) put(out, i, big);
            out += '\x01';
            put(out, 3.0f, big);
        }
    }
    save("mesh", name, out);
}

void save_meshes() {
    save("mesh", "tetrahedron.obj",
         "# seed\no t\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
    save("mesh", "dialects.obj",
         "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1 .5 .25 1\nvt .25 .75\nvt 1\nvn 0 0 2\nf -4/1/1 -3/-1/-1 -2/1/-1 # c\nf "
         "1//1 2//1 \\\n 4//1\nf 1 2 3 4\nf 1/2 2/2 3/2\nusemtl red\r\n");
    save("mesh", "two_boxes.obj",
         "v 0 0 0\nv 4 0 0\nv 0 4 0\nv 0 0 4\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\nv 1 1 1\nv 2 1 1\nv 1 2 1\nv 1 1 "
         "2\nf 5 7 6\nf 5 6 8\nf 6 7 8\nf 7 5 8\nf 1 1 2\n");
    save("mesh", "bad.obj", "v 0 0 0\nf 1 2 3\n");
    save("mesh", "bad_vertex.obj", "v 0 0 1e300\n");
    save("mesh", "plain.off",
         "OFF # seed\n4 4 6\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3 1 0 0\n3 1 2 3\n3 2 0 3\n");
    save("mesh", "colours.off", "COFF\n3 1 3\n0 0 0 255 0 0 255\n1 0 0 0 255 0 255\n0 1 0 0 0 255 255\n3 0 1 2\n");
    save("mesh", "normals.off", "NOFF 3 1 3\n0 0 0 0 0 1\n1 0 0 0 0 1\n0 1 0 0 0 1\n3 0 1 2\n");
    save("mesh", "four.off", "4OFF 1 1 1");
    save("mesh", "binary.off", "OFF BINARY");
    save_ply("ascii.ply", true, false);
    save_ply("little.ply", false, false);
    save_ply("big.ply", false, true);
    save("mesh", "no_end.ply", "ply\nformat ascii 1.0\nelement vertex 3\n");
}

void save_flesh() {
    save("flesh", "preset.json", R"({"preset": "jelly"})");
    save(
        "flesh", "full.json",
        R"({"preset": "default", "mode": "physical", "resolution": 24, "region_width": 3, "region_radius": 2, "delta": 0.7,
  "bone_width": 0.02, "muscle": 0.4, "gravity": [0, -9.8, 0], "step": 0.005,
  "layers": [{"name": "muscle", "frequency": 8, "damping": 0.2, "amount": 1}, {"name": "fat", "frequency": 4}, {"name": "skin", "share": 0.1, "k_s": 1, "k_d": 0.5}],
  "parts": [{"joint": "belly*", "bone_width": 0.02, "muscle": 0.2, "amount": 1.2}, {"joint": "ear.l"}],
  "joints": [{"joint": "knee", "t_min": 0.1, "t_max": 0.9}], "mask": "COLOR_1.r"})");
    save("flesh", "paper.json",
         R"({"mode": "paper", "preset": "paper-bunny", "gravity": 0, "layers": [{"name": "jelly", "frequency": 2}]})");
    save("flesh", "unknown.json", R"({"resolutoin": 3})");
    save("flesh", "range.json", R"({"resolution": 3000})");
    save("flesh", "types.json", R"({"layers": {"name": 3}, "parts": [{"joint": 3}]})");
    save("flesh", "entries.json",
         R"({"parts": [{"joint": "a", "amount": "x"}], "layers": [{"name": "fat"}, {"name": "fat"}]})");
    save("flesh", "list.json", "[1, 2]");
    save("flesh", "broken.json", "{\n\"a\": ");
}

void save_rigs() {
    const fascia::Character column = fascia::test::small_character();
    for (const char* name : {"lbs", "dqs", "layers", "even"}) {
        const bool even = std::string(name) == "even";
        fascia::Flesh flesh = *fascia::preset("default");
        flesh.values = {{"resolution", 5.0}};
        if (even) flesh.values.push_back({"region_width", 2.0});
        const auto rig = fascia::bind(column, even ? "layers" : name, flesh);
        const auto bytes = rig ? fascia::save_rig(**rig) : rig.error();
        if (bytes) save("rig", std::string(name) + ".rig", std::string(bytes->begin(), bytes->end()));
    }
    save("rig", "short.rig", "FASCIARG");
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 2) {
        std::fprintf(stderr, "make_corpus FOLDER\n");
        return 2;
    }
    folder = arguments[1];
    save("strip.glb", StripFile());
    save_plain_gltf();
    save_attributes();
    save_quantized();
    save_sparse();
    save_skins();
    save_clips();
    save_vrm();
    save_meshopt();
    save_draco();
    save_bvh();
    save_meshes();
    save_flesh();
    save_rigs();
    return 0;
}
