#include "io/glb_writer_source.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "io/gltf_carried.h"
#include "io/json_fields.h"
#include "io/packed_elements.h"

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

/// Whether an object names a picture by this member; materials and their extensions do.
bool names_texture(const std::string& key, const json& value) {
    return value.is_object() && ends_with(key, "Texture");
}

/// How many sets of texture coordinates a material uses.
int texture_sets(const json& material) {
    int sets = 0;
    if (!material.is_structured()) return sets;
    for (auto it = material.begin(); it != material.end(); ++it) {
        if (material.is_object() && names_texture(it.key(), *it)) {
            const json& transform = member(member(*it, "extensions"), "KHR_texture_transform");
            for (const json* one : {&*it, &transform}) sets = std::max(sets, 1 + index_field(*one, "texCoord"));
            sets = std::max(sets, 1);
        }
        sets = std::max(sets, texture_sets(*it));
    }
    return sets;
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

/// Renumbers `object[key]`; if the new number is -1, removes the member and returns false.
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

/// Points a texture at the new pictures; false if none is left.
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
        if (material.is_object() && names_texture(it.key(), *it) && !renumber(*it, "index", textures)) {
            it = material.erase(it);
            continue;
        }
        renumber_textures(*it, textures);
        ++it;
    }
}

/// If several nodes list a child, or one node lists it twice, the first listing counts, as in the reader.
void keep_first_parents(const gltf::Model& model, json& nodes) {
    std::set<int> placed;
    for (std::size_t n = 0; n < model.nodes.size(); ++n) {
        json children = json::array();
        for (const int child : model.nodes[n].children)
            if (placed.insert(child).second) children.push_back(child);
        nodes[n].erase("children");
        if (!children.empty()) nodes[n]["children"] = std::move(children);
    }
}

/// Scenes list roots, each once; nodes below one are shown with it.
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

/// All primitives of a mesh have the same number of targets, or none has any.
void agree_on_targets(json& primitives) {
    const auto count = [](const json& primitive) { return array_field(primitive, "targets").size(); };
    const bool agree = std::all_of(primitives.begin(), primitives.end(),
                                   [&](const json& one) { return count(one) == count(primitives[0]); });
    const bool empty = std::any_of(primitives.begin(), primitives.end(), [](const json& one) {
        const json& targets = array_field(one, "targets");
        return std::any_of(targets.begin(), targets.end(), [](const json& target) { return target.empty(); });
    });
    if (agree && !empty) return;
    for (json& primitive : primitives) primitive.erase("targets");
}

}  // namespace

std::size_t target_count(const json& mesh) {
    const json& primitives = array_field(mesh, "primitives");
    return primitives.empty() ? 0 : array_field(primitives[0], "targets").size();
}

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
    json root = *model_.source;
    keep_valid_members(root);
    keep_first_parents(model_, root["nodes"]);
    keep_roots(model_, root["scenes"]);
    drop_nulls(root);
    drop_extensions(root);
    return root;
}

int GlbSource::attribute(int source, const std::string& name, bool target, std::size_t vertices) {
    const auto [found, fresh] = copied_.try_emplace({source, name, target}, -1);
    if (!fresh) return found->second;
    std::optional<PackedElements> elements = pack(model_, source);
    if (!elements || elements->count != vertices || !is_allowed(name, *elements, target)) return -1;
    repair(name, target, *elements);
    quantized_ = quantized_ || needs_quantization(name, *elements);
    std::vector<double> low, high;
    if (name == "POSITION") find_bounds(*elements, low, high);
    return found->second = data_.add_elements(elements->bytes.data(), elements->count,
                                              elements->width * elements->component_bytes, elements->component,
                                              elements->type, elements->normalized, ViewUse::vertices, low, high);
}

int GlbSource::indices(int source, std::size_t vertices) {
    const std::optional<PackedElements> elements = pack(model_, source);
    if (!elements || !are_indices(*elements, vertices)) return -1;
    const auto [found, fresh] = copied_indices_.try_emplace(source, -1);
    if (fresh)
        found->second = data_.add_elements(elements->bytes.data(), elements->count, elements->component_bytes,
                                           elements->component, elements->type, false, ViewUse::indices);
    return found->second;
}

