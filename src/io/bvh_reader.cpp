// Biovision BVH: a HIERARCHY of joints with channels, then MOTION rows.
//
// A joint's local rotation is the product of its rotation channels in the order listed; position channels replace the
// OFFSET (exporters that key every joint write the offset into each row).
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "base/words.h"
#include "fascia/io.h"
#include "io/file_bytes.h"
#include "io/memory_budget.h"
#include "io/text_scanner.h"

namespace fascia {

namespace {

using namespace fascia::io;

struct BvhChannel {
    std::size_t joint;
    bool rotation;
    int axis;  ///< 0 x, 1 y, 2 z
};

constexpr std::size_t most_joints = 65535;

class BvhReader {
public:
    BvhReader(std::string_view text, const std::string& name) : scan_(text), name_(name), budget_(text.size()) {
        motion_.name = name;
    }

    Result<Motion> read() {
        if (!equal_ignoring_case(scan_.word(), "HIERARCHY"))
            return fail("does not begin with HIERARCHY; this is not a BVH");
        if (auto status = read_hierarchy(); !status) return status.error();
        if (auto status = read_header(); !status) return status.error();
        if (auto status = read_frames(); !status) return status.error();
        return std::move(motion_);
    }

private:
    TextScanner scan_;
    const std::string& name_;
    MemoryBudget budget_;
    Motion motion_;
    std::vector<BvhChannel> channels_;
    std::size_t frames_ = 0;

    Error fail(const std::string& what) {
        return input_error(fmt::format("{}, line {}: {}.", name_, scan_.line(), what));
    }

    /// Joints until MOTION; `open` holds the joints whose brace is not closed yet.
    Status read_hierarchy() {
        std::vector<std::size_t> open;
        for (;;) {
            const std::string_view word = scan_.word();
            if (word.empty()) return fail("the file ends inside the HIERARCHY; it is cut short");
            if (equal_ignoring_case(word, "MOTION")) break;
            if (word == "}") {
                // A surplus closing brace does no harm.
                if (!open.empty()) open.pop_back();
                continue;
            }
            if (auto status = read_entry(word, open); !status) return status;
        }
        // Missing closing braces are tolerated: MOTION ends the tree.
        if (motion_.joints.empty()) return fail("there are no joints");
        return ok_status();
    }

    Status read_entry(std::string_view word, std::vector<std::size_t>& open) {
        const bool root = equal_ignoring_case(word, "ROOT"), joint = equal_ignoring_case(word, "JOINT");
        if (root || joint || equal_ignoring_case(word, "End")) return open_joint(!root && !joint, open);
        if (open.empty()) return fail(fmt::format("'{}' stands outside of any joint", word.substr(0, 40)));
        if (equal_ignoring_case(word, "OFFSET")) return read_offset(open.back());
        if (equal_ignoring_case(word, "CHANNELS")) return read_channels(open.back());
        return fail(fmt::format("'{}' is not known here; OFFSET, CHANNELS, JOINT, End Site or a brace is expected",
                                word.substr(0, 40)));
    }

    Status open_joint(bool end_site, std::vector<std::size_t>& open) {
        if (motion_.joints.size() >= most_joints) return fail("there are too many joints");
        std::string_view rest = scan_.rest_of_line();
        const bool brace = !rest.empty() && rest.back() == '{';
        if (brace) rest.remove_suffix(1);
        while (!rest.empty() && (rest.back() == ' ' || rest.back() == '\t')) rest.remove_suffix(1);
        MotionJoint joint;
        joint.parent = open.empty() ? -1 : static_cast<int>(open.back());
        joint.end_site = end_site;
        if (end_site && open.empty()) return fail("an End Site stands outside of any joint");
        joint.name = end_site ? end_name(motion_.joints[open.back()]) : short_name(rest);
        if (joint.name.empty()) joint.name = fmt::format("joint_{}", motion_.joints.size());
        if (!brace && scan_.word() != "{")
            return fail(fmt::format("joint '{}' has no opening brace", joint.name.substr(0, 40)));
        if (auto status = budget_.take(1, sizeof joint + joint.name.size(), name_ + ": a joint"); !status)
            return status;
        open.push_back(motion_.joints.size());
        motion_.joints.push_back(std::move(joint));
        return ok_status();
    }

    static std::string end_name(const MotionJoint& parent) {
        return parent.end_site ? parent.name : parent.name + "_end";
    }

    Status read_offset(std::size_t joint) {
        Vec3d& offset = motion_.joints[joint].offset;
        if (scan_.number(offset.x) && scan_.number(offset.y) && scan_.number(offset.z)) return ok_status();
        return fail(fmt::format("the OFFSET of joint '{}' is not three numbers", motion_.joints[joint].name));
    }

