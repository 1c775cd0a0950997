#include "character/clip_maker.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <limits>

#include "character/ground_contact.h"
#include "character/grounding.h"
#include "character/limb_ends.h"
#include "character/loose_parts.h"
#include "character/posed_body.h"
#include "character/skin_points.h"
#include "character/sole_points.h"
#include "character/source_contacts.h"
#include "character/time_series.h"

namespace fascia {
namespace {

double seconds_between_frames(const Motion& motion) {
    return std::isfinite(motion.frame_time) && motion.frame_time > 0 ? motion.frame_time : 1.0 / 30;
}

/// The frames to play. A non-finite frame is replaced by the one before it.
std::vector<MotionFrame> played_frames(const Motion& motion, const MotionStart& start, std::size_t& refused) {
    std::vector<MotionFrame> frames;
    MotionFrame frame = start.rest;
    for (std::size_t f = start.first_frame; f < motion.frame_count(); ++f) {
        if (!evaluate_motion(motion, f, frame)) ++refused;
        frames.push_back(frame);
    }
    return frames;
}

// ---- plain retargeting ---------------------------------------------------------------------------

/// For each frame: what must be added to the travel to bring the lower foot as high above the ground as the motion's.
/// Different proportions and drifting floors make it necessary.
TimeSeries rise_of_lower_foot(const std::vector<MotionFrame>& frames, const std::vector<SolePoint>& soles,
                              const TimeSeries& lift, PosedBody& body) {
    TimeSeries rises(frames.size(), 0);
    if (soles.empty() || lift.empty()) return rises;
    const Vec3d up = body.alignment().frame.up();
    for (std::size_t f = 0; f < frames.size(); ++f) {
        body.pose_in_place(frames[f]);
        double low = std::numeric_limits<double>::infinity();
        for (const SolePoint& sole : soles)
            low = std::min(low, dot(transform_point(body.world()[sole.node], sole.place), up) - sole.ground);
        rises[f] = lift[f] * body.alignment().scale - low - dot(body.travel(frames[f]), up);
    }
    return rises;
}

/// [sides][frames] 1 while a hand is planted on the floor, with slopes before and after.
std::array<TimeSeries, 2> carried_by_hands(const SourceContacts& contacts, std::size_t frames, double seconds) {
    constexpr double kEase = 0.1;
    const double ease = std::clamp(kEase / seconds, 0.5, 300.0);
    std::array<TimeSeries, 2> carries;
    for (int s = 0; s < 2; ++s) {
        const std::vector<bool>& planted = contacts.ends[left_hand + s].planted;
        carries[s].assign(planted.begin(), planted.end());
        carries[s].resize(frames, 0);
        carries[s] = smooth_envelope(carries[s], ease);
        for (double& share : carries[s]) share = std::clamp(share, 0.0, 1.0);
    }
    return carries;
}

// ---- keys ----------------------------------------------------------------------------------------

class KeyWriter {
public:
    KeyWriter(const Character& character, const CharacterRest& rest, const PosedBody& body, const std::string& name)
        : character_(character),
          rest_(rest),
          body_(body),
          has_translation_(character.nodes.size(), false),
          is_turned_(character.nodes.size(), false) {
        clip_.name = name;
        for (int node : body.driven_nodes()) add_channel(node, Channel::Path::rotation);
        add_channel(body.root_node(), Channel::Path::translation);
        for (int node : body.detached_nodes()) add_channel(node, Channel::Path::translation);
    }

    /// Nodes that also turn and move relative to their carriers.
    void add_turned(const std::vector<int>& nodes) {
        for (int node : nodes) {
            add_channel(node, Channel::Path::rotation);
            add_channel(node, Channel::Path::translation);
            is_turned_[node] = true;
        }
    }

    /// A key of the body's present pose.
    void write_keys(double seconds) {
        for (Channel& channel : clip_.channels) {
            const CharacterRest::Local& local = body_.locals()[channel.node];
            channel.times.push_back(static_cast<float>(seconds));
            if (channel.path == Channel::Path::rotation) {
                push_rotation(channel, local.rotation);
            } else {
                push(channel, {local.translation.x, local.translation.y, local.translation.z});
            }
        }
        clip_.duration = static_cast<float>(seconds);
    }

    Clip finish() {
        hold_rest();
        return std::move(clip_);
    }

private:
    void add_channel(int node, Channel::Path path) {
        Channel channel;
        channel.node = node;
        channel.path = path;
        if (path == Channel::Path::translation) has_translation_[node] = true;
        clip_.channels.push_back(std::move(channel));
    }

    static void push(Channel& channel, std::initializer_list<double> numbers) {
        for (double number : numbers) channel.values.push_back(static_cast<float>(number));
    }

