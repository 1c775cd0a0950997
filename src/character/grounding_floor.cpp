// Nothing under the floor: limbs that would be in it are lifted, and what remains raises the body.
#include <algorithm>
#include <cmath>

#include "character/grounding.h"
#include "character/grounding_times.h"

namespace fascia {
namespace {

/// In heights of the body: how deep in the floor skin may stay in the first pass, and how soft the floor is for hands.
constexpr double kAllowedDepth = 0.006, kSoftFloor = 0.02;

}  // namespace

/// Raising a limb may free the root, and vice versa: the two alternate, and the root does the rest.
void Grounding::lift_out_of_floor() {
    for (bool at_last : {false, true}) {
        lift_limbs();
        lift_root(at_last);
    }
}

/// A foot that is lifted in its stance stays lifted for as long as it stands.
TimeSeries Grounding::lift_of_foot(TimeSeries depth) const {
    for (double& value : depth) value = std::max(0.0, value);
    return smooth_envelope(depth, frames_in(ground_release_ease));
}

/// A hand that swings through the floor is lifted no longer than it is near it: at every height by as much as a soft
/// floor would.
TimeSeries Grounding::lift_of_hand(TimeSeries depth) const {
    const double soft = kSoftFloor * skin_.height();
    for (double& value : depth)
        if (value < soft && soft > 0) value = std::pow(std::max(0.0, value + soft), 2) / (4 * soft);
    return smoothed(depth, frames_in(ground_limb_ease));
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
    const TimeSeries eased =
        smooth_envelope(depth_below_floor(kAllowedDepth, with_limb_ends), frames_in(ground_release_ease));
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
    const TimeSeries depth = depth_below_floor(ground_last_depth, true);
    clear_ = smooth_envelope(depth, frames_in(ground_release_ease));
}

void Grounding::raise_where_nothing_stands(const TimeSeries& depths) {
    if (depths.empty()) return;
    TimeSeries raise(frames_.size(), 0);
    for (std::size_t f = 0; f < frames_.size(); ++f) {
        double stands = 0;
        for (int carrier : {left_foot, right_foot, left_knee, right_knee, trunk})
            if (contacts_.carriers[carrier].known) stands = std::max(stands, nearness(carrier, f));
        raise[f] = std::max(0.0, depths[f] - clear_[f] - ground_last_depth * skin_.height()) * (1 - stands);
    }
    const TimeSeries eased = smooth_envelope(raise, frames_in(ground_release_ease));
    for (std::size_t f = 0; f < frames_.size(); ++f) clear_[f] += eased[f];
}

void Grounding::measure(std::vector<PartHeights>& out) {
    out.clear();
    for (std::size_t f = 0; f < frames_.size(); ++f) {
        pose(f);
        out.push_back(skin_.lowest(body_.world()));
    }
}

}  // namespace fascia
