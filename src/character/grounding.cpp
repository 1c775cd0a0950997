#include "character/grounding.h"

#include <algorithm>
#include <cmath>

#include "character/two_bone_ik.h"

namespace fascia {
namespace {

/// Contact moves from heel to toe in an instant. Followed exactly it would jolt the whole body and all its flesh;
/// easing it over a tenth of a second costs less than a hundredth of the size in contact.
constexpr double kRootEase = 0.1;
constexpr double kLimbEase = 0.04, kReleaseEase = 0.08;
constexpr double kSwing = 0.35;            ///< seconds in which a limb lets go of a correction
constexpr double kShortGap = 0.07;         ///< seconds: contacts this close together are one
constexpr double kTouchHeight = 0.05;      ///< in legs: anything lower counts as touching
constexpr double kCarryHeight = 0.1;       ///< in legs: anything higher carries nothing
constexpr double kStraightest = 0.99;      ///< of a leg's length: how far a planted foot may be from its hip
constexpr double kDeepestBend = 0.15;      ///< in legs: how far the root may be lowered for it
constexpr double kHover = 0.03;            ///< in limbs
constexpr double kPelvisStiffness = 0.15;  ///< in legs squared: hips of this half width take half of the turn
/// In heights of the body: how deep in the floor skin may stay, in the first pass and in the last.
constexpr double kAllowedDepth = 0.006, kLastDepth = 0.01;

constexpr double kSoftFloor = 0.01;  ///< in heights of the body

/// How much each carrier counts for the height of the root. Feet and hands can be brought to the floor by bending a
/// limb, the seat and the knees only by moving the root.
constexpr double kSay[kCarriers] = {4, 4, 1, 1, 4, 4, 1, 1, 8};

Vec3d level(Vec3d v, Vec3d up) {
    return v - up * dot(v, up);
}

/// Runs of `true` that are this close together are joined.
void close_gaps(std::vector<bool>& flags, double longest) {
    int last = -1;
    for (int f = 0; f < static_cast<int>(flags.size()); ++f) {
        if (!flags[f]) continue;
        if (last >= 0 && f - last - 1 <= longest) std::fill(flags.begin() + last, flags.begin() + f, true);
        last = f;
    }
}

void drop_short_runs(std::vector<bool>& flags, double shortest) {
    for (std::size_t f = 0; f < flags.size();) {
        std::size_t end = f;
        while (end < flags.size() && flags[end]) ++end;
        if (end > f && static_cast<double>(end - f) < shortest)
            std::fill(flags.begin() + static_cast<std::ptrdiff_t>(f), flags.begin() + static_cast<std::ptrdiff_t>(end),
                      false);
        f = std::max(end, f + 1);
    }
}

/// A limb neither folds up completely nor swings over to its other side, however far its end should go; the rest is
/// left to the root.
Vec3d kept_away_from_top(Vec3d goal, const TwoBones& limb) {
    constexpr double kClosest = 0.4;
    const Vec3d way = limb.end - limb.top, out = normalized(way);
    const double short_of = kClosest * length(way) - dot(goal - limb.top, out);
    return short_of > 0 ? goal + out * short_of : goal;
}

/// If the floor is out of reach, the end of a limb hovers above its goal, by at most `most`, rather than sliding
/// towards the body.
Vec3d raised_into_reach(Vec3d goal, const TwoBones& limb, Vec3d up, double most) {
    const double reach = length(limb.middle - limb.top) + length(limb.end - limb.middle);
    const Vec3d way = goal - limb.top;
    const double depth = -dot(way, up), across = length(level(way, up));
    const double deepest = std::sqrt(std::max(0.0, reach * reach - across * across));
    return goal + up * std::clamp(depth - deepest, 0.0, most);
}

bool is_hand(int limb) {
    return limb == left_hand || limb == right_hand;
}

TimeSeries as_numbers(const std::vector<bool>& flags) {
    return {flags.begin(), flags.end()};
}

}  // namespace

Grounding::Grounding(PosedBody& body, const CharacterRest& rest, const Anatomy& anatomy, const SourceContacts& contacts,
                     const SkinPoints& skin, const std::vector<MotionFrame>& frames, double seconds)
    : body_(body),
      contacts_(contacts),
      skin_(skin),
      frames_(frames),
      seconds_(seconds),
      up_(body.alignment().frame.up()),
      scale_(body.alignment().scale),
      rise_(frames.size(), 0),
      push_(frames.size(), 0),
      sway_(frames.size()),
      pelvis_turn_(frames.size()),
      clear_(frames.size(), 0) {
    for (int s = 0; s < 2; ++s) {
        set_up_limb(left_foot + s, anatomy.legs[s], rest, true);
        set_up_limb(left_hand + s, anatomy.arms[s], rest, false);
        const int side = anatomy.legs[s][limb_root];
        if (side >= 0 && body_.is_driven(rest.nodes[side])) pelvis_nodes_.push_back(rest.nodes[side]);
    }
    if (body_.is_driven(body_.root_node())) pelvis_nodes_.push_back(body_.root_node());
    steady_feet();
    record_plain_motion();
    find_rise();
    for (int limb = 0; limb < kLimbs; ++limb) find_offsets(limb);
    share_offsets_with_pelvis();
    sway_to_reach();
    lift_out_of_floor();
    ease_bends();
    clear_floor();
}

double Grounding::frames_in(double seconds) const {
    constexpr double kFewest = 0.5, kMost = 300;
    return std::clamp(seconds / seconds_, kFewest, kMost);
}

// ---- set up --------------------------------------------------------------------------------------

void Grounding::set_up_limb(int limb, const Limb& joints, const CharacterRest& rest, bool is_leg) {
    LimbState& state = limbs_[limb];
    state.offset.resize(frames_.size());
    state.hold.assign(frames_.size(), 0);
    state.stand.assign(frames_.size(), 0);
    const int upper = joints[limb_upper], lower = joints[limb_lower], end = joints[limb_end];
    if (upper < 0 || lower < 0 || end < 0 || !rest.skeleton.is_above(upper, lower)) return;
    state.end = rest.nodes[end];
    state.lower = rest.nodes[lower];
    state.tip = joints[limb_tip] >= 0 ? rest.nodes[joints[limb_tip]] : -1;
    const auto& at = rest.skeleton.positions;
    const double a = length(at[lower] - at[upper]), b = length(at[end] - at[lower]);
    state.reach = a + b;
    const bool has_bones = std::min(a, b) > 1e-3 * state.reach && std::isfinite(state.reach);
    if (!has_bones || !body_.is_driven(rest.nodes[upper]) || !body_.is_driven(state.lower)) return;
    state.upper = rest.nodes[upper];
    // The rest pose of a bent limb shows its hinge. Straight knees bend backwards, straight elbows forwards.
    const Vec3d forward = rotate(body_.alignment().frame.rotation, {0, 0, is_leg ? -1.0 : 1.0});
    const Vec3d assumed =
        normalized(cross(at[lower] - at[upper], forward), rotate(body_.alignment().frame.rotation, {1, 0, 0}));
    constexpr double kBent = 0.1;
    const Vec3d bend = bend_of({at[upper], at[lower], at[end]});
    state.usual_hinge = length(bend) > kBent ? normalized(bend) : assumed;
}

/// As retargeted, with the root at its rest position and with steady feet.
void Grounding::pose_plainly(std::size_t f) {
    body_.pose_in_place(frames_[f]);
    bool turned = false;
    for (const LimbState& limb : limbs_) {
        if (limb.foot_turn.empty()) continue;
        for (int node : {limb.end, limb.tip})
            if (body_.is_driven(node)) body_.turn_farther(node, limb.foot_turn[f]);
        turned = true;
    }
    if (turned) body_.shift_root({});
}

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
            Vec3d mean;  // of what the character's foot has and the source's has not
            for (; last < flat.size() && flat[last]; ++last) mean += own[last] - source[last];
            mean = mean * (1.0 / static_cast<double>(last - f));
            for (; f < last; ++f) {
                const Quat turned = shortest_rotation(own[f], source[f] + mean);
                turn[f] = Vec3d{turned.x, turned.y, turned.z} * 2;  // few degrees: nearly the angle
            }
        }
        turn = bridged_across(turn, flat);
        for (const Vec3d& half : turn)
            state.foot_turn.push_back(normalized(Quat{1, half.x / 2, half.y / 2, half.z / 2}));
    }
}

