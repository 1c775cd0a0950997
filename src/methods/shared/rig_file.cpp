// Rigs and states as bytes: a short head with version and checksum, then what the method wrote.
#include <array>
#include <cmath>
#include <string>

#include "base/bytes.h"
#include "base/hash.h"
#include "methods/shared/methods.h"

namespace fascia {

namespace {

using Magic = std::array<char, 8>;
constexpr Magic rig_magic{'F', 'A', 'S', 'C', 'I', 'A', 'R', 'G'}, state_magic{'F', 'A', 'S', 'C', 'I', 'A', 'S', 'T'};
constexpr std::uint32_t version = 6;  ///< raised whenever anything that is written changes
constexpr std::uint32_t byte_order = 0x01020304;

std::uint64_t checksum(std::span<const std::uint8_t> bytes) {
    Hasher hasher;
    hasher.bytes(bytes.data(), bytes.size());
    return hasher.value();
}

std::vector<std::uint8_t> wrapped(const Magic& magic, const std::vector<std::uint8_t>& content) {
    ByteWriter out;
    out.value(magic);
    out.value(version);
    out.value(byte_order);
    out.value(checksum(content));
    out.array(content);
    return out.take();
}

/// The content of a sound file, or a sentence. what: "rig" or "state".
Result<std::vector<std::uint8_t>> unwrapped(const Magic& magic, const std::string& what,
                                            std::span<const std::uint8_t> bytes, const std::string& name) {
    const std::string named = what + " file '" + name + "'";
    ByteReader in(bytes);
    if (in.value<Magic>() != magic) return input_error(named + " is no " + what + " file of Fascia");
    const auto written_by = in.value<std::uint32_t>();
    const auto order = in.value<std::uint32_t>();
    const auto sum = in.value<std::uint64_t>();
    if (!in.ok()) return input_error(named + " is cut off; copy it again or save it anew");
    if (written_by != version)
        return input_error(named + " has version " + std::to_string(written_by) + ", this Fascia reads version " +
                           std::to_string(version) + "; bind the character again and save it anew");
    if (order != byte_order) return input_error(named + " was written on a machine of another byte order");
    std::vector<std::uint8_t> content;
    in.array(content);
    if (!in.ok()) return input_error(named + " is cut off; copy it again or save it anew");
    if (!in.at_end()) return input_error(named + " goes on after its end; copy it again or save it anew");
    if (checksum(content) != sum) return input_error(named + " is damaged; copy it again or save it anew");
    return content;
}

Result<RigPtr> load_content(const std::string& method, ByteReader& in) {
    if (method == "lbs") return load_lbs(in);
    if (method == "dqs") return load_dqs(in);
    if (method == "bones-blending") return load_bones_blending(in);
    if (method == "lattice") return load_lattice(in);
    if (method == "layers") return load_layers(in);
    return input_error("its method '" + method + "' is unknown here; use the Fascia that wrote it");
}

// ---- states ----------------------------------------------------------------------------------------------------
void write_state(const State& state, ByteWriter& out) {
    // Every member by name: a new one does not compile until it is written too.
    const auto& [stride, positions, velocities, rotations, driven, joints, previous_joints, tracks, last_frame, frame,
                 accumulator, asleep, settled_by, fades, grip, counters] = state;
    const auto& [points, shares, arm, target, last_target, strength] = grip;
    out.value(std::uint64_t{stride});
    for (const Floats* channel : {&positions, &velocities, &rotations, &driven}) out.array(*channel);
    out.array(joints);
    out.array(previous_joints);
    out.array(tracks);
    out.value(last_frame);
    out.value(frame);
    out.value(accumulator);
    out.value(asleep);
    out.value(settled_by);
    out.array(fades);
    out.array(points);
    out.array(shares);
    for (const Vec3d& v : {arm, target, last_target}) out.value(v);
    out.value(strength);
    out.value(counters);
}

State read_state(ByteReader& in) {
    State out;
    out.stride = std::size_t(in.value<std::uint64_t>());
    for (Floats* channel : {&out.positions, &out.velocities, &out.rotations, &out.driven}) in.array(*channel);
    in.array(out.joints);
    in.array(out.previous_joints);
    in.array(out.tracks);
    out.last_frame = in.value<double>();
    out.frame = in.value<Affine>();
    out.accumulator = in.value<double>();
    out.asleep = in.value<std::uint64_t>();
    out.settled_by = in.value<std::uint64_t>();
    in.array(out.fades);
    in.array(out.grip.points);
    in.array(out.grip.shares);
    for (Vec3d* v : {&out.grip.arm, &out.grip.target, &out.grip.last_target}) *v = in.value<Vec3d>();
    out.grip.strength = in.value<double>();
    out.counters = in.value<Counters>();
    return out;
}

bool is_sound(const Grip& grip, std::size_t stride) {
    for (const std::uint32_t point : grip.points)
        if (point >= stride) return false;
    for (const float share : grip.shares)
        if (!(share >= 0 && share <= 1)) return false;
    for (const Vec3d& v : {grip.arm, grip.target, grip.last_target})
        if (!std::isfinite(v.x) || !std::isfinite(v.y) || !std::isfinite(v.z)) return false;
    return grip.shares.size() == grip.points.size() && grip.strength >= 0 && std::isfinite(grip.strength);
}

bool same_sizes(const State& a, const State& b) {
    return a.stride == b.stride && a.positions.size() == b.positions.size() &&
           a.velocities.size() == b.velocities.size() && a.rotations.size() == b.rotations.size() &&
           a.driven.size() == b.driven.size() && a.joints.size() == b.joints.size() &&
           a.previous_joints.size() == b.previous_joints.size() && a.tracks.size() == b.tracks.size() &&
           (a.fades.empty() || a.fades.size() == b.joints.size()) && is_sound(a.grip, b.stride);
}

bool all_finite(const State& state) {
    for (const Fade& fade : state.fades)
        for (const float v : {fade.from, fade.to, fade.elapsed, fade.seconds})
            if (!std::isfinite(v)) return false;
    for (const Floats* channel : {&state.positions, &state.velocities, &state.rotations, &state.driven})
        for (const float v : *channel)
            if (!std::isfinite(v)) return false;
    for (const auto* pose : {&state.joints, &state.previous_joints})
        for (const Affine& a : *pose)
            if (!is_finite(a) || !is_invertible(a)) return false;
    for (const JointTrack& track : state.tracks)
        for (const Vec3d& v : {track.mean.place, track.mean.turn, track.end.place, track.end.turn})
            if (!std::isfinite(v.x + v.y + v.z)) return false;
    return is_finite(state.frame) && is_invertible(state.frame) && std::isfinite(state.accumulator) &&
           std::isfinite(state.last_frame) && state.last_frame >= 0;
}

}  // namespace

Result<std::vector<std::uint8_t>> save_rig(const Rig& rig) {
    Result<std::vector<std::uint8_t>> content = rig.save_content();
    if (!content) return content.error();
    ByteWriter out;
    out.array(std::string(rig.method()));
    out.array(*content);
    return wrapped(rig_magic, out.bytes());
}

Result<RigPtr> load_rig(std::span<const std::uint8_t> bytes, const std::string& name, const std::string& method) {
    const Result<std::vector<std::uint8_t>> whole = unwrapped(rig_magic, "rig", bytes, name);
    if (!whole) return whole.error();
    ByteReader head(*whole);
    const std::string written = head.text();
    std::vector<std::uint8_t> content;
    head.array(content);
    if (!method.empty() && written != method)
        return input_error("rig file '" + name + "' holds a rig of '" + written + "', not of '" + method +
                           "'; bind the character by that method");
    ByteReader in(content);
    Result<RigPtr> rig = load_content(written, in);
    if (!rig) return input_error("rig file '" + name + "' cannot be used: " + rig.error().message);
    if (!in.ok() || !in.at_end()) return input_error("rig file '" + name + "' is damaged; save it anew");
    return rig;
}

std::vector<std::uint8_t> save_state(const Rig& rig, const State& state) {
    ByteWriter out;
    out.array(std::string(rig.method()));
    write_state(state, out);
    return wrapped(state_magic, out.bytes());
}

Result<State> load_state(const Rig& rig, std::span<const std::uint8_t> bytes, const std::string& name) {
    const Result<std::vector<std::uint8_t>> content = unwrapped(state_magic, "state", bytes, name);
    if (!content) return content.error();
    ByteReader in(*content);
    const std::string method = in.text();
    State state = read_state(in);
    if (!in.ok() || !in.at_end()) return input_error("state file '" + name + "' is damaged; save it anew");
    if (method != rig.method() || !same_sizes(state, rig.make_state()))
        return input_error("state file '" + name + "' belongs to another rig; load it with the rig it was saved with");
    if (!all_finite(state)) return input_error("state file '" + name + "' holds numbers that are none; save it anew");
    return state;
}

}  // namespace fascia
