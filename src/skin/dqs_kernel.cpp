// Dual quaternion skinning: b = sum_k w_k q_k with signs already aligned in the palette, then the motion of
// dual_motion.h, and the origin last.
//
// Two code paths for a block, as in lbs_kernel.cpp: own slots (a palette entry is one vector of 8) or shared entries
// (lanes are vertices). The order of every sum is the same in both.
#include "skin/dual_motion.h"
#include "skin/skin_kernels.h"

namespace fascia::FASCIA_ISA_NAMESPACE {
namespace {

/// Distance from one written block to the next.
inline std::size_t out_floats(const DqsTask& task) {
    return task.channels != 0 ? task.channels : 48;
}

/// Reads rest vectors and writes moved ones, block after block. Holds a copy of the task's pointers, because as far as
/// the compiler knows the output might overlap the task itself.
template <bool positions, bool directions>
class Cursor {
public:
    Cursor(const DqsTask& task, std::size_t block)
        : in_(positions ? task.positions + 48 * block : nullptr),
          in_directions_(directions ? task.directions + 48 * block : nullptr),
          out_(task.out_positions),
          out_directions_(task.out_directions),
          channels_(task.channels != 0),
          step_(out_floats(task)),
          scale_(task.scale),
          ox_(task.origin[0]),
          oy_(task.origin[1]),
          oz_(task.origin[2]) {}

    void next() {
        if constexpr (positions) in_ += 48, out_ += step_;
        if constexpr (directions) in_directions_ += 48, out_directions_ += step_;
    }

    /// Vertices i and following of the block.
    template <class V>
    void move(const Duals<V>& b, std::size_t i) const {
        const V s = 2.0f / square_of(b);
        if constexpr (positions) move_positions(b, s, i);
        if constexpr (directions) turn_directions(b, s, i);
    }

private:
    template <class V>
    void move_positions(const Duals<V>& b, V s, std::size_t i) const {
        const V vx = load<V>(in_ + i) * scale_, vy = load<V>(in_ + 16 + i) * scale_,
                vz = load<V>(in_ + 32 + i) * scale_;
        const ThreeOf<V> to = moved(b, s, vx, vy, vz);
        put(out_, i, to.x + ox_, to.y + oy_, to.z + oz_);
    }

    template <class V>
    void turn_directions(const Duals<V>& b, V s, std::size_t i) const {
        const float* in = in_directions_ + i;
        const ThreeOf<V> to = turned(b, s, load<V>(in), load<V>(in + 16), load<V>(in + 32));
        put(out_directions_, i, to.x, to.y, to.z);
    }

    template <class V>
    void put(float* out, std::size_t i, V x, V y, V z) const {
        if (!channels_) return store_triples(out + 3 * i, x, y, z);
        store(out + i, x);
        store(out + 16 + i, y);
        store(out + 32 + i, z);
    }

    const float *in_, *in_directions_;
    float *out_, *out_directions_;
    bool channels_;
    std::size_t step_;
    float scale_, ox_, oy_, oz_;
};

// ---- own slots -----------------------------------------------------------------------------------------------------

#if defined(__AVX__)

template <int slots>
inline f8 blend(const float* duals, const std::uint32_t* index, const float* weight) {
    f8 b = load<f8>(duals + index[0]) * weight[0];
    for (int k = 1; k < slots; ++k) b = b + load<f8>(duals + index[k]) * weight[k];
    return b;
}

/// Four vertices: in each half (real, dual) the 4x4 transpose.
struct Halves {
    f8 w, x, y, z;
};
inline Halves transpose(f8 a, f8 b, f8 c, f8 d) {
    const f8 ab = __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13);
    const f8 ab2 = __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15);
    const f8 cd = __builtin_shufflevector(c, d, 0, 8, 1, 9, 4, 12, 5, 13);
    const f8 cd2 = __builtin_shufflevector(c, d, 2, 10, 3, 11, 6, 14, 7, 15);
    return {__builtin_shufflevector(ab, cd, 0, 1, 8, 9, 4, 5, 12, 13),
            __builtin_shufflevector(ab, cd, 2, 3, 10, 11, 6, 7, 14, 15),
            __builtin_shufflevector(ab2, cd2, 0, 1, 8, 9, 4, 5, 12, 13),
            __builtin_shufflevector(ab2, cd2, 2, 3, 10, 11, 6, 7, 14, 15)};
}
inline f8 low_halves(f8 a, f8 b) {
    return __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11);
}
inline f8 high_halves(f8 a, f8 b) {
    return __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15);
}

constexpr int group = 8;

template <int slots>
inline Duals<f8> blend_group(const float* duals, const std::uint32_t* index, const float* weight) {
    f8 b[group];
    for (int i = 0; i < group; ++i) b[i] = blend<slots>(duals, index + i * slots, weight + i * slots);
    const Halves l = transpose(b[0], b[1], b[2], b[3]), h = transpose(b[4], b[5], b[6], b[7]);
    return {low_halves(l.w, h.w),  low_halves(l.x, h.x),  low_halves(l.y, h.y),  low_halves(l.z, h.z),
            high_halves(l.w, h.w), high_halves(l.x, h.x), high_halves(l.y, h.y), high_halves(l.z, h.z)};
}

#else

