// Rigs and states as bytes: a short header with version and checksum, then what the method wrote.
#include <array>
#include <cassert>
#include <string>

#include "base/bytes.h"
#include "base/hash.h"
#include "methods/method_lookup.h"
#include "methods/shared/embedded_rig.h"
#include "settings/settings_access.h"

namespace fascia {

namespace {

using Magic = std::array<char, 8>;
constexpr std::uint32_t byte_order = 0x01020304;

/// A kind of file. What a method writes into a rig has its own version.
struct Kind {
    Magic magic;
    const char* what;
    std::uint32_t oldest, newest;  ///< header versions that can be read; the newest is written
    const char* anew;              ///< what to do about a file that is too old
};
constexpr Kind rigs{
    {'F', 'A', 'S', 'C', 'I', 'A', 'R', 'G'}, "rig", 8, 8, "bind the character again and save it again"};
/// 9: with the fingerprint of the rig. 10: with the hand-over from another rig.
constexpr Kind states{{'F', 'A', 'S', 'C', 'I', 'A', 'S', 'T'},
                      "state",
                      8,
                      10,
                      "reset an instance to the pose it had, let it settle and save it again"};

std::uint64_t checksum(std::span<const std::uint8_t> bytes) {
    Hasher hasher;
    hasher.bytes(bytes.data(), bytes.size());
    return hasher.value();
}

std::vector<std::uint8_t> wrapped(const Kind& kind, const std::vector<std::uint8_t>& content) {
    ByteWriter out;
    out.value(kind.magic);
    out.value(kind.newest);
    out.value(byte_order);
    out.value(checksum(content));
    out.array(content);
    return out.take();
}

struct Content {
    std::uint32_t version = 0;
    std::vector<std::uint8_t> bytes;
};

std::string versions_of(const Kind& kind) {
    return kind.oldest == kind.newest
               ? "version " + std::to_string(kind.newest)
               : "versions " + std::to_string(kind.oldest) + " to " + std::to_string(kind.newest);
}

/// The content of an intact file, or a sentence that says what is wrong.
Result<Content> unwrapped(const Kind& kind, std::span<const std::uint8_t> bytes, const std::string& name) {
    const std::string named = std::string(kind.what) + " file '" + name + "'";
    ByteReader in(bytes);
    Content out;
    if (in.value<Magic>() != kind.magic) return input_error(named + " is no " + kind.what + " file of Fascia");
    out.version = in.value<std::uint32_t>();
    const auto order = in.value<std::uint32_t>();
    const auto sum = in.value<std::uint64_t>();
    if (!in.ok()) return input_error(named + " is cut off; copy it again or save it again");
    if (out.version < kind.oldest || out.version > kind.newest)
        return input_error(named + " has version " + std::to_string(out.version) + ", this Fascia reads " +
                           versions_of(kind) + "; " +
                           (out.version > kind.newest ? "use the Fascia that wrote it, or a newer one" : kind.anew));
    if (order != byte_order) return input_error(named + " was written on a machine of another byte order");
    in.array(out.bytes);
    if (!in.ok()) return input_error(named + " is cut off; copy it again or save it again");
    if (!in.at_end()) return input_error(named + " continues past its end; copy it again or save it again");
    if (checksum(out.bytes) != sum) return input_error(named + " is damaged; copy it again or save it again");
    return out;
}

/// Reads a rig after the header: method, version, settings, then what the method wrote.
Result<RigPtr> load_content(const Method& method, ByteReader& in) {
    const auto written_by = in.value<std::uint32_t>();
    FieldTable fields = method.fields;
    const bool lacks_field = !method.new_field.empty() && written_by + 1 == method.file_version;
    if (lacks_field) std::erase_if(fields.fields, [&](const Field& f) { return f.info.key == method.new_field; });
    if (in.ok() && written_by != method.file_version && !lacks_field)
        return input_error("it was written by version " + std::to_string(written_by) + " of the method '" +
                           method.info.name + "', this Fascia reads version " + std::to_string(method.file_version) +
                           "; bind the character again and save it again");
    Settings settings = method.usual();
    if (const Status read = read_settings(fields, settings.own(), in); !read)
        return input_error("its settings are damaged (" + read.error().message + ")");
    if (const Status checked = method.check(settings, nullptr); !checked)
        return input_error("its settings are damaged (" + checked.error().message + ")");
    Result<RigPtr> rig = method.load(settings, in);
    if (!rig || !in.ok() || in.at_end()) return rig;
    // More follows only for a rig whose surface is carried in a way other than its method's own.
    const EmbedOptions options = read_embed_options(in);
    if (!in.ok()) return input_error("it ends too early");
    return embedded(std::move(*rig), method, options);
}

// ---- states ----------------------------------------------------------------------------------------------------
void write_state(const State& state, ByteWriter& out) {
    // Names every member, so that a new one does not compile until it is written, too.
    const auto& [stride, positions, velocities, rotations, memory, joints, previous_joints, tracks, last_frame, frame,
                 accumulator, asleep, calm_steps, held_steps, settled_by, fades, grip, counters, rig, still_frames,
                 handover] = state;
    static_cast<void>(still_frames);  // counted from 0 again: what was shown before is not known
    const auto& [points, shares, arm, target, last_target, strength] = grip;
    out.value(std::uint64_t{stride});
    for (const Floats* channel : {&positions, &velocities, &rotations, &memory}) out.array(*channel);
    out.array(joints);
    out.array(previous_joints);
    out.array(tracks);
    out.value(last_frame);
    out.value(frame);
    out.value(accumulator);
    out.value(asleep);
    out.value(calm_steps);
    out.value(held_steps);
    out.value(settled_by);
    out.array(fades);
    out.array(points);
    out.array(shares);
    for (const Vec3d& v : {arm, target, last_target}) out.value(v);
    out.value(strength);
    out.value(counters);
    out.value(rig);
    const auto& [offsets, normals, speeds, pose, elapsed, seconds] = handover;
    out.array(offsets);
    out.array(normals);
    out.array(speeds);
    out.array(pose);
    out.value(elapsed);
    out.value(seconds);
}

Handover read_handover(ByteReader& in) {
    Handover out;
    in.array(out.positions);
    in.array(out.normals);
    in.array(out.speeds);
    in.array(out.joints);
    out.elapsed = in.value<float>();
    out.seconds = in.value<float>();
    return out;
}

/// There are more counters since version 8.
Counters read_counters(ByteReader& in, std::uint32_t version) {
    if (version > 8) return in.value<Counters>();
    Counters out;
    for (std::uint64_t* count : {&out.steps, &out.refused_poses, &out.resets, &out.limited_points, &out.dropped_steps})
        *count = in.value<std::uint64_t>();
    return out;
}

/// A State of version 8 does not say which rig it belongs to; it takes that of `rig`, and its sizes must then fit.
State read_state(ByteReader& in, std::uint32_t version, const Rig& rig) {
    State out;
    out.stride = std::size_t(in.value<std::uint64_t>());
    for (Floats* channel : {&out.positions, &out.velocities, &out.rotations, &out.memory}) in.array(*channel);
    in.array(out.joints);
    in.array(out.previous_joints);
    in.array(out.tracks);
    out.last_frame = in.value<double>();
    out.frame = in.value<Affine>();
    out.accumulator = in.value<double>();
    out.asleep = in.value<std::uint64_t>();
    out.calm_steps = in.value<std::uint64_t>();
    out.held_steps = in.value<std::uint64_t>();
    out.settled_by = in.value<std::uint64_t>();
    in.array(out.fades);
    in.array(out.grip.points);
    in.array(out.grip.shares);
    for (Vec3d* v : {&out.grip.arm, &out.grip.target, &out.grip.last_target}) *v = in.value<Vec3d>();
    out.grip.strength = in.value<double>();
    out.counters = read_counters(in, version);
    out.rig = version > 8 ? in.value<std::uint64_t>() : rig.fingerprint();
    if (version > 9) out.handover = read_handover(in);
    return out;
}

}  // namespace

Result<std::vector<std::uint8_t>> save_rig(const Rig& rig) {
    const Result<const Method*> method = need_method(rig.method());
    if (!method) return method.error();
    const Result<std::vector<std::uint8_t>> content = rig.save_content();
    if (!content) return content.error();
    ByteWriter out;
    out.array(std::string(rig.method()));
    out.value((*method)->file_version);
    write_settings((*method)->fields, rig.settings().own(), out);
    out.append(*content);
    if (const EmbedOptions* options = rig.embedding()) write_embed_options(*options, out);
    return wrapped(rigs, out.bytes());
}

Result<RigPtr> load_rig(std::span<const std::uint8_t> bytes, const std::string& name, const std::string& method) {
    const Result<Content> content = unwrapped(rigs, bytes, name);
    if (!content) return content.error();
    ByteReader in(content->bytes);
    const std::string written = in.text();
    if (!method.empty() && written != method)
        return input_error("rig file '" + name + "' holds a rig of '" + written + "', not of '" + method +
                           "'; bind the character by that method");
    const Method* own = find_method(written);
    if (!own)
        return input_error("rig file '" + name + "' cannot be used: its method '" + written +
                           "' is unknown here; use the Fascia that wrote it");
    Result<RigPtr> rig = load_content(*own, in);
    if (!rig) return input_error("rig file '" + name + "' cannot be used: " + rig.error().message);
    if (!in.ok() || !in.at_end()) return input_error("rig file '" + name + "' is damaged; save it again");
    return rig;
}

std::vector<std::uint8_t> save_state(const Rig& rig, const State& state) {
    assert(state.rig == rig.fingerprint());
    if (state.rig != rig.fingerprint()) return {};
    ByteWriter out;
    out.array(std::string(rig.method()));
    write_state(state, out);
    return wrapped(states, out.bytes());
}

Result<State> load_state(const Rig& rig, std::span<const std::uint8_t> bytes, const std::string& name) {
    const Result<Content> content = unwrapped(states, bytes, name);
    if (!content) return content.error();
    ByteReader in(content->bytes);
    const std::string method = in.text();
    State state = read_state(in, content->version, rig);
    if (!in.ok() || !in.at_end()) return input_error("state file '" + name + "' is damaged; save it again");
    if (method != rig.method())
        return input_error("state file '" + name + "' belongs to another rig, of the method '" + method +
                           "'; load it with the rig it was saved with");
    if (state.rig != rig.fingerprint())
        return input_error(
            "state file '" + name +
            "' belongs to another rig: another character, or other built-in settings; load it with the rig "
            "it was saved with");
    const bool shows_another = !state.handover.positions.empty();
    if (!rig.accepts(state) || (shows_another && state.handover.positions.size() != rig.vertex_count()))
        return input_error("state file '" + name +
                           "' belongs to another rig or is damaged; load it with the rig it was saved with");
    return state;
}

}  // namespace fascia
