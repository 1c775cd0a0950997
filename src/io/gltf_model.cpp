#include "io/gltf_model.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "io/json_fields.h"

namespace fascia::gltf {

namespace {

using namespace fascia::io;
using nlohmann::json;

/// A required member of an object that is missing or has the wrong form.
struct Flaw {
    std::string what;
};
using Checked = std::optional<Flaw>;

Checked missing(const char* key) {
    return Flaw{fmt::format("has no valid {}", key)};
}

/// A member that only we still need.
KeptJson take(json& object, const char* key) {
    const auto it = object.find(key);
    return it != object.end() ? KeptJson(std::move(*it)) : KeptJson();
}

std::vector<int> indices_field(const json& object, const char* key) {
    std::vector<int> out;
    for (const json& value : array_field(object, key)) {
        if (!value.is_number_integer()) return {};
        out.push_back(index_of(value));
    }
    return out;
}

Attributes attributes_of(const json& object) {
    Attributes out;
    if (!object.is_object()) return out;
    for (const auto& [semantic, accessor] : object.items())
        if (accessor.is_number_integer()) out[semantic] = index_of(accessor);
    return out;
}

int components_of(const std::string& type) {
    static const std::map<std::string, int> known = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4},
                                                     {"MAT2", 4},   {"MAT3", 9}, {"MAT4", 16}};
    const auto found = known.find(type);
    return found == known.end() ? 0 : found->second;
}

Checked read(json& from, BufferView& out) {
    constexpr std::size_t widest_stride = 252;
    const auto length = size_field(from, "byteLength");
    if (!member(from, "buffer").is_number_integer()) return missing("buffer");
    if (!length) return missing("byteLength");
    out.buffer = index_field(from, "buffer");
    out.byte_length = *length;
    out.byte_offset = size_field(from, "byteOffset").value_or(0);
    out.byte_stride = size_field(from, "byteStride").value_or(0);
    if (out.byte_stride > widest_stride || out.byte_stride % 4 != 0) return missing("byteStride");
    out.extensions = take(from, "extensions");
    return {};
}

Checked read_sparse(const json& from, Sparse& out) {
    const json &indices = member(from, "indices"), &values = member(from, "values");
    if (!member(from, "count").is_number_integer()) return missing("sparse count");
    if (!member(indices, "bufferView").is_number_integer() || !member(indices, "componentType").is_number_integer())
        return missing("sparse indices");
    if (!member(values, "bufferView").is_number_integer()) return missing("sparse values");
    out.count = integer_field(from, "count", INT64_MAX);
    out.indices_view = index_field(indices, "bufferView");
    out.indices_type = index_field(indices, "componentType");
    out.indices_offset = size_field(indices, "byteOffset").value_or(0);
    out.values_view = index_field(values, "bufferView");
    out.values_offset = size_field(values, "byteOffset").value_or(0);
    return {};
}

Checked read(json& from, Accessor& out) {
    const auto count = size_field(from, "count");
    if (!member(from, "componentType").is_number_integer()) return missing("componentType");
    if (!count) return missing("count");
    out.name = string_field(from, "name");
    out.type = string_field(from, "type");
    out.components = components_of(out.type);
    if (out.components == 0) return missing("type");
    out.component_type = index_field(from, "componentType");
    out.count = *count;
    out.buffer_view = index_field(from, "bufferView");
    out.byte_offset = size_field(from, "byteOffset").value_or(0);
    out.normalized = member(from, "normalized") == true;
    if (!from.contains("sparse")) return {};
    return read_sparse(from["sparse"], out.sparse.emplace());
}

Checked read(json& from, Primitive& out) {
    const json& attributes = member(from, "attributes");
    out.attributes = attributes_of(attributes);
    if (!attributes.is_object() || out.attributes.size() != attributes.size()) return missing("attributes");
    for (const json& target : array_field(from, "targets"))
        if (target.is_object()) out.targets.push_back(attributes_of(target));
    out.indices = index_field(from, "indices");
    out.material = index_field(from, "material");
    out.mode = static_cast<int>(std::clamp<std::int64_t>(integer_field(from, "mode", triangles), -1, INT32_MAX));
    out.extensions = take(from, "extensions");
    out.extras = take(from, "extras");
    return {};
}

template <class T>
Checked read_list(json& from, const char* key, const char* what, std::vector<T>& out);