    /// Of the two signs of a rotation, the one nearer to the previous key: other programs may interpolate without
    /// checking.
    static void push_rotation(Channel& channel, Quat q) {
        const std::size_t n = channel.values.size();
        if (n >= 4) {
            const float* last = channel.values.data() + n - 4;
            if (q.x * last[0] + q.y * last[1] + q.z * last[2] + q.w * last[3] < 0) q = {-q.w, -q.x, -q.y, -q.z};
        }
        push(channel, {q.x, q.y, q.z, q.w});
    }

    /// Joints that the motion does not move stay as they were bound, even if the file's default pose differs.
    void hold_rest() {
        for (int node : rest_.nodes) {
            const Node& file = character_.nodes[node];
            const CharacterRest::Local& local = rest_.locals[node];
            if (local.fixed || file.matrix) continue;
            const double reach = 1e-6 * (length(local.translation) + length(file.translation)) + 1e-12;
            if (!has_translation_[node] && length(local.translation - file.translation) > reach)
                hold(node, Channel::Path::translation, {local.translation.x, local.translation.y, local.translation.z});
            if (!body_.is_driven(node) && !is_turned_[node] &&
                std::abs(dot(local.rotation, normalized(file.rotation))) < 1 - 1e-12)
                hold(node, Channel::Path::rotation,
                     {local.rotation.x, local.rotation.y, local.rotation.z, local.rotation.w});
            if (length(local.scale - file.scale) > 1e-5 * length(file.scale))
                hold(node, Channel::Path::scale, {local.scale.x, local.scale.y, local.scale.z});
        }
    }

    void hold(int node, Channel::Path path, std::initializer_list<double> numbers) {
        add_channel(node, path);
        clip_.channels.back().times = {0};
        push(clip_.channels.back(), numbers);
    }

    const Character& character_;
    const CharacterRest& rest_;
    const PosedBody& body_;
    std::vector<bool> has_translation_, is_turned_;
    Clip clip_;
};

}  // namespace

MadeClip make_clip(const Character& character, const CharacterRest& rest, const Anatomy& anatomy, const Motion& motion,
                   const MotionStart& start, const JointMatching& matching, ClipCare care) {
    MadeClip made;
    const std::vector<MotionFrame> frames = played_frames(motion, start, made.refused_frames);
    const double seconds = seconds_between_frames(motion);
    PosedBody body(character, rest, anatomy, motion, start, matching, frames.front());
    const Vec3d up = body.alignment().frame.up(), source_up = body.alignment().source_frame.up();
    KeyWriter keys(character, rest, body, motion.name);
    const auto time_of = [&](std::size_t f) { return static_cast<double>(f) * seconds; };

    if (care == ClipCare::plain) {
        std::vector<SolePoint> soles = sole_points(character, rest, anatomy, body.alignment().frame);
        for (SolePoint& sole : soles) sole.place = transform_point(inverse(rest.world[sole.node]), sole.place);
        // Contact moves from heel to toe in an instant; followed exactly it would jolt the whole body.
        constexpr double kEase = 0.1, kMostFrames = 100;
        const TimeSeries rises =
            smoothed(rise_of_lower_foot(frames, soles, lift_above_ground(motion, start, source_up), body),
                     std::clamp(kEase / seconds, 1e-3, kMostFrames));
        for (std::size_t f = 0; f < frames.size(); ++f) {
            body.pose_in_place(frames[f]);
            body.shift_root(body.travel(frames[f]) + up * rises[f]);
            keys.write_keys(time_of(f));
        }
    } else {
        const SourceContacts contacts = find_contacts(motion, start, frames, seconds, source_up);
        std::array<double, kCarriers> standing{};
        for (int c = 0; c < kCarriers; ++c) standing[c] = contacts.carriers[c].standing * body.alignment().scale;
        const Anatomy limbs = with_limb_ends(anatomy, rest.skeleton);
        LooseParts loose(character, rest, limbs, body);
        const SkinPoints skin(character, rest, limbs, body.alignment().frame, loose, standing);
        Grounding grounding(body, rest, limbs, contacts, skin, frames, seconds);
        constexpr double kLooseEase = 0.08;  // seconds
        loose.rest_on_floor(body, skin.floor(), frames.size(), std::clamp(kLooseEase / seconds, 0.5, 300.0),
                            [&](std::size_t f) { grounding.pose(f); });
        grounding.raise_where_nothing_stands(loose.remaining_depths(skin.floor()));
        keys.add_turned(loose.turned_nodes());
        ArmClearing clearing(character, rest, limbs, loose, body);
        if (care == ClipCare::cleared)
            clearing.find(body, carried_by_hands(contacts, frames.size(), seconds), skin, seconds,
                          [&](std::size_t f) { grounding.pose(f); });
        made.cleared = clearing.most();
        for (std::size_t f = 0; f < frames.size(); ++f) {
            grounding.pose(f);
            clearing.turn(body, f);
            loose.turn(body, f);
            keys.write_keys(time_of(f));
        }
    }
    made.clip = keys.finish();
    return made;
}

}  // namespace fascia
