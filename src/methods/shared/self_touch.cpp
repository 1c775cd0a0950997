#include "methods/shared/self_touch.h"

#include <algorithm>
#include <cmath>

namespace fascia {

namespace {

constexpr double exit_speed = 0.06;   ///< sizes per second at which pressed flesh may separate
constexpr double part_speed = 1.9;    ///< sizes per second at which overlaps are pushed apart
constexpr double largest_move = 0.4;  ///< the same per step, in spacings of points: more would jump over a fold
/// Pressed flesh creeps towards equilibrium for a long time. When this much slower than a swing, it may fall asleep.
constexpr float awake_share = 0.25f;

struct TouchScratch {
    contact::SelfContact self;
    contact::ContactSums sums;
};

}  // namespace

contact::TouchedPoints SelfTouch::points(std::span<float> positions, std::span<float> velocities,
                                         std::span<const float> driven, std::span<const float> driven_speed,
                                         double step) const {
    const std::size_t n = limits_.limit.size();
    return {.positions = {n, positions.data()},
            .velocities = {n, velocities.data()},
            .driven = {n, driven.data()},
            .driven_speed = {n, driven_speed.data()},
            .limit = limits_.limit,
            .give = limits_.give,
            .dt = float(step)};
}

void SelfTouch::begin_steps(double seconds, Workspace& work) const {
    work.impl().scratch<TouchScratch>().self.begin(float(seconds));
}

bool SelfTouch::is_pressed(Workspace& work) const {
    return is_on() && work.impl().scratch<TouchScratch>().self.hit_count() > 0;
}

void SelfTouch::press(const contact::TouchedPoints& points, const contact::PointTurns& turns,
                      std::span<const std::uint32_t> slots, bool still, sim::Motion& motion, Workspace& work) const {
    auto& scratch = work.impl().scratch<TouchScratch>();
    scratch.sums.begin(limits_.limit.size());
    const double most_depth = std::min(largest_move, part_speed * limits_.size * double(points.dt));
    scratch.self.press(*body_, points, turns, float(most_depth), scratch.sums);
    if (scratch.sums.empty()) return;
    scratch.sums.apply(float(exit_speed * limits_.size), points);
    if (still) motion.fastest = awake_share * contact::fastest_of(slots, points.velocities);
}

}  // namespace fascia