struct Quads {
    f4 w, x, y, z;
};
inline Quads transpose(f4 a, f4 b, f4 c, f4 d) {
    const f4 ab = __builtin_shufflevector(a, b, 0, 4, 1, 5), ab2 = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    const f4 cd = __builtin_shufflevector(c, d, 0, 4, 1, 5), cd2 = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    return {__builtin_shufflevector(ab, cd, 0, 1, 4, 5), __builtin_shufflevector(ab, cd, 2, 3, 6, 7),
            __builtin_shufflevector(ab2, cd2, 0, 1, 4, 5), __builtin_shufflevector(ab2, cd2, 2, 3, 6, 7)};
}

constexpr int group = 4;

template <int slots>
inline Duals<f4> blend_group(const float* duals, const std::uint32_t* index, const float* weight) {
    f4 b[group], e[group];
    for (int i = 0; i < group; ++i, index += slots, weight += slots) {
        const float* q = duals + index[0];
        b[i] = load<f4>(q) * weight[0];
        e[i] = load<f4>(q + 4) * weight[0];
        for (int k = 1; k < slots; ++k) {
            q = duals + index[k];
            b[i] = b[i] + load<f4>(q) * weight[k];
            e[i] = e[i] + load<f4>(q + 4) * weight[k];
        }
    }
    const Quads r = transpose(b[0], b[1], b[2], b[3]), d = transpose(e[0], e[1], e[2], e[3]);
    return {r.w, r.x, r.y, r.z, d.w, d.x, d.y, d.z};
}

#endif

template <int slots, bool positions, bool directions>
void own_slots(const DqsTask& task, std::size_t begin, std::size_t end) {
    const SkinBlocks blocks = task.blocks;
    const float* const duals = task.duals;
    Cursor<positions, directions> at(task, begin);
    for (std::size_t b = begin; b < end; ++b, at.next()) {
        const std::uint32_t* index = blocks.indices + blocks.blocks[b].first_index;
        const float* weight = blocks.weights + blocks.blocks[b].first_weight;
        for (int i = 0; i < 16; i += group, index += group * slots, weight += group * slots)
            at.move(blend_group<slots>(duals, index, weight), static_cast<std::size_t>(i));
    }
}

template <bool positions, bool directions>
void own_slots(const DqsTask& task, std::uint32_t count, std::size_t begin, std::size_t end) {
    switch (count) {
        case 1: return own_slots<1, positions, directions>(task, begin, end);
        case 2: return own_slots<2, positions, directions>(task, begin, end);
        case 3: return own_slots<3, positions, directions>(task, begin, end);
        case 4: return own_slots<4, positions, directions>(task, begin, end);
        case 5: return own_slots<5, positions, directions>(task, begin, end);
        case 6: return own_slots<6, positions, directions>(task, begin, end);
        case 7: return own_slots<7, positions, directions>(task, begin, end);
        default: return own_slots<8, positions, directions>(task, begin, end);
    }
}

// ---- shared entries: lanes are vertices --------------------------------------------------------------------------

template <bool positions, bool directions>
void shared_entries(const DqsTask& task, std::size_t begin, std::size_t end) {
    const SkinBlocks blocks = task.blocks;
    const float* const duals = task.duals;
    Cursor<positions, directions> at(task, begin);
    for (std::size_t b = begin; b < end; ++b, at.next()) {
        const SkinBlock block = blocks.blocks[b];
        const std::uint32_t* const index = blocks.indices + block.first_index;
        for (std::size_t i = 0; i < 16; i += wide) {
            const float* weight = blocks.weights + block.first_weight + i;
            Wide m[8];
            {
                const float* q = duals + index[0];
                const Wide w = load<Wide>(weight);
                for (int e = 0; e < 8; ++e) m[e] = w * q[e];
            }
            for (std::uint32_t u = 1; u < block.count; ++u) {
                const float* q = duals + index[u];
                const Wide w = load<Wide>(weight + 16 * u);
                for (int e = 0; e < 8; ++e) m[e] = m[e] + w * q[e];
            }
            at.move(Duals<Wide>{m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7]}, i);
        }
    }
}

/// Runs of blocks of the same kind go through one loop.
template <bool positions, bool directions>
void all_blocks(DqsTask task, std::size_t begin, std::size_t end) {
    while (begin < end) {
        const SkinBlock first = task.blocks.blocks[begin];
        const std::size_t stop = end_of_run(task.blocks.blocks, begin, end);
        if (first.shared) {
            shared_entries<positions, directions>(task, begin, stop);
        } else {
            own_slots<positions, directions>(task, first.count, begin, stop);
        }
        if constexpr (positions) task.out_positions += out_floats(task) * (stop - begin);
        if constexpr (directions) task.out_directions += out_floats(task) * (stop - begin);
        begin = stop;
    }
}

}  // namespace

void dqs_blocks(const DqsTask& task, std::size_t begin, std::size_t end) {
    if (task.positions != nullptr && task.directions != nullptr) {
        all_blocks<true, true>(task, begin, end);
    } else if (task.positions != nullptr) {
        all_blocks<true, false>(task, begin, end);
    } else if (task.directions != nullptr) {
        all_blocks<false, true>(task, begin, end);
    }
}

}  // namespace fascia::FASCIA_ISA_NAMESPACE
