// The root: raised for what carries the body, turned and moved so that both feet reach the floor.
#include <algorithm>
#include <cmath>

#include "character/grounding.h"
#include "character/grounding_times.h"

namespace fascia {
namespace {

constexpr double kCarryHeight = 0.1;       ///< in legs: anything higher carries nothing
constexpr double kStraightest = 0.99;      ///< of a leg's length: how far a planted foot may be from its hip
constexpr double kDeepestBend = 0.15;      ///< in legs: how far the root may be lowered for it
constexpr double kPelvisStiffness = 0.15;  ///< in legs squared: hips with this squared half width take half of the turn

/// How much each carrier counts for the height of the root. Feet and hands can be brought to the floor by bending a
/// limb, the seat and the knees only by moving the root.
constexpr double kSay[kCarriers] = {4, 4, 1, 1, 4, 4, 1, 1, 8};

}  // namespace

/// 1 while a carrier touches the floor in the source, 0 if it is too high to carry anything.
double Grounding::nearness(int carrier, std::size_t f) const {
    return std::max(0.0, 1 - contacts_.carriers[carrier].lift[f] / (kCarryHeight * contacts_.leg));
}

/// Height of the skin that touches when a carrier does. Sitting includes the thighs.
double Grounding::carrier_height(const PartHeights& low, int carrier) const {
    if (carrier != trunk) return low[carrier];
    return std::min({low[trunk], low[left_thigh], low[right_thigh]});
}

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
    rise_ = smoothed(rise_, frames_in(ground_root_ease));
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
    for (TimeSeries& axis : axes) axis = smoothed(axis, frames_in(ground_limb_ease));
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
        const std::vector<Vec3d> eased = smoothed_across(missing, frames_in(ground_root_ease));
        for (std::size_t f = 0; f < frames_.size(); ++f) sway_[f] += eased[f] * kOverdone;
    }
    if (!sway_.empty()) move_all(level(sway_[0], up_) * -1);  // the body begins where it stands
}

void Grounding::move_all(Vec3d way) {
    for (Vec3d& place : travel_) place += way;
    for (LimbState& limb : limbs_)
        for (std::vector<Vec3d>* path : {&limb.top_path, &limb.end_path, &limb.tip_path})
            for (Vec3d& place : *path) place += way;
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

}  // namespace fascia
