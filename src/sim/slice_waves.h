// Passes that follow one another through a body like waves, some slices (z) apart, so that what one has written is
// still in the cache when the next one reads it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include "base/thread_pool.h"
#include "sim/motion.h"
#include "sim/segment_step.h"

namespace fascia::sim {

inline constexpr std::size_t wave_grain = 16;  ///< fewest segments that one thread takes

/// A block of slices that all passes go through before the next block, and how far each pass lags behind the first.
class SliceBlock {
public:
    SliceBlock(int begin, int end, std::span<const std::uint32_t> first, ThreadPool& pool)
        : begin_(begin), end_(end), first_(first), pool_(pool) {}

    /// Runs pass(begin, end, thread) over the segments of the slices that are `lag` behind.
    template <class Pass>
    void run(int lag, Pass&& pass) const {
        run(lag, first_, pass);
    }
    /// The same over other items that are listed by slice.
    template <class Pass>
    void run(int lag, std::span<const std::uint32_t> first, Pass&& pass) const {
        const int count = int(first.size()) - 1;
        const std::size_t from = first[std::size_t(std::clamp(begin_ - lag, 0, count))];
        const std::size_t to = first[std::size_t(std::clamp(end_ - lag, 0, count))];
        pool_.for_ranges(to - from, wave_grain,
                         [&](std::size_t b, std::size_t e, int thread) { pass(from + b, from + e, thread); });
    }

private:
    int begin_, end_;
    std::span<const std::uint32_t> first_;
    ThreadPool& pool_;
};

/// How large a block may be: small enough for the cache, and large enough that threads and clock readings cost little.
struct BlockSize {
    std::size_t alone = 128, per_thread = 1024;    ///< segments, on one thread and on several
    int slices = std::numeric_limits<int>::max();  ///< at most
};

/// Calls passes(block) until passes that lag by `last_lag` slices are done. first: [slices + 1] first segment of each.
template <class Passes>
void run_waves(std::span<const std::uint32_t> first, int last_lag, const BlockSize& most, ThreadPool& pool,
               Passes&& passes) {
    const int count = int(first.size()) - 1;
    const std::size_t wanted = pool.size() == 1 ? most.alone : most.per_thread * std::size_t(pool.size());
    const std::size_t per_slice = std::max<std::size_t>(first.back() / std::size_t(std::max(count, 1)), 1);
    const int size = std::min(int(std::max<std::size_t>(wanted / per_slice, 1)), most.slices);
    for (int begin = 0; begin < count + last_lag; begin += size) passes(SliceBlock(begin, begin + size, first, pool));
}

/// What happened on one thread; each on a cache line of its own.
struct alignas(64) ThreadMotion : RangeMotion {};

inline Motion put_together(std::span<const ThreadMotion> parts, float inverse_dt) {
    Motion motion;
    float most = 0;
    for (const ThreadMotion& part : parts) {
        motion.limited += part.at_limit;
        if (!(part.way2 <= most) && most <= most) most = part.way2;
    }
    motion.fastest = std::sqrt(most) * inverse_dt;
    return motion;
}

}  // namespace fascia::sim
