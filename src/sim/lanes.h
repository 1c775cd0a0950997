// Eight floats at a time: one AVX register, or two SSE or WASM ones. Every operation is rounded once and in the same
// order at every vector width, so that all of them give the same bits.
//
// Each translation unit that includes this is compiled for another processor: everything here is private to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

#define FASCIA_LANES_INLINE [[gnu::always_inline]] inline

namespace fascia::sim {
namespace {

constexpr int lane_count = 8;

#if defined(__AVX__)

typedef float F8 __attribute__((vector_size(32)));
typedef std::int32_t I8 __attribute__((vector_size(32)));

FASCIA_LANES_INLINE F8 load(const float* p) {
    return _mm256_loadu_ps(p);
}
FASCIA_LANES_INLINE void store(float* p, F8 v) {
    _mm256_storeu_ps(p, v);
}
FASCIA_LANES_INLINE F8 splat(float v) {
    return _mm256_set1_ps(v);
}
FASCIA_LANES_INLINE F8 lane_max(F8 a, F8 b) {
    return _mm256_max_ps(a, b);
}
FASCIA_LANES_INLINE F8 lane_sqrt(F8 a) {
    return _mm256_sqrt_ps(a);
}
FASCIA_LANES_INLINE F8 select(I8 mask, F8 a, F8 b) {
    return _mm256_blendv_ps(b, a, (F8)mask);
}
FASCIA_LANES_INLINE bool any(I8 mask) {
    return _mm256_movemask_ps((F8)mask) != 0;
}
FASCIA_LANES_INLINE I8 mask_of_bits(std::uint8_t bits) {
    const I8 lane_bit{1, 2, 4, 8, 16, 32, 64, 128};
    const std::int32_t b = bits;
    return (I8{b, b, b, b, b, b, b, b} & lane_bit) == lane_bit;
}

/// Rows of eight floats to columns.
FASCIA_LANES_INLINE void transpose(F8 (&r)[8]) {
    F8 a[8], b[8];
    for (int k = 0; k < 8; k += 2) {
        a[k] = _mm256_unpacklo_ps(r[k], r[k + 1]);
        a[k + 1] = _mm256_unpackhi_ps(r[k], r[k + 1]);
    }
    for (int k = 0; k < 8; k += 4) {
        b[k] = _mm256_shuffle_ps(a[k], a[k + 2], 0x44);
        b[k + 1] = _mm256_shuffle_ps(a[k], a[k + 2], 0xee);
        b[k + 2] = _mm256_shuffle_ps(a[k + 1], a[k + 3], 0x44);
        b[k + 3] = _mm256_shuffle_ps(a[k + 1], a[k + 3], 0xee);
    }
    for (int k = 0; k < 4; ++k) {
        r[k] = _mm256_permute2f128_ps(b[k], b[k + 4], 0x20);
        r[k + 4] = _mm256_permute2f128_ps(b[k], b[k + 4], 0x31);
    }
}

#else

typedef float F4 __attribute__((vector_size(16)));
typedef std::int32_t I4 __attribute__((vector_size(16)));
typedef float UnalignedF4 __attribute__((vector_size(16), aligned(4), may_alias));

struct F8 {
    F4 lo, hi;
};
struct I8 {
    I4 lo, hi;
};

FASCIA_LANES_INLINE F8 load(const float* p) {
    return {*reinterpret_cast<const UnalignedF4*>(p), *reinterpret_cast<const UnalignedF4*>(p + 4)};
}
FASCIA_LANES_INLINE void store(float* p, F8 v) {
    *reinterpret_cast<UnalignedF4*>(p) = v.lo;
    *reinterpret_cast<UnalignedF4*>(p + 4) = v.hi;
}
FASCIA_LANES_INLINE F8 splat(float v) {
    return {F4{v, v, v, v}, F4{v, v, v, v}};
}

FASCIA_LANES_INLINE F8 operator+(F8 a, F8 b) {
    return {a.lo + b.lo, a.hi + b.hi};
}
FASCIA_LANES_INLINE F8 operator-(F8 a, F8 b) {
    return {a.lo - b.lo, a.hi - b.hi};
}
FASCIA_LANES_INLINE F8 operator*(F8 a, F8 b) {
    return {a.lo * b.lo, a.hi * b.hi};
}
FASCIA_LANES_INLINE F8 operator/(F8 a, F8 b) {
    return {a.lo / b.lo, a.hi / b.hi};
}
FASCIA_LANES_INLINE F8 operator-(F8 a) {
    return {-a.lo, -a.hi};
}
FASCIA_LANES_INLINE F8 operator*(F8 a, float b) {
    return {a.lo * b, a.hi * b};
}
FASCIA_LANES_INLINE F8 operator*(float b, F8 a) {
    return a * b;
}
FASCIA_LANES_INLINE F8 operator-(F8 a, float b) {
    return {a.lo - b, a.hi - b};
}
FASCIA_LANES_INLINE F8 operator-(float a, F8 b) {
    return {a - b.lo, a - b.hi};
}
FASCIA_LANES_INLINE F8 operator/(float a, F8 b) {
    return {a / b.lo, a / b.hi};
}
FASCIA_LANES_INLINE I8 operator>(F8 a, F8 b) {
    return {a.lo > b.lo, a.hi > b.hi};
}
FASCIA_LANES_INLINE I8 operator<(F8 a, F8 b) {
    return {a.lo < b.lo, a.hi < b.hi};
}
FASCIA_LANES_INLINE I8 operator>=(F8 a, F8 b) {
    return {a.lo >= b.lo, a.hi >= b.hi};
}
FASCIA_LANES_INLINE I8 operator&(I8 a, I8 b) {
    return {a.lo & b.lo, a.hi & b.hi};
}
FASCIA_LANES_INLINE I8 operator|(I8 a, I8 b) {
    return {a.lo | b.lo, a.hi | b.hi};
}

FASCIA_LANES_INLINE F4 select4(I4 mask, F4 a, F4 b) {
    return (F4)((mask & (I4)a) | (~mask & (I4)b));
}
FASCIA_LANES_INLINE F8 select(I8 mask, F8 a, F8 b) {
    return {select4(mask.lo, a.lo, b.lo), select4(mask.hi, a.hi, b.hi)};
}
#if defined(__x86_64__)
FASCIA_LANES_INLINE F4 max4(F4 a, F4 b) {
    return _mm_max_ps(a, b);
}
FASCIA_LANES_INLINE F4 sqrt4(F4 a) {
    return _mm_sqrt_ps(a);
}
#elif defined(__wasm_simd128__)
FASCIA_LANES_INLINE F4 max4(F4 a, F4 b) {
    return (F4)wasm_f32x4_pmax((v128_t)b, (v128_t)a);
}
FASCIA_LANES_INLINE F4 sqrt4(F4 a) {
    return (F4)wasm_f32x4_sqrt((v128_t)a);
}
#else
FASCIA_LANES_INLINE F4 max4(F4 a, F4 b) {
    return select4(a > b, a, b);
}
FASCIA_LANES_INLINE F4 sqrt4(F4 a) {
    return F4{__builtin_sqrtf(a[0]), __builtin_sqrtf(a[1]), __builtin_sqrtf(a[2]), __builtin_sqrtf(a[3])};
}
#endif
FASCIA_LANES_INLINE F8 lane_max(F8 a, F8 b) {
    return {max4(a.lo, b.lo), max4(a.hi, b.hi)};
}
FASCIA_LANES_INLINE F8 lane_sqrt(F8 a) {
    return {sqrt4(a.lo), sqrt4(a.hi)};
}
FASCIA_LANES_INLINE bool any(I8 mask) {
    const I4 m = mask.lo | mask.hi;
    return (m[0] | m[1] | m[2] | m[3]) != 0;
}
FASCIA_LANES_INLINE I8 mask_of_bits(std::uint8_t bits) {
    const I4 lo{1, 2, 4, 8}, hi{16, 32, 64, 128};
    const std::int32_t b = bits;
    const I4 all{b, b, b, b};
    return {(all & lo) == lo, (all & hi) == hi};
}

FASCIA_LANES_INLINE void transpose4(F4& a, F4& b, F4& c, F4& d) {
    const F4 t0 = __builtin_shufflevector(a, b, 0, 4, 1, 5), t1 = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    const F4 t2 = __builtin_shufflevector(c, d, 0, 4, 1, 5), t3 = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    a = __builtin_shufflevector(t0, t2, 0, 1, 4, 5);
    b = __builtin_shufflevector(t0, t2, 2, 3, 6, 7);
    c = __builtin_shufflevector(t1, t3, 0, 1, 4, 5);
    d = __builtin_shufflevector(t1, t3, 2, 3, 6, 7);
}
FASCIA_LANES_INLINE void transpose(F8 (&r)[8]) {
    transpose4(r[0].lo, r[1].lo, r[2].lo, r[3].lo);
    transpose4(r[0].hi, r[1].hi, r[2].hi, r[3].hi);
    transpose4(r[4].lo, r[5].lo, r[6].lo, r[7].lo);
    transpose4(r[4].hi, r[5].hi, r[6].hi, r[7].hi);
    for (int k = 0; k < 4; ++k) {
        const F8 upper = r[k], lower = r[k + 4];
        r[k] = {upper.lo, lower.lo};
        r[k + 4] = {upper.hi, lower.hi};
    }
}

#endif

FASCIA_LANES_INLINE float lane(F8 v, int index) {
    float values[lane_count];
    std::memcpy(values, &v, sizeof values);
    return values[index];
}
FASCIA_LANES_INLINE void set_lane(F8& v, int index, float value) {
    std::memcpy(reinterpret_cast<char*>(&v) + index * sizeof(float), &value, sizeof value);
}

/// Two segments side by side: twice the independent work, which hides the latency of long chains.
struct F16 {
    F8 a, b;
};
struct I16 {
    I8 a, b;
};
FASCIA_LANES_INLINE F16 operator+(F16 x, F16 y) {
    return {x.a + y.a, x.b + y.b};
}
FASCIA_LANES_INLINE F16 operator-(F16 x, F16 y) {
    return {x.a - y.a, x.b - y.b};
}
FASCIA_LANES_INLINE F16 operator*(F16 x, F16 y) {
    return {x.a * y.a, x.b * y.b};
}
FASCIA_LANES_INLINE F16 operator*(F16 x, float y) {
    return {x.a * y, x.b * y};
}
FASCIA_LANES_INLINE F16 operator-(float x, F16 y) {
    return {x - y.a, x - y.b};
}
FASCIA_LANES_INLINE F16 operator/(float x, F16 y) {
    return {x / y.a, x / y.b};
}
FASCIA_LANES_INLINE I16 operator>(F16 x, F16 y) {
    return {x.a > y.a, x.b > y.b};
}
FASCIA_LANES_INLINE I16 operator<(F16 x, F16 y) {
    return {x.a < y.a, x.b < y.b};
}
FASCIA_LANES_INLINE I16 operator&(I16 x, I16 y) {
    return {x.a & y.a, x.b & y.b};
}
FASCIA_LANES_INLINE F16 select(I16 m, F16 x, F16 y) {
    return {select(m.a, x.a, y.a), select(m.b, x.b, y.b)};
}
FASCIA_LANES_INLINE F16 lane_max(F16 x, F16 y) {
    return {lane_max(x.a, y.a), lane_max(x.b, y.b)};
}
FASCIA_LANES_INLINE F16 lane_sqrt(F16 x) {
    return {lane_sqrt(x.a), lane_sqrt(x.b)};
}
FASCIA_LANES_INLINE bool any(I16 m) {
    return any(m.a | m.b);
}

template <class F>
F constant(float v);
template <>
FASCIA_LANES_INLINE F8 constant<F8>(float v) {
    return splat(v);
}
template <>
FASCIA_LANES_INLINE F16 constant<F16>(float v) {
    return {splat(v), splat(v)};
}

/// 1 / sqrt(v), exact but for two roundings; v must be positive.
template <class F>
FASCIA_LANES_INLINE F inverse_sqrt(F v) {
    return 1.0f / lane_sqrt(v);
}

template <class F>
struct Vec {
    F x, y, z;
};
using V3 = Vec<F8>;
template <class F>
FASCIA_LANES_INLINE Vec<F> operator+(Vec<F> a, Vec<F> b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class F>
FASCIA_LANES_INLINE Vec<F> operator-(Vec<F> a, Vec<F> b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class F>
FASCIA_LANES_INLINE Vec<F> operator*(Vec<F> a, F s) {
    return {a.x * s, a.y * s, a.z * s};
}
template <class F>
FASCIA_LANES_INLINE Vec<F>& operator+=(Vec<F>& a, Vec<F> b) {
    return a = a + b;
}
template <class F>
FASCIA_LANES_INLINE F dot(Vec<F> a, Vec<F> b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class F>
FASCIA_LANES_INLINE Vec<F> cross(Vec<F> a, Vec<F> b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class M, class F>
FASCIA_LANES_INLINE Vec<F> select(M mask, Vec<F> a, Vec<F> b) {
    return {select(mask, a.x, b.x), select(mask, a.y, b.y), select(mask, a.z, b.z)};
}
FASCIA_LANES_INLINE V3 splat3(float v) {
    return {splat(v), splat(v), splat(v)};
}
/// Three channels that lie `stride` apart.
FASCIA_LANES_INLINE V3 load3(const float* p, std::size_t stride) {
    return {load(p), load(p + stride), load(p + 2 * stride)};
}
FASCIA_LANES_INLINE void store3(float* p, std::size_t stride, V3 v) {
    store(p, v.x);
    store(p + stride, v.y);
    store(p + 2 * stride, v.z);
}
FASCIA_LANES_INLINE void set_lane(V3& v, int index, float x, float y, float z) {
    set_lane(v.x, index, x);
    set_lane(v.y, index, y);
    set_lane(v.z, index, z);
}

}  // namespace
}  // namespace fascia::sim
