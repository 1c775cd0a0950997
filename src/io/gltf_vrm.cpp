// The humanoid map of a VRM: which node is which bone of a body.
#include "io/gltf_scene.h"
#include "io/json_fields.h"

namespace fascia::io {

namespace {

using nlohmann::json;

void add_bone(const json& entry, const std::string& bone, const SceneNodes& scene, std::vector<HumanoidBone>& out) {
    const int node = index_field(entry, "node");
    if (bone.empty() || node < 0 || static_cast<std::size_t>(node) >= scene.of_source.size()) return;
    out.push_back({bone, scene.of_source[static_cast<std::size_t>(node)]});
}

const json& human_bones(const gltf::Model& model, const char* extension) {
    const json& vrm = member(member(model.source, "extensions"), extension);
    return member(member(vrm, "humanoid"), "humanBones");
}

}  // namespace

std::vector<HumanoidBone> read_humanoid(const GltfContext& context, const SceneNodes& scene) {
    std::vector<HumanoidBone> out;
    // VRM 1.0: an object by bone name.
    if (const json& bones = human_bones(context.model, "VRMC_vrm"); bones.is_object()) {
        for (const auto& [bone, entry] : bones.items()) add_bone(entry, bone, scene, out);
    }
    // VRM 0.x: a list of {bone, node}.
    if (const json& bones = human_bones(context.model, "VRM"); out.empty() && bones.is_array()) {
        for (const json& entry : bones) add_bone(entry, string_field(entry, "bone"), scene, out);
    }
    return out;
}

}  // namespace fascia::io
