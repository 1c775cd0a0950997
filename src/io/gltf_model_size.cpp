#include "io/gltf_model_size.h"

#include <algorithm>

#include "fascia/character.h"
#include "io/gltf_model.h"
#include "io/json_fields.h"

namespace fascia::io {

namespace {

/// A growing list is in memory twice while it moves: once at its old size, once at double that.
constexpr std::uint64_t growing = 3;

/// Counts the elements of an inner list over all elements of an outer one.
std::uint64_t inner_count(const nlohmann::json& gltf, const char* outer, const char* inner) {
    std::uint64_t count = 0;
    for (const nlohmann::json& entry : array_field(gltf, outer))
        if (entry.is_object()) count += array_field(entry, inner).size();
    return count;
}

std::uint64_t count_targets(const nlohmann::json& gltf) {
    std::uint64_t count = 0;
    for (const nlohmann::json& mesh : array_field(gltf, "meshes"))
        if (mesh.is_object()) count += inner_count(mesh, "primitives", "targets");
    return count;
}

}  // namespace

Status take_model_size(const nlohmann::json& gltf, const std::string& name, MemoryBudget& budget) {
    // What we keep for a node: the node itself, its matrices, and lists over nodes.
    constexpr std::uint64_t own_node = 2 * sizeof(Node) + 2 * sizeof(Affine) + 64;
    const struct {
        std::uint64_t count, bytes;
    } lists[] = {
        {array_field(gltf, "nodes").size(), sizeof(gltf::Node) + own_node / growing},
        {array_field(gltf, "accessors").size(), sizeof(gltf::Accessor)},
        {array_field(gltf, "bufferViews").size(), sizeof(gltf::BufferView)},
        {array_field(gltf, "materials").size(), sizeof(Material)},
        {array_field(gltf, "animations").size(), sizeof(gltf::Animation) + sizeof(Clip)},
        {inner_count(gltf, "animations", "channels"), sizeof(gltf::Channel) + sizeof(Channel)},
        {inner_count(gltf, "animations", "samplers"), sizeof(gltf::Sampler)},
        {array_field(gltf, "meshes").size(), sizeof(gltf::Mesh)},
        {inner_count(gltf, "meshes", "primitives"), sizeof(gltf::Primitive)},
        {count_targets(gltf), sizeof(gltf::Attributes)},
        {array_field(gltf, "skins").size(), sizeof(gltf::Skin)},
        {array_field(gltf, "scenes").size(), sizeof(gltf::Scene)},
        {array_field(gltf, "images").size(), sizeof(gltf::Image) + sizeof(Texture)},
        {array_field(gltf, "buffers").size(), sizeof(gltf::Buffer)},
    };
    for (const auto& list : lists) {
        if (auto status = budget.take(list.count, growing * list.bytes, name + ": the JSON"); !status) return status;
    }
    return ok_status();
}

}  // namespace fascia::io
