// Small glTF files made in memory, so that each test shows what is special about its file.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace fascia::test {

using nlohmann::json;

class GltfBuilder {
public:
    json root = {{"asset", {{"version", "2.0"}}}};
    std::vector<std::uint8_t> binary;

    template <class T>
    int view(const std::vector<T>& values, int stride = 0) {
        while (binary.size() % 4 != 0) binary.push_back(0);
        const std::size_t offset = binary.size(), size = values.size() * sizeof(T);
        binary.resize(offset + size);
        if (size > 0) std::memcpy(binary.data() + offset, values.data(), size);
        json view = {{"buffer", 0}, {"byteOffset", offset}, {"byteLength", size}};
        if (stride != 0) view["byteStride"] = stride;
        return push("bufferViews", view);
    }

    int accessor(int view, int component_type, const std::string& type, std::size_t count, bool normalized = false,
                 std::size_t offset = 0) {
        json accessor = {{"componentType", component_type}, {"type", type}, {"count", count}};
        if (view >= 0) accessor["bufferView"] = view;
        if (normalized) accessor["normalized"] = true;
        if (offset != 0) accessor["byteOffset"] = offset;
        return push("accessors", accessor);
    }

    int floats(const std::vector<float>& values, const std::string& type) {
        return accessor(view(values), 5126, type, values.size() / components(type));
    }
    int bytes(const std::vector<std::uint8_t>& values, const std::string& type, bool normalized = false) {
        return accessor(view(values), 5121, type, values.size() / components(type), normalized);
    }
    int shorts(const std::vector<std::uint16_t>& values, const std::string& type, bool normalized = false) {
        return accessor(view(values), 5123, type, values.size() / components(type), normalized);
    }

    int push(const char* list, const json& entry) {
        root[list].push_back(entry);
        return static_cast<int>(root[list].size()) - 1;
    }

    std::vector<std::uint8_t> glb() const {
        json out = root;
        out["buffers"] = json::array({{{"byteLength", binary.size()}}});
        return container(out.dump(), binary);
    }

    /// Header, JSON chunk, binary chunk.
    static std::vector<std::uint8_t> container(std::string text, std::vector<std::uint8_t> chunk) {
        while (text.size() % 4 != 0) text += ' ';
        while (chunk.size() % 4 != 0) chunk.push_back(0);
        std::vector<std::uint8_t> out;
        const auto word = [&](std::size_t value) {
            for (int i = 0; i < 4; ++i) out.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
        };
        word(0x46546C67);
        word(2);
        word(20 + text.size() + (chunk.empty() ? 0 : 8 + chunk.size()));
        word(text.size());
        word(0x4E4F534A);
        out.insert(out.end(), text.begin(), text.end());
        if (chunk.empty()) return out;
        word(chunk.size());
        word(0x004E4942);
        out.insert(out.end(), chunk.begin(), chunk.end());
        return out;
    }

    static std::size_t components(const std::string& type) {
        return type == "SCALAR" ? 1 : type == "VEC2" ? 2 : type == "VEC3" ? 3 : type == "VEC4" ? 4 : 16;
    }
};

/// Column-major, as in glTF: a translation.
inline std::vector<float> translation_matrix(float x, float y, float z) {
    return {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1};
}

inline std::vector<float> joined(std::initializer_list<std::vector<float>> parts) {
    std::vector<float> out;
    for (const auto& part : parts) out.insert(out.end(), part.begin(), part.end());
    return out;
}

/// A flat strip of two quads, y = 0, 1, 2, on two joints at y = 0 and y = 1. Nodes: 0 root joint, 1 its child, 2 the
/// mesh.
struct StripFile : GltfBuilder {
    StripFile() {
        const int positions = floats({-1, 0, 0, 1, 0, 0, -1, 1, 0, 1, 1, 0, -1, 2, 0, 1, 2, 0}, "VEC3");
        const int indices = shorts({0, 1, 3, 0, 3, 2, 2, 3, 5, 2, 5, 4}, "SCALAR");
        const int joints = bytes({0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0}, "VEC4");
        const int weights =
            floats({1, 0, 0, 0, 1, 0, 0, 0, .5f, .5f, 0, 0, .5f, .5f, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0}, "VEC4");
        const int binds = floats(joined({translation_matrix(0, 0, 0), translation_matrix(0, -1, 0)}), "MAT4");
        push("meshes",
             {{"primitives",
               json::array({{{"attributes", {{"POSITION", positions}, {"JOINTS_0", joints}, {"WEIGHTS_0", weights}}},
                             {"indices", indices}}})}});
        push("skins", {{"joints", {0, 1}}, {"inverseBindMatrices", binds}});
        push("nodes", {{"name", "hip"}, {"children", {1}}});
        push("nodes", {{"name", "knee"}, {"translation", {0, 1, 0}}});
        push("nodes", {{"name", "skin"}, {"mesh", 0}, {"skin", 0}});
        push("scenes", {{"nodes", {0, 2}}});
    }
    json& primitive() { return root["meshes"][0]["primitives"][0]; }
    json& attributes() { return primitive()["attributes"]; }
};

}  // namespace fascia::test
