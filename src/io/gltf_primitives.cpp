// One primitive: its attributes at the default morph weights, and its triangles.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "character/mesh_normals.h"
#include "io/accessor_reader.h"
#include "io/gltf_scene.h"

namespace fascia::io {

namespace {

/// The most memory that one of our vertices takes, temporaries included.
constexpr std::uint64_t bytes_per_vertex = 160;
constexpr std::uint64_t bytes_per_part = 3 * sizeof(Part) + 200;

/// A primitive being read: its name for errors, and its attributes.
struct Source {
    const GltfContext& context;
    const gltf::Primitive& primitive;
    std::string name;  ///< "file: mesh 2 ('body') primitive 0"
    std::size_t vertices = 0;

    int attribute(const std::string& semantic) const {
        const auto found = primitive.attributes.find(semantic);
        return found == primitive.attributes.end() ? -1 : found->second;
    }
};

/// An attribute with one element per vertex.
Result<AccessorView> view_attribute(const Source& source, const std::string& semantic, int accessor, int components) {
    auto view = view_accessor(source.context.model, accessor, components, fmt::format("{}: {}", source.name, semantic));
    if (view && view->count < source.vertices) {
        return input_error(fmt::format("{}: {} has {} elements for {} vertices; export the file again.", source.name,
                                       semantic, view->count, source.vertices));
    }
    return view;
}

Vec3 read_vec3(const AccessorView& view, std::size_t v) {
    return {static_cast<float>(view.number(v, 0)), static_cast<float>(view.number(v, 1)),
            static_cast<float>(view.number(v, 2))};
}

bool finite(Vec3 v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

float finite_or(double value, float fallback) {
    return std::isfinite(value) ? static_cast<float>(value) : fallback;
}

Status read_positions(const Source& source, std::vector<Vec3>& out) {
    auto view = view_attribute(source, "POSITION", source.attribute("POSITION"), 3);
    if (!view) return view.error();
    out.resize(source.vertices);
    for (std::size_t v = 0; v < source.vertices; ++v) out[v] = read_vec3(*view, v);
    return ok_status();
}

/// Directions with components x, y, z; empty if the attribute is missing.
Status read_directions(const Source& source, const std::string& semantic, std::vector<Vec3>& out) {
    const int accessor = source.attribute(semantic);
    if (accessor < 0) return ok_status();
    auto view = view_attribute(source, semantic, accessor, 3);
    if (!view) return view.error();
    out.resize(source.vertices);
    for (std::size_t v = 0; v < source.vertices; ++v) out[v] = read_vec3(*view, v);
    return ok_status();
}

Status read_tangents(const Source& source, std::vector<Vec4>& out) {
    const int accessor = source.attribute("TANGENT");
    if (accessor < 0) return ok_status();
    auto view = view_attribute(source, "TANGENT", accessor, 4);
    if (!view) return view.error();
    out.resize(source.vertices);
    for (std::size_t v = 0; v < source.vertices; ++v) {
        out[v] = {finite_or(view->number(v, 0), 1), finite_or(view->number(v, 1), 0), finite_or(view->number(v, 2), 0),
                  view->number(v, 3) < 0 ? -1.0f : 1.0f};
    }
    return ok_status();
}

Status read_uvs(const Source& source, std::vector<Vec2>& out) {
    const int accessor = source.attribute("TEXCOORD_0");
    if (accessor < 0) return ok_status();
    auto view = view_attribute(source, "TEXCOORD_0", accessor, 2);
    if (!view) return view.error();
    out.resize(source.vertices);
    for (std::size_t v = 0; v < source.vertices; ++v)
        out[v] = {finite_or(view->number(v, 0), 0), finite_or(view->number(v, 1), 0)};
    return ok_status();
}

Status read_colors(const Source& source, const std::string& semantic, std::vector<Vec4>& out) {
    const int accessor = source.attribute(semantic);
    if (accessor < 0) return ok_status();
    auto view = view_attribute(source, semantic, accessor, 0);
    if (!view) return view.error();
    if (view->components != 3 && view->components != 4) {
        return input_error(fmt::format("{}: {} has {} numbers per vertex instead of 3 or 4; export the file again.",
                                       source.name, semantic, view->components));
    }
    out.resize(source.vertices);
    for (std::size_t v = 0; v < source.vertices; ++v) {
        out[v] = {finite_or(view->number(v, 0), 1), finite_or(view->number(v, 1), 1), finite_or(view->number(v, 2), 1),
                  view->components == 4 ? finite_or(view->number(v, 3), 1) : 1.0f};
    }
    return ok_status();
}

Status add_morph(const Source& source, const std::map<std::string, int>& target, const std::string& semantic,
                 float weight, std::vector<Vec3>& out) {
    const auto found = target.find(semantic);
    if (found == target.end() || out.empty()) return ok_status();
    auto view = view_attribute(source, "morph target " + semantic, found->second, 3);
    if (!view) return view.error();
    for (std::size_t v = 0; v < source.vertices; ++v) out[v] += read_vec3(*view, v) * weight;
    return ok_status();
}

Status add_morphs(const Source& source, const std::vector<double>& weights, Mesh& mesh) {
    const auto& targets = source.primitive.targets;
    for (std::size_t t = 0; t < targets.size() && t < weights.size(); ++t) {
        const float weight = finite_or(weights[t], 0);
        if (weight == 0) continue;
        if (auto status = add_morph(source, targets[t], "POSITION", weight, mesh.positions); !status) return status;
        if (auto status = add_morph(source, targets[t], "NORMAL", weight, mesh.normals); !status) return status;
    }
    return ok_status();
}

/// JOINTS_n and WEIGHTS_n side by side. Exporters write up to two sets; we read four.
Status read_weights(const Source& source, Primitive& out) {
    std::vector<AccessorView> joints, weights;
    for (int set = 0; set < 4; ++set) {
        const int joint = source.attribute(fmt::format("JOINTS_{}", set)),
                  weight = source.attribute(fmt::format("WEIGHTS_{}", set));
        if (joint < 0 || weight < 0) break;
        auto joint_view = view_attribute(source, fmt::format("JOINTS_{}", set), joint, 4);
        if (!joint_view) return joint_view.error();
        auto weight_view = view_attribute(source, fmt::format("WEIGHTS_{}", set), weight, 4);
        if (!weight_view) return weight_view.error();
        // Integer weights count as normalised, whether or not the file says so.
        weight_view->normalized = true;
        joints.push_back(*joint_view);
        weights.push_back(*weight_view);
    }
    out.slots = static_cast<int>(joints.size()) * 4;
    if (auto status = source.context.budget.take(source.vertices * joints.size(), 32, source.name); !status)
        return status;
    out.joints.reserve(source.vertices * joints.size() * 4);
    out.weights.reserve(out.joints.capacity());
    for (std::size_t v = 0; v < source.vertices; ++v) {
        for (std::size_t set = 0; set < joints.size(); ++set) {
            for (int c = 0; c < 4; ++c) {
                out.joints.push_back(joints[set].integer(v, c));
                out.weights.push_back(static_cast<float>(weights[set].number(v, c)));
            }
        }
    }
    return ok_status();
}

Status read_indices(const Source& source, std::vector<std::uint32_t>& out) {
    if (source.primitive.indices < 0) {
        out.resize(source.vertices);
        for (std::size_t v = 0; v < source.vertices; ++v) out[v] = static_cast<std::uint32_t>(v);
        return ok_status();
    }
    auto view = view_accessor(source.context.model, source.primitive.indices, 1, source.name + ": indices");
    if (!view) return view.error();
    // A strip or fan has up to three corners per index.
    if (auto status = source.context.budget.take(view->count, 16, source.name + ": indices"); !status) return status;
    out.resize(view->count);
    for (std::size_t i = 0; i < view->count; ++i) {
        out[i] = view->integer(i, 0);
        if (out[i] >= source.vertices) {
            return input_error(fmt::format("{}: index {} points at vertex {} of {}; export the file again.",
                                           source.name, i, out[i], source.vertices));
        }
    }
    return ok_status();
}

std::vector<std::uint32_t> to_triangles(int mode, std::vector<std::uint32_t>&& indices) {
    if (mode == gltf::triangles) {
        indices.resize(indices.size() / 3 * 3);
        return std::move(indices);
    }
    std::vector<std::uint32_t> out;
    for (std::size_t i = 2; i < indices.size(); ++i) {
        const bool fan = mode == gltf::triangle_fan, odd = i % 2 == 1;
        const std::uint32_t a = fan ? indices[0] : indices[odd ? i - 1 : i - 2];
        const std::uint32_t b = fan ? indices[i - 1] : indices[odd ? i - 2 : i - 1];
        out.insert(out.end(), {a, b, indices[i]});
    }
    return out;
}

Status check_positions(const Source& source, const std::vector<Vec3>& positions) {
    for (std::size_t v = 0; v < positions.size(); ++v) {
        if (finite(positions[v])) continue;
        return input_error(fmt::format("{}: {} (POSITION) is NaN or infinite at vertex {}; export the file again.",
                                       source.name, accessor_name(source.context.model, source.attribute("POSITION")),
                                       v));
    }
    return ok_status();
}

void complete_normals(const Source& source, Mesh& mesh) {
    const std::size_t made = make_missing_normals(mesh);
    source.context.remarks.add("normals-computed",
                               "Vertices without a usable normal got one from the triangles around them.", made);
    if (replace_contrary_normals(mesh)) {
        source.context.remarks.add("normals-recomputed",
                                   "Parts whose normals point away from their faces got new ones from the faces.");
    }
}

/// Everything but triangles and weights.
Status read_attributes(const Source& source, const std::vector<double>& morph_weights, Mesh& mesh) {
    if (auto status = read_positions(source, mesh.positions); !status) return status;
    if (auto status = read_directions(source, "NORMAL", mesh.normals); !status) return status;
    if (auto status = read_tangents(source, mesh.tangents); !status) return status;
    if (auto status = read_uvs(source, mesh.uvs); !status) return status;
    if (auto status = read_colors(source, "COLOR_0", mesh.colors); !status) return status;
    if (auto status = read_colors(source, "COLOR_1", mesh.mask_colors); !status) return status;
    if (auto status = add_morphs(source, morph_weights, mesh); !status) return status;
    return check_positions(source, mesh.positions);
}

bool has_triangles(int mode) {
    return mode == gltf::triangles || mode == gltf::triangle_strip || mode == gltf::triangle_fan;
}

std::string primitive_name(const GltfContext& context, int mesh, int primitive) {
    const std::string name = short_name(context.model.meshes[static_cast<std::size_t>(mesh)].name);
    return fmt::format("{}: mesh {}{} primitive {}", context.name, mesh, name.empty() ? "" : " ('" + name + "')",
                       primitive);
}

}  // namespace

Result<Primitive> read_primitive(const GltfContext& context, int mesh, int primitive,
                                 const std::vector<double>& morph_weights) {
    const gltf::Primitive& file =
        context.model.meshes[static_cast<std::size_t>(mesh)].primitives[static_cast<std::size_t>(primitive)];
    Source source{context, file, primitive_name(context, mesh, primitive), 0};
    // Even an empty primitive takes memory, and very many nodes may share one mesh.
    if (auto status = context.budget.take(1, bytes_per_part, source.name); !status) return status.error();
    Primitive out;
    const bool positioned = source.attribute("POSITION") >= 0;
    if (!has_triangles(file.mode) || !positioned) {
        context.remarks.add("primitives-ignored", "Points, lines and primitives without positions are left out.");
        return out;
    }
    auto positions = view_accessor(context.model, source.attribute("POSITION"), 3, source.name + ": POSITION");
    if (!positions) return positions.error();
    source.vertices = positions->count;
    if (auto status = context.budget.take(source.vertices, bytes_per_vertex, source.name); !status)
        return status.error();
    if (auto status = read_attributes(source, morph_weights, out.mesh); !status) return status.error();
    if (auto status = read_weights(source, out); !status) return status.error();
    std::vector<std::uint32_t> indices;
    if (auto status = read_indices(source, indices); !status) return status.error();
    out.mesh.triangles = to_triangles(file.mode, std::move(indices));
    complete_normals(source, out.mesh);
    return out;
}

}  // namespace fascia::io
