#include "character/arm_clearing.h"

#include <algorithm>
#include <cmath>

#include "character/body_frame.h"
#include "character/grounding_times.h"
#include "character/loose_parts.h"
#include "character/skin_parts.h"
#include "character/two_bone_ik.h"

namespace fascia {
namespace {

/// Of the thickness of an arm: how far its middle stays from the skin. Flesh makes room for the rest.
constexpr double kThickness = 0.5;
constexpr double kAboveFloor = 1.2;              ///< thicknesses, where an arm touches it: smoothing costs some
constexpr double kMostTurn = 1.2;                ///< radians, of a shoulder or an elbow
constexpr double kMostBend = 2.5;                ///< radians, of an elbow
constexpr double kForgotten = 0.25;              ///< seconds in which a turn that is no longer needed ends
constexpr double kEases[] = {0.25, 0.12, 0.08};  ///< seconds, one after the other

Quat turn_by(Vec3d rotation) {
    const double angle = length(rotation);
    return angle > 0 ? quat_from_axis_angle(rotation * (1 / angle), angle) : Quat{};
}

/// Leaves out the arms, and what hangs loose.
std::vector<bool> left_out(const Character& character, const CharacterRest& rest, const Anatomy& anatomy,
                           const LooseParts& loose) {
    const std::vector<int> parts = parts_of_nodes(character, rest, anatomy);
    std::vector<bool> out(parts.size());
    for (std::size_t n = 0; n < parts.size(); ++n) {
        bool is_arm = false;
        for (int s = 0; s < 2; ++s)
            is_arm |= parts[n] == left_upper_arm + s || parts[n] == left_elbow + s || parts[n] == left_hand + s;
        out[n] = is_arm || loose.is_loose(static_cast<int>(n));
    }
    return out;
}

bool is_below(const Character& character, int node, int ancestor) {
    while (node >= 0 && node != ancestor) node = character.nodes[node].parent;
    return node >= 0 && ancestor >= 0;
}

/// Skin that mostly follows the nodes below one node (and not below another).
std::vector<Vec3d> skin_below(const Character& character, int node, int but_not) {
    std::vector<Vec3d> places;
    const auto slots = static_cast<std::size_t>(std::max(0, character.weights.influences));
    const std::size_t vertices =
        slots > 0 ? std::min(character.mesh.positions.size(), character.weights.weights.size() / slots) : 0;
    std::vector<bool> counts(character.nodes.size());
    for (std::size_t n = 0; n < counts.size(); ++n)
        counts[n] =
            is_below(character, static_cast<int>(n), node) && !is_below(character, static_cast<int>(n), but_not);
    for (std::size_t v = 0; v < vertices; ++v)
        if (counts[character.joints[character.weights.joints[v * slots]].node])
            places.push_back(to_double(character.mesh.positions[v]));
    return places;
}

/// Of the skin around a bone from its axis.
struct Thickness {
    double mean = 0, most = 0;
};

Thickness thickness(const std::vector<Vec3d>& skin, Vec3d from, Vec3d to) {
    const Vec3d axis = normalized(to - from);
    double total = 0, most = 0;
    int count = 0;
    for (Vec3d place : skin) {
        const double along = dot(place - from, axis);
        if (along < 0 || along > length(to - from)) continue;
        const double distance = length(place - from - axis * along);
        total += distance;
        most = std::max(most, distance);
        ++count;
    }
    if (count == 0) return {0.1 * length(to - from), 0.1 * length(to - from)};
    return {total / count, most};
}

/// The point of a hand that is farthest from the wrist.
Vec3d tip_of(const std::vector<Vec3d>& hand, Vec3d wrist) {
    Vec3d tip = wrist;
    for (Vec3d place : hand)
        if (length(place - wrist) > length(tip - wrist)) tip = place;
    return tip;
}

/// Solves A x = b for a symmetric positive definite A (Gauss), both of which are overwritten.
std::array<double, 4> solved(std::array<std::array<double, 4>, 4> a, std::array<double, 4> b) {
    for (int i = 0; i < 4; ++i) {
        for (int r = i + 1; r < 4; ++r) {
            const double f = a[r][i] / a[i][i];
            for (int c = i; c < 4; ++c) a[r][c] -= f * a[i][c];
            b[r] -= f * b[i];
        }
    }
    for (int i = 3; i >= 0; --i) {
        for (int c = i + 1; c < 4; ++c) b[i] -= a[i][c] * b[c];
        b[i] /= a[i][i];
    }
    return b;
}

}  // namespace

// ---- set up --------------------------------------------------------------------------------------

ArmClearing::ArmClearing(const Character& character, const CharacterRest& rest, const Anatomy& anatomy,
                         const LooseParts& loose, const PosedBody& body)
    : skin_(character, rest, left_out(character, rest, anatomy, loose)), up_(body.alignment().frame.up()) {
    if (skin_.is_empty()) return;
    const Quat frame = body.alignment().frame.rotation;
    for (int s = 0; s < 2; ++s) {
        const Limb& limb = anatomy.arms[s];
        const int upper = limb[limb_upper], lower = limb[limb_lower], end = limb[limb_end];
        if (upper < 0 || lower < 0 || end < 0 || !rest.skeleton.is_above(upper, lower)) continue;
        Arm& arm = arms_[s];
        arm.lower = rest.nodes[lower];
        arm.end = rest.nodes[end];
        const auto& at = rest.skeleton.positions;
        const double a = length(at[lower] - at[upper]), b = length(at[end] - at[lower]);
        const bool has_bones = std::min(a, b) > 1e-3 * (a + b) && std::isfinite(a + b);
        if (!has_bones || !body.is_driven(rest.nodes[upper]) || !body.is_driven(arm.lower)) continue;
        arm.upper = rest.nodes[upper];
        for (int node : body.driven_nodes()) {
            const bool in_hand = is_below(character, node, arm.end);  // which may hang elsewhere
            if (in_hand || is_below(character, node, arm.upper)) arm.below_upper.push_back(node);
            if (in_hand || is_below(character, node, arm.lower)) arm.below_lower.push_back(node);
        }
        // Straight elbows bend forwards.
        arm.usual_hinge = normalized(cross(at[lower] - at[upper], rotate(frame, {0, 0, 1})), rotate(frame, {1, 0, 0}));
        add_samples(character, rest, arm);
    }
}

void ArmClearing::add_samples(const Character& character, const CharacterRest& rest, Arm& arm) {
    const Vec3d shoulder = translation_of(rest.world[arm.upper]), elbow = translation_of(rest.world[arm.lower]);
    const Vec3d wrist = translation_of(rest.world[arm.end]);
    const std::vector<Vec3d> hand = skin_below(character, arm.end, -1);
    const Vec3d tip = tip_of(hand, wrist);
    const Thickness upper = thickness(skin_below(character, arm.upper, arm.lower), shoulder, elbow);
    const Thickness lower = thickness(skin_below(character, arm.lower, arm.end), elbow, wrist);
    Thickness palm = thickness(hand, wrist, tip);
    palm.mean = std::min(palm.mean, lower.mean);
    const auto add = [&](int node, Vec3d from, Vec3d to, double share, Thickness around, double out) {
        double needed = kThickness * around.mean * out;
        const Vec3d place = from + (to - from) * share;
        // What lies in the body at rest may do so in motion, too.
        needed = std::min(needed, skin_.distance_to(place).distance);
        arm.samples.push_back({node, transform_point(inverse(rest.world[node]), place), node != arm.upper, needed,
                               kAboveFloor * around.most});
    };
    // Near the shoulder every arm is in the body; the elbow of a short one may stay at the skin.
    add(arm.upper, shoulder, elbow, 0.75, upper, -1);
    for (double share : {0.0, 1.0 / 3, 2.0 / 3}) add(arm.lower, elbow, wrist, share, lower, 1.5 * share);
    for (double share : {0.0, 0.45, 0.9}) add(arm.end, wrist, tip, share, palm, 1);
}

// ---- one frame -----------------------------------------------------------------------------------

TwoBones ArmClearing::bones_of(const Arm& arm, const PosedBody& body) {
    const auto& world = body.world();
    return {translation_of(world[arm.upper]), translation_of(world[arm.lower]), translation_of(world[arm.end])};
}

ArmClearing::ArmPose ArmClearing::pose_of(const Arm& arm, const PosedBody& body) const {
    const auto& world = body.world();
    const TwoBones bones = bones_of(arm, body);
    ArmPose pose{bones.top, bones.middle, hinge_of(bones, rotate(body.turns()[arm.upper], arm.usual_hinge)), 0, {}};
    pose.bend = std::acos(
        std::clamp(dot(normalized(bones.middle - bones.top), normalized(bones.end - bones.middle)), -1.0, 1.0));
    for (const Sample& sample : arm.samples) pose.places.push_back(transform_point(world[sample.node], sample.place));
    return pose;
}

Vec3d ArmClearing::turned(const Arm& arm, const ArmPose& pose, const Turn& turn, std::size_t sample) {
    Vec3d place = pose.places[sample];
    if (arm.samples[sample].is_lower)
        place = pose.elbow + rotate(quat_from_axis_angle(pose.hinge, turn.elbow), place - pose.elbow);
    return pose.shoulder + rotate(turn_by(turn.shoulder), place - pose.shoulder);
}

/// Gauss-Newton on the places that are too near to the skin: of all turns that move them out, the smallest.
ArmClearing::Turn ArmClearing::cleared(const Arm& arm, const ArmPose& pose, Turn turn) const {
    constexpr int kRounds = 12;
    constexpr double kDamping = 0.05, kLongestStep = 0.25, kFloor = 10, kEnough = 1e-5;
    double reach = 0;
    for (Vec3d place : pose.places) reach = std::max(reach, length(place - pose.shoulder));
    for (int round = 0; round < kRounds; ++round) {
        std::array<std::array<double, 4>, 4> a{};
        std::array<double, 4> b{};
        const Quat shoulder = turn_by(turn.shoulder);
        const Vec3d elbow = pose.shoulder + rotate(shoulder, pose.elbow - pose.shoulder);
        const Vec3d hinge = rotate(shoulder, pose.hinge);
        bool is_clear = true;
        for (std::size_t i = 0; i < arm.samples.size(); ++i) {
            const Vec3d place = turned(arm, pose, turn, i);
            const auto push = [&](Vec3d out, double missing, double weight) {
                if (!(missing > kEnough * reach)) return;
                is_clear = false;
                const Vec3d by_shoulder = cross(place - pose.shoulder, out);
                const double by_elbow = arm.samples[i].is_lower ? dot(cross(hinge, place - elbow), out) : 0;
                const std::array<double, 4> slope{by_shoulder.x, by_shoulder.y, by_shoulder.z, by_elbow};
                for (int r = 0; r < 4; ++r) {
                    for (int c = 0; c < 4; ++c) a[r][c] += weight * slope[r] * slope[c];
                    b[r] += weight * slope[r] * missing;
                }
            };
            const SkinDistance skin = skin_.distance_to(place);
            push(skin.out, arm.samples[i].needed - skin.distance, 1);
            // Out of the body, but not into the floor, which does not give way.
            const double height = dot(place, up_) - floor_, before = dot(pose.places[i], up_) - floor_;
            push(up_, std::min(arm.samples[i].above_floor, before) - height, kFloor);
        }
        if (is_clear) break;
        for (int r = 0; r < 4; ++r) a[r][r] += kDamping * reach * reach;
        const std::array<double, 4> step = solved(a, b);
        const Vec3d swing{step[0], step[1], step[2]};
        const double longest = std::max(length(swing), std::abs(step[3]));
        const double share = longest > kLongestStep ? kLongestStep / longest : 1;
        turn.shoulder += swing * share;
        turn.elbow += step[3] * share;
        const double angle = length(turn.shoulder);
        if (angle > kMostTurn) turn.shoulder = turn.shoulder * (kMostTurn / angle);
        const double least = std::max(-pose.bend, -kMostTurn);
        turn.elbow = std::clamp(turn.elbow, least, std::max(least, std::min(kMostTurn, kMostBend - pose.bend)));
    }
    return turn;
}

void ArmClearing::turn(PosedBody& body, std::size_t f) const {
    bool turned = false;
    for (const Arm& arm : arms_) {
        if (arm.turns.empty()) continue;
        const Turn& turn = arm.turns[f];
        const Quat shoulder = turn_by(turn.shoulder);
        const Quat elbow = quat_from_axis_angle(rotate(shoulder, pose_of(arm, body).hinge), turn.elbow);
        for (int node : arm.below_upper) body.turn_farther(node, shoulder);
        for (int node : arm.below_lower) body.turn_farther(node, elbow);
        turned = true;
    }
    if (turned) body.take_turns();
}

// ---- all frames ----------------------------------------------------------------------------------

void ArmClearing::find(PosedBody& body, const std::array<TimeSeries, 2>& carries, const SkinPoints& skin,
                       double seconds, const std::function<void(std::size_t)>& pose) {
    if (skin_.is_empty()) return;
    floor_ = skin.floor();
    const std::size_t frames = carries[0].size();
    find_hinges(body, frames, pose);
    const double kept = std::exp(-seconds / kForgotten);
    std::array<std::vector<Turn>, 2> turns;
    for (std::size_t round = 0; round < std::size(kEases); ++round) {
        for (std::size_t f = 0; f < frames; ++f) {
            pose(f);
            skin_.pose(body.world());
            for (int s = 0; s < 2; ++s) {
                if (arms_[s].upper < 0) continue;
                std::vector<Turn>& of_arm = turns[s];
                if (round == 0) of_arm.push_back(f > 0 ? faded(of_arm[f - 1], kept) : Turn{});
                of_arm[f] = cleared(arms_[s], pose_of(arms_[s], body), of_arm[f]);
            }
        }
        bool any = false;
        for (std::vector<Turn>& of_arm : turns) {
            if (std::all_of(of_arm.begin(), of_arm.end(), [](const Turn& t) { return is_none(t); })) of_arm.clear();
            smooth(of_arm, std::clamp(kEases[round] / seconds, 0.1, 300.0));
            any |= !of_arm.empty();
        }
        if (!any) return;
    }
    for (int s = 0; s < 2; ++s) {
        for (std::size_t f = 0; f < turns[s].size(); ++f) turns[s][f] = faded(turns[s][f], 1 - carries[s][f]);
        arms_[s].turns = std::move(turns[s]);
    }
    for (int s = 0; s < 2; ++s)
        if (!arms_[s].turns.empty()) stay_above_floor(body, s, skin, std::clamp(kEases[1] / seconds, 0.5, 300.0), pose);
}

/// Smoothing over time, and skin far from the middle of an arm, may have put it into the floor: there it turns less.
void ArmClearing::stay_above_floor(PosedBody& body, int side, const SkinPoints& skin, double ease,
                                   const std::function<void(std::size_t)>& pose) {
    const double allowed = -0.5 * ground_last_depth * skin.height();
    const auto lowest = [&] {
        const PartHeights low = skin.lowest(body.world());
        return std::min({low[left_upper_arm + side], low[left_elbow + side], low[left_hand + side]});
    };
    std::vector<Turn>& turns = arms_[side].turns;
    TimeSeries less(turns.size(), 0);
    for (std::size_t f = 0; f < turns.size(); ++f) {
        if (is_none(turns[f])) continue;
        pose(f);
        const double least = std::min(lowest(), allowed);
        const Turn whole = turns[f];
        for (double share : {1.0, 0.75, 0.5, 0.25, 0.0}) {
            less[f] = 1 - share;
            turns[f] = faded(whole, share);
            pose(f);
            turn(body, f);
            if (lowest() >= least) break;
        }
        turns[f] = whole;
    }
    less = smooth_envelope(less, ease);
    for (std::size_t f = 0; f < turns.size(); ++f) turns[f] = faded(turns[f], std::clamp(1 - less[f], 0.0, 1.0));
}

/// An elbow that bends in this motion shows its hinge better than the body's frame does.
void ArmClearing::find_hinges(const PosedBody& body, std::size_t frames, const std::function<void(std::size_t)>& pose) {
    std::array<Vec3d, 2> mean;
    for (std::size_t f = 0; f < frames; ++f) {
        pose(f);
        for (int s = 0; s < 2; ++s)
            if (arms_[s].upper >= 0)
                mean[s] += rotate(conjugate(body.turns()[arms_[s].upper]), bend_of(bones_of(arms_[s], body)));
    }
    constexpr double kBent = 0.1;
    for (int s = 0; s < 2; ++s)
        if (length(mean[s]) > kBent * static_cast<double>(frames)) arms_[s].usual_hinge = normalized(mean[s]);
}

void ArmClearing::smooth(std::vector<Turn>& turns, double sigma) {
    const auto smooth_one = [&](auto&& of) {
        TimeSeries values;
        for (Turn& turn : turns) values.push_back(of(turn));
        values = smoothed(values, sigma);
        for (std::size_t f = 0; f < turns.size(); ++f) of(turns[f]) = values[f];
    };
    smooth_one([](Turn& t) -> double& { return t.shoulder.x; });
    smooth_one([](Turn& t) -> double& { return t.shoulder.y; });
    smooth_one([](Turn& t) -> double& { return t.shoulder.z; });
    smooth_one([](Turn& t) -> double& { return t.elbow; });
}

ArmClearing::Turn ArmClearing::faded(const Turn& turn, double share) {
    return {turn.shoulder * share, turn.elbow * share};
}

bool ArmClearing::is_none(const Turn& turn) {
    constexpr double kNone = 1e-6;
    return length(turn.shoulder) < kNone && std::abs(turn.elbow) < kNone;
}

ArmClearing::Most ArmClearing::most() const {
    Most most;
    for (const Arm& arm : arms_) {
        for (const Turn& turn : arm.turns) {
            most.shoulder = std::max(most.shoulder, length(turn.shoulder));
            most.elbow = std::max(most.elbow, std::abs(turn.elbow));
        }
    }
    return most;
}

}  // namespace fascia
