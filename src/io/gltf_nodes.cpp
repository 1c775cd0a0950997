// The node tree: parents before children, no cycles, finite matrices.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "io/gltf_scene.h"

namespace fascia::io {

namespace {

constexpr int deepest_node = 4096;

std::string node_name(const gltf::Model& model, std::size_t node) {
    const std::string name = short_name(model.nodes[node].name);
    return name.empty() ? fmt::format("node {}", node) : fmt::format("node {} ('{}')", node, name);
}

/// glTF matrices are column-major 4x4.
Affine affine_of(const std::vector<double>& m) {
    Affine out;
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 4; ++c) out.m[r][c] = m[static_cast<std::size_t>(c * 4 + r)];
    return out;
}

double largest_difference(const Affine& a, const Affine& b) {
    double largest = 0;
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 4; ++c) largest = std::max(largest, std::abs(a.m[r][c] - b.m[r][c]));
    return largest;
}

double largest_entry(const Affine& a) {
    Affine zero;
    for (auto& row : zero.m) std::fill(std::begin(row), std::end(row), 0.0);
    return largest_difference(a, zero);
}

void set_matrix(const Affine& matrix, Node& node) {
    const bool split = decompose(matrix, node.translation, node.rotation, node.scale);
    const Affine again = compose(node.translation, node.rotation, node.scale);
    // The matrix is kept if splitting it would lose anything.
    if (!split || largest_difference(matrix, again) > 1e-6 * largest_entry(matrix)) node.matrix = matrix;
}

/// As many numbers as the format asks for, each in the range of a float, or not given at all.
bool is_sound(const std::vector<double>& numbers, std::size_t count) {
    constexpr double largest = std::numeric_limits<float>::max();
    return numbers.empty() || (numbers.size() == count && std::all_of(numbers.begin(), numbers.end(), [](double value) {
                                   return std::abs(value) <= largest;
                               }));
}

bool has_sound_transform(const gltf::Node& source) {
    return is_sound(source.matrix, 16) && is_sound(source.translation, 3) && is_sound(source.rotation, 4) &&
           is_sound(source.scale, 3);
}

void set_transform(const gltf::Node& source, Node& node) {
    if (!source.matrix.empty()) return set_matrix(affine_of(source.matrix), node);
    if (!source.translation.empty())
        node.translation = {source.translation[0], source.translation[1], source.translation[2]};
    if (!source.scale.empty()) node.scale = {source.scale[0], source.scale[1], source.scale[2]};
    if (!source.rotation.empty()) {
        node.rotation =
            normalized(Quat{source.rotation[3], source.rotation[0], source.rotation[1], source.rotation[2]});
    }
}

/// JSON cannot express NaN or infinity, so every number here is finite.
Node make_node(const GltfContext& context, std::size_t index) {
    const gltf::Node& source = context.model.nodes[index];
    Node node;
    node.name = short_name(source.name);
    node.source = static_cast<int>(index);
    if (has_sound_transform(source)) {
        set_transform(source, node);
    } else {
        context.remarks.add("node-transform-ignored",
                            fmt::format("{} has a transform with too few or too many numbers, or numbers beyond a "
                                        "float; it was ignored.",
                                        node_name(context.model, index)));
    }
    return node;
}

Result<std::vector<int>> find_parents(const GltfContext& context) {
    const auto& nodes = context.model.nodes;
    std::vector<int> parent(nodes.size(), -1);
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        for (int child : nodes[n].children) {
            if (child < 0 || static_cast<std::size_t>(child) >= nodes.size()) {
                return input_error(fmt::format("{}: {} has a child {}, which does not exist; export the file again.",
                                               context.name, node_name(context.model, n), child));
            }
            int& slot = parent[static_cast<std::size_t>(child)];
            if (slot >= 0) {
                context.remarks.add("node-two-parents",
                                    fmt::format("{} is listed as a child twice; its first parent was kept.",
                                                node_name(context.model, static_cast<std::size_t>(child))));
            } else {
                slot = static_cast<int>(n);
            }
        }
    }
    return parent;
}

