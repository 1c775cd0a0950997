// The best that one core of this machine can do: the floor that the figures are compared with.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace fascia::bench {

inline double seconds_of(auto&& body) {
    const auto start = std::chrono::steady_clock::now();
    body();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The fastest of many runs: the one that was disturbed least.
inline double best_seconds(int runs, auto&& body) {
    double best = 1e9;
    for (int i = 0; i < runs; ++i) best = std::min(best, seconds_of(body));
    return best;
}

using f8 = float __attribute__((vector_size(32)));

/// More independent chains than any core needs to hide its latency.
constexpr int chains = 7;

/// Equal numbers of multiplications and additions, each on chains of their own: the limit for code without fused
/// multiply-adds.
#if defined(__x86_64__)
__attribute__((target("avx2"), noinline))
#endif
inline double
multiply_add_loop(std::int64_t rounds) {
    f8 m[chains], a[chains];
    for (int i = 0; i < chains; ++i) {
        m[i] = f8{1, 1, 1, 1, 1, 1, 1, 1};
        a[i] = f8{};
    }
    f8 one = m[0], tiny = a[0];
    asm volatile("" : "+m"(one), "+m"(tiny));
    for (std::int64_t r = 0; r < rounds; ++r) {
        for (int i = 0; i < chains; ++i) {
            m[i] = m[i] * one;
            a[i] = a[i] + tiny;
        }
    }
    for (int i = 1; i < chains; ++i) m[0] = m[0] + m[i] + a[i];
    return static_cast<double>(m[0][0]);
}

inline double peak_flops() {
    constexpr std::int64_t rounds = 20000;
    volatile double sink = 0;
    const double seconds = best_seconds(1000, [&] { sink = sink + multiply_add_loop(rounds); });
    return static_cast<double>(rounds) * chains * 2 * 8 / seconds;
}

/// Bytes per second of a[i] = b[i] + s c[i] over `bytes` of memory in total, counting both reads and writes.
inline double triad_bandwidth(std::size_t bytes) {
    const std::size_t n = bytes / 12;
    std::vector<float> a(n, 0.0f), b(n, 1.0f), c(n, 2.0f);
    float s = 3;
    const double seconds = best_seconds(bytes < 8000000 ? 1000 : 100, [&] {
        asm volatile("" : "+m"(s) : : "memory");
        for (std::size_t i = 0; i < n; ++i) a[i] = b[i] + s * c[i];
        asm volatile("" : : "r"(a.data()) : "memory");
    });
    return static_cast<double>(n * 12) / seconds;
}

}  // namespace fascia::bench
