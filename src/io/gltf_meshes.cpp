#include "io/gltf_meshes.h"

#include <fmt/format.h>

#include "io/json_fields.h"
#include "io/mesh_append.h"
#include "io/skin_weights.h"

namespace fascia::io {

namespace {

constexpr std::size_t most_vertices = 0x7fffffff / 8;

/// A node that carries a mesh, in the order of the file's nodes.
struct MeshNode {
    int node, mesh, skin;
};

Result<std::vector<MeshNode>> mesh_nodes(const GltfContext& context, const SceneNodes& scene) {
    std::vector<MeshNode> out;
    const gltf::Model& model = context.model;
    for (std::size_t s = 0; s < model.nodes.size(); ++s) {
        const int node = scene.of_source[s];
        if (model.nodes[s].mesh < 0 || !scene.in_scene[static_cast<std::size_t>(node)]) continue;
        const MeshNode found{node, model.nodes[s].mesh, model.nodes[s].skin};
        if (static_cast<std::size_t>(found.mesh) >= model.meshes.size()) {
            return input_error(fmt::format("{}: node {} carries mesh {}, which does not exist; export the file again.",
                                           context.name, s, found.mesh));
        }
        if (found.skin >= 0 && static_cast<std::size_t>(found.skin) >= model.skins.size()) {
            return input_error(fmt::format("{}: node {} uses skin {}, which does not exist; export the file again.",
                                           context.name, s, found.skin));
        }
        out.push_back(found);
    }
    return out;
}

const std::vector<double>& morph_weights(const gltf::Model& model, const SceneNodes& scene, const MeshNode& at) {
    const int source = scene.nodes[static_cast<std::size_t>(at.node)].source;
    const std::vector<double>& own = model.nodes[static_cast<std::size_t>(source)].weights;
    return own.empty() ? model.meshes[static_cast<std::size_t>(at.mesh)].weights : own;
}

Part make_part(const GltfContext& context, const SceneNodes& scene, const MeshNode& at, int primitive) {
    const gltf::Mesh& mesh = context.model.meshes[static_cast<std::size_t>(at.mesh)];
    Part part;
    part.name = mesh.name.empty() ? scene.nodes[static_cast<std::size_t>(at.node)].name : short_name(mesh.name);
    part.node = at.node;
    part.mesh = at.mesh;
    part.primitive = primitive;
    const int material = mesh.primitives[static_cast<std::size_t>(primitive)].material;
    const std::size_t materials = array_field(context.model.source, "materials").size();
    part.material = material >= 0 && static_cast<std::size_t>(material) < materials ? material : -1;
    part.skin = at.skin;
    return part;
}

Status check_size(const GltfContext& context, const Mesh& mesh, const Mesh& piece) {
    if (mesh.positions.size() + piece.positions.size() <= most_vertices &&
        mesh.triangles.size() + piece.triangles.size() <= 0x7fffffff) {
        return ok_status();
    }
    return input_error(
        fmt::format("{}: more vertices or triangles than can be numbered; split the character.", context.name));
}

/// A vertex whose rest is not finite, or whose numbers overflow, cannot be skinned.
Status check_rest(const GltfContext& context, const Mesh& piece, int skin) {
    for (const Vec3& p : piece.positions) {
        if (std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z)) continue;
        return input_error(
            fmt::format("{}: the inverse bind matrices of skin {} take a vertex beyond what a float can hold; export "
                        "the file again.",
                        context.name, skin));
    }
    return ok_status();
}

}  // namespace

Result<SceneMeshes> read_meshes(const GltfContext& context, const SceneNodes& scene, const BoundSkins& skins) {
    auto nodes = mesh_nodes(context, scene);
    if (!nodes) return nodes.error();
    SceneMeshes out;
    WeightFindings findings;
    for (const MeshNode& at : *nodes) {
        const auto primitives = context.model.meshes[static_cast<std::size_t>(at.mesh)].primitives.size();
        for (int p = 0; p < static_cast<int>(primitives); ++p) {
            auto primitive = read_primitive(context, at.mesh, p, morph_weights(context.model, scene, at));
            if (!primitive) return primitive.error();
            Mesh& piece = primitive->mesh;
            if (piece.positions.empty()) continue;
            Mesh& target = at.skin >= 0 ? out.skinned : out.rigid;
            if (auto status = check_size(context, target, piece); !status) return status.error();
            if (at.skin >= 0) {
                const BoundSkin& skin = skins.skins[static_cast<std::size_t>(at.skin)];
                transform_mesh(skin.to_scene, piece);
                if (auto status = check_rest(context, piece, at.skin); !status) return status.error();
                append_weights(*primitive, skin, skins.joints, piece.positions, out.weights, findings);
            }
            append_part(piece, make_part(context, scene, at, p), target);
        }
    }
    trim_weights(out.weights);
    remark_weights(findings, context.remarks);
    return out;
}

Result<Mesh> read_static_meshes(const GltfContext& context, const SceneNodes& scene) {
    auto nodes = mesh_nodes(context, scene);
    if (!nodes) return nodes.error();
    Mesh out;
    for (const MeshNode& at : *nodes) {
        const auto primitives = context.model.meshes[static_cast<std::size_t>(at.mesh)].primitives.size();
        for (int p = 0; p < static_cast<int>(primitives); ++p) {
            auto primitive = read_primitive(context, at.mesh, p, morph_weights(context.model, scene, at));
            if (!primitive) return primitive.error();
            if (primitive->mesh.positions.empty()) continue;
            if (auto status = check_size(context, out, primitive->mesh); !status) return status.error();
            transform_mesh(scene.world[static_cast<std::size_t>(at.node)], primitive->mesh);
            if (auto status = check_rest(context, primitive->mesh, at.skin); !status) return status.error();
            append_part(primitive->mesh, make_part(context, scene, at, p), out);
        }
    }
    return out;
}

}  // namespace fascia::io
