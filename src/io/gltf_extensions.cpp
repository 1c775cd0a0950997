#include "io/gltf_extensions.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace fascia::io {

namespace {

constexpr std::array<std::string_view, 13> understood = {"KHR_mesh_quantization",
                                                         "KHR_draco_mesh_compression",
                                                         "EXT_meshopt_compression",
                                                         "KHR_texture_transform",
                                                         "EXT_texture_webp",
                                                         "KHR_texture_basisu",
                                                         "KHR_lights_punctual",
                                                         "KHR_xmp_json_ld",
                                                         "VRM",
                                                         "VRMC_vrm",
                                                         "VRMC_springBone",
                                                         "VRMC_node_constraint",
                                                         "VRMC_materials_mtoon"};

/// Material extensions change shading only.
constexpr std::string_view materials = "KHR_materials_";

bool is_understood(std::string_view extension) {
    return extension.substr(0, materials.size()) == materials ||
           std::find(understood.begin(), understood.end(), extension) != understood.end();
}

}  // namespace

Status check_required_extensions(const nlohmann::json& gltf, const std::string& name) {
    const auto required = gltf.find("extensionsRequired");
    if (required == gltf.end() || !required->is_array()) return ok_status();
    for (const nlohmann::json& entry : *required) {
        const auto* extension = entry.get_ptr<const std::string*>();
        if (extension == nullptr || is_understood(*extension)) continue;
        return input_error(fmt::format(
            "{}: needs the glTF extension {}, which is not supported; export the file without it.", name, *extension));
    }
    return ok_status();
}

}  // namespace fascia::io
