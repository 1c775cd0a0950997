// From skins to joints: where each joint rests, and how each skin's vertices are moved into scene space.
//
// For skin s with inverse bind matrices B_j the rest of joint j is  G_s inverse(B_j)  and the rest of vertex v is  G_s
// v. Any G_s gives the file's own skinning exactly; we choose the one that puts the skin's root-most joint where it is
// in the scene. Skins that share nodes share joints if one G fits them all. If bind poses disagree, a skin gets joints
// of its own: a layer of its own.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "io/accessor_reader.h"
#include "io/gltf_scene.h"

namespace fascia::io {

namespace {

constexpr std::size_t most_joints = 65535;  // weights hold 16-bit joint numbers
constexpr std::size_t most_skins = 4096, most_layers = 64;

struct FileSkin {
    int index = -1;
    std::vector<int> nodes;            ///< in our order
    std::vector<Affine> inverse_bind;  ///< [nodes]
    std::vector<Affine> bind;          ///< [nodes] their inverses
    std::vector<char> usable;          ///< [nodes] the inverse bind matrix can be inverted
};

std::string skin_name(const GltfContext& context, int skin) {
    const std::string name = short_name(context.model.skins[static_cast<std::size_t>(skin)].name);
    return name.empty() ? fmt::format("skin {}", skin) : fmt::format("skin {} ('{}')", skin, name);
}

Result<std::vector<Affine>> read_inverse_binds(const GltfContext& context, int skin, std::size_t joints) {
    const int accessor = context.model.skins[static_cast<std::size_t>(skin)].inverse_binds;
    std::vector<Affine> out(joints);
    if (accessor < 0) return out;
    auto view = view_accessor(context.model, accessor, 16, context.name + ": " + skin_name(context, skin));
    if (!view) return view.error();
    if (view->count < joints) {
        return input_error(fmt::format("{}: {} has {} joints but only {} inverse bind matrices; export the file again.",
                                       context.name, skin_name(context, skin), joints, view->count));
    }
    for (std::size_t j = 0; j < joints; ++j)
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 4; ++c) out[j].m[r][c] = view->number(j, c * 4 + r);
    return out;
}

Result<FileSkin> read_skin(const GltfContext& context, const SceneNodes& scene, int index) {
    const gltf::Skin& source = context.model.skins[static_cast<std::size_t>(index)];
    FileSkin skin;
    skin.index = index;
    for (int joint : source.joints) {
        if (joint < 0 || static_cast<std::size_t>(joint) >= scene.of_source.size()) {
            return input_error(
                fmt::format("{}: {} uses node {} as a joint, which does not exist; export the file again.",
                            context.name, skin_name(context, index), joint));
        }
        skin.nodes.push_back(scene.of_source[static_cast<std::size_t>(joint)]);
    }
    if (skin.nodes.empty())
        return input_error(
            fmt::format("{}: {} has no joints; export the file again.", context.name, skin_name(context, index)));
    auto matrices = read_inverse_binds(context, index, skin.nodes.size());
    if (!matrices) return matrices.error();
    skin.inverse_bind = std::move(*matrices);
    for (const Affine& matrix : skin.inverse_bind) {
        skin.usable.push_back(is_invertible(matrix));
        skin.bind.push_back(inverse(matrix));
    }
    return skin;
}

/// The usable joint nearest to the scene's root whose matrix in the scene can be inverted too; -1 if there is none.
int root_joint(const FileSkin& skin, const SceneNodes& scene) {
    int best = -1;
    for (std::size_t j = 0; j < skin.nodes.size(); ++j) {
        const auto node = static_cast<std::size_t>(skin.nodes[j]);
        if (!skin.usable[j] || !is_invertible(scene.world[node])) continue;
        if (best < 0 ||
            scene.depth[node] < scene.depth[static_cast<std::size_t>(skin.nodes[static_cast<std::size_t>(best)])])
            best = static_cast<int>(j);
    }
    return best;
}

/// Joints that agree about where they rest.
struct Layer {
    std::map<int, Affine> rest;  ///< by node
};

/// Where a node rests in a layer: carried along by its nearest bound ancestor, else as in the scene.
Affine carried_rest(const SceneNodes& scene, const Layer& layer, int node) {
    for (int at = scene.nodes[static_cast<std::size_t>(node)].parent; at >= 0;
         at = scene.nodes[static_cast<std::size_t>(at)].parent) {
        const auto found = layer.rest.find(at);
        const Affine& world = scene.world[static_cast<std::size_t>(at)];
        if (found != layer.rest.end() && is_invertible(world)) {
            return found->second * (inverse(world) * scene.world[static_cast<std::size_t>(node)]);
        }
    }
    return scene.world[static_cast<std::size_t>(node)];
}

/// Largest distance between a joint and the first, the scale that agreement is measured against.
double extent(const FileSkin& skin, const Affine& to_scene) {
    const Vec3d first = transform_point(to_scene, translation_of(skin.bind[0]));
    double largest = 0;
    for (const Affine& bind : skin.bind) {
        largest = std::max(largest, length(transform_point(to_scene, translation_of(bind)) - first));
    }
    return largest;
}

/// Two rests agree when they take a point one skeleton's size away to the same place, within 1e-4 of that size.
bool same_rest(const Affine& a, const Affine& b, double size) {
    double linear = 0, scale = 0;
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) {
            linear = std::max(linear, std::abs(a.m[r][c] - b.m[r][c]));
            scale = std::max(scale, std::abs(a.m[r][c]));
        }
    }
    return linear <= 1e-4 * scale && length(translation_of(a) - translation_of(b)) <= 1e-4 * size;
}

