#include "clip_builder.h"

#include "trig.h"

namespace fascia::characters {
namespace {

constexpr int root_node = 0;
constexpr double keys_per_second = 60;

bool moves(const std::vector<Quat>& rotations) {
    for (const Quat& q : rotations)
        if (q.w * q.w < 1 - 1e-14) return true;
    return false;
}
bool moves(const std::vector<Vec3d>& offsets) {
    for (const Vec3d& v : offsets)
        if (dot(v - offsets[0], v - offsets[0]) > 0) return true;
    return false;
}

}  // namespace

double Track::at(double time) const {
    if (time <= keys_.front().time) return keys_.front().value;
    for (std::size_t i = 1; i < keys_.size(); ++i) {
        const Key &a = keys_[i - 1], &b = keys_[i];
        if (time > b.time) continue;
        const double span = b.time - a.time, t = (time - a.time) / span, s = 1 - t;
        return s * s * (1 + 2 * t) * a.value + t * t * (1 + 2 * s) * b.value +
               s * t * span * (s * a.slope - t * b.slope);
    }
    return keys_.back().value;
}

Channel translation_channel(int node, const std::vector<double>& times, const std::vector<Vec3d>& values) {
    Channel channel;
    channel.node = node;
    channel.path = Channel::Path::translation;
    for (std::size_t i = 0; i < times.size(); ++i) {
        channel.times.push_back(static_cast<float>(times[i]));
        const Vec3 v = to_float(values[i]);
        channel.values.insert(channel.values.end(), {v.x, v.y, v.z});
    }
    return channel;
}

Channel rotation_channel(int node, const std::vector<double>& times, const std::vector<Quat>& rotations) {
    Channel channel;
    channel.node = node;
    channel.path = Channel::Path::rotation;
    Quat before;
    for (std::size_t i = 0; i < times.size(); ++i) {
        Quat q = rotations[i];
        if (dot(q, before) < 0)
            q = {-q.w, -q.x, -q.y, -q.z};  // neighbours in one hemisphere: no player goes the long way round
        before = q;
        channel.times.push_back(static_cast<float>(times[i]));
        for (const double part : {q.x, q.y, q.z, q.w}) channel.values.push_back(static_cast<float>(part));
    }
    return channel;
}

Clip record_loop(const std::string& name, const Skeleton& skeleton, double seconds, const Move& move) {
    const int count = static_cast<int>(seconds * keys_per_second + 0.5);
    const std::size_t bones = skeleton.bones().size();
    std::vector<double> times;
    std::vector<Vec3d> root, hips;
    std::vector<Quat> root_turns;
    std::vector<std::vector<Quat>> turns(bones);
    for (int i = 0; i <= count; ++i) {
        times.push_back(i / keys_per_second);
        Puppet puppet(skeleton);
        move((i < count ? i : 0) / keys_per_second, puppet);
        root.push_back(puppet.root_offset);
        root_turns.push_back(normalized(puppet.root_turn));
        hips.push_back(skeleton.bone(0).head + puppet.hips_offset);
        for (std::size_t b = 0; b < bones; ++b)
            turns[b].push_back(normalized(puppet.local_rotation(static_cast<int>(b))));
    }
    Clip clip;
    clip.name = name;
    clip.duration = times.back();
    if (moves(root)) clip.channels.push_back(translation_channel(root_node, times, root));
    if (moves(root_turns)) clip.channels.push_back(rotation_channel(root_node, times, root_turns));
    if (moves(hips)) clip.channels.push_back(translation_channel(Skeleton::node_of(0), times, hips));
    for (std::size_t b = 0; b < bones; ++b) {
        if (!moves(turns[b])) continue;
        clip.channels.push_back(rotation_channel(Skeleton::node_of(static_cast<int>(b)), times, turns[b]));
    }
    return clip;
}

Clip hold_rest(double seconds) {
    Clip clip;
    clip.name = "rest";
    clip.duration = seconds;
    clip.channels.push_back(translation_channel(root_node, {0, seconds}, {Vec3d{}, Vec3d{}}));
    return clip;
}

Clip shake_clip(double amplitude) {
    constexpr double frequency = 1.5, stop = 2, end = 6;
    constexpr int keys = 240;  // a second
    std::vector<double> times;
    std::vector<Vec3d> offsets;
    for (int i = 0; i <= static_cast<int>(stop) * keys; ++i) {
        times.push_back(static_cast<double>(i) / keys);
        offsets.push_back({0, amplitude * wave(frequency * times.back()), 0});
    }
    times.push_back(end);
    offsets.push_back({});
    Clip clip;
    clip.name = "shake";
    clip.duration = end;
    clip.channels.push_back(translation_channel(root_node, times, offsets));
    return clip;
}

}  // namespace fascia::characters
