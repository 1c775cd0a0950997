#include "character/grounding.h"

#include <algorithm>
#include <cmath>

#include "character/grounding_times.h"
#include "character/two_bone_ik.h"

namespace fascia {
namespace {

constexpr double kHover = 0.03;  ///< in limbs
/// In limb lengths: stretched beyond the first, a limb takes its eased bend, since the bend that reaches exactly would
/// snap; shorter than that by the second, it reaches exactly.
constexpr double kStraight = 0.985, kNearlyStraight = 0.05;

/// However far its end should go, a limb neither folds up completely nor swings over to its other side; the rest is
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

// ---- one frame -----------------------------------------------------------------------------------

Vec3d Grounding::goal(const LimbState& limb, std::size_t f) const {
    return limb.end_path[f] + limb.offset[f] + up_ * rise_[f] + (sway_[f] + up_ * push_[f]) * (1 - limb.hold[f]);
}

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
        const double straight = length(wanted - now.top) / limb.reach;
        const double exactly = limb.stand[f] * std::clamp((kStraight - straight) / kNearlyStraight, 0.0, 1.0);
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
        if (limbs_[limb].can_bend()) limbs_[limb].bend = smoothed(bends[limb], frames_in(ground_limb_ease));
}

}  // namespace fascia