void Grounding::record_plain_motion() {
    std::array<Vec3d, kLimbs> mean_bend;
    for (std::size_t f = 0; f < frames_.size(); ++f) {
        pose_plainly(f);
        const Vec3d travel = body_.travel(frames_[f]);
        travel_.push_back(travel);
        low_.push_back(skin_.lowest(body_.world()));
        for (double& height : low_.back()) height += dot(travel, up_);
        for (LimbState& limb : limbs_) {
            if (!limb.can_bend()) continue;
            const auto place = [&](int node) { return translation_of(body_.world()[node]) + travel; };
            limb.top_path.push_back(place(limb.upper));
            limb.end_path.push_back(place(limb.end));
            limb.tip_path.push_back(place(limb.tip >= 0 ? limb.tip : limb.end));
            mean_bend[&limb - limbs_.data()] += rotate(conjugate(body_.turns()[limb.upper]), bend_of(bones(limb)));
        }
    }
    // An elbow that bends in this motion shows its hinge better than the rest pose does.
    constexpr double kBent = 0.1;
    for (int limb = 0; limb < kLimbs; ++limb)
        if (length(mean_bend[limb]) > kBent * static_cast<double>(frames_.size()))
            limbs_[limb].usual_hinge = normalized(mean_bend[limb]);
}

