// Vector types for the skinning kernels. Everything has internal linkage: each level keeps its own copy, so that code
// for a newer processor can never be picked up by an older one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "skin/skin_kernels.h"

#if defined(__AVX__)
#include <immintrin.h>
#endif

namespace {

using f4 = float __attribute__((vector_size(16)));
using f8 = float __attribute__((vector_size(32)));
using f16 = float __attribute__((vector_size(64)));

// The widest vector of the level, for loops whose lanes are vertices.
#if defined(__AVX512F__)
using Wide = f16;
#elif defined(__AVX__)
using Wide = f8;
#else
using Wide = f4;
#endif
constexpr std::size_t wide = sizeof(Wide) / sizeof(float);

template <class V>
inline V load(const float* p) {
    V v;
    std::memcpy(&v, p, sizeof v);
    return v;
}
template <class V>
inline void store(float* p, V v) {
    std::memcpy(p, &v, sizeof v);
}

/// (x0 y0 z0 x1 ...) from the coordinates of 4, 8 or 16 vertices.
inline void store_triples(float* p, f4 x, f4 y, f4 z) {
    const f4 xy = __builtin_shufflevector(x, y, 0, 4, 1, 5);   // x0 y0 x1 y1
    const f4 xy2 = __builtin_shufflevector(x, y, 2, 6, 3, 7);  // x2 y2 x3 y3
    const f4 zx = __builtin_shufflevector(z, x, 0, 5, 2, 7);   // z0 x1 z2 x3
    const f4 yz = __builtin_shufflevector(y, z, 1, 5, 3, 7);   // y1 z1 y3 z3
    store(p, __builtin_shufflevector(xy, zx, 0, 1, 4, 5));
    store(p + 4, __builtin_shufflevector(yz, xy2, 0, 1, 4, 5));
    store(p + 8, __builtin_shufflevector(zx, yz, 2, 3, 6, 7));
}

inline void store_triples(float* p, f8 x, f8 y, f8 z) {
    // As above in each half; then the halves are put in order.
    const f8 xy = __builtin_shufflevector(x, y, 0, 8, 1, 9, 4, 12, 5, 13);
    const f8 xy2 = __builtin_shufflevector(x, y, 2, 10, 3, 11, 6, 14, 7, 15);
    const f8 zx = __builtin_shufflevector(z, x, 0, 9, 2, 11, 4, 13, 6, 15);
    const f8 yz = __builtin_shufflevector(y, z, 1, 9, 3, 11, 5, 13, 7, 15);
    const f8 a = __builtin_shufflevector(xy, zx, 0, 1, 8, 9, 4, 5, 12, 13);
    const f8 b = __builtin_shufflevector(yz, xy2, 0, 1, 8, 9, 4, 5, 12, 13);
    const f8 c = __builtin_shufflevector(zx, yz, 2, 3, 10, 11, 6, 7, 14, 15);
    store(p, __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11));
    store(p + 8, __builtin_shufflevector(c, a, 0, 1, 2, 3, 12, 13, 14, 15));
    store(p + 16, __builtin_shufflevector(b, c, 4, 5, 6, 7, 12, 13, 14, 15));
}

inline void store_triples(float* p, f16 x, f16 y, f16 z) {
    const f16 a = __builtin_shufflevector(x, y, 0, 16, 0, 1, 17, 0, 2, 18, 0, 3, 19, 0, 4, 20, 0, 5);
    const f16 b = __builtin_shufflevector(x, y, 21, 0, 6, 22, 0, 7, 23, 0, 8, 24, 0, 9, 25, 0, 10, 26);
    const f16 c = __builtin_shufflevector(x, y, 0, 11, 27, 0, 12, 28, 0, 13, 29, 0, 14, 30, 0, 15, 31, 0);
    store(p, __builtin_shufflevector(a, z, 0, 1, 16, 3, 4, 17, 6, 7, 18, 9, 10, 19, 12, 13, 20, 15));
    store(p + 16, __builtin_shufflevector(b, z, 0, 21, 2, 3, 22, 5, 6, 23, 8, 9, 24, 11, 12, 25, 14, 15));
    store(p + 32, __builtin_shufflevector(c, z, 26, 1, 2, 27, 4, 5, 28, 7, 8, 29, 10, 11, 30, 13, 14, 31));
}

