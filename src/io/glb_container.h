// A .glb or .vrm is a JSON chunk and a binary chunk behind a 12-byte header; a .gltf is the JSON alone.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "fascia/result.h"

namespace fascia::io {

struct GltfChunks {
    std::string_view json;
    std::span<const std::uint8_t> binary;  ///< empty for a .gltf
    bool is_binary = false;
};

Result<GltfChunks> split_glb(std::span<const std::uint8_t> bytes, const std::string& name);

}  // namespace fascia::io