/// Height of the skin that touches when a carrier does. Sitting includes the thighs.
double Grounding::carrier_height(const PartHeights& low, int carrier) const {
    if (carrier != trunk) return low[carrier];
    return std::min({low[trunk], low[left_thigh], low[right_thigh]});
}

// ---- the root ------------------------------------------------------------------------------------

/// What must be added to the travel to bring the carriers as high above the floor as the source's.
void Grounding::find_rise() {
    std::vector<bool> carried(frames_.size(), false);
    for (std::size_t f = 0; f < frames_.size(); ++f) {
        double sum = 0, weights = 0;
        for (int carrier = 0; carrier < kCarriers; ++carrier) {
            const CarrierTrack& track = contacts_.carriers[carrier];
            const double low = carrier_height(low_[f], carrier);
            if (!track.known || !std::isfinite(low)) continue;
            const double weight = kSay[carrier] * std::pow(nearness(carrier, f), 2);
            sum += weight * (track.lift[f] * scale_ - low);
            weights += weight;
        }
        carried[f] = weights > 1e-3;
        rise_[f] = carried[f] ? sum / weights : 0;
    }
    rise_ = bridged(rise_, carried, LongGap::stretch, 0);
    rise_ = smoothed(rise_, frames_in(kRootEase));
}

// ---- the ends of the limbs -----------------------------------------------------------------------

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
    state.hold = smooth_envelope(as_numbers(touching), frames_in(kReleaseEase));
    state.stand = smooth_envelope(as_numbers(planted), frames_in(kLimbEase));
}

