// A clip at a time: keys to local transforms to world matrices, as glTF 2.0 defines it.
#include <algorithm>
#include <cmath>

#include "fascia/pose.h"

namespace fascia {
namespace {

/// Translation, rotation and scale of one node while the channels are gathered. It lives in the node's own slot of the
/// output (12 numbers hold these 10), so that evaluating needs no extra memory.
struct LocalSlot {
    Affine& slot;

    void set_translation(Vec3d t) const {
        slot.m[0][3] = t.x;
        slot.m[1][3] = t.y;
        slot.m[2][3] = t.z;
    }
    void set_rotation(Quat q) const {
        slot.m[0][0] = q.w;
        slot.m[0][1] = q.x;
        slot.m[0][2] = q.y;
        slot.m[1][0] = q.z;
    }
    void set_scale(Vec3d s) const {
        slot.m[2][0] = s.x;
        slot.m[2][1] = s.y;
        slot.m[2][2] = s.z;
    }
    Affine composed() const {
        const auto& m = slot.m;
        return compose({m[0][3], m[1][3], m[2][3]}, {m[0][0], m[0][1], m[0][2], m[1][0]}, {m[2][0], m[2][1], m[2][2]});
    }
};

/// Up to four numbers: a translation, a scale, or a rotation as x, y, z, w.
struct Value {
    double v[4] = {0, 0, 0, 0};
};

int component_count(const Channel& channel) {
    return channel.path == Channel::Path::rotation ? 4 : 3;
}

/// True if there is a value for every key; other channels are skipped.
bool is_usable(const Channel& channel, std::size_t node_count) {
    const std::size_t per_key =
        component_count(channel) * (channel.interpolation == Channel::Interpolation::cubic ? 3u : 1u);
    return channel.node >= 0 && static_cast<std::size_t>(channel.node) < node_count && !channel.times.empty() &&
           channel.values.size() >= channel.times.size() * per_key;
}

/// `part` of a cubic key: 0 = in-tangent, 1 = value, 2 = out-tangent.
Value key_value(const Channel& channel, std::size_t key, std::size_t part = 1) {
    const std::size_t n = component_count(channel);
    const bool cubic = channel.interpolation == Channel::Interpolation::cubic;
    const float* first = channel.values.data() + (cubic ? key * 3 + part : key) * n;
    Value out;
    for (std::size_t i = 0; i < n; ++i) out.v[i] = first[i];
    return out;
}

Quat as_quat(const Value& value) {
    return {value.v[3], value.v[0], value.v[1], value.v[2]};
}

Value from_quat(Quat q) {
    return {{q.x, q.y, q.z, q.w}};
}

/// Spherical interpolation of two keys, along the shorter arc. Keys in real files are rounded and not quite of unit
/// length; they are used as they are, not normalised, as in three.js, so that both show the same pose.
Quat slerp_keys(Quat a, Quat b, double t) {
    double cosine = dot(a, b);
    if (cosine < 0) {
        b = {-b.w, -b.x, -b.y, -b.z};
        cosine = -cosine;
    }
    if (a.w == b.w && a.x == b.x && a.y == b.y && a.z == b.z) return a;
    const auto mix = [&](double wa, double wb) {
        return Quat{wa * a.w + wb * b.w, wa * a.x + wb * b.x, wa * a.y + wb * b.y, wa * a.z + wb * b.z};
    };
    constexpr double kAlmostEqual = 0.9995;  // below two degrees a straight line is as good as the arc
    if (cosine >= kAlmostEqual) return normalized(mix(1 - t, t));
    const double angle = std::acos(cosine);
    return mix(std::sin((1 - t) * angle) / std::sin(angle), std::sin(t * angle) / std::sin(angle));
}

Value mix_linear(const Channel& channel, std::size_t key, double t) {
    const Value a = key_value(channel, key), b = key_value(channel, key + 1);
    if (channel.path == Channel::Path::rotation) return from_quat(slerp_keys(as_quat(a), as_quat(b), t));
    Value out;
    for (int i = 0; i < 3; ++i) out.v[i] = a.v[i] + (b.v[i] - a.v[i]) * t;
    return out;
}

/// Cubic Hermite spline, glTF 2.0 appendix C: tangents are per second, so they are scaled by the key distance.
Value mix_cubic(const Channel& channel, std::size_t key, double t, double seconds_between) {
    const Value p0 = key_value(channel, key), m0 = key_value(channel, key, 2);
    const Value p1 = key_value(channel, key + 1), m1 = key_value(channel, key + 1, 0);
    const double t2 = t * t, t3 = t2 * t;
    const double h00 = 2 * t3 - 3 * t2 + 1, h10 = t3 - 2 * t2 + t, h01 = 3 * t2 - 2 * t3, h11 = t3 - t2;
    Value out;
    for (int i = 0; i < 4; ++i)
        out.v[i] = h00 * p0.v[i] + h10 * seconds_between * m0.v[i] + h01 * p1.v[i] + h11 * seconds_between * m1.v[i];
    return channel.path == Channel::Path::rotation ? from_quat(normalized(as_quat(out))) : out;
}

Value sample(const Channel& channel, double seconds) {
    const auto& times = channel.times;
    if (!(seconds > times.front())) return key_value(channel, 0);
    if (seconds >= times.back()) return key_value(channel, times.size() - 1);
    const auto after = std::upper_bound(times.begin(), times.end(), seconds,
                                        [](double wanted, float time) { return wanted < static_cast<double>(time); });
    const std::size_t key = static_cast<std::size_t>(after - times.begin()) - 1;
    if (channel.interpolation == Channel::Interpolation::step) return key_value(channel, key);
    const double start = times[key], between = static_cast<double>(times[key + 1]) - start;
    const double t = between > 0 ? (seconds - start) / between : 1;
    if (channel.interpolation == Channel::Interpolation::cubic) return mix_cubic(channel, key, t, between);
    return mix_linear(channel, key, t);
}

void apply(const Channel& channel, double seconds, LocalSlot local) {
    const Value value = sample(channel, seconds);
    switch (channel.path) {
        case Channel::Path::translation: local.set_translation({value.v[0], value.v[1], value.v[2]}); break;
        case Channel::Path::rotation: local.set_rotation(as_quat(value)); break;
        case Channel::Path::scale: local.set_scale({value.v[0], value.v[1], value.v[2]}); break;
    }
}

}  // namespace

/// [Kavan 2003, eq. 2]
void evaluate(const Character& character, const Clip* clip, double seconds, Pose& out) {
    const std::size_t node_count = character.nodes.size();
    out.nodes.resize(node_count);
    for (std::size_t i = 0; i < node_count; ++i) {
        const Node& node = character.nodes[i];
        const LocalSlot local{out.nodes[i]};
        local.set_translation(node.translation);
        local.set_rotation(node.rotation);
        local.set_scale(node.scale);
    }
    if (clip) {
        for (const Channel& channel : clip->channels)
            if (is_usable(channel, node_count)) apply(channel, seconds, {out.nodes[channel.node]});
    }
    for (std::size_t i = 0; i < node_count; ++i) {
        const Node& node = character.nodes[i];
        const Affine local = node.matrix ? *node.matrix : LocalSlot{out.nodes[i]}.composed();
        out.nodes[i] = node.parent >= 0 ? out.nodes[node.parent] * local : local;
    }
    out.joints.resize(character.joints.size());
    for (std::size_t j = 0; j < character.joints.size(); ++j) out.joints[j] = out.nodes[character.joints[j].node];
}

Pose rest_pose(const Character& character) {
    Pose pose;
    evaluate(character, nullptr, 0, pose);
    std::vector<bool> placed(character.nodes.size(), false);
    std::vector<Affine> world(character.nodes.size());
    for (const Joint& joint : character.joints) {
        if (placed[joint.node]) continue;  // skins that disagree share a node; the first one places it
        placed[joint.node] = true;
        world[joint.node] = joint.rest;
    }
    for (std::size_t i = 0; i < character.nodes.size(); ++i) {
        const Node& node = character.nodes[i];
        if (placed[i]) continue;
        // Whatever hangs on a joint keeps its position relative to it.
        const Affine local = node.matrix ? *node.matrix : compose(node.translation, node.rotation, node.scale);
        world[i] = node.parent >= 0 ? world[node.parent] * local : local;
    }
    pose.nodes = std::move(world);
    for (std::size_t j = 0; j < character.joints.size(); ++j) pose.joints[j] = character.joints[j].rest;
    return pose;
}

}  // namespace fascia
