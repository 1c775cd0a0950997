// A GLB as a test sees it: its JSON, and floats of an accessor.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "support/temporary_folder.h"

namespace fascia::test {

struct GlbFile {
    nlohmann::json json;
    std::string binary;
    std::size_t header_length = 0;

    /// All numbers of a tightly packed float accessor.
    std::vector<float> floats(int accessor, std::size_t width) const {
        const auto& a = json["accessors"][static_cast<std::size_t>(accessor)];
        const auto& view = json["bufferViews"][a["bufferView"].get<std::size_t>()];
        std::vector<float> values(a["count"].get<std::size_t>() * width);
        const std::size_t at = view.value("byteOffset", std::size_t{0}) + a.value("byteOffset", std::size_t{0});
        std::memcpy(values.data(), binary.data() + at, values.size() * sizeof(float));
        return values;
    }
};

inline GlbFile read_glb(const std::string& path) {
    const std::string bytes = read_text(path);
    const auto number = [&](std::size_t at) {
        std::uint32_t value = 0;
        std::memcpy(&value, bytes.data() + at, 4);
        return value;
    };
    GlbFile file;
    if (bytes.size() < 20) return file;
    file.header_length = number(8);
    const std::size_t json_length = number(12);
    file.json = nlohmann::json::parse(bytes.substr(20, json_length));
    file.binary = bytes.substr(20 + json_length + 8);
    return file;
}

}  // namespace fascia::test