    Status read_channels(std::size_t joint) {
        std::int64_t count = 0;
        if (!parse_integer(scan_.word(), count) || count < 0 || count > 64)
            return fail("CHANNELS must be followed by a count");
        for (std::int64_t c = 0; c < count; ++c) {
            const auto channel = parse_channel(scan_.word(), joint);
            if (!channel) return fail(fmt::format("joint '{}' has an unknown channel", motion_.joints[joint].name));
            channels_.push_back(*channel);
        }
        return ok_status();
    }

    static std::optional<BvhChannel> parse_channel(std::string_view word, std::size_t joint) {
        if (word.empty()) return std::nullopt;
        const char first = static_cast<char>(word[0] | 32);
        if (first < 'x' || first > 'z') return std::nullopt;
        const bool rotation = equal_ignoring_case(word.substr(1), "rotation");
        if (!rotation && !equal_ignoring_case(word.substr(1), "position")) return std::nullopt;
        return BvhChannel{joint, rotation, first - 'x'};
    }

    Status read_header() {
        double declared = 0;
        if (!equal_ignoring_case(scan_.word(), "Frames:") || !scan_.number(declared))
            return fail("MOTION must be followed by 'Frames:' and a number");
        if (!equal_ignoring_case(scan_.word(), "Frame") || !equal_ignoring_case(scan_.word(), "Time:") ||
            !scan_.number(motion_.frame_time)) {
            return fail("'Frame Time:' and a number are missing");
        }
        if (!(declared >= 1)) return fail("there are no frames");
        if (!(motion_.frame_time > 0))
            return fail(fmt::format("a frame time of {} s cannot be played", motion_.frame_time));
        if (channels_.empty()) return fail("no joint has channels; nothing moves");
        // Never more rows than the text has room for: each number takes at least two characters.
        const double room = static_cast<double>((scan_.remaining().size() + 1) / (2 * channels_.size()));
        frames_ = static_cast<std::size_t>(std::min(declared, room));
        return ok_status();
    }

    /// Reads as many rows as are complete: a clip that was cut short still plays.
    Status read_frames() {
        const std::size_t joints = motion_.joints.size();
        if (auto status = budget_.take(frames_ * joints, sizeof(Vec3d) + sizeof(Quat), name_); !status) return status;
        motion_.translations.reserve(frames_ * joints);
        motion_.rotations.reserve(frames_ * joints);
        std::vector<double> row(channels_.size());
        for (std::size_t f = 0; f < frames_ && !scan_.at_end(); ++f) {
            std::size_t read = 0;
            while (read < row.size() && scan_.number(row[read])) ++read;
            if (read < row.size() && !scan_.at_end()) {
                return fail(fmt::format("frame {} has '{}' where a number is expected", f, scan_.peek().substr(0, 40)));
            }
            if (read < row.size()) break;
            append_frame(row);
        }
        if (motion_.frame_count() == 0) return fail("there is no complete frame; the file is cut short");
        return ok_status();
    }

    void append_frame(const std::vector<double>& row) {
        const std::size_t first = motion_.rotations.size();
        for (const MotionJoint& joint : motion_.joints) motion_.translations.push_back(joint.offset);
        motion_.rotations.resize(first + motion_.joints.size());
        for (std::size_t c = 0; c < channels_.size(); ++c) {
            const BvhChannel& channel = channels_[c];
            const std::size_t at = first + channel.joint;
            if (channel.rotation) {
                const double half = row[c] * (std::numbers::pi / 360);
                Quat turn{std::cos(half), 0, 0, 0};
                (channel.axis == 0 ? turn.x : channel.axis == 1 ? turn.y : turn.z) = std::sin(half);
                motion_.rotations[at] = motion_.rotations[at] * turn;
            } else {
                Vec3d& t = motion_.translations[at];
                (channel.axis == 0 ? t.x : channel.axis == 1 ? t.y : t.z) = row[c];
            }
        }
        for (std::size_t j = first; j < motion_.rotations.size(); ++j)
            motion_.rotations[j] = normalized(motion_.rotations[j]);
    }
};

}  // namespace

Result<Motion> parse_bvh(std::string_view text, const std::string& name) {
    if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
    return BvhReader(text, name).read();
}

Result<Motion> load_motion(const std::string& path) {
    if (lower_extension(path) != ".bvh") return input_error(fmt::format("{}: only .bvh motions are read.", path));
    auto bytes = read_file(path);
    if (!bytes) return bytes.error();
    auto motion = parse_bvh({reinterpret_cast<const char*>(bytes->data()), bytes->size()}, file_name_of(path));
    if (!motion) return motion.error();
    motion->name = motion->name.substr(0, motion->name.rfind('.'));
    return motion;
}

}  // namespace fascia
