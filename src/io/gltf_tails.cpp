#include "io/gltf_tails.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "character/bone_tails.h"
#include "io/json_fields.h"

namespace fascia::io {
namespace {

using nlohmann::json;

constexpr const char* tail_key = "fascia_tail";
constexpr double farthest = 100;   // body sizes from the joint: anything beyond is a mistake
constexpr double same_end = 1e-6;  // of the size of the body: a guess this close need not be stated

double diagonal(const Mesh& mesh) {
    Vec3d low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
    for (const Vec3& v : mesh.positions) {
        const Vec3d p = to_double(v);
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    return mesh.positions.empty() ? 0 : length(high - low);
}

bool is_finite(Vec3d p) {
    return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z);
}

/// What a node states, not yet checked; null if it states nothing.
const json& stated_tail(const GltfContext& context, int source_node) {
    const json& node = array_field(context.model.source, "nodes")[static_cast<std::size_t>(source_node)];
    return member(member(node, "extras"), tail_key);
}

std::optional<Vec3d> place_of(const json& stated) {
    const std::vector<double> p = numbers_of(stated);
    if (p.size() != 3) return std::nullopt;
    return Vec3d{p[0], p[1], p[2]};
}

/// Whether a joint's bone may end there. NaN fails the comparison.
bool is_near(const Joint& joint, Vec3d tail, double size) {
    return is_finite(tail) && length(tail - translation_of(joint.rest)) <= farthest * size;
}

/// A node's own extras stay; only our entry comes or goes.
void state_tail(const Joint& joint, json& node) {
    json& extras = node["extras"];
    if (!extras.is_object() && !extras.is_null()) return;  // not ours to replace
    const Vec3d tail = transform_point(inverse(joint.rest), joint.tail);
    extras[tail_key] = {tail.x, tail.y, tail.z};
}

void forget_tail(json& node) {
    if (!node.contains("extras") || !node["extras"].is_object()) return;
    node["extras"].erase(tail_key);
    if (node["extras"].empty()) node.erase("extras");
}

}  // namespace

void read_tails(const GltfContext& context, const SceneNodes& scene, const Mesh& mesh, std::vector<Joint>& joints) {
    const double size = diagonal(mesh);
    for (Joint& joint : joints) {
        const Node& node = scene.nodes[static_cast<std::size_t>(joint.node)];
        const json& stated = stated_tail(context, node.source);
        if (stated.is_null()) continue;
        const std::optional<Vec3d> local = place_of(stated);
        const Vec3d tail = local ? transform_point(joint.rest, *local) : Vec3d{};
        if (local && is_near(joint, tail, size)) {
            joint.tail = tail;
            continue;
        }
        context.remarks.add("tail-ignored",
                            fmt::format("joint '{}' has a {} that is not three numbers near the body; its bone ends "
                                        "where its flesh does.",
                                        joint.name, tail_key));
    }
}

void write_tails(const Character& character, GlbScene& scene) {
    std::vector<Joint> guessed = character.joints;
    guess_tails(character.mesh, character.weights, guessed);
    const double size = diagonal(character.mesh);
    std::set<int> done;  // joints that share a node share its tail: the first one's
    for (std::size_t j = 0; j < guessed.size(); ++j) {
        const Joint& joint = character.joints[j];
        if (joint.node < 0 || !done.insert(joint.node).second) continue;
        json& node = scene.node(joint.node);
        forget_tail(node);
        const bool known = length(joint.tail - guessed[j].tail) <= same_end * size;
        if (!known && is_invertible(joint.rest) && is_near(joint, joint.tail, size)) state_tail(joint, node);
    }
}

}  // namespace fascia::io