/// Refuses a node that is its own ancestor through any of its parents, including those that are not kept.
Status check_cycles(const GltfContext& context) {
    const auto& nodes = context.model.nodes;
    enum : char { untouched, open, closed };
    std::vector<char> state(nodes.size(), untouched);
    std::vector<std::pair<std::size_t, std::size_t>> path;  // node, its next child
    for (std::size_t root = 0; root < nodes.size(); ++root) {
        if (state[root] == untouched) path.push_back({root, 0});
        while (!path.empty()) {
            const std::size_t node = path.back().first;
            state[node] = open;
            if (path.back().second == nodes[node].children.size()) {
                state[node] = closed;
                path.pop_back();
                continue;
            }
            const auto child = static_cast<std::size_t>(nodes[node].children[path.back().second++]);
            if (state[child] == open) {
                return input_error(
                    fmt::format("{}: {} is its own ancestor; the node tree has a cycle: export the file again.",
                                context.name, node_name(context.model, child)));
            }
            if (state[child] == untouched) path.push_back({child, 0});
        }
    }
    return ok_status();
}

/// File order, except that missing ancestors go first.
std::vector<int> parents_first(const std::vector<int>& parent) {
    std::vector<int> order, chain;
    std::vector<char> placed(parent.size(), 0);
    for (std::size_t n = 0; n < parent.size(); ++n) {
        chain.clear();
        for (int at = static_cast<int>(n); at >= 0 && !placed[static_cast<std::size_t>(at)];
             at = parent[static_cast<std::size_t>(at)])
            chain.push_back(at);
        for (auto it = chain.rbegin(); it != chain.rend(); ++it) {
            placed[static_cast<std::size_t>(*it)] = 1;
            order.push_back(*it);
        }
    }
    return order;
}

/// The roots of the default scene; every root if the file has no scene.
std::vector<char> scene_roots(const GltfContext& context) {
    const gltf::Model& model = context.model;
    std::vector<char> is_root(model.nodes.size(), model.scenes.empty() ? 1 : 0);
    if (model.scenes.empty()) return is_root;
    std::size_t scene = 0;
    if (model.default_scene >= 0) {
        if (static_cast<std::size_t>(model.default_scene) < model.scenes.size()) {
            scene = static_cast<std::size_t>(model.default_scene);
        } else {
            context.remarks.add("scene-missing", "The default scene does not exist; the first one was taken.");
        }
    }
    for (int node : model.scenes[scene].nodes) {
        if (node >= 0 && static_cast<std::size_t>(node) < is_root.size()) is_root[static_cast<std::size_t>(node)] = 1;
    }
    return is_root;
}

}  // namespace

Result<SceneNodes> read_nodes(const GltfContext& context) {
    auto parent = find_parents(context);
    if (!parent) return parent.error();
    if (auto status = check_cycles(context); !status) return status.error();
    const std::vector<int> order = parents_first(*parent);
    const std::vector<char> roots = scene_roots(context);

    SceneNodes out;
    out.of_source.assign(parent->size(), -1);
    for (int source : order) {
        const auto s = static_cast<std::size_t>(source);
        Node node = make_node(context, s);
        const int file_parent = (*parent)[s];
        node.parent = file_parent < 0 ? -1 : out.of_source[static_cast<std::size_t>(file_parent)];
        const Affine local = node.matrix ? *node.matrix : compose(node.translation, node.rotation, node.scale);
        const auto p = static_cast<std::size_t>(node.parent);
        out.of_source[s] = static_cast<int>(out.nodes.size());
        out.world.push_back(node.parent < 0 ? local : out.world[p] * local);
        out.depth.push_back(node.parent < 0 ? 0 : out.depth[p] + 1);
        if (out.depth.back() > deepest_node) {
            return input_error(
                fmt::format("{}: the node tree is more than {} levels deep; flatten it.", context.name, deepest_node));
        }
        out.in_scene.push_back(roots[s] || (node.parent >= 0 && out.in_scene[p]));
        out.nodes.push_back(std::move(node));
    }
    return out;
}

}  // namespace fascia::io