/// Coordinates of 4, 8 or 16 vectors.
template <class V>
struct ThreeOf {
    V x, y, z;
};

inline f8 side_by_side(f4 a, f4 b) {
    return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
}
inline f16 side_by_side(f8 a, f8 b) {
    return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}

/// Square roots: exact to the last bit on every level, as the floating-point standard requires.
#if defined(__AVX__)
inline f8 roots(f8 v) {
    return (f8)_mm256_sqrt_ps((__m256)v);
}
inline f16 roots(f16 v) {
    return side_by_side(roots(__builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7)),
                        roots(__builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15)));
}
#else
inline f4 roots(f4 v) {
    return f4{__builtin_sqrtf(v[0]), __builtin_sqrtf(v[1]), __builtin_sqrtf(v[2]), __builtin_sqrtf(v[3])};
}
#endif

// In each quarter: interleave the first two or the last two elements of a and b; join the first or the last halves.
inline f4 low_turns(f4 a, f4 b) {
    return __builtin_shufflevector(a, b, 0, 4, 1, 5);
}
inline f4 high_turns(f4 a, f4 b) {
    return __builtin_shufflevector(a, b, 2, 6, 3, 7);
}
inline f4 low_halves(f4 a, f4 b) {
    return __builtin_shufflevector(a, b, 0, 1, 4, 5);
}
inline f4 high_halves(f4 a, f4 b) {
    return __builtin_shufflevector(a, b, 2, 3, 6, 7);
}
inline f8 low_turns(f8 a, f8 b) {
    return __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13);
}
inline f8 high_turns(f8 a, f8 b) {
    return __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15);
}
inline f8 low_halves(f8 a, f8 b) {
    return __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13);
}
inline f8 high_halves(f8 a, f8 b) {
    return __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
}
inline f16 low_turns(f16 a, f16 b) {
    return __builtin_shufflevector(a, b, 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29);
}
inline f16 high_turns(f16 a, f16 b) {
    return __builtin_shufflevector(a, b, 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31);
}
inline f16 low_halves(f16 a, f16 b) {
    return __builtin_shufflevector(a, b, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29);
}
inline f16 high_halves(f16 a, f16 b) {
    return __builtin_shufflevector(a, b, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31);
}

/// From four arrays to four vectors of four, or back.
inline void transpose(f4 a, f4 b, f4 c, f4 d, float* out, std::size_t stride) {
    const f4 ab = low_turns(a, b), cd = low_turns(c, d), ab2 = high_turns(a, b), cd2 = high_turns(c, d);
    store(out, low_halves(ab, cd));
    store(out + stride, high_halves(ab, cd));
    store(out + 2 * stride, low_halves(ab2, cd2));
    store(out + 3 * stride, high_halves(ab2, cd2));
}

#if defined(__AVX512F__)
inline f16 lower_quarters(f16 a, f16 b) {
    return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23);
}
inline f16 upper_quarters(f16 a, f16 b) {
    return __builtin_shufflevector(a, b, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31);
}
inline f16 even_quarters(f16 a, f16 b) {
    return __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27);
}
inline f16 odd_quarters(f16 a, f16 b) {
    return __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31);
}

