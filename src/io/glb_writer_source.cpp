#include "io/glb_writer_source.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include "io/accessor_reader.h"
#include "io/gltf_carried.h"
#include "io/json_fields.h"

namespace fascia::io {
namespace {

using nlohmann::json;

bool starts_with(const std::string& text, const char* prefix) {
    return text.rfind(prefix, 0) == 0;
}

bool ends_with(const std::string& text, const std::string& suffix) {
    return text.size() >= suffix.size() && text.compare(text.size() - suffix.size(), suffix.size(), suffix) == 0;
}

/// Extensions that no longer hold in a baked file.
bool is_dropped_extension(const std::string& name) {
    return starts_with(name, "VRM") || name == "KHR_draco_mesh_compression" || name == "EXT_meshopt_compression" ||
           name == "EXT_mesh_gpu_instancing";
}

void drop_extensions(json& value) {
    if (value.is_object()) {
        if (const auto found = value.find("extensions"); found != value.end() && found->is_object()) {
            for (auto it = found->begin(); it != found->end();)
                it = is_dropped_extension(it.key()) ? found->erase(it) : std::next(it);
            if (found->empty()) value.erase(found);
        }
    }
    if (value.is_structured())
        for (json& item : value) drop_extensions(item);
}

void add_extras(const json& extras, const json& extensions, json& out) {
    if (!extras.is_null()) out["extras"] = extras;
    if (!extensions.is_object()) return;
    for (const auto& [name, value] : extensions.items())
        if (!is_dropped_extension(name) && value.is_object()) out["extensions"][name] = value;
}

/// The bytes of a buffer view that lies inside its buffer, or none.
std::span<const std::uint8_t> view_bytes(const gltf::Model& model, int index) {
    if (index < 0 || static_cast<std::size_t>(index) >= model.buffer_views.size()) return {};
    const gltf::BufferView& view = model.buffer_views[static_cast<std::size_t>(index)];
    if (view.buffer < 0 || static_cast<std::size_t>(view.buffer) >= model.buffers.size()) return {};
    const auto& bytes = model.buffers[static_cast<std::size_t>(view.buffer)].data;
    if (view.byte_offset > bytes.size() || view.byte_length > bytes.size() - view.byte_offset) return {};
    return {bytes.data() + view.byte_offset, view.byte_length};
}

/// An accessor's elements without gaps between them.
struct PackedElements {
    std::vector<std::uint8_t> bytes;
    std::size_t count = 0, width = 0, component_bytes = 0;
    int component = 0;
    std::string type;
    bool normalized = false;
};

std::optional<PackedElements> pack(const gltf::Model& model, int index) {
    if (index < 0 || static_cast<std::size_t>(index) >= model.accessors.size()) return {};
    const gltf::Accessor& accessor = model.accessors[static_cast<std::size_t>(index)];
    PackedElements out;
    out.type = accessor.type;
    out.width = static_cast<std::size_t>(accessor.components);
    out.component = accessor.component_type;
    out.component_bytes = component_bytes(accessor.component_type);
    out.count = accessor.count;
    out.normalized = accessor.normalized;
    const std::span<const std::uint8_t> view = view_bytes(model, accessor.buffer_view);
    if (out.width > 4 || out.component_bytes == 0 || out.count == 0 || accessor.byte_offset > view.size()) return {};
    const std::size_t element = out.width * out.component_bytes;
    const std::size_t declared = model.buffer_views[static_cast<std::size_t>(accessor.buffer_view)].byte_stride;
    const std::size_t stride = declared > 0 ? declared : element;
    const std::size_t room = view.size() - accessor.byte_offset;
    if (room < element || (out.count - 1) > (room - element) / stride) return {};
    out.bytes.resize(out.count * element);
    for (std::size_t i = 0; i < out.count; ++i)
        std::memcpy(out.bytes.data() + i * element, view.data() + accessor.byte_offset + i * stride, element);
    return out;
}

double component_value(const PackedElements& elements, std::size_t i) {
    const std::uint8_t* at = elements.bytes.data() + i * elements.component_bytes;
    const auto read = [&](auto value) {
        std::memcpy(&value, at, sizeof value);
        return static_cast<double>(value);
    };
    switch (elements.component) {
        case gl::byte: return read(std::int8_t{});
        case gl::unsigned_byte: return read(std::uint8_t{});
        case gl::short_: return read(std::int16_t{});
        case gl::unsigned_short: return read(std::uint16_t{});
        case gl::unsigned_int: return read(std::uint32_t{});
        default: return read(float{});
    }
}

/// Bounds of the stored numbers, which glTF requires of positions.
void find_bounds(const PackedElements& elements, GlbAccessor& accessor) {
    for (std::size_t c = 0; c < elements.width; ++c) {
        double low = component_value(elements, c), high = low;
        for (std::size_t i = 1; i < elements.count; ++i) {
            low = std::min(low, component_value(elements, i * elements.width + c));
            high = std::max(high, component_value(elements, i * elements.width + c));
        }
        accessor.min.push_back(low);
        accessor.max.push_back(high);
    }
}

/// Real files contain normals of length zero, which the format forbids.
void make_unit(PackedElements& elements) {
    if (elements.component != gl::float_ || elements.width != 3) return;
    for (std::size_t i = 0; i < elements.count; ++i) {
        Vec3 n;
        std::memcpy(&n, elements.bytes.data() + i * sizeof n, sizeof n);
        if (std::abs(length(n) - 1) < 1e-3f) continue;
        n = normalized(n, {0, 1, 0});
        if (!std::isfinite(n.x + n.y + n.z)) n = {0, 1, 0};
        std::memcpy(elements.bytes.data() + i * sizeof n, &n, sizeof n);
    }
}

bool needs_quantization(const std::string& attribute, const PackedElements& elements) {
    if (elements.component == gl::float_) return false;
    if (attribute == "POSITION" || attribute == "NORMAL" || attribute == "TANGENT") return true;
    if (!starts_with(attribute, "TEXCOORD_")) return false;
    const bool is_unsigned = elements.component == gl::unsigned_byte || elements.component == gl::unsigned_short;
    return !is_unsigned || !elements.normalized;
}

/// New number of each picture; -1 for those that are missing.
std::vector<int> add_images(const gltf::Model& model, GlbData& data, json& root) {
    std::vector<int> numbers;
    json images = json::array();
    for (const gltf::Image& image : model.images) {
        const std::span<const std::uint8_t> bytes = view_bytes(model, image.buffer_view);
        numbers.push_back(bytes.empty() || image.mime.empty() ? -1 : static_cast<int>(images.size()));
        if (numbers.back() < 0) continue;
        json out = {
            {"mimeType", image.mime},
            {"bufferView", data.add_view(data.append(bytes.data(), bytes.size()), bytes.size(), ViewUse::other)}};
        if (!image.name.empty()) out["name"] = image.name;
        images.push_back(std::move(out));
    }
    if (!images.empty()) root["images"] = std::move(images);
    return numbers;
}

/// Renumbers `object[key]`; where the new number is -1 it removes the member and returns false.
bool renumber(json& object, const char* key, const std::vector<int>& numbers) {
    const auto found = object.find(key);
    if (found == object.end() || !found->is_number_integer()) return false;
    const auto old = found->get<std::int64_t>();
    const bool known = old >= 0 && static_cast<std::size_t>(old) < numbers.size();
    const int now = known ? numbers[static_cast<std::size_t>(old)] : -1;
    if (now >= 0)
        *found = now;
    else
        object.erase(found);
    return now >= 0;
}

/// Points a texture at the new pictures; false where it has none left.
bool renumber_sources(json& texture, const std::vector<int>& images) {
    bool any = renumber(texture, "source", images);
    if (const auto extensions = texture.find("extensions"); extensions != texture.end()) {
        for (auto it = extensions->begin(); it != extensions->end();) {
            const bool names_picture = it->is_object() && it->contains("source");
            const bool lost = names_picture && !renumber(*it, "source", images);
            any = any || (names_picture && !lost);
            it = lost ? extensions->erase(it) : std::next(it);
        }
        if (extensions->empty()) texture.erase("extensions");
    }
    return any;
}

/// In a material and its extensions a texture is named by members "...Texture": {"index": ...}.
void renumber_textures(json& material, const std::vector<int>& textures) {
    if (!material.is_structured()) return;
    for (auto it = material.begin(); it != material.end();) {
        const bool names_texture = material.is_object() && it->is_object() && ends_with(it.key(), "Texture");
        if (names_texture && !renumber(*it, "index", textures)) {
            it = material.erase(it);
            continue;
        }
        renumber_textures(*it, textures);
        ++it;
    }
}

/// Of children that several nodes list, or one node twice, the first listing counts, as it does for the reader.
void keep_first_parents(json& nodes) {
    std::set<int> placed;
    for (json& node : nodes) {
        json children = json::array();
        for (const json& child : array_field(node, "children"))
            if (placed.insert(index_of(child)).second) children.push_back(child);
        node.erase("children");
        if (!children.empty()) node["children"] = std::move(children);
    }
}

/// Scenes list roots, each once; what stands below one is shown with it.
void keep_roots(const gltf::Model& model, json& scenes) {
    std::vector<int> parent(model.nodes.size(), -1);
    for (std::size_t n = 0; n < model.nodes.size(); ++n)
        for (const int child : model.nodes[n].children)
            if (int& first = parent[static_cast<std::size_t>(child)]; first < 0) first = static_cast<int>(n);
    for (std::size_t s = 0; s < model.scenes.size() && s < scenes.size(); ++s) {
        std::set<int> listed;
        json roots = json::array();
        for (int node : model.scenes[s].nodes) {
            if (node < 0 || static_cast<std::size_t>(node) >= parent.size()) continue;
            while (parent[static_cast<std::size_t>(node)] >= 0) node = parent[static_cast<std::size_t>(node)];
            if (listed.insert(node).second) roots.push_back(node);
        }
        scenes[s].erase("nodes");
        if (!roots.empty()) scenes[s]["nodes"] = std::move(roots);
    }
}

}  // namespace

void drop_nulls(json& value) {
    if (value.is_object()) {
        for (auto it = value.begin(); it != value.end();) {
            if (it->is_null()) {
                it = value.erase(it);
                continue;
            }
            drop_nulls(*it);
            ++it;
        }
    } else if (value.is_array()) {
        for (json& item : value) {
            if (item.is_null()) item = json::object();
            drop_nulls(item);
        }
    }
}

json GlbSource::skeleton_json() const {
    json root = model_.source;
    keep_valid_members(root);
    keep_first_parents(root["nodes"]);
    keep_roots(model_, root["scenes"]);
    drop_nulls(root);
    drop_extensions(root);
    return root;
}

int GlbSource::accessor(int source, ViewUse use, const std::string& attribute) {
    const auto [found, fresh] = copied_.try_emplace({source, {use, attribute}}, -1);
    if (!fresh) return found->second;
    std::optional<PackedElements> elements = pack(model_, source);
    if (!elements) return -1;
    if (attribute == "NORMAL") make_unit(*elements);
    quantized_ = quantized_ || needs_quantization(attribute, *elements);
    GlbAccessor bounds;
    if (attribute == "POSITION") find_bounds(*elements, bounds);
    const int index =
        data_.add_elements(elements->bytes.data(), elements->count, elements->width * elements->component_bytes,
                           elements->component, elements->type, elements->normalized, use, bounds.min, bounds.max);
    return found->second = index;
}

const gltf::Primitive* GlbSource::primitive(int mesh, int index) const {
    if (mesh < 0 || static_cast<std::size_t>(mesh) >= model_.meshes.size()) return nullptr;
    const auto& primitives = model_.meshes[static_cast<std::size_t>(mesh)].primitives;
    if (index < 0 || static_cast<std::size_t>(index) >= primitives.size()) return nullptr;
    return &primitives[static_cast<std::size_t>(index)];
}

json GlbSource::attributes(const std::map<std::string, int>& source, bool target) {
    json out = json::object();
    for (const auto& [name, index] : source) {
        if (starts_with(name, "JOINTS_") || starts_with(name, "WEIGHTS_")) continue;
        // Displacements of normals may have any length.
        const std::string role = target && name == "NORMAL" ? "NORMAL displacement" : name;
        if (const int copy = accessor(index, ViewUse::vertices, role); copy >= 0) out[name] = copy;
    }
    return out;
}

json GlbSource::rigid_primitive(const gltf::Primitive& source) {
    json out = {{"attributes", attributes(source.attributes, false)}};
    if (!out["attributes"].contains("POSITION")) return nullptr;
    if (source.indices >= 0) {
        const int indices = accessor(source.indices, ViewUse::indices);
        if (indices < 0) return nullptr;
        out["indices"] = indices;
    }
    if (source.material >= 0) out["material"] = source.material;
    if (source.mode >= 0 && source.mode != gltf::triangles) out["mode"] = source.mode;
    for (const auto& target : source.targets) out["targets"].push_back(attributes(target, true));
    add_extras(source.extras, source.extensions, out);
    return out;
}

int GlbSource::rigid_mesh(int source, const std::set<int>& left_out, json& meshes) {
    if (source < 0 || static_cast<std::size_t>(source) >= model_.meshes.size()) return -1;
    if (left_out.empty())
        if (const auto known = whole_meshes_.find(source); known != whole_meshes_.end()) return known->second;
    const gltf::Mesh& mesh = model_.meshes[static_cast<std::size_t>(source)];
    json out = {{"primitives", json::array()}};
    for (std::size_t p = 0; p < mesh.primitives.size(); ++p) {
        if (left_out.count(static_cast<int>(p))) continue;
        if (json copy = rigid_primitive(mesh.primitives[p]); !copy.is_null())
            out["primitives"].push_back(std::move(copy));
    }
    if (!mesh.name.empty()) out["name"] = mesh.name;
    if (!mesh.weights.empty()) out["weights"] = mesh.weights;
    add_extras(mesh.extras, mesh.extensions, out);
    int index = -1;
    if (!out["primitives"].empty()) {
        index = static_cast<int>(meshes.size());
        meshes.push_back(std::move(out));
    }
    if (left_out.empty()) whole_meshes_[source] = index;
    return index;
}

json GlbSource::constant_attributes(int mesh, int index, std::size_t vertices) {
    json out = json::object();
    const gltf::Primitive* source = primitive(mesh, index);
    if (!source) return out;
    for (const auto& [name, number] : source->attributes) {
        const bool posed = name == "POSITION" || name == "NORMAL" || name == "TANGENT" ||
                           starts_with(name, "JOINTS_") || starts_with(name, "WEIGHTS_");
        if (posed || number < 0 || static_cast<std::size_t>(number) >= model_.accessors.size()) continue;
        if (model_.accessors[static_cast<std::size_t>(number)].count != vertices) continue;
        if (const int copy = accessor(number, ViewUse::vertices, name); copy >= 0) out[name] = copy;
    }
    return out;
}

bool GlbSource::has_attribute(int mesh, int index, const std::string& semantic) const {
    const gltf::Primitive* source = primitive(mesh, index);
    return source != nullptr && source->attributes.count(semantic) > 0;
}

json GlbSource::primitive_properties(int mesh, int index) const {
    json out = json::object();
    const gltf::Primitive* source = primitive(mesh, index);
    if (!source) return out;
    if (source->material >= 0) out["material"] = source->material;
    add_extras(source->extras, source->extensions, out);
    return out;
}

void GlbSource::add_pictures(json& root) {
    const std::vector<int> images = add_images(model_, data_, root);
    std::vector<int> numbers;
    json textures = json::array();
    for (json& texture : root["textures"]) {
        const bool kept = renumber_sources(texture, images);
        numbers.push_back(kept ? static_cast<int>(textures.size()) : -1);
        if (kept) textures.push_back(std::move(texture));
    }
    root["textures"] = std::move(textures);
    if (root.contains("materials")) renumber_textures(root["materials"], numbers);
}

}  // namespace fascia::io