/// Where joint j of a skin rests. A singular joint rests where it is in the scene; returns false for those.
bool rest_of(const FileSkin& skin, const SceneNodes& scene, const Affine& to_scene, std::size_t j, Affine& out) {
    out = to_scene * skin.bind[j];
    if (skin.usable[j] && is_invertible(out)) return true;
    const Affine& world = scene.world[static_cast<std::size_t>(skin.nodes[j])];
    out = is_invertible(world) ? world : Affine{};
    return false;
}

/// G of a skin in a layer: anchored at a joint they share, else at the skin's root-most joint.
Affine choose_to_scene(const FileSkin& skin, const SceneNodes& scene, const Layer& layer) {
    const int root = root_joint(skin, scene);
    if (root < 0) return Affine{};
    const auto place = [&](std::size_t j) -> const Affine* {
        const auto found = layer.rest.find(skin.nodes[j]);
        return found != layer.rest.end() && skin.usable[j] ? &found->second : nullptr;
    };
    if (const Affine* rest = place(static_cast<std::size_t>(root)))
        return *rest * skin.inverse_bind[static_cast<std::size_t>(root)];
    for (std::size_t j = 0; j < skin.nodes.size(); ++j) {
        if (const Affine* rest = place(j)) return *rest * skin.inverse_bind[j];
    }
    const auto r = static_cast<std::size_t>(root);
    return carried_rest(scene, layer, skin.nodes[r]) * skin.inverse_bind[r];
}

/// Every joint that the layer already has rests where this skin wants it.
bool agrees(const Layer& layer, const FileSkin& skin, const SceneNodes& scene, const Affine& to_scene, double size) {
    for (std::size_t j = 0; j < skin.nodes.size(); ++j) {
        const auto found = layer.rest.find(skin.nodes[j]);
        Affine rest;
        if (found == layer.rest.end()) continue;
        rest_of(skin, scene, to_scene, j, rest);
        if (!same_rest(found->second, rest, size)) return false;
    }
    return true;
}

