#include "io/glb_writer_motion.h"

#include <algorithm>
#include <cmath>

namespace fascia::io {
namespace {

using nlohmann::json;

// Differences below these are rounding, not motion. Keys are floats: their rotations have unit length only to a few
// units in the last place, which would look like a scale.
constexpr double still = 1e-10;
constexpr double still_scale = 5e-7;

double distance(Vec3d a, Vec3d b) {
    return length(a - b);
}

/// Sine of half the angle between two rotations.
double difference(Quat a, Quat b) {
    const Quat d = conjugate(a) * b;
    return length(Vec3d{d.x, d.y, d.z});
}

void push(std::vector<float>& list, Vec3d v) {
    for (const double value : {v.x, v.y, v.z}) list.push_back(static_cast<float>(value));
}

void push(std::vector<float>& list, Quat q) {
    for (const double value : {q.x, q.y, q.z, q.w}) list.push_back(static_cast<float>(value));
}

void add_channel(int node, const char* path, const std::vector<float>& values, const char* type, int width, int times,
                 GlbData& data, json& animation) {
    const int output = data.add_floats(values, type, width, ViewUse::other, false);
    animation["channels"].push_back(
        {{"sampler", animation["samplers"].size()}, {"target", {{"node", node}, {"path", path}}}});
    animation["samplers"].push_back({{"input", times}, {"output", output}, {"interpolation", "LINEAR"}});
}

}  // namespace

NodeMotion::NodeMotion(const Character& character) {
    for (const Node& node : character.nodes) {
        Track track;
        track.parent = node.parent;
        track.rest = node.matrix ? *node.matrix : compose(node.translation, node.rotation, node.scale);
        track.movable = decompose(track.rest, track.translation, track.rotation, track.scale);
        track.last = track.rotation;
        nodes_.push_back(std::move(track));
    }
    unit_ = std::max(1e-3 * character.size(), 1e-30);
}

void NodeMotion::add_frame(const Pose& pose) {
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
        Track& track = nodes_[n];
        const Affine* parent = track.parent >= 0 ? &pose.nodes[static_cast<std::size_t>(track.parent)] : nullptr;
        // Under a parent scaled to zero every local pose looks the same, so the default one will do.
        if (!parent)
            add_local(track, pose.nodes[n]);
        else
            add_local(track, is_invertible(*parent) ? inverse(*parent) * pose.nodes[n] : track.rest);
    }
}

void NodeMotion::add_local(Track& track, const Affine& local) {
    Vec3d translation, scale;
    Quat rotation;
    if (!track.movable || !decompose(local, translation, rotation, scale) || !is_finite(local)) {
        translation = track.translation;
        rotation = track.rotation;
        scale = track.scale;
    }
    if (dot(rotation, track.last) < 0) rotation = {-rotation.w, -rotation.x, -rotation.y, -rotation.z};
    track.last = rotation;
    track.translates =
        track.translates || distance(translation, track.translation) > still * (length(track.translation) + unit_);
    track.rotates = track.rotates || difference(rotation, track.rotation) > still;
    track.scales = track.scales || distance(scale, track.scale) > still_scale * length(track.scale);
    push(track.translations, translation);
    push(track.rotations, rotation);
    push(track.scales_over_time, scale);
}

void NodeMotion::add_channels(GlbScene& scene, GlbData& data, const std::vector<int>& still_nodes, int times,
                              json& animation) const {
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
        const Track& track = nodes_[n];
        const int node = scene.node_of[n];
        if (!(track.translates || track.rotates || track.scales)) continue;
        if (std::find(still_nodes.begin(), still_nodes.end(), node) != still_nodes.end()) continue;
        // Properties that do not move keep their default values.
        Node parts;
        parts.translation = track.translation;
        parts.rotation = track.rotation;
        parts.scale = track.scale;
        set_transform(parts, scene.node(static_cast<int>(n)));
        if (track.translates) add_channel(node, "translation", track.translations, "VEC3", 3, times, data, animation);
        if (track.rotates) add_channel(node, "rotation", track.rotations, "VEC4", 4, times, data, animation);
        if (track.scales) add_channel(node, "scale", track.scales_over_time, "VEC3", 3, times, data, animation);
    }
}

}  // namespace fascia::io
