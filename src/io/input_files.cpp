// Which files belong to an input, so that no output takes their place.
#include <filesystem>

#include <nlohmann/json.hpp>

#include "fascia/io.h"
#include "io/file_bytes.h"
#include "io/glb_container.h"
#include "io/json_fields.h"
#include "io/json_guard.h"
#include "io/uri.h"

namespace fascia {

namespace {

/// The meshes that a world file names, with what belongs to them.
std::vector<std::string> files_of_world(const std::string& path) {
    std::vector<std::string> files;
    const Result<io::Bytes> bytes = io::read_file(path);
    if (!bytes) return files;
    io::MemoryBudget budget(bytes->size());
    const Result<io::KeptJson> world =
        io::parse_json({reinterpret_cast<const char*>(bytes->data()), bytes->size()}, path, budget);
    if (!world) return files;
    const nlohmann::json& document = *world;
    for (const nlohmann::json& collider : io::array_field(document, "colliders")) {
        const std::string mesh = io::string_field(collider, "file");
        if (mesh.empty() || io::lower_extension(mesh) == ".json") continue;
        for (const std::string& file : files_of((std::filesystem::path(io::folder_of(path)) / mesh).string()))
            files.push_back(file);
    }
    return files;
}

}  // namespace

std::vector<std::string> files_of(const std::string& path) {
    std::vector<std::string> files{path};
    const std::string extension = io::lower_extension(path);
    if (extension == ".json")
        for (const std::string& file : files_of_world(path)) files.push_back(file);
    if (extension != ".gltf" && extension != ".glb" && extension != ".vrm") return files;
    files.push_back(io::anatomy_beside(path));
    const Result<io::Bytes> bytes = io::read_file(path);
    if (!bytes) return files;
    const Result<io::GltfChunks> chunks = io::split_glb(*bytes, path);
    if (!chunks) return files;
    io::MemoryBudget budget(bytes->size());
    const Result<io::KeptJson> gltf = io::parse_json(chunks->json, path, budget);
    if (!gltf) return files;
    for (const char* list : {"buffers", "images"})
        for (const nlohmann::json& entry : io::array_field(*gltf, list)) {
            const std::string file = io::file_of_uri(io::string_field(entry, "uri"));
            if (!file.empty()) files.push_back(io::folder_of(path) + "/" + file);
        }
    return files;
}

}  // namespace fascia