/// Puts a skin's joints into a layer; returns how many were singular.
std::size_t add_to_layer(const FileSkin& skin, const SceneNodes& scene, const Affine& to_scene, Layer& layer) {
    std::size_t singular = 0;
    for (std::size_t j = 0; j < skin.nodes.size(); ++j) {
        Affine rest;
        singular += !rest_of(skin, scene, to_scene, j, rest);
        layer.rest.emplace(skin.nodes[j], rest);
    }
    return singular;
}

void remark_placing(const GltfContext& context, int skin, std::size_t layer, std::size_t singular) {
    const std::string name = skin_name(context, skin);
    context.remarks.add(
        "inverse-bind-singular",
        name + " has an inverse bind matrix that cannot be inverted; its joint rests where the scene has it.",
        singular);
    if (layer > 0) {
        context.remarks.add(
            "skins-disagree",
            name + " binds joints that it shares with another skin at another rest pose; it got joints of its own.");
    }
}

struct Placed {
    std::size_t layer = 0;
    Affine to_scene;
};

Result<Placed> place_skin(const GltfContext& context, const FileSkin& skin, const SceneNodes& scene,
                          std::vector<Layer>& layers) {
    double size = 0;
    for (std::size_t l = 0; l < most_layers; ++l) {
        if (l == layers.size()) layers.emplace_back();
        Layer& layer = layers[l];
        const Affine to_scene = choose_to_scene(skin, scene, layer);
        if (l == 0) size = extent(skin, to_scene);
        if (!agrees(layer, skin, scene, to_scene, size)) continue;
        remark_placing(context, skin.index, l, add_to_layer(skin, scene, to_scene, layer));
        return Placed{l, to_scene};
    }
    return input_error(
        fmt::format("{}: more than {} skins share joints and disagree about their rest pose; export fewer skins.",
                    context.name, most_layers));
}

int depth_of(const FileSkin& skin, const SceneNodes& scene) {
    int depth = INT32_MAX;
    for (int node : skin.nodes) depth = std::min(depth, scene.depth[static_cast<std::size_t>(node)]);
    return depth;
}

/// Skins that a mesh node of the default scene uses.
std::vector<int> used_skins(const GltfContext& context, const SceneNodes& scene) {
    const gltf::Model& model = context.model;
    std::vector<char> used(model.skins.size(), 0);
    for (std::size_t n = 0; n < scene.nodes.size(); ++n) {
        const gltf::Node& node = model.nodes[static_cast<std::size_t>(scene.nodes[n].source)];
        const bool skinned =
            scene.in_scene[n] && node.mesh >= 0 && node.skin >= 0 && static_cast<std::size_t>(node.skin) < used.size();
        if (skinned) used[static_cast<std::size_t>(node.skin)] = 1;
    }
    std::vector<int> out;
    for (std::size_t s = 0; s < used.size(); ++s)
        if (used[s]) out.push_back(static_cast<int>(s));
    return out;
}

/// From the root outwards, larger skins first: the body decides where joints rest, gloves follow.
void sort_outwards(std::vector<FileSkin>& skins, const SceneNodes& scene) {
    std::stable_sort(skins.begin(), skins.end(), [&](const FileSkin& a, const FileSkin& b) {
        const int da = depth_of(a, scene), db = depth_of(b, scene);
        return da != db ? da < db : a.nodes.size() > b.nodes.size();
    });
}

Result<std::vector<FileSkin>> read_skins(const GltfContext& context, const SceneNodes& scene) {
    const std::vector<int> used = used_skins(context, scene);
    if (used.size() > most_skins) {
        return input_error(fmt::format("{}: {} skins are more than a character can have; split the scene.",
                                       context.name, used.size()));
    }
    std::vector<FileSkin> skins;
    for (int index : used) {
        auto skin = read_skin(context, scene, index);
        if (!skin) return skin.error();
        skins.push_back(std::move(*skin));
    }
    sort_outwards(skins, scene);
    return skins;
}

