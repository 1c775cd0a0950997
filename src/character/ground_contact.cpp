#include "character/ground_contact.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "character/body_frame.h"
#include "character/time_series.h"

namespace fascia {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// An ankle or the toes.
struct FootPoint {
    int part = limb_end;
    int joint = -1;  ///< index in Motion::joints
};

std::vector<FootPoint> foot_points(const MotionStart& start) {
    std::vector<FootPoint> points;
    for (const Limb& leg : start.anatomy.legs)
        for (int part : {static_cast<int>(limb_end), static_cast<int>(limb_tip)})
            if (leg[part] >= 0) points.push_back({part, start.source.joints[leg[part]]});
    return points;
}

/// Heights of the lower ankle and of the lower toes, frame by frame.
struct FootHeights {
    std::vector<double> of_part[kLimbParts];
};

FootHeights measure_heights(const Motion& motion, const MotionStart& start, const std::vector<FootPoint>& points,
                            Vec3d up) {
    FootHeights heights;
    MotionFrame frame = start.rest;
    for (std::size_t f = start.first_frame; f < motion.frame_count(); ++f) {
        evaluate_motion(motion, f, frame);  // at a non-finite frame the last one is held, as in the clip
        double now[kLimbParts];
        std::fill(std::begin(now), std::end(now), kInfinity);
        for (const FootPoint& point : points)
            now[point.part] = std::min(now[point.part], dot(frame.positions[point.joint], up));
        for (int part = 0; part < kLimbParts; ++part) heights.of_part[part].push_back(now[part]);
    }
    return heights;
}

/// The height that a foot keeps coming down to; a few frames of noise below it do not count.
double usual_lowest(std::vector<double> values) {
    const auto rank = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 20);
    std::nth_element(values.begin(), rank, values.end());
    return *rank;
}

/// Ankles and toes are at different heights when a foot stands flat; each is measured from its own.
std::vector<double> heights_above_standing(const FootHeights& heights, std::size_t frames) {
    std::vector<double> low(frames, kInfinity);
    for (const auto& values : heights.of_part) {
        if (values.empty() || !std::isfinite(values.front())) continue;
        const double standing = usual_lowest(values);
        for (std::size_t f = 0; f < frames; ++f) low[f] = std::min(low[f], values[f] - standing);
    }
    return low;
}

}  // namespace

std::vector<double> lift_above_ground(const Motion& motion, const MotionStart& start, Vec3d up) {
    const std::vector<FootPoint> points = foot_points(start);
    if (points.empty()) return {};
    const std::size_t frames = motion.frame_count() - start.first_frame;
    const std::vector<double> low = heights_above_standing(measure_heights(motion, start, points, up), frames);
    constexpr double kSeconds = 0.5, kLargestDrift = 0.1, kMostFrames = 500;
    const bool timed = std::isfinite(motion.frame_time) && motion.frame_time > 0;
    const double window = timed ? std::ceil(kSeconds / motion.frame_time) : 15;
    const std::size_t reach = static_cast<std::size_t>(std::clamp(window, 1.0, kMostFrames));
    const double drift = kLargestDrift * leg_length(start.source.skeleton, start.anatomy, true);
    // The mean of minima over the same window never rises above the feet.
    const std::vector<double> ground = running_mean(running_minimum(low, reach), reach);
    std::vector<double> lift(frames);
    for (std::size_t f = 0; f < frames; ++f) lift[f] = std::max(0.0, low[f] - std::min(ground[f], drift));
    return lift;
}

}  // namespace fascia
