#include "sim/segment_run.h"

#include <algorithm>
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

void drive_segments(const SegmentStep& step, const Slices& slices, ThreadPool& pool) {
    pool.for_ranges(slices.segments.back(), grain, [&](std::size_t b, std::size_t e, int) {
        FASCIA_DISPATCH(predict)(step, b, e);
    });
}

namespace {

/// Slices that all passes go through before the next ones come: small enough for the cache, large enough that neither
/// threads nor clocks cost much.
int block_size(const Slices& slices, int threads) {
    const std::size_t count = slices.segments.size() - 1;
    const std::size_t wanted = threads == 1 ? 64 : 1024 * std::size_t(threads);
    const std::size_t per_slice = std::max<std::size_t>(slices.segments.back() / std::max<std::size_t>(count, 1), 1);
    return int(std::max<std::size_t>(wanted / per_slice, 1));
}

/// One block of slices and how far each pass lags behind the first.
class Block {
public:
    Block(int begin, int end, ThreadPool& pool) : begin_(begin), end_(end), pool_(pool) {}

    template <class Pass>
    void run(int lag, std::span<const std::uint32_t> first, Pass&& pass) const {
        const int count = int(first.size()) - 1;
        const std::size_t from = first[std::size_t(std::clamp(begin_ - lag, 0, count))];
        const std::size_t to = first[std::size_t(std::clamp(end_ - lag, 0, count))];
        pool_.for_ranges(to - from, grain,
                         [&](std::size_t b, std::size_t e, int thread) { pass(from + b, from + e, thread); });
    }

private:
    int begin_, end_;
    ThreadPool& pool_;
};

}  // namespace

/// A pass that reads the slices around its own comes one slice after the one that writes them; a pass that overwrites
/// what an earlier one still reads around itself, another one later.
Motion run_segments(const SegmentStep& step, const Slices& slices, int volume_sweeps, ThreadPool& pool,
                    StageSeconds& seconds) {
    std::array<ThreadMotion, ThreadPool::most_threads> motions;
    const auto& all = slices.segments;
    const auto& planes = slices.plane_segments;
    const int size = block_size(slices, pool.size()), last_lag = 2 * volume_sweeps + 4;
    for (int begin = 0; begin < int(all.size()) - 1 + last_lag; begin += size) {
        const Block block(begin, begin + size, pool);
        Laps laps;
        block.run(0, all, [&](std::size_t b, std::size_t e, int) { FASCIA_DISPATCH(predict)(step, b, e); });
        laps.add_to(seconds.predict);
        int lag = 1;
        block.run(lag, all, [&](std::size_t b, std::size_t e, int) { FASCIA_DISPATCH(stretch)(step, b, e); });
        laps.add_to(seconds.stretch);

        float *from = step.other, *to = step.position;
        for (int sweep = 0; sweep < volume_sweeps; ++sweep) {
            block.run(++lag, all, [&](std::size_t b, std::size_t e, int) {
                FASCIA_DISPATCH(volume_gradients)(step, from, b, e);
            });
            block.run(++lag, all, [&](std::size_t b, std::size_t e, int) {
                FASCIA_DISPATCH(volume_apply)(step, from, to, b, e);
            });
            std::swap(from, to);
        }
        laps.add_to(seconds.volume);

        block.run(lag, planes, [&](std::size_t b, std::size_t e, int) {
            FASCIA_DISPATCH(plane_moments)(step, from, b, e);
        });
        block.run(++lag, all, [&](std::size_t b, std::size_t e, int) {
            FASCIA_DISPATCH(fit_regions)(step, from, b, e);
        });
        block.run(++lag, planes, [&](std::size_t b, std::size_t e, int) { FASCIA_DISPATCH(plane_goals)(step, b, e); });
        laps.add_to(seconds.match);
        block.run(++lag, all, [&](std::size_t b, std::size_t e, int thread) {
            FASCIA_DISPATCH(goals_and_update)(step, from, b, e, motions[std::size_t(thread)]);
        });
        laps.add_to(seconds.update);
    }
    return put_together(motions, step.inverse_dt);
}

}  // namespace fascia::sim
