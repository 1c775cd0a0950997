#include "io/glb_writer_scene.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "fascia/fascia.h"
#include "io/frame_writer.h"
#include "io/gltf_tails.h"
#include "io/json_fields.h"

namespace fascia::io {
namespace {

using nlohmann::json;

// ---- from the source document --------------------------------------------------------------------

/// Primitives that leave a skinned node's mesh: all but those that were read as rigid.
std::set<int> leaving_primitives(const Character& character, int node, const gltf::Mesh& mesh) {
    std::set<int> leaving;
    for (std::size_t p = 0; p < mesh.primitives.size(); ++p) leaving.insert(static_cast<int>(p));
    for (const Part& part : character.rigid.parts)
        if (part.node == node && node >= 0) leaving.erase(part.primitive);
    return leaving;
}

/// Gives every node its rigid mesh, or none.
void place_rigid_meshes(const Character& character, GlbScene& scene, const gltf::Model& model) {
    json& meshes = scene.root["meshes"] = json::array();
    std::vector<int> character_node(scene.root["nodes"].size(), -1);
    for (std::size_t n = 0; n < scene.node_of.size(); ++n)
        character_node[static_cast<std::size_t>(scene.node_of[n])] = static_cast<int>(n);
    for (std::size_t n = 0; n < model.nodes.size() && n < character_node.size(); ++n) {
        json& node = scene.root["nodes"][n];
        const int mesh = model.nodes[n].mesh;
        const bool known = mesh >= 0 && static_cast<std::size_t>(mesh) < model.meshes.size();
        std::set<int> leaving;
        if (known && model.nodes[n].skin >= 0)
            leaving = leaving_primitives(character, character_node[n], model.meshes[static_cast<std::size_t>(mesh)]);
        const int copy = known ? scene.source->rigid_mesh(mesh, leaving, meshes) : -1;
        for (const char* key : {"mesh", "skin"}) node.erase(key);
        if (copy >= 0) node["mesh"] = copy;
        const std::size_t targets = copy >= 0 ? target_count(meshes[static_cast<std::size_t>(copy)]) : 0;
        if (targets == 0 || numbers_field(node, "weights").size() != targets) node.erase("weights");
    }
}

json list_of_roots(const Character& character, const GlbScene& scene) {
    json roots = json::array();
    for (std::size_t n = 0; n < character.nodes.size(); ++n)
        if (character.nodes[n].parent < 0) roots.push_back(scene.node_of[n]);
    return roots;
}

/// Nodes that are not in the file (of a subdivided skeleton) come after its own.
void number_nodes(const Character& character, std::size_t source_nodes, GlbScene& scene) {
    json& nodes = scene.root["nodes"];
    if (!nodes.is_array()) nodes = json::array();
    for (const Node& node : character.nodes) {
        if (node.source >= 0 && static_cast<std::size_t>(node.source) < source_nodes) {
            scene.node_of.push_back(node.source);
            set_transform(node, nodes[static_cast<std::size_t>(node.source)]);
            continue;
        }
        const int index = static_cast<int>(nodes.size());
        json out = json::object();
        if (!node.name.empty()) out["name"] = node.name;
        set_transform(node, out);
        nodes.push_back(std::move(out));
        if (node.parent >= 0) {
            const int parent = scene.node_of[static_cast<std::size_t>(node.parent)];
            nodes[static_cast<std::size_t>(parent)]["children"].push_back(index);
        }
        scene.node_of.push_back(index);
    }
}

void from_document(const Character& character, GlbData& data, GlbScene& scene) {
    const gltf::Model& model = character.document->model;
    scene.source = std::make_unique<GlbSource>(model, data);
    scene.root = scene.source->skeleton_json();
    number_nodes(character, scene.root["nodes"].size(), scene);
    place_rigid_meshes(character, scene, model);
    scene.source->add_pictures(scene.root);
    scene.shown = std::max(0, model.default_scene);
}

// ---- from the character --------------------------------------------------------------------------

int add_colors(std::span<const Vec4> colors, GlbData& data) {
    std::vector<std::uint16_t> narrow;
    narrow.reserve(colors.size() * 4);
    for (const Vec4& c : colors)
        for (const float value : {c.x, c.y, c.z, c.w})
            narrow.push_back(static_cast<std::uint16_t>(std::lround(std::clamp(value, 0.0f, 1.0f) * 65535.0f)));
    return data.add_elements(narrow.data(), colors.size(), 8, gl::unsigned_short, "VEC4", true, ViewUse::vertices);
}

json constant_attributes(const Mesh& mesh, const Part& part, GlbData& data) {
    const auto first = static_cast<std::size_t>(part.first_vertex), count = static_cast<std::size_t>(part.vertex_count);
    json out = json::object();
    if (!mesh.uvs.empty()) {
        const std::span<const Vec2> uvs = std::span(mesh.uvs).subspan(first, count);
        out["TEXCOORD_0"] = data.add_floats({reinterpret_cast<const float*>(uvs.data()), uvs.size() * 2}, "VEC2", 2,
                                            ViewUse::vertices, false);
    }
    if (!mesh.colors.empty()) out["COLOR_0"] = add_colors(std::span(mesh.colors).subspan(first, count), data);
    if (mesh.colors.empty() && !mesh.mask_colors.empty())  // sets are numbered without gaps
        out["COLOR_0"] = add_colors(std::vector<Vec4>(count, Vec4{1, 1, 1, 1}), data);
    if (!mesh.mask_colors.empty()) out["COLOR_1"] = add_colors(std::span(mesh.mask_colors).subspan(first, count), data);
    return out;
}

int add_triangles(const Mesh& mesh, const Part& part, GlbData& data) {
    const auto begin = static_cast<std::size_t>(part.first_triangle) * 3;
    std::vector<std::uint32_t> local(
        mesh.triangles.begin() + static_cast<std::ptrdiff_t>(begin),
        mesh.triangles.begin() + static_cast<std::ptrdiff_t>(begin) + std::ptrdiff_t{part.triangle_count} * 3);
    for (std::uint32_t& v : local) v -= static_cast<std::uint32_t>(part.first_vertex);
    return data.add_indices(local);
}

void add_materials(const Character& character, json& root) {
    for (const Material& material : character.materials) {
        const Vec4 c = material.base_color;
        json pbr = {{"baseColorFactor", {c.x, c.y, c.z, c.w}}, {"metallicFactor", 0}, {"roughnessFactor", 0.8}};
        if (material.texture >= 0) pbr["baseColorTexture"] = {{"index", material.texture}};
        json out = {{"pbrMetallicRoughness", std::move(pbr)}};
        if (!material.name.empty()) out["name"] = material.name;
        if (material.double_sided) out["doubleSided"] = true;
        if (material.alpha_cutoff > 0) {
            out["alphaMode"] = "MASK";
            out["alphaCutoff"] = material.alpha_cutoff;
        } else if (c.w < 1) {
            out["alphaMode"] = "BLEND";
        }
        root["materials"].push_back(std::move(out));
    }
}

void add_textures(const Character& character, GlbData& data, json& root) {
    for (const Texture& texture : character.textures) {
        const auto offset = data.append(texture.bytes.data(), texture.bytes.size());
        json image = {{"bufferView", data.add_view(offset, texture.bytes.size(), ViewUse::other)},
                      {"mimeType", texture.mime}};
        if (!texture.name.empty()) image["name"] = texture.name;
        root["textures"].push_back({{"source", root["images"].size()}});
        root["images"].push_back(std::move(image));
    }
}

void add_rigid_meshes(const Character& character, GlbData& data, GlbScene& scene) {
    for (const MeshNodeRange& range : mesh_node_ranges(character)) {
        if (range.mesh != &character.rigid || range.node < 0) continue;
        json mesh = {{"name", range.name}, {"primitives", json::array()}};
        for (const Part* part : range.parts) {
            const auto first = static_cast<std::size_t>(part->first_vertex);
            const auto count = static_cast<std::size_t>(part->vertex_count);
            json attributes = constant_attributes(character.rigid, *part, data);
            attributes["POSITION"] =
                data.add_vectors(std::span(character.rigid.positions).subspan(first, count), ViewUse::vertices, true);
            attributes["NORMAL"] = data.add_vectors(
                unit_normals(std::span(character.rigid.normals).subspan(first, count)), ViewUse::vertices, false);
            json primitive = {{"attributes", std::move(attributes)},
                              {"indices", add_triangles(character.rigid, *part, data)}};
            if (part->material >= 0) primitive["material"] = part->material;
            mesh["primitives"].push_back(std::move(primitive));
        }
        scene.node(range.node)["mesh"] = scene.root["meshes"].size();
        scene.root["meshes"].push_back(std::move(mesh));
    }
}

void from_character(const Character& character, GlbData& data, GlbScene& scene) {
    scene.root = {{"nodes", json::array()}, {"meshes", json::array()}};
    number_nodes(character, 0, scene);
    add_materials(character, scene.root);
    add_textures(character, data, scene.root);
    add_rigid_meshes(character, data, scene);
}

// ---- finishing -----------------------------------------------------------------------------------

void collect_extensions(const json& value, std::set<std::string>& names) {
    if (!value.is_structured()) return;
    if (value.is_object())
        if (const auto found = value.find("extensions"); found != value.end() && found->is_object())
            for (const auto& item : found->items()) names.insert(item.key());
    for (auto it = value.begin(); it != value.end(); ++it)
        if (!value.is_object() || it.key() != "extras") collect_extensions(*it, names);
}

void list_extensions(GlbScene& scene) {
    std::set<std::string> used;
    collect_extensions(scene.root, used);
    if (scene.source && scene.source->quantized()) used.insert("KHR_mesh_quantization");
    json required = json::array();
    if (const auto found = scene.root.find("extensionsRequired"); found != scene.root.end())
        for (const json& name : *found)
            if (name.is_string() && used.count(name.get<std::string>())) required.push_back(name);
    const bool listed = std::find(required.begin(), required.end(), "KHR_mesh_quantization") != required.end();
    if (scene.source && scene.source->quantized() && !listed) required.push_back("KHR_mesh_quantization");
    scene.root["extensionsUsed"] = used;
    scene.root["extensionsRequired"] = std::move(required);
}

}  // namespace

void set_transform(const Node& node, json& out) {
    for (const char* key : {"translation", "rotation", "scale", "matrix"}) out.erase(key);
    Vec3d t = node.translation, s = node.scale;
    Quat r = node.rotation;
    if (node.matrix) decompose(*node.matrix, t, r, s);
    r = normalized(r);
    if (!std::isfinite(r.w + r.x + r.y + r.z)) r = {};  // sheared beyond any rotation
    if (t.x != 0 || t.y != 0 || t.z != 0) out["translation"] = {t.x, t.y, t.z};
    if (r.x != 0 || r.y != 0 || r.z != 0) out["rotation"] = {r.x, r.y, r.z, r.w};
    if (s.x != 1 || s.y != 1 || s.z != 1) out["scale"] = {s.x, s.y, s.z};
}

std::vector<Vec3> unit_normals(std::span<const Vec3> normals) {
    std::vector<Vec3> unit;
    unit.reserve(normals.size());
    for (const Vec3& n : normals) unit.push_back(normalized(n, {0, 1, 0}));
    return unit;
}

std::vector<Vec4> unit_tangents(std::span<const Vec4> tangents) {
    std::vector<Vec4> unit;
    unit.reserve(tangents.size());
    for (const Vec4& t : tangents) {
        const Vec3 direction = to_float(normalized(Vec3d{t.x, t.y, t.z}, Vec3d{1, 0, 0}));  // squares fit a double
        unit.push_back({direction.x, direction.y, direction.z, t.w < 0 ? -1.0f : 1.0f});
    }
    return unit;
}

bool has_tangents(const Part& part, const GlbScene& scene) {
    return !scene.source || scene.source->has_attribute(part.mesh, part.primitive, "TANGENT");
}

GlbScene make_glb_scene(const Character& character, GlbData& data) {
    GlbScene scene;
    if (character.document)
        from_document(character, data, scene);
    else
        from_character(character, data, scene);
    write_tails(character, scene);
    json& scenes = scene.root["scenes"];
    if (!scenes.is_array() || scenes.empty()) {
        scenes = json::array({{{"nodes", list_of_roots(character, scene)}}});
        scene.shown = 0;
    }
    scene.shown = std::min(scene.shown, static_cast<int>(scenes.size()) - 1);
    scene.root["scene"] = scene.shown;
    return scene;
}

json make_skinned_primitive(const Character& character, const Part& part, GlbScene& scene, GlbData& data) {
    const auto count = static_cast<std::size_t>(part.vertex_count);
    json out = json::object();
    if (scene.source) {
        out = scene.source->primitive_properties(part.mesh, part.primitive);
        out["attributes"] = scene.source->constant_attributes(part.mesh, part.primitive, count);
    } else {
        if (part.material >= 0) out["material"] = part.material;
        out["attributes"] = constant_attributes(character.mesh, part, data);
    }
    out["indices"] = add_triangles(character.mesh, part, data);
    return out;
}

json make_attached_primitive(const Character& character, const Part& part, GlbData& data) {
    json out = {{"attributes", constant_attributes(character.attached, part, data)}};
    if (part.triangle_count > 0) out["indices"] = add_triangles(character.attached, part, data);
    return out;
}

int add_still_node(const std::string& name, GlbScene& scene) {
    json& nodes = scene.root["nodes"];
    const int added = static_cast<int>(nodes.size());
    nodes.push_back({{"name", name}});
    scene.root["scenes"][static_cast<std::size_t>(scene.shown)]["nodes"].push_back(added);
    return added;
}

int make_still_node(const Character& character, int character_node, GlbScene& scene) {
    json& nodes = scene.root["nodes"];
    json& roots = scene.root["scenes"][static_cast<std::size_t>(scene.shown)]["nodes"];
    const int index = scene.node_of[static_cast<std::size_t>(character_node)];
    json& node = nodes[static_cast<std::size_t>(index)];
    const bool is_joint = std::any_of(character.joints.begin(), character.joints.end(),
                                      [&](const Joint& joint) { return joint.node == character_node; });
    const bool has_more = node.contains("mesh") || node.contains("camera") || node.contains("extensions") ||
                          (node.contains("children") && !node["children"].empty());
    if (is_joint || has_more) {
        return add_still_node(node.value("name", std::string("mesh")) + "_baked", scene);
    }
    for (json& other : nodes) {
        if (!other.contains("children")) continue;
        json& children = other["children"];
        children.erase(std::remove(children.begin(), children.end(), json(index)), children.end());
        if (children.empty()) other.erase("children");
    }
    for (const char* key : {"translation", "rotation", "scale", "matrix"}) node.erase(key);
    if (std::find(roots.begin(), roots.end(), json(index)) == roots.end()) roots.push_back(index);
    return index;
}

Status write_glb(GlbScene& scene, GlbData& data, AtomicFile& out) {
    json& root = scene.root;
    root["asset"]["version"] = "2.0";
    root["asset"]["generator"] = "Fascia " FASCIA_VERSION_STRING;
    root["asset"].erase("minVersion");
    list_extensions(scene);
    drop_nulls(root);
    for (auto it = root.begin(); it != root.end();)
        it = it->is_structured() && it->empty() ? root.erase(it) : std::next(it);
    return data.assemble(root, out);
}

}  // namespace fascia::io
