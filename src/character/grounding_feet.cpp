// Planted feet and hands: where they go so that they slide no more than the source's.
#include <algorithm>
#include <cmath>

#include "character/frame_flags.h"
#include "character/grounding.h"
#include "character/grounding_times.h"

namespace fascia {
namespace {

constexpr double kSwing = 0.35;        ///< seconds in which a limb lets go of a correction
constexpr double kShortGap = 0.07;     ///< seconds: contacts this close together are one
constexpr double kTouchHeight = 0.05;  ///< in legs: anything lower counts as touching

}  // namespace

/// A foot that stands still in the source still rocks and turns by a few degrees. On a foot that is longer for its leg
/// than the source's, the heel and the toes would move further, so it turns less instead.
void Grounding::steady_feet() {
    for (int limb : {left_foot, right_foot}) {
        LimbState& state = limbs_[limb];
        const ContactPoint &end = contacts_.ends[limb], &tip = contacts_.tips[limb];
        if (!state.can_bend() || state.tip < 0 || end.joint < 0 || tip.joint < 0) continue;
        std::vector<Vec3d> own, source, turn(frames_.size());
        std::vector<bool> flat(frames_.size(), false);
        for (std::size_t f = 0; f < frames_.size(); ++f) {
            body_.pose_in_place(frames_[f]);
            const auto& world = body_.world();
            own.push_back(translation_of(world[state.tip]) - translation_of(world[state.end]));
            source.push_back(
                rotate(body_.alignment().to_target, frames_[f].positions[tip.joint] - frames_[f].positions[end.joint]) *
                scale_);
            flat[f] = end.planted[f] && tip.planted[f];
        }
        if (!(length(own[0]) > 0.4 * length(source[0]))) continue;
        close_gaps(flat, frames_in(kShortGap));
        for (std::size_t f = 0; f < flat.size(); ++f) {
            if (!flat[f]) continue;
            std::size_t last = f;
            Vec3d mean;  // of the turn that the character's foot has and the source's has not
            for (; last < flat.size() && flat[last]; ++last) mean += own[last] - source[last];
            mean = mean * (1.0 / static_cast<double>(last - f));
            for (; f < last; ++f) {
                const Quat turned = shortest_rotation(own[f], source[f] + mean);
                turn[f] = Vec3d{turned.x, turned.y, turned.z} * 2;  // for a few degrees, nearly the angle
            }
        }
        turn = bridged_across(turn, flat);
        for (const Vec3d& half : turn)
            state.foot_turn.push_back(normalized(Quat{1, half.x / 2, half.y / 2, half.z / 2}));
    }
}

void Grounding::find_offsets(int limb) {
    LimbState& state = limbs_[limb];
    if (!state.can_bend() || !contacts_.carriers[limb].known) return;
    std::vector<bool> touching(frames_.size(), false);
    const TimeSeries vertical = vertical_offset(limb, touching);
    const std::vector<bool> planted = planted_frames(limb);
    const std::vector<Vec3d> horizontal = horizontal_offset(limb, planted);
    for (std::size_t f = 0; f < frames_.size(); ++f) {
        state.offset[f] = horizontal[f] + up_ * vertical[f];
        touching[f] = touching[f] || planted[f];
    }
    state.hold = smooth_envelope(as_numbers(touching), frames_in(ground_release_ease));
    state.stand = smooth_envelope(as_numbers(planted), frames_in(ground_limb_ease));
}

TimeSeries Grounding::vertical_offset(int limb, std::vector<bool>& touching) const {
    const TimeSeries& lift = contacts_.carriers[limb].lift;
    TimeSeries offset(frames_.size(), 0);
    for (std::size_t f = 0; f < frames_.size(); ++f) {
        touching[f] = lift[f] < kTouchHeight * contacts_.leg && std::isfinite(low_[f][limb]);
        if (touching[f]) offset[f] = lift[f] * scale_ - low_[f][limb] - rise_[f];
    }
    offset = bridged(offset, touching, LongGap::fade_to_zero, frames_in(kSwing));
    return smoothed(offset, frames_in(ground_limb_ease));
}

std::vector<bool> Grounding::planted_frames(int limb) const {
    std::vector<bool> planted(frames_.size(), false);
    const ContactPoint &end = contacts_.ends[limb], &tip = contacts_.tips[limb];
    for (std::size_t f = 0; f < planted.size(); ++f)
        planted[f] = (!end.planted.empty() && end.planted[f]) || (!tip.planted.empty() && tip.planted[f]);
    close_gaps(planted, frames_in(kShortGap));
    drop_short_runs(planted, 2);
    return planted;
}

/// How much a joint counts as the one that the limb stands on: a foot that turns on its heel or rolls over its toes
/// turns about the joint that moves least.
TimeSeries Grounding::stillness(const ContactPoint& point) const {
    TimeSeries weight(frames_.size(), 0);
    if (point.joint < 0) return weight;
    constexpr double kSlow = 0.03;  // legs per second
    for (std::size_t f = 1; f < frames_.size(); ++f) {
        const Vec3d way = frames_[f].positions[point.joint] - frames_[f - 1].positions[point.joint];
        const double speed = length(way) / (contacts_.leg * seconds_);
        weight[f] = 1 / (speed * speed + kSlow * kSlow);
    }
    return weight;
}

/// Where the end of a limb goes if its ankle, its toes or its wrist, whichever is planted, follows the source. Only
/// differences from frame to frame are meaningful.
std::vector<Vec3d> Grounding::planted_path(int limb) const {
    const LimbState& state = limbs_[limb];
    const ContactPoint &end = contacts_.ends[limb], &tip = contacts_.tips[limb];
    const TimeSeries end_weight = stillness(end), tip_weight = stillness(tip);
    const bool has_end = end.joint >= 0, has_tip = tip.joint >= 0 && state.tip >= 0;
    const auto step = [&](int joint, std::size_t f) {
        const Vec3d way = frames_[f].positions[joint] - frames_[f - 1].positions[joint];
        return rotate(body_.alignment().to_target, way) * scale_;
    };
    std::vector<Vec3d> path(frames_.size());
    for (std::size_t f = 1; f < frames_.size(); ++f) {
        const Vec3d by_end = has_end ? step(end.joint, f) : Vec3d{};
        Vec3d move = by_end;
        if (has_tip) {
            // The foot keeps its orientation, so the path of the toes gives that of the ankle.
            const Vec3d turned =
                (state.tip_path[f] - state.end_path[f]) - (state.tip_path[f - 1] - state.end_path[f - 1]);
            const Vec3d by_tip = step(tip.joint, f) - turned;
            const double sum = end_weight[f] + tip_weight[f];
            const double share = !has_end ? 1 : sum > 0 ? tip_weight[f] / sum : 0.5;
            move = by_end * (1 - share) + by_tip * share;
        }
        path[f] = path[f - 1] + level(move, up_);
    }
    return path;
}

std::vector<Vec3d> Grounding::horizontal_offset(int limb, const std::vector<bool>& planted) const {
    std::vector<Vec3d> offset(frames_.size());
    if (std::find(planted.begin(), planted.end(), true) == planted.end()) return offset;
    const std::vector<Vec3d> path = planted_path(limb);
    const std::vector<Vec3d>& plain = limbs_[limb].end_path;
    for (std::size_t f = 0; f < planted.size(); ++f) {
        if (!planted[f]) continue;
        std::size_t end = f;
        Vec3d mean;
        for (; end < planted.size() && planted[end]; ++end) mean += level(plain[end], up_) - path[end];
        mean = mean * (1.0 / static_cast<double>(end - f));
        for (; f < end; ++f) offset[f] = path[f] + mean - level(plain[f], up_);
    }
    return bridged_across(offset, planted);
}

/// Along the body's own axes, so that a character that faces another way moves the same.
std::vector<Vec3d> Grounding::bridged_across(std::vector<Vec3d> values, const std::vector<bool>& known) const {
    for (const Vec3d side : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}}) {
        const Vec3d axis = rotate(body_.alignment().frame.rotation, side);
        TimeSeries along;
        for (const Vec3d& v : values) along.push_back(dot(v, axis));
        const TimeSeries whole = bridged(along, known, LongGap::fade_to_zero, frames_in(kSwing));
        for (std::size_t f = 0; f < values.size(); ++f) values[f] += axis * (whole[f] - along[f]);
    }
    return values;
}

}  // namespace fascia