Checked read(json& from, Mesh& out) {
    out.name = string_field(from, "name");
    out.weights = numbers_field(from, "weights");
    out.extensions = take(from, "extensions");
    out.extras = take(from, "extras");
    return read_list(from, "primitives", "primitive", out.primitives);
}

Checked read(json& from, Node& out) {
    out.name = string_field(from, "name");
    out.children = indices_field(from, "children");
    out.mesh = index_field(from, "mesh");
    out.skin = index_field(from, "skin");
    out.matrix = numbers_field(from, "matrix");
    out.translation = numbers_field(from, "translation");
    out.rotation = numbers_field(from, "rotation");
    out.scale = numbers_field(from, "scale");
    out.weights = numbers_field(from, "weights");
    return {};
}

Checked read(json& from, Skin& out) {
    out.name = string_field(from, "name");
    out.joints = indices_field(from, "joints");
    out.inverse_binds = index_field(from, "inverseBindMatrices");
    return {};
}

Checked read(json& from, Sampler& out) {
    out.input = index_field(from, "input");
    out.output = index_field(from, "output");
    out.interpolation = string_field(from, "interpolation");
    return {};
}

Checked read(json& from, Channel& out) {
    const json& target = member(from, "target");
    out.sampler = index_field(from, "sampler");
    out.node = index_field(target, "node");
    out.path = string_field(target, "path");
    return {};
}

Checked read(json& from, Animation& out) {
    out.name = string_field(from, "name");
    if (Checked flaw = read_list(from, "samplers", "sampler", out.samplers)) return flaw;
    return read_list(from, "channels", "channel", out.channels);
}

Checked read(json& from, Scene& out) {
    out.nodes = indices_field(from, "nodes");
    return {};
}

template <class T>
Checked read_list(json& from, const char* key, const char* what, std::vector<T>& out) {
    const auto list = from.find(key);
    if (list == from.end() || !list->is_array()) return {};
    out.resize(list->size());
    for (std::size_t i = 0; i < out.size(); ++i) {
        json& entry = (*list)[i];
        Checked flaw = entry.is_object() ? read(entry, out[i]) : Flaw{"is not an object"};
        if (flaw) return Flaw{fmt::format("{} {} {}", what, i, flaw->what)};
    }
    return {};
}

/// Lists that are only passed on and have no struct of their own.
Checked check_objects(const json& gltf, const char* key, const char* what) {
    std::size_t index = 0;
    for (const json& entry : array_field(gltf, key)) {
        if (!entry.is_object()) return Flaw{fmt::format("{} {} is not an object", what, index)};
        ++index;
    }
    return {};
}

Checked read_lists(json& gltf, Model& out) {
    if (Checked flaw = read_list(gltf, "bufferViews", "bufferView", out.buffer_views)) return flaw;
    if (Checked flaw = read_list(gltf, "accessors", "accessor", out.accessors)) return flaw;
    if (Checked flaw = read_list(gltf, "meshes", "mesh", out.meshes)) return flaw;
    if (Checked flaw = read_list(gltf, "nodes", "node", out.nodes)) return flaw;
    if (Checked flaw = read_list(gltf, "skins", "skin", out.skins)) return flaw;
    if (Checked flaw = read_list(gltf, "animations", "animation", out.animations)) return flaw;
    if (Checked flaw = read_list(gltf, "scenes", "scene", out.scenes)) return flaw;
    if (Checked flaw = check_objects(gltf, "materials", "material")) return flaw;
    if (Checked flaw = check_objects(gltf, "textures", "texture")) return flaw;
    if (Checked flaw = check_objects(gltf, "samplers", "sampler")) return flaw;
    return check_objects(gltf, "cameras", "camera");
}

}  // namespace

Result<Model> read_model(KeptJson&& document, const std::string& name) {
    Model out;
    json& gltf = *document;
    if (!member(member(gltf, "asset"), "version").is_string())
        return input_error(name + ": not a valid glTF (its asset has no version); export the file again.");
    if (const Checked flaw = read_lists(gltf, out)) {
        return input_error(fmt::format("{}: not a valid glTF ({}); export the file again.", name, flaw->what));
    }
    out.default_scene = index_field(gltf, "scene");
    for (const char* key : {"bufferViews", "accessors", "meshes", "skins", "animations"}) erase_member(gltf, key);
    out.source = std::move(document);
    return out;
}

}  // namespace fascia::gltf
