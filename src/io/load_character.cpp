// load_character: a glTF, GLB or VRM with a skin becomes a Character.
#include <filesystem>

#include <fmt/format.h>

#include "character/bone_tails.h"
#include "fascia/io.h"
#include "io/file_bytes.h"
#include "io/gltf_document.h"
#include "io/gltf_meshes.h"
#include "io/gltf_scene.h"
#include "io/gltf_tails.h"

namespace fascia {

namespace {

using namespace fascia::io;

bool has_skinned_node(const gltf::Model& model, const SceneNodes& scene) {
    for (std::size_t n = 0; n < scene.nodes.size(); ++n) {
        const gltf::Node& node = model.nodes[static_cast<std::size_t>(scene.nodes[n].source)];
        if (scene.in_scene[n] && node.mesh >= 0 && node.skin >= 0) return true;
    }
    return false;
}

Status check_has_skin(const GltfContext& context, const SceneNodes& scene) {
    if (context.model.meshes.empty())
        return input_error(context.name + ": there is no mesh in this file; nothing can be deformed.");
    if (has_skinned_node(context.model, scene)) return ok_status();
    return input_error(context.name + ": no mesh of the scene has a skin; give it a skeleton and weights first.");
}

Result<Character> read_character(std::span<const std::uint8_t> bytes, const std::string& name,
                                 const std::string& base_dir) {
    MemoryBudget budget(bytes.size());
    Remarks remarks;
    auto document = read_gltf_document(bytes, name, base_dir, budget, remarks);
    if (!document) return document.error();

    const GltfContext context{name, (*document)->model, budget, remarks};
    auto scene = read_nodes(context);
    if (!scene) return scene.error();
    if (auto status = check_has_skin(context, *scene); !status) return status.error();
    auto skins = bind_skins(context, *scene);
    if (!skins) return skins.error();
    auto meshes = read_meshes(context, *scene, *skins);
    if (!meshes) return meshes.error();
    if (meshes->skinned.triangles.empty())
        return input_error(name + ": the skinned meshes have no triangles; nothing can be deformed.");
    guess_tails(meshes->skinned, meshes->weights, skins->joints);
    read_tails(context, *scene, meshes->skinned, skins->joints);
    auto textures = read_textures(context);
    if (!textures) return textures.error();

    Character out;
    out.name = name.substr(0, name.rfind('.'));
    out.clips = read_clips(context, *scene);
    out.materials = read_materials(context);
    out.humanoid = read_humanoid(context, *scene);
    out.nodes = std::move(scene->nodes);
    out.joints = std::move(skins->joints);
    out.mesh = std::move(meshes->skinned);
    out.weights = std::move(meshes->weights);
    out.rigid = std::move(meshes->rigid);
    out.textures = std::move(*textures);
    out.document = std::move(*document);
    out.remarks = remarks.take();
    return out;
}

/// NAME.anatomy.json beside NAME.glb.
Status read_scene_beside(const std::string& path, Character& character) {
    const std::string beside = path.substr(0, path.size() - lower_extension(path).size()) + ".anatomy.json";
    std::error_code code;
    if (!std::filesystem::is_regular_file(beside, code)) return ok_status();
    Result<AnatomyScene> scene = load_anatomy(beside);
    if (!scene) return scene.error();
    if (const Status checked = check_anatomy(*scene, character); !checked)
        return input_error(beside + ": " + checked.error().message);
    character.scene = std::make_shared<const AnatomyScene>(std::move(*scene));
    return ok_status();
}

}  // namespace

Result<Character> load_character_from_memory(std::span<const std::uint8_t> bytes, const std::string& name,
                                             const std::string& base_dir) {
    if (bytes.empty()) return input_error(name + ": the file is empty.");
    return read_character(bytes, name, base_dir);
}

Result<Character> load_character(const std::string& path) {
    auto bytes = read_file(path);
    if (!bytes) return bytes.error();
    const std::string extension = lower_extension(path);
    if (extension == ".obj" || extension == ".ply" || extension == ".off") {
        return input_error(path + ": a " + extension +
                           " file has no skeleton and no weights; a .glb, .gltf or .vrm with a skin is needed.");
    }
    Result<Character> character = read_character(*bytes, file_name_of(path), folder_of(path));
    if (!character) return character;
    if (const Status found = read_scene_beside(path, *character); !found) return found.error();
    return character;
}

}  // namespace fascia