TimeSeries Grounding::vertical_offset(int limb, std::vector<bool>& touching) const {
    const TimeSeries& lift = contacts_.carriers[limb].lift;
    TimeSeries offset(frames_.size(), 0);
    for (std::size_t f = 0; f < frames_.size(); ++f) {
        touching[f] = lift[f] < kTouchHeight * contacts_.leg && std::isfinite(low_[f][limb]);
        if (touching[f]) offset[f] = lift[f] * scale_ - low_[f][limb] - rise_[f];
    }
    offset = bridged(offset, touching, LongGap::fade_to_zero, frames_in(kSwing));
    return smoothed(offset, frames_in(kLimbEase));
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

/// How much a joint counts as the one that the limb stands on: a foot that turns on its heel or rolls over its toes turns
/// about the joint that moves least.
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

Vec3d Grounding::goal(const LimbState& limb, std::size_t f) const {
    return limb.end_path[f] + limb.offset[f] + up_ * rise_[f] + (sway_[f] + up_ * push_[f]) * (1 - limb.hold[f]);
}

/// Turns the pelvis by as much of a turn as the offsets of both feet have in common. With wide hips and short legs, a
/// turn of the source's pelvis would swing the feet further than the legs can make up for, so the pelvis turns less and
/// the waist takes over the rest. Hips as narrow as the source's hardly turn: their legs do it better.
void Grounding::share_offsets_with_pelvis() {
    const LimbState &left = limbs_[left_foot], &right = limbs_[right_foot];
    if (!left.can_bend() || !right.can_bend()) return;
    const double reach = (left.reach + right.reach) / 2;
    TimeSeries axes[3];
    for (std::size_t f = 0; f < frames_.size(); ++f) {
        const Vec3d to_hip = (left.top_path[f] - right.top_path[f]) * 0.5;
        const Vec3d wanted = (left.offset[f] - right.offset[f]) * 0.5;
        const double width = dot(to_hip, to_hip), share = width / (width + kPelvisStiffness * reach * reach);
        const Quat whole = shortest_rotation(to_hip, to_hip + wanted * share);
        const Vec3d axis{whole.x, whole.y, whole.z};
        const Vec3d turn = normalized(axis) * (2 * std::atan2(length(axis), whole.w));
        axes[0].push_back(turn.x);
        axes[1].push_back(turn.y);
        axes[2].push_back(turn.z);
    }
    for (TimeSeries& axis : axes) axis = smoothed(axis, frames_in(kLimbEase));
    for (std::size_t f = 0; f < frames_.size(); ++f) {
        const Vec3d turn{axes[0][f], axes[1][f], axes[2][f]};
        const double angle = length(turn);
        if (!(angle > 1e-9)) continue;
        pelvis_turn_[f] = quat_from_axis_angle(normalized(turn), angle);
        const Vec3d middle = (left.top_path[f] + right.top_path[f]) * 0.5;
        for (int limb : {left_foot, right_foot}) {
            Vec3d& top = limbs_[limb].top_path[f];
            top = middle + rotate(pelvis_turn_[f], top - middle);
        }
    }
}

/// Moves the root where a planted foot is out of reach: bodies with wide hips and short legs sway over their feet.
void Grounding::sway_to_reach() {
    constexpr int kPasses = 4;
    constexpr double kOverdone = 1.3;  // makes up for what easing takes away
    for (int pass = 0; pass < kPasses; ++pass) {
        std::vector<Vec3d> missing(frames_.size());
        for (std::size_t f = 0; f < frames_.size(); ++f) missing[f] = missing_sway(f);
        const std::vector<Vec3d> eased = smoothed_across(missing, frames_in(kRootEase));
        for (std::size_t f = 0; f < frames_.size(); ++f) sway_[f] += eased[f] * kOverdone;
    }
}

/// The least that the root must move for both planted feet to be in reach.
Vec3d Grounding::missing_sway(std::size_t f) const {
    constexpr int kRounds = 8;
    Vec3d missing;
    for (int round = 0; round < kRounds; ++round) {
        for (int limb : {left_foot, right_foot}) {
            const LimbState& leg = limbs_[limb];
            if (!leg.can_bend()) continue;
            const Vec3d top = leg.top_path[f] + up_ * rise_[f] + sway_[f] + missing;
            const Vec3d way = goal(leg, f) + missing * (1 - leg.hold[f]) - top;
            const double farthest = std::max(length(leg.end_path[f] - leg.top_path[f]), kStraightest * leg.reach);
            const double excess = length(way) - farthest;
            if (excess <= 0 || dot(way, up_) >= 0) continue;
            Vec3d step = normalized(way) * (excess * leg.hold[f]);
            const double lowest = -kDeepestBend * leg.reach;
            const double down = std::max(dot(step, up_), std::min(0.0, lowest - dot(sway_[f] + missing, up_)));
            missing += level(step, up_) + up_ * down;
        }
    }
    return missing;
}

std::vector<Vec3d> Grounding::smoothed_across(std::vector<Vec3d> values, double sigma) const {
    TimeSeries axes[3];
    for (const Vec3d& v : values) {
        axes[0].push_back(v.x);
        axes[1].push_back(v.y);
        axes[2].push_back(v.z);
    }
    for (TimeSeries& axis : axes) axis = smoothed(axis, sigma);
    for (std::size_t f = 0; f < values.size(); ++f) values[f] = {axes[0][f], axes[1][f], axes[2][f]};
    return values;
}

// ---- nothing under the floor ---------------------------------------------------------------------

/// Raising a limb may free the root, and the other way round: both take turns, and the root does the rest.
void Grounding::lift_out_of_floor() {
    for (bool at_last : {false, true}) {
        lift_limbs();
        lift_root(at_last);
    }
}

/// A foot that is lifted in its stance stays lifted for as long as it stands.
TimeSeries Grounding::lift_of_foot(TimeSeries depth) const {
    for (double& value : depth) value = std::max(0.0, value);
    return smooth_envelope(depth, frames_in(kReleaseEase));
}

/// A hand that swings through the floor is lifted no longer than it is near it: at every height by as much as a soft
/// floor would.
TimeSeries Grounding::lift_of_hand(TimeSeries depth) const {
    const double soft = kSoftFloor * skin_.height();
    for (double& value : depth)
        value = std::isfinite(value) ? (value + std::sqrt(value * value + 4 * soft * soft)) / 2 : 0;
    return smoothed(depth, frames_in(kLimbEase));
}

void Grounding::lift_limbs() {
    std::vector<PartHeights> low;
    measure(low);
    for (int limb = 0; limb < kLimbs; ++limb) {
        LimbState& state = limbs_[limb];
        if (!state.can_bend()) continue;
        TimeSeries depth(frames_.size(), 0);
        for (std::size_t f = 0; f < frames_.size(); ++f) depth[f] = -low[f][limb] - kAllowedDepth * skin_.height();
        const TimeSeries eased = is_hand(limb) ? lift_of_hand(depth) : lift_of_foot(depth);
        for (std::size_t f = 0; f < frames_.size(); ++f) state.offset[f] += up_ * eased[f];
    }
}

void Grounding::lift_root(bool with_limb_ends) {
    const TimeSeries eased = smooth_envelope(depth_below_floor(kAllowedDepth, with_limb_ends), frames_in(kReleaseEase));
    for (std::size_t f = 0; f < frames_.size(); ++f) push_[f] += eased[f];
}

/// How deep the deepest part of the body is, beyond what is `allowed`.
TimeSeries Grounding::depth_below_floor(double allowed, bool with_limb_ends) {
    std::vector<PartHeights> low;
    measure(low);
    TimeSeries depth(frames_.size(), 0);
    for (std::size_t f = 0; f < frames_.size(); ++f) {
        for (int part = 0; part < kSkinParts; ++part) {
            const bool is_limb_end = part < kLimbs && limbs_[part].can_bend();
            if (is_limb_end && !with_limb_ends) continue;
            depth[f] = std::max(depth[f], -low[f][part] - allowed * skin_.height());
        }
    }
    return depth;
}

/// Raises the whole body by what the eased bends have let sink in again.
void Grounding::clear_floor() {
    const TimeSeries depth = depth_below_floor(kLastDepth, true);
    clear_ = smooth_envelope(depth, frames_in(kReleaseEase));
}

void Grounding::raise_where_nothing_stands(const TimeSeries& depths) {
    if (depths.empty()) return;
    TimeSeries raise(frames_.size(), 0);
    for (std::size_t f = 0; f < frames_.size(); ++f) {
        double stands = 0;
        for (int carrier : {left_foot, right_foot, left_knee, right_knee, trunk})
            if (contacts_.carriers[carrier].known) stands = std::max(stands, nearness(carrier, f));
        raise[f] = std::max(0.0, depths[f] - clear_[f] - kLastDepth * skin_.height()) * (1 - stands);
    }
    const TimeSeries eased = smooth_envelope(raise, frames_in(kReleaseEase));
    for (std::size_t f = 0; f < frames_.size(); ++f) clear_[f] += eased[f];
}

/// 1 while a carrier touches the floor in the source, 0 if it is too high to carry anything.
double Grounding::nearness(int carrier, std::size_t f) const {
    return std::max(0.0, 1 - contacts_.carriers[carrier].lift[f] / (kCarryHeight * contacts_.leg));
}

void Grounding::measure(std::vector<PartHeights>& out) {
    out.clear();
    for (std::size_t f = 0; f < frames_.size(); ++f) {
        pose(f);
        out.push_back(skin_.lowest(body_.world()));
    }
}

// ---- one frame -----------------------------------------------------------------------------------

TwoBones Grounding::bones(const LimbState& limb) const {
    const auto& world = body_.world();
    return {translation_of(world[limb.upper]), translation_of(world[limb.lower]), translation_of(world[limb.end])};
}

/// Turns the pelvis and moves the root; returns the root's shift.
Vec3d Grounding::shift_pelvis(std::size_t f) {
    pose_plainly(f);
    const Vec3d moved = sway_[f] + up_ * (rise_[f] + push_[f]);
    Vec3d shift = travel_[f] + moved;
    for (int node : pelvis_nodes_) body_.turn_farther(node, pelvis_turn_[f]);
    body_.shift_root(shift);
    const LimbState &left = limbs_[left_foot], &right = limbs_[right_foot];
    if (left.can_bend() && right.can_bend()) {
        // The pelvis turns about the middle between the hips.
        const Vec3d wanted = (left.top_path[f] + right.top_path[f]) * 0.5 + moved;
        shift += wanted - (bones(left).top + bones(right).top) * 0.5;
        body_.shift_root(shift);
    }
    return shift;
}

Vec3d Grounding::reachable_goal(const LimbState& limb, const TwoBones& now, std::size_t f) const {
    // The end of a limb that cannot stay where it is goes up with the root.
    const double most = std::max(0.0, push_[f]) * limb.hold[f] + kHover * limb.reach;
    return kept_away_from_top(raised_into_reach(goal(limb, f), now, up_, most), now);
}

void Grounding::pose(std::size_t f) {
    const Vec3d shift = shift_pelvis(f);
    bool bent = false;
    for (const LimbState& limb : limbs_) {
        if (!limb.can_bend()) continue;
        const TwoBones now = bones(limb);
        const Vec3d wanted = reachable_goal(limb, now, f);
        const double exact = bend_to_reach(now, wanted);
        const double exactly = limb.stand[f] * std::clamp((0.985 - length(wanted - now.top) / limb.reach) / 0.05, 0.0, 1.0);
        const double bend = limb.bend.empty() ? exact : limb.bend[f] + (exact - limb.bend[f]) * exactly;
        if (length(wanted - now.end) < 1e-7 * limb.reach && std::abs(bend) < 1e-7) continue;
        const Vec3d hinge = hinge_of(now, rotate(body_.turns()[limb.upper], limb.usual_hinge));
        const BoneTurns turns = bent_towards(now, wanted, bend, hinge);
        body_.turn_farther(limb.upper, turns.upper);
        body_.turn_farther(limb.lower, turns.lower);
        bent = true;
    }
    if (bent || clear_[f] > 0) body_.shift_root(shift + up_ * clear_[f]);
}

/// Knees and elbows snap where a limb becomes straight or stops being straight, however smoothly its end moves. Easing
/// the bend itself hardly moves the end.
void Grounding::ease_bends() {
    std::array<TimeSeries, kLimbs> bends;
    for (std::size_t f = 0; f < frames_.size(); ++f) {
        shift_pelvis(f);
        for (int limb = 0; limb < kLimbs; ++limb) {
            if (!limbs_[limb].can_bend()) continue;
            const TwoBones now = bones(limbs_[limb]);
            bends[limb].push_back(bend_to_reach(now, reachable_goal(limbs_[limb], now, f)));
        }
    }
    for (int limb = 0; limb < kLimbs; ++limb)
        if (limbs_[limb].can_bend()) limbs_[limb].bend = smoothed(bends[limb], frames_in(kLimbEase));
}

}  // namespace fascia