/// Lines of sixteen vertices, 12 floats of each in use, become one vector for each of these floats.
inline void transpose_lines(const f16 (&line)[16], f16 (&out)[12]) {
    f16 quads[4][4];  // [element of a quarter][vertices]: in each quarter, that element of four vertices
    for (int v = 0; v < 4; ++v) {
        const f16* l = line + 4 * v;
        const f16 ab = low_turns(l[0], l[1]), cd = low_turns(l[2], l[3]);
        const f16 ab2 = high_turns(l[0], l[1]), cd2 = high_turns(l[2], l[3]);
        quads[0][v] = low_halves(ab, cd), quads[1][v] = high_halves(ab, cd);
        quads[2][v] = low_halves(ab2, cd2), quads[3][v] = high_halves(ab2, cd2);
    }
    for (int e = 0; e < 4; ++e) {
        const f16* q = quads[e];
        const f16 low = lower_quarters(q[0], q[1]), high = lower_quarters(q[2], q[3]);
        out[e] = even_quarters(low, high);
        out[4 + e] = odd_quarters(low, high);
        out[8 + e] = even_quarters(upper_quarters(q[0], q[1]), upper_quarters(q[2], q[3]));
    }
}
#endif

/// Four floats of each of the vertices first, first + 4, first + 8 ..., one in each quarter.
template <class V>
inline V every_fourth(const float* from, std::size_t stride, const std::uint32_t* index) {
    const auto four = [&](std::size_t i) { return load<f4>(from + stride * std::size_t(index[i])); };
    if constexpr (sizeof(V) == sizeof(f4)) {
        return four(0);
    } else if constexpr (sizeof(V) == sizeof(f8)) {
        return side_by_side(four(0), four(4));
    } else {
        return side_by_side(side_by_side(four(0), four(4)), side_by_side(four(8), four(12)));
    }
}

/// Vectors at from[stride * index]; reads a fourth float after each.
template <class V>
inline ThreeOf<V> gather(const float* from, std::size_t stride, const std::uint32_t* index) {
    const V a = every_fourth<V>(from, stride, index), b = every_fourth<V>(from, stride, index + 1);
    const V c = every_fourth<V>(from, stride, index + 2), d = every_fourth<V>(from, stride, index + 3);
    const V ab = low_turns(a, b), cd = low_turns(c, d);
    return {low_halves(ab, cd), high_halves(ab, cd), low_halves(high_turns(a, b), high_turns(c, d))};
}

/// Writes vectors i and following of a block: as triples, or as x[16], y[16], z[16].
template <class V>
inline void put_vectors(float* block, std::size_t i, bool channels, V x, V y, V z) {
    if (!channels) return store_triples(block + 3 * i, x, y, z);
    store(block + i, x);
    store(block + 16 + i, y);
    store(block + 32 + i, z);
}

/// Normalises directions and writes them; (0, 1, 0) for zero vectors. in: x[16], y[16], z[16] per block. Runs over many
/// blocks at once, so that roots and divisions overlap.
inline void finish_directions(const float* in, std::size_t blocks, bool channels, float* out) {
    for (std::size_t b = 0; b < blocks; ++b, in += 48, out += 48) {
        alignas(64) float ux[16], uy[16], uz[16];
        for (int i = 0; i < 16; ++i) {
            const float x = in[i], y = in[16 + i], z = in[32 + i];
            const float square = (x * x + y * y) + z * z;
            const bool some = square > 1e-30f;
            const float s = some ? 1.0f / __builtin_sqrtf(square) : 0.0f;
            // Adding +0 removes negative zeros, whose sign would depend on the order of the blend.
            ux[i] = x * s + 0.0f;
            uy[i] = some ? y * s + 0.0f : 1.0f;
            uz[i] = z * s + 0.0f;
        }
        for (std::size_t i = 0; i < 16; i += wide)
            put_vectors(out, i, channels, load<Wide>(ux + i), load<Wide>(uy + i), load<Wide>(uz + i));
    }
}

/// End of the run of blocks, from `begin` on, that one loop can process: shared ones, or ones with equally many own
/// slots.
inline std::size_t end_of_run(const fascia::SkinBlock* blocks, std::size_t begin, std::size_t end) {
    const fascia::SkinBlock first = blocks[begin];
    std::size_t stop = begin + 1;
    while (stop < end && blocks[stop].shared == first.shared && (first.shared || blocks[stop].count == first.count))
        ++stop;
    return stop;
}

}  // namespace
