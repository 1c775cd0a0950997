#include "methods/shared/self_touch.h"

#include <algorithm>
#include <cmath>

namespace fascia {

namespace {

constexpr double exit_speed = 0.06;   ///< sizes per second at which what was pressed may part
constexpr double part_speed = 1.9;    ///< sizes per second at which what overlaps is parted
constexpr double largest_move = 0.4;  ///< the same in a step, in spacings of points: more would jump over a fold
/// Pressed flesh creeps for a long time towards where it rests. So much slower than a swing, it may fall asleep.
constexpr float awake_share = 0.25f;

struct TouchScratch {
    contact::SelfContact self;
    contact::ContactSums sums;
    Floats turns;  ///< [4 * stride]
};

/// R = blend of the joints' rotations, times what the point has turned against it.
void turn_points(const PointTurns& turns, std::span<const std::uint32_t> points, std::size_t n, std::span<float> out) {
    for (const std::size_t i : points) {
        float w = 0, x = 0, y = 0, z = 0;
        for (std::size_t k = i; k < 4 * n; k += n) {
            const float share = turns.weights[k];
            const float* dual = &turns.duals[8 * std::size_t(turns.joints[k])];
            w += share * dual[0], x += share * dual[1], y += share * dual[2], z += share * dual[3];
        }
        const float size = std::sqrt(w * w + x * x + y * y + z * z);
        const float scale = size > 0 ? 1 / size : 0.0f;
        w *= scale, x *= scale, y *= scale, z *= scale;
        const float a = turns.fitted[i], b = turns.fitted[n + i], c = turns.fitted[2 * n + i],
                    d = turns.fitted[3 * n + i];
        out[i] = w * a - x * b - y * c - z * d;
        out[n + i] = w * b + x * a + y * d - z * c;
        out[2 * n + i] = w * c - x * d + y * a + z * b;
        out[3 * n + i] = w * d + x * c - y * b + z * a;
    }
}

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

void SelfTouch::begin_steps(const contact::TouchedPoints& points, double seconds, Workspace& work) const {
    work.impl().scratch<TouchScratch>().self.find_candidates(*body_, points, float(seconds));
}

void SelfTouch::press(const contact::TouchedPoints& points, const PointTurns& turns,
                      std::span<const std::uint32_t> slots, sim::Motion& motion, Workspace& work) const {
    auto& scratch = work.impl().scratch<TouchScratch>();
    const std::size_t n = limits_.limit.size();
    const std::span<float> rotations = sized(scratch.turns, 4 * n);
    turn_points(turns, scratch.self.turning(), n, rotations);
    const double dt = points.dt;
    scratch.sums.begin(n);
    scratch.self.press(*body_, points, rotations, float(std::min(largest_move, part_speed * limits_.size * dt)),
                       work.impl().pool, scratch.sums);
    if (scratch.sums.empty()) return;
    scratch.sums.apply(float(exit_speed * limits_.size), points);
    motion.fastest = awake_share * contact::fastest_of(slots, points.velocities);
}

}  // namespace fascia
