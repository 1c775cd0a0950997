// Linear blend skinning (docs/formulas.md B2): v' = (sum_k w_k M_k) v + origin.
//
// A palette entry is one cache line: rows (a, b, c, t) of a 3x4 matrix and four zeros. Two code paths for a block:
// own slots   each vertex blends its matrices as whole rows; the products of four vertices are then added up together
// shared      all 16 vertices use the same few entries: lanes are vertices, matrix elements are broadcast Both add in
// ascending order of the entries, then (a x + b y) + (c z + t): the same bits for any path and any width.
#include "skin/kernel_vectors.h"
#include "skin/skin_kernels.h"

namespace fascia::FASCIA_ISA_NAMESPACE {
namespace {

/// Blocks whose directions are normalised together.
constexpr std::size_t direction_chunk = 16;

/// How far ahead weights are fetched, in floats: a surface of many vertices does not fit into the caches, and skinning
/// and carrying alternate, so that the processor's own prefetcher restarts every few kilobytes.
constexpr std::size_t fetched_ahead = 1024;

// ---- own slots: rows of one vertex side by side ----------------------------------------------------------------

#if defined(__AVX__)

// The widest level blends matrices differently.
struct Rows {
    f8 ab, c;
};
[[maybe_unused]] inline Rows scaled(const float* m, float w) {
    return {load<f8>(m) * w, load<f8>(m + 8) * w};
}
[[maybe_unused]] inline Rows operator+(Rows x, Rows y) {
    return {x.ab + y.ab, x.c + y.c};
}
inline Rows times(Rows m, const float* xyz1) {
    const f8 v = _mm256_broadcast_ps(reinterpret_cast<const __m128*>(xyz1));
    return {m.ab * v, m.c * v};
}
/// The vector itself beside the products of its translation: (0, 0, 0, x), (0, 0, 0, y), (0, 0, 0, z).
inline Rows beside(Rows products, const float* xyz1) {
    const f8 v = _mm256_broadcast_ps(reinterpret_cast<const __m128*>(xyz1)), none{};
    return {products.ab + __builtin_shufflevector(v, none, 8, 8, 8, 0, 8, 8, 8, 5),
            products.c + __builtin_shufflevector(v, none, 8, 8, 8, 2, 8, 8, 8, 8)};
}
/// Sums of neighbouring elements: (a0 + a1, a2 + a3, b0 + b1, b2 + b3) in each half.
inline f8 pair_sums(f8 a, f8 b) {
    return __builtin_shufflevector(a, b, 0, 2, 8, 10, 4, 6, 12, 14) +
           __builtin_shufflevector(a, b, 1, 3, 9, 11, 5, 7, 13, 15);
}
inline Rows pair_sums(Rows a, Rows b) {
    return {pair_sums(a.ab, b.ab), pair_sums(a.c, b.c)};
}
/// Coordinates of four vertices: x0..3, y0..3 and z0..3.
struct Four {
    f8 xy, z;
};
inline Four row_sums(Rows first_pair, Rows second_pair) {
    const Rows sums = pair_sums(first_pair, second_pair);
    return {sums.ab, sums.c};
}
inline Four splat(const float* o) {
    const f8 x = f8{} + o[0], y = f8{} + o[1], z = f8{} + o[2];
    return {__builtin_shufflevector(x, y, 0, 1, 2, 3, 8, 9, 10, 11), z};
}
inline void store_positions(float* out, Four v, Four origin) {
    const f8 xy = v.xy + origin.xy;
    const f8 z = v.z + origin.z;
    store(out, __builtin_shufflevector(xy, z, 0, 4, 8, 1, 5, 9, 2, 6));
    const f8 rest = __builtin_shufflevector(xy, z, 10, 3, 7, 11, 10, 3, 7, 11);
    store(out + 8, __builtin_shufflevector(rest, rest, 0, 1, 2, 3));
}
inline void store_channels(float* x, float* y, float* z, Four v) {
    store(x, __builtin_shufflevector(v.xy, v.xy, 0, 1, 2, 3));
    store(y, __builtin_shufflevector(v.xy, v.xy, 4, 5, 6, 7));
    store(z, __builtin_shufflevector(v.z, v.z, 0, 1, 2, 3));
}

#else

struct Rows {
    f4 a, b, c;
};
[[maybe_unused]] inline Rows scaled(const float* m, float w) {
    return {load<f4>(m) * w, load<f4>(m + 4) * w, load<f4>(m + 8) * w};
}
[[maybe_unused]] inline Rows operator+(Rows x, Rows y) {
    return {x.a + y.a, x.b + y.b, x.c + y.c};
}
inline Rows times(Rows m, const float* xyz1) {
    const f4 v = load<f4>(xyz1);
    return {m.a * v, m.b * v, m.c * v};
}
inline Rows beside(Rows products, const float* xyz1) {
    const f4 v = load<f4>(xyz1), none{};
    return {products.a + __builtin_shufflevector(v, none, 4, 4, 4, 0),
            products.b + __builtin_shufflevector(v, none, 4, 4, 4, 1),
            products.c + __builtin_shufflevector(v, none, 4, 4, 4, 2)};
}
inline f4 pair_sums(f4 a, f4 b) {
    return __builtin_shufflevector(a, b, 0, 2, 4, 6) + __builtin_shufflevector(a, b, 1, 3, 5, 7);
}
inline Rows pair_sums(Rows a, Rows b) {
    return {pair_sums(a.a, b.a), pair_sums(a.b, b.b), pair_sums(a.c, b.c)};
}
struct Four {
    f4 x, y, z;
};
inline Four row_sums(Rows first_pair, Rows second_pair) {
    const Rows sums = pair_sums(first_pair, second_pair);
    return {sums.a, sums.b, sums.c};
}
inline Four splat(const float* o) {
    return {f4{} + o[0], f4{} + o[1], f4{} + o[2]};
}
inline void store_positions(float* out, Four v, Four origin) {
    store_triples(out, v.x + origin.x, v.y + origin.y, v.z + origin.z);
}
inline void store_channels(float* x, float* y, float* z, Four v) {
    store(x, v.x);
    store(y, v.y);
    store(z, v.z);
}

#endif

#if defined(__AVX512F__)
/// A matrix is one vector here: fewer loads and instructions.
template <int slots>
__attribute__((always_inline)) inline Rows blend(const float* rows, const std::uint32_t* index, const float* weight) {
    f16 m = load<f16>(rows + index[0]) * weight[0];
    for (int k = 1; k < slots; ++k) m = m + load<f16>(rows + index[k]) * weight[k];
    return {__builtin_shufflevector(m, m, 0, 1, 2, 3, 4, 5, 6, 7),
            __builtin_shufflevector(m, m, 8, 9, 10, 11, 12, 13, 14, 15)};
}
#else
template <int slots>
__attribute__((always_inline)) inline Rows blend(const float* rows, const std::uint32_t* index, const float* weight) {
    Rows m = scaled(rows + index[0], weight[0]);
    for (int k = 1; k < slots; ++k) m = m + scaled(rows + index[k], weight[k]);
    return m;
}
#endif

template <class Do>
__attribute__((always_inline)) inline Rows moved(Rows m, const float* xyz1) {
    if constexpr (Do::onto) return beside(times(m, xyz1), xyz1);
    return times(m, xyz1);
}

/// If there are enough registers, sums are finished one group late: by then their inputs have long been available, and
/// nothing waits in the core's queues.
#if defined(__AVX__)
constexpr bool finish_late = true;
#else
constexpr bool finish_late = false;
#endif

/// What a loop does: positions, directions or both; `onto`: the blended result for a vector is added to it.
template <bool has_positions, bool has_directions, bool adds_onto>
struct Doing {
    static constexpr bool positions = has_positions, directions = has_directions, onto = adds_onto;
};

template <int slots, class Do>
void own_slots(const LbsTask& task, std::size_t begin, std::size_t end) {
    constexpr bool positions = Do::positions, directions = Do::directions;
    // Copies, because as far as the compiler knows the output might overlap the task itself.
    const float* const rows = task.rows;
    const std::uint32_t* index = task.blocks.indices + task.blocks.blocks[begin].first_index;
    const float* weight = task.blocks.weights + task.blocks.blocks[begin].first_weight;
    const float* in = positions ? task.positions + 64 * begin : nullptr;
    const float* in_directions = directions ? task.directions + 64 * begin : nullptr;
    float* out = task.out_positions;
    float* out_directions = task.out_directions;
    const Four origin = splat(task.origin);
    alignas(64) float unfinished[directions ? direction_chunk * 48 : 1];

    // Two vertices: element-wise products of matrix and vector, added up in pairs.
    const auto multiply = [&](Rows & p, Rows & d) __attribute__((always_inline)) {
        if constexpr (Do::onto) {
            __builtin_prefetch(weight + fetched_ahead);
            __builtin_prefetch(index + fetched_ahead);
        }
        const Rows m0 = blend<slots>(rows, index, weight), m1 = blend<slots>(rows, index + slots, weight + slots);
        index += 2 * slots;
        weight += 2 * slots;
        if constexpr (positions) {
            p = pair_sums(moved<Do>(m0, in), moved<Do>(m1, in + 4));
            in += 8;
        }
        if constexpr (directions) {
            d = pair_sums(moved<Do>(m0, in_directions), moved<Do>(m1, in_directions + 4));
            in_directions += 8;
        }
    };
    // Four vertices: the rest of the sums.
    const auto finish = [&](Rows p0, Rows p1, Rows d0, Rows d1, std::size_t i) __attribute__((always_inline)) {
        if constexpr (positions) {
            store_positions(out, row_sums(p0, p1), origin);
            out += 12;
        }
        if constexpr (directions) {
            float* channel = unfinished + 48 * (i / 4) + 4 * (i % 4);
            store_channels(channel, channel + 16, channel + 32, row_sums(d0, d1));
        }
    };

    for (std::size_t b = begin; b < end; b += direction_chunk) {
        const std::size_t blocks = end - b < direction_chunk ? end - b : direction_chunk;
        Rows p0{}, p1{}, d0{}, d1{};
        if constexpr (finish_late) {
            multiply(p0, d0);
            multiply(p1, d1);
            for (std::size_t i = 1; i < 4 * blocks; ++i) {
                Rows next_p0{}, next_p1{}, next_d0{}, next_d1{};
                multiply(next_p0, next_d0);
                multiply(next_p1, next_d1);
                finish(p0, p1, d0, d1, i - 1);
                p0 = next_p0, p1 = next_p1, d0 = next_d0, d1 = next_d1;
            }
            finish(p0, p1, d0, d1, 4 * blocks - 1);
        } else {
            for (std::size_t i = 0; i < 4 * blocks; ++i) {
                multiply(p0, d0);
                multiply(p1, d1);
                finish(p0, p1, d0, d1, i);
            }
        }
        if constexpr (directions) {
            finish_directions(unfinished, blocks, out_directions);
            out_directions += 48 * blocks;
        }
    }
}

template <class Do>
void own_slots(const LbsTask& task, std::uint32_t count, std::size_t begin, std::size_t end) {
    if constexpr (Do::onto) {
        return count == carrier_slots ? own_slots<carrier_slots, Do>(task, begin, end)
                                      : own_slots<8, Do>(task, begin, end);
    } else {
        switch (count) {
            case 1: return own_slots<1, Do>(task, begin, end);
            case 2: return own_slots<2, Do>(task, begin, end);
            case 3: return own_slots<3, Do>(task, begin, end);
            case 4: return own_slots<4, Do>(task, begin, end);
            case 5: return own_slots<5, Do>(task, begin, end);
            case 6: return own_slots<6, Do>(task, begin, end);
            case 7: return own_slots<7, Do>(task, begin, end);
            default: return own_slots<8, Do>(task, begin, end);
        }
    }
}

// ---- shared entries: lanes are vertices --------------------------------------------------------------------------

template <class Do>
void shared_entries(const LbsTask& task, std::size_t begin, std::size_t end) {
    constexpr bool positions = Do::positions, directions = Do::directions;
    const SkinBlock* const blocks = task.blocks.blocks;
    const std::uint32_t* const indices = task.blocks.indices;
    const float* const weights = task.blocks.weights;
    const float* const rows = task.rows;
    const float* in = positions ? task.positions + 64 * begin : nullptr;
    const float* in_directions = directions ? task.directions + 64 * begin : nullptr;
    float* out = task.out_positions;
    float* out_directions = task.out_directions;
    const Wide ox = Wide{} + task.origin[0], oy = Wide{} + task.origin[1], oz = Wide{} + task.origin[2];
    alignas(64) float unfinished[directions ? direction_chunk * 48 : 1];
    for (std::size_t b = begin; b < end; ++b) {
        const SkinBlock block = blocks[b];
        const std::uint32_t* const index = indices + block.first_index;
        const std::size_t waiting = (b - begin) % direction_chunk;
        for (std::size_t i = 0; i < 16; i += wide) {
            const float* weight = weights + block.first_weight + i;
            Wide m[12];
            {
                const float* q = rows + index[0];
                const Wide w = load<Wide>(weight);
                for (int e = 0; e < 12; ++e) m[e] = w * q[e];
            }
            for (std::uint32_t u = 1; u < block.count; ++u) {
                const float* q = rows + index[u];
                const Wide w = load<Wide>(weight + 16 * u);
                if constexpr (Do::onto) __builtin_prefetch(weight + 16 * u + fetched_ahead);
                for (int e = 0; e < 12; ++e) m[e] = m[e] + w * q[e];
            }
            if constexpr (positions) {
                const Wide x = load<Wide>(in + i), y = load<Wide>(in + 16 + i), z = load<Wide>(in + 32 + i);
                if constexpr (Do::onto) m[3] = m[3] + x, m[7] = m[7] + y, m[11] = m[11] + z;
                store_triples(out + 3 * i, ((m[0] * x + m[1] * y) + (m[2] * z + m[3])) + ox,
                              ((m[4] * x + m[5] * y) + (m[6] * z + m[7])) + oy,
                              ((m[8] * x + m[9] * y) + (m[10] * z + m[11])) + oz);
            }
            if constexpr (directions) {
                const float* d = in_directions + i;
                const Wide x = load<Wide>(d), y = load<Wide>(d + 16), z = load<Wide>(d + 32);
                float* channel = unfinished + 48 * waiting + i;
                const auto row = [&](int e, Wide own) {
                    const Wide last = Do::onto ? m[e + 2] * z + own : m[e + 2] * z;
                    return (m[e] * x + m[e + 1] * y) + last;
                };
                store(channel, row(0, x));
                store(channel + 16, row(4, y));
                store(channel + 32, row(8, z));
            }
        }
        if constexpr (positions) in += 64, out += 48;
        if constexpr (directions) {
            in_directions += 64;
            if (waiting + 1 == direction_chunk || b + 1 == end) {
                finish_directions(unfinished, waiting + 1, out_directions);
                out_directions += 48 * (waiting + 1);
            }
        }
    }
}

/// Runs of blocks of the same kind go through one loop.
template <class Do>
void all_blocks(LbsTask task, std::size_t begin, std::size_t end) {
    while (begin < end) {
        const SkinBlock first = task.blocks.blocks[begin];
        const std::size_t stop = end_of_run(task.blocks.blocks, begin, end);
        if (first.shared) {
            shared_entries<Do>(task, begin, stop);
        } else if (first.count > 0) {
            own_slots<Do>(task, first.count, begin, stop);
        }
        if constexpr (Do::positions) task.out_positions += 48 * (stop - begin);
        if constexpr (Do::directions) task.out_directions += 48 * (stop - begin);
        begin = stop;
    }
}

template <bool onto>
void lbs_blocks(const LbsTask& task, std::size_t begin, std::size_t end) {
    if (task.positions != nullptr && task.directions != nullptr) {
        all_blocks<Doing<true, true, onto>>(task, begin, end);
    } else if (task.positions != nullptr) {
        all_blocks<Doing<true, false, onto>>(task, begin, end);
    } else if (task.directions != nullptr) {
        all_blocks<Doing<false, true, onto>>(task, begin, end);
    }
}

}  // namespace

void lbs_blocks(const LbsTask& task, std::size_t begin, std::size_t end) {
    task.onto ? lbs_blocks<true>(task, begin, end) : lbs_blocks<false>(task, begin, end);
}

}  // namespace fascia::FASCIA_ISA_NAMESPACE
