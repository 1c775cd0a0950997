// The humanoid map of a VRM: which node is which bone of a body.
#include "io/gltf_scene.h"

namespace fascia::io {

namespace {

void add_bone(const tinygltf::Value& entry, const std::string& bone, const SceneNodes& scene,
              std::vector<HumanoidBone>& out) {
    if (!entry.IsObject() || !entry.Has("node") || !entry.Get("node").IsInt()) return;
    const int node = entry.Get("node").GetNumberAsInt();
    if (bone.empty() || node < 0 || static_cast<std::size_t>(node) >= scene.of_source.size()) return;
    out.push_back({bone, scene.of_source[static_cast<std::size_t>(node)]});
}

const tinygltf::Value* human_bones(const tinygltf::Model& model, const char* extension) {
    const auto found = model.extensions.find(extension);
    if (found == model.extensions.end() || !found->second.IsObject() || !found->second.Has("humanoid")) return nullptr;
    const tinygltf::Value& humanoid = found->second.Get("humanoid");
    return humanoid.IsObject() && humanoid.Has("humanBones") ? &humanoid.Get("humanBones") : nullptr;
}

}  // namespace

std::vector<HumanoidBone> read_humanoid(const GltfContext& context, const SceneNodes& scene) {
    std::vector<HumanoidBone> out;
    // VRM 1.0: an object by bone name.
    if (const tinygltf::Value* bones = human_bones(context.model, "VRMC_vrm"); bones != nullptr && bones->IsObject()) {
        for (const std::string& bone : bones->Keys()) add_bone(bones->Get(bone), bone, scene, out);
    }
    // VRM 0.x: a list of {bone, node}.
    if (const tinygltf::Value* bones = human_bones(context.model, "VRM");
        out.empty() && bones != nullptr && bones->IsArray()) {
        for (std::size_t i = 0; i < bones->ArrayLen(); ++i) {
            const tinygltf::Value& entry = bones->Get(static_cast<int>(i));
            const bool named = entry.IsObject() && entry.Has("bone") && entry.Get("bone").IsString();
            if (named) add_bone(entry, entry.Get("bone").Get<std::string>(), scene, out);
        }
    }
    return out;
}

}  // namespace fascia::io
