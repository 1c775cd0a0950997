#include "sim/lanes.h"
#include "sim/swing_passes.h"

namespace fascia::sim::FASCIA_ISA_NAMESPACE {

namespace {

int count_lanes(I8 mask) {
    const F8 ones = select(mask, splat(1), splat(0));
    int count = 0;
    for (int i = 0; i < lane_count; ++i) count += lane(ones, i) > 0;
    return count;
}

}  // namespace

/// [Chen 2012, eq. 16]
void swing_mix(const SwingPass& s, std::size_t begin, std::size_t end) {
    const std::size_t n = s.stride;
    const V3 gravity{splat(s.felt[0]), splat(s.felt[1]), splat(s.felt[2])};
    for (std::size_t k = begin; k < end; ++k) {
        const std::size_t at = s.own[k];
        const V3 a = load3(s.driven + at, n), before = load3(s.last_driven + at, n);
        const V3 u = load3(s.positions + at, n) - before, speed = (a - before) * splat(s.rate);
        const V3 felt = (speed - load3(s.last_speed + at, n)) - gravity;
        V3 v = load3(s.velocities + at, n) - felt * load(s.drive + at);
        if (s.push != nullptr) v = v + load3(s.push + at, n) * load(s.soft + at);
        store3(s.velocities + at, n, v);
        store3(s.last_speed + at, n, speed);
        store3(s.last_driven + at, n, a);
        store3(s.positions + at, n, u);
        store3(s.mixed + at, n, a + u * load(s.delta + at));
    }
}

/// [Chen 2012, eq. 14]
void swing_accelerate(const SwingPass& s, std::size_t begin, std::size_t end) {
    const std::size_t n = s.stride;
    for (std::size_t k = begin; k < end; ++k) {
        const std::size_t at = s.own[k];
        const V3 u = load3(s.positions + at, n);
        // Goals are those of y: with a pull of 1 this is the way from x to its goal.
        const F8 pull = load(s.pull + at);
        const V3 goal = load3(s.goals + at, n) * (load(s.mass + at) * pull) - u * (1.0f - pull * load(s.delta + at));
        const V3 v = load3(s.velocities + at, n) + goal * splat(s.alpha_rate);
        store3(s.velocities + at, n, v * splat(s.keep));
    }
}

/// [Chen 2012, eq. 15]
void swing_move(const SwingPass& s, std::size_t begin, std::size_t end, RangeMotion& motion) {
    const std::size_t n = s.stride;
    const F8 dt = splat(1.0f / s.rate), rate = splat(s.rate);
    F8 most = splat(motion.way2);
    for (std::size_t k = begin; k < end; ++k) {
        const std::size_t at = s.own[k];
        const F8 soft = load(s.soft + at), half = splat(0.5f) * load(s.limit + at);
        const V3 old = load3(s.positions + at, n);
        V3 u = (old + load3(s.velocities + at, n) * dt) * soft;
        const F8 size2 = dot(u, u);
        const I8 beyond = size2 > half * half;
        if (any(beyond)) {
            // half + half * t / (1 + t): leaves `half` with slope one and never reaches the limit.
            const F8 size = lane_sqrt(size2), t = (size - half) / half;
            const F8 scale = half * (splat(1) + t / (splat(1) + t)) / lane_max(size, half);
            u = u * select(beyond, scale, splat(1));
            motion.at_limit += std::uint64_t(count_lanes(beyond & (t > splat(1))));
        }
        const V3 way = (u - old) * soft;
        store3(s.velocities + at, n, way * rate);
        store3(s.positions + at, n, load3(s.driven + at, n) + u);
        // Written so that NaN wins, now and in all later rounds.
        const F8 way2 = dot(way, way);
        most = select(way2 <= most, most, select(most <= most, way2, most));
    }
    for (int i = 0; i < lane_count; ++i) {
        const float way2 = lane(most, i);
        if (!(way2 <= motion.way2) && motion.way2 <= motion.way2) motion.way2 = way2;
    }
}

}  // namespace fascia::sim::FASCIA_ISA_NAMESPACE
