#include "sim/segment_run.h"

#include <array>
#include <chrono>
#include <cmath>
#include <span>
#include <utility>

namespace fascia::sim {

namespace {

constexpr std::size_t grain = 16;  ///< segments that one thread takes at least

/// Time since the last call, added to a stage: one look at the clock between two stages.
class Laps {
public:
    void add_to(double& seconds) {
        const auto now = std::chrono::steady_clock::now();
        seconds += std::chrono::duration<double>(now - last_).count();
        last_ = now;
    }

private:
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// One per thread, each on a cache line of its own.
struct alignas(64) ThreadMotion : RangeMotion {};

Motion put_together(std::span<const ThreadMotion> parts, float inverse_dt) {
    Motion motion;
    float most = 0;
    for (const ThreadMotion& part : parts) {
        motion.limited += part.at_limit;
        if (!(part.way2 <= most) && most <= most) most = part.way2;
    }
    motion.fastest = std::sqrt(most) * inverse_dt;
    return motion;
}

}  // namespace

void drive_segments(const SegmentStep& step, SegmentCounts counts, ThreadPool& pool) {
    pool.for_ranges(counts.segments, grain, [&](std::size_t b, std::size_t e, int) {
        FASCIA_DISPATCH(predict)(step, b, e);
    });
}

Motion run_segments(const SegmentStep& step, SegmentCounts counts, int volume_sweeps, ThreadPool& pool,
                    StageSeconds& seconds) {
    Laps laps;
    drive_segments(step, counts, pool);
    laps.add_to(seconds.predict);

    pool.for_ranges(counts.segments, grain, [&](std::size_t b, std::size_t e, int) {
        FASCIA_DISPATCH(stretch)(step, b, e);
    });
    laps.add_to(seconds.stretch);

    float *from = step.other, *to = step.position;
    for (int sweep = 0; sweep < volume_sweeps; ++sweep) {
        pool.for_ranges(counts.segments, grain, [&](std::size_t b, std::size_t e, int) {
            FASCIA_DISPATCH(volume_gradients)(step, from, b, e);
        });
        pool.for_ranges(counts.segments, grain, [&](std::size_t b, std::size_t e, int) {
            FASCIA_DISPATCH(volume_apply)(step, from, to, b, e);
        });
        std::swap(from, to);
    }
    laps.add_to(seconds.volume);

    pool.for_ranges(counts.plane_segments, grain, [&](std::size_t b, std::size_t e, int) {
        FASCIA_DISPATCH(plane_moments)(step, from, b, e);
    });
    pool.for_ranges(counts.segments, grain, [&](std::size_t b, std::size_t e, int) {
        FASCIA_DISPATCH(fit_regions)(step, from, b, e);
    });
    pool.for_ranges(counts.plane_segments, grain, [&](std::size_t b, std::size_t e, int) {
        FASCIA_DISPATCH(plane_goals)(step, b, e);
    });
    laps.add_to(seconds.match);

    std::array<ThreadMotion, ThreadPool::most_threads> motions;
    pool.for_ranges(counts.segments, grain, [&](std::size_t b, std::size_t e, int thread) {
        FASCIA_DISPATCH(goals_and_update)(step, from, b, e, motions[std::size_t(thread)]);
    });
    const Motion motion = put_together(motions, step.inverse_dt);
    laps.add_to(seconds.update);
    return motion;
}

}  // namespace fascia::sim