/// Makes the joints of one layer; returns the joint of each node, -1 for nodes that are not joints.
std::vector<int> add_layer(const SceneNodes& scene, const Layer& layer, std::vector<Joint>& joints) {
    std::vector<int> own(scene.nodes.size(), -1), nearest(scene.nodes.size(), -1);
    for (std::size_t n = 0; n < scene.nodes.size(); ++n) {
        const int parent = scene.nodes[n].parent;
        const int above = parent < 0 ? -1 : nearest[static_cast<std::size_t>(parent)];
        const auto found = layer.rest.find(static_cast<int>(n));
        nearest[n] = above;
        if (found == layer.rest.end()) continue;
        own[n] = nearest[n] = static_cast<int>(joints.size());
        Joint joint;
        joint.name = scene.nodes[n].name;
        joint.node = static_cast<int>(n);
        joint.parent = above;
        joint.rest = found->second;
        joints.push_back(std::move(joint));
    }
    return own;
}

/// Joints of one skin are connected even without a common ancestor joint; so are joints below one another.
void number_trees(const std::vector<BoundSkin>& skins, std::vector<Joint>& joints) {
    std::vector<int> leader(joints.size());
    std::iota(leader.begin(), leader.end(), 0);
    const auto find = [&](int j) {
        while (leader[static_cast<std::size_t>(j)] != j) {
            int& up = leader[static_cast<std::size_t>(j)];
            up = leader[static_cast<std::size_t>(up)];
            j = up;
        }
        return j;
    };
    const auto join = [&](int a, int b) {
        const int x = find(a), y = find(b);
        leader[static_cast<std::size_t>(std::max(x, y))] = std::min(x, y);
    };
    for (std::size_t j = 0; j < joints.size(); ++j)
        if (joints[j].parent >= 0) join(static_cast<int>(j), joints[j].parent);
    for (const BoundSkin& skin : skins)
        for (int joint : skin.joints) join(skin.joints[0], joint);

    std::vector<int> number(joints.size(), -1);
    int trees = 0;
    for (std::size_t j = 0; j < joints.size(); ++j) {
        int& tree = number[static_cast<std::size_t>(find(static_cast<int>(j)))];
        if (tree < 0) tree = trees++;
        joints[j].tree = tree;
    }
}

void make_names_unique(std::vector<Joint>& joints) {
    std::map<std::string, int> uses;  // of every name given so far
    for (Joint& joint : joints) {
        const std::string base = joint.name.empty() ? fmt::format("joint_{}", joint.node) : joint.name;
        joint.name = base;
        // "a" may be taken three times while "a_2" is a name of the file itself.
        while (uses.count(joint.name) != 0) joint.name = fmt::format("{}_{}", base, ++uses[base]);
        uses[joint.name] = 1;
    }
}

}  // namespace

Result<BoundSkins> bind_skins(const GltfContext& context, const SceneNodes& scene) {
    auto skins = read_skins(context, scene);
    if (!skins) return skins.error();

    std::vector<Layer> layers;
    std::vector<Placed> placed;
    for (const FileSkin& skin : *skins) {
        auto place = place_skin(context, skin, scene, layers);
        if (!place) return place.error();
        placed.push_back(*place);
    }

    BoundSkins out;
    std::vector<std::vector<int>> joint_of_node;
    for (const Layer& layer : layers) joint_of_node.push_back(add_layer(scene, layer, out.joints));
    if (out.joints.size() > most_joints) {
        return input_error(fmt::format("{}: {} joints are more than the {} a character can have.", context.name,
                                       out.joints.size(), most_joints));
    }
    out.skins.resize(context.model.skins.size());
    for (std::size_t s = 0; s < skins->size(); ++s) {
        BoundSkin& bound = out.skins[static_cast<std::size_t>((*skins)[s].index)];
        bound.to_scene = placed[s].to_scene;
        for (int node : (*skins)[s].nodes)
            bound.joints.push_back(joint_of_node[placed[s].layer][static_cast<std::size_t>(node)]);
    }
    number_trees(out.skins, out.joints);
    make_names_unique(out.joints);
    return out;
}

}  // namespace fascia::io
