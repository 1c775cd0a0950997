// How kernels go through channels of floats. Private to each kernel that includes it.
#pragma once

#include <cstddef>

#include "sim/lanes.h"

/// Work on single lanes goes into separate functions: taking a vector apart in a loop would keep the loop's vectors out
/// of registers.
#define FASCIA_RARELY [[gnu::noinline]]
/// For lambdas in a loop over vectors.
#define FASCIA_IN_LANES __attribute__((always_inline))

namespace fascia::sim {
namespace {

/// Three channels as three pointers: a load from any of them is then one instruction.
struct Channels {
    const float *x, *y, *z;
    Channels(const float* p, std::size_t stride) : x(p), y(p + stride), z(p + 2 * stride) {}
    FASCIA_LANES_INLINE V3 load(std::size_t at, std::ptrdiff_t dx = 0) const {
        return {sim::load(x + at + dx), sim::load(y + at + dx), sim::load(z + at + dx)};
    }
};

// ---- bodies larger than the caches ----

/// Segments between a prefetch and its use. The processor's own prefetcher loses track of so many channels.
constexpr std::size_t fetch_ahead = 6;

FASCIA_LANES_INLINE void fetch_channels(const float* channel, std::size_t stride, int count) {
    for (int c = 0; c < count; ++c) __builtin_prefetch(channel + std::size_t(c) * stride);
}
FASCIA_LANES_INLINE void fetch_to_write(const float* channel, std::size_t stride, int count) {
    for (int c = 0; c < count; ++c) __builtin_prefetch(channel + std::size_t(c) * stride, 1);
}
template <class First, class Last>
FASCIA_LANES_INLINE void fetch_between(const First& first, const Last& last) {
    const char* end = reinterpret_cast<const char*>(&last + 1);
    for (const char* line = reinterpret_cast<const char*>(&first); line < end; line += 64) __builtin_prefetch(line);
}

}  // namespace
}  // namespace fascia::sim
