// Eight floats at a time: one AVX register, or two SSE or WASM ones. Every operation is rounded once and in the same
// order at every vector width, so that all of them give the same bits.
//
// Each translation unit that includes this is compiled for a different processor, so everything here is private to it.
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

/// magic - bits / 2, read as a float: a first guess at an inverse square root.
FASCIA_LANES_INLINE F8 guess_inverse_sqrt(F8 v, std::int32_t magic) {
    return (F8)_mm256_sub_epi32(_mm256_set1_epi32(magic), _mm256_srli_epi32((__m256i)v, 1));
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
FASCIA_LANES_INLINE I8 operator<=(F8 a, F8 b) {
    return {a.lo <= b.lo, a.hi <= b.hi};
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

/// magic - bits / 2, read as a float: a first guess at an inverse square root.
FASCIA_LANES_INLINE F4 guess4(F4 v, std::int32_t magic) {
    return (F4)(I4{magic, magic, magic, magic} - ((I4)v >> 1));
}
FASCIA_LANES_INLINE F8 guess_inverse_sqrt(F8 v, std::int32_t magic) {
    return {guess4(v.lo, magic), guess4(v.hi, magic)};
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

/// N vectors side by side: independent work, interleaved operation by operation, which hides the latency of long
/// chains. Processors look ahead for such work, but not as far as the end of a long chain.
template <int N>
struct Wide {
    F8 part[N];
};
template <int N>
struct WideMask {
    I8 part[N];
};
template <class R, int N, class Op>
FASCIA_LANES_INLINE R each(Op op) {
    R out;
    for (int k = 0; k < N; ++k) out.part[k] = op(k);
    return out;
}
template <int N>
FASCIA_LANES_INLINE Wide<N> operator+(Wide<N> x, Wide<N> y) {
    return each<Wide<N>, N>([&](int k) { return x.part[k] + y.part[k]; });
}
template <int N>
FASCIA_LANES_INLINE Wide<N> operator-(Wide<N> x, Wide<N> y) {
    return each<Wide<N>, N>([&](int k) { return x.part[k] - y.part[k]; });
}
template <int N>
FASCIA_LANES_INLINE Wide<N> operator*(Wide<N> x, Wide<N> y) {
    return each<Wide<N>, N>([&](int k) { return x.part[k] * y.part[k]; });
}
template <int N>
FASCIA_LANES_INLINE Wide<N> operator*(Wide<N> x, float y) {
    return each<Wide<N>, N>([&](int k) { return x.part[k] * y; });
}
template <int N>
FASCIA_LANES_INLINE Wide<N> operator-(float x, Wide<N> y) {
    return each<Wide<N>, N>([&](int k) { return x - y.part[k]; });
}
template <int N>
FASCIA_LANES_INLINE Wide<N> operator/(float x, Wide<N> y) {
    return each<Wide<N>, N>([&](int k) { return x / y.part[k]; });
}
template <int N>
FASCIA_LANES_INLINE WideMask<N> operator>(Wide<N> x, Wide<N> y) {
    return each<WideMask<N>, N>([&](int k) { return x.part[k] > y.part[k]; });
}
template <int N>
FASCIA_LANES_INLINE WideMask<N> operator&(WideMask<N> x, WideMask<N> y) {
    return each<WideMask<N>, N>([&](int k) { return x.part[k] & y.part[k]; });
}
template <int N>
FASCIA_LANES_INLINE Wide<N> select(WideMask<N> m, Wide<N> x, Wide<N> y) {
    return each<Wide<N>, N>([&](int k) { return select(m.part[k], x.part[k], y.part[k]); });
}
template <int N>
FASCIA_LANES_INLINE Wide<N> lane_max(Wide<N> x, Wide<N> y) {
    return each<Wide<N>, N>([&](int k) { return lane_max(x.part[k], y.part[k]); });
}
template <int N>
FASCIA_LANES_INLINE Wide<N> lane_sqrt(Wide<N> x) {
    return each<Wide<N>, N>([&](int k) { return lane_sqrt(x.part[k]); });
}
template <int N>
FASCIA_LANES_INLINE Wide<N> guess_inverse_sqrt(Wide<N> x, std::int32_t magic) {
    return each<Wide<N>, N>([&](int k) { return guess_inverse_sqrt(x.part[k], magic); });
}
template <int N>
FASCIA_LANES_INLINE bool any(WideMask<N> m) {
    I8 all = m.part[0];
    for (int k = 1; k < N; ++k) all = all | m.part[k];
    return any(all);
}

// ---- two vectors as one ----
#if defined(__AVX512F__)

/// Sixteen floats in one register: half as many instructions in flight, and nothing spills.
struct F16 {
    __m512 v;
};
struct I16 {
    __mmask16 bits;
};
constexpr __mmask16 all16 = 0xffff;  // g++ warns of uninitialised values in the forms without a mask
FASCIA_LANES_INLINE F16 operator+(F16 a, F16 b) {
    return {_mm512_add_ps(a.v, b.v)};
}
FASCIA_LANES_INLINE F16 operator-(F16 a, F16 b) {
    return {_mm512_sub_ps(a.v, b.v)};
}
FASCIA_LANES_INLINE F16 operator*(F16 a, F16 b) {
    return {_mm512_mul_ps(a.v, b.v)};
}
FASCIA_LANES_INLINE F16 operator*(F16 a, float b) {
    return {_mm512_mul_ps(a.v, _mm512_set1_ps(b))};
}
FASCIA_LANES_INLINE F16 operator-(float a, F16 b) {
    return {_mm512_sub_ps(_mm512_set1_ps(a), b.v)};
}
FASCIA_LANES_INLINE F16 operator/(float a, F16 b) {
    return {_mm512_div_ps(_mm512_set1_ps(a), b.v)};
}
FASCIA_LANES_INLINE I16 operator>(F16 a, F16 b) {
    return {_mm512_cmp_ps_mask(a.v, b.v, _CMP_GT_OS)};
}
FASCIA_LANES_INLINE I16 operator&(I16 a, I16 b) {
    return {__mmask16(a.bits & b.bits)};
}
FASCIA_LANES_INLINE bool any(I16 mask) {
    return mask.bits != 0;
}
FASCIA_LANES_INLINE F16 select(I16 mask, F16 a, F16 b) {
    return {_mm512_mask_blend_ps(mask.bits, b.v, a.v)};
}
FASCIA_LANES_INLINE F16 lane_max(F16 a, F16 b) {
    return {_mm512_maskz_max_ps(all16, a.v, b.v)};
}
FASCIA_LANES_INLINE F16 lane_sqrt(F16 a) {
    return {_mm512_maskz_sqrt_ps(all16, a.v)};
}
FASCIA_LANES_INLINE F16 pair(F8 a, F8 b) {
    return {__builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)};
}
FASCIA_LANES_INLINE F8 first(F16 v) {
    return __builtin_shufflevector(v.v, v.v, 0, 1, 2, 3, 4, 5, 6, 7);
}
FASCIA_LANES_INLINE F8 second(F16 v) {
    return __builtin_shufflevector(v.v, v.v, 8, 9, 10, 11, 12, 13, 14, 15);
}
FASCIA_LANES_INLINE I16 mask_of_bits(std::uint8_t a, std::uint8_t b) {
    return {__mmask16(a | b << 8)};
}

#else

using F16 = Wide<2>;
using I16 = WideMask<2>;
FASCIA_LANES_INLINE F16 pair(F8 a, F8 b) {
    return {{a, b}};
}
FASCIA_LANES_INLINE F8 first(F16 v) {
    return v.part[0];
}
FASCIA_LANES_INLINE F8 second(F16 v) {
    return v.part[1];
}
FASCIA_LANES_INLINE I16 mask_of_bits(std::uint8_t a, std::uint8_t b) {
    return {{mask_of_bits(a), mask_of_bits(b)}};
}

#endif

template <class F>
struct Constant;
#if defined(__AVX512F__)
template <>
struct Constant<F16> {
    FASCIA_LANES_INLINE static F16 of(float v) { return {_mm512_set1_ps(v)}; }
};
#endif
template <>
struct Constant<F8> {
    FASCIA_LANES_INLINE static F8 of(float v) { return splat(v); }
};
template <int N>
struct Constant<Wide<N>> {
    FASCIA_LANES_INLINE static Wide<N> of(float v) {
        return each<Wide<N>, N>([&](int) { return splat(v); });
    }
};
template <class F>
FASCIA_LANES_INLINE F constant(float v) {
    return Constant<F>::of(v);
}

/// 1 / sqrt(v), exact except for two roundings; v must be positive.
template <class F>
FASCIA_LANES_INLINE F inverse_sqrt(F v) {
    return 1.0f / lane_sqrt(v);
}

/// 1 / sqrt(2 half) without the slow root and division: relative error 1.2e-6, and exactly 1 for half = 1/2. Two Newton
/// steps whose constants centre the error on zero. Finite for zero, too.
template <class F>
FASCIA_LANES_INLINE F quick_inverse_sqrt_of_twice(F half) {
    F y = guess_inverse_sqrt(half, 0x5ef76b08);
    y = y * (1.50087798f - half * (y * y));
    return y * (1.50000101f - half * (y * y));
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
FASCIA_LANES_INLINE F8 lane_numbers() {
    static constexpr float numbers[lane_count] = {0, 1, 2, 3, 4, 5, 6, 7};
    return load(numbers);
}
FASCIA_LANES_INLINE V3 splat3(float v) {
    return {splat(v), splat(v), splat(v)};
}
/// Three channels, `stride` apart.
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