int GlbSource::neutral_set(const std::string& kind, std::size_t vertices) {
    const auto [found, fresh] = neutral_sets_.try_emplace({kind, vertices}, -1);
    if (!fresh) return found->second;
    if (kind == "COLOR_") {
        const std::vector<std::uint8_t> white(4 * vertices, 255);
        return found->second =
                   data_.add_elements(white.data(), vertices, 4, gl::unsigned_byte, "VEC4", true, ViewUse::vertices);
    }
    const std::vector<float> corner(2 * vertices, 0.0f);
    return found->second = data_.add_floats(corner, "VEC2", 2, ViewUse::vertices, false);
}

void GlbSource::complete_sets(int material, std::size_t vertices, json& attributes) {
    constexpr int most_sets = 8;
    const json& materials = array_field(model_.source, "materials");
    const int used = has_material(material) ? texture_sets(materials[static_cast<std::size_t>(material)]) : 0;
    for (const auto& [kind, least] : {std::pair<std::string, int>{"TEXCOORD_", used}, {"COLOR_", 0}}) {
        int wanted = std::min(least, most_sets);
        for (int set = 0; set < most_sets; ++set)
            if (attributes.contains(kind + std::to_string(set))) wanted = std::max(wanted, set + 1);
        for (int set = 0; set < wanted; ++set)
            if (const std::string name = kind + std::to_string(set); !attributes.contains(name))
                attributes[name] = neutral_set(kind, vertices);
    }
}

const gltf::Primitive* GlbSource::primitive(int mesh, int index) const {
    if (mesh < 0 || static_cast<std::size_t>(mesh) >= model_.meshes.size()) return nullptr;
    const auto& primitives = model_.meshes[static_cast<std::size_t>(mesh)].primitives;
    if (index < 0 || static_cast<std::size_t>(index) >= primitives.size()) return nullptr;
    return &primitives[static_cast<std::size_t>(index)];
}

json GlbSource::attributes(const gltf::Attributes& source, bool target, std::size_t vertices) {
    json out = json::object();
    for (const auto& [name, index] : source) {
        if (const int copy = attribute(index, name, target, vertices); copy >= 0) out[name] = copy;
    }
    return out;
}

json GlbSource::rigid_primitive(const gltf::Primitive& source) {
    const auto positions = source.attributes.find("POSITION");
    if (positions == source.attributes.end() || positions->second < 0 ||
        static_cast<std::size_t>(positions->second) >= model_.accessors.size())
        return nullptr;
    const std::size_t vertices = model_.accessors[static_cast<std::size_t>(positions->second)].count;
    json out = {{"attributes", attributes(source.attributes, false, vertices)}};
    if (!out["attributes"].contains("POSITION")) return nullptr;
    if (source.indices >= 0) {
        const int copy = indices(source.indices, vertices);
        if (copy < 0) return nullptr;
        out["indices"] = copy;
    }
    complete_sets(source.material, vertices, out["attributes"]);
    if (has_material(source.material)) out["material"] = source.material;
    if (source.mode >= 0 && source.mode <= gltf::triangle_fan && source.mode != gltf::triangles)
        out["mode"] = source.mode;
    for (gltf::Attributes target : source.targets) {
        std::erase_if(target, [&](const auto& one) { return !out["attributes"].contains(one.first); });
        out["targets"].push_back(attributes(target, true, vertices));
    }
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
    agree_on_targets(out["primitives"]);
    if (!mesh.weights.empty() && mesh.weights.size() == target_count(out)) out["weights"] = mesh.weights;
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
        if (posed) continue;
        if (const int copy = attribute(number, name, false, vertices); copy >= 0) out[name] = copy;
    }
    complete_sets(source->material, vertices, out);
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
    if (has_material(source->material)) out["material"] = source->material;
    add_extras(source->extras, source->extensions, out);
    return out;
}

bool GlbSource::has_material(int material) const {
    return material >= 0 && static_cast<std::size_t>(material) < array_field(model_.source, "materials").size();
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
