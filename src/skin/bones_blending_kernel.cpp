// Bones blending (docs/formulas.md B4), lanes are vertices of one joint:
//     v' = M_p ( t tau + Rot(axis, t phi) (v + t (S - I) v) )     v about the joint, axis and phi once per joint and
//     frame
#include "skin/bones_blending.h"
#include "skin/kernel_vectors.h"

namespace fascia::FASCIA_ISA_NAMESPACE {
namespace {

using Three = ThreeOf<Wide>;

/// sin(x) and 1 - cos(x) of a vertex's angle, from half of it: polynomials, accurate to 3e-7 up to x = 3.6.
struct Angle {
    Wide sine, versine;
};
inline Angle angle_of(Wide half) {
    const Wide q = half * half;
    Wide s = q * 2.59794683e-06f - 0.000198096008f;
    s = s * q + 0.00833312888f;
    s = s * q - 0.166666642f;
    s = (s * q + 1.0f) * half;
    Wide c = q * -2.59143434e-07f + 2.47554399e-05f;
    c = c * q - 0.00138883572f;
    c = c * q + 0.0416666456f;
    c = c * q - 0.5f;
    c = c * q + 1.0f;
    const Wide twice = s + s;
    return {twice * c, twice * s};
}

/// M_p Rot(axis, x) = M_p + sin(x) M_p [axis] + (1 - cos(x)) M_p [axis]^2, three matrices of the joint; per lane.
struct Linear {
    Wide m[9];
};
/// [Kavan 2003, eq. 4]
inline Linear turned(const float (&three)[3][9], const Angle& angle) {
    Linear out;
    for (int k = 0; k < 9; ++k) out.m[k] = (angle.sine * three[1][k] + angle.versine * three[2][k]) + three[0][k];
    return out;
}
inline Three operator*(const Linear& a, const Three& v) {
    return {a.m[0] * v.x + a.m[1] * v.y + a.m[2] * v.z, a.m[3] * v.x + a.m[4] * v.y + a.m[5] * v.z,
            a.m[6] * v.x + a.m[7] * v.y + a.m[8] * v.z};
}
inline Three stretched(const float* m, Wide t, const Three& v) {
    return {v.x + t * (m[0] * v.x + m[1] * v.y + m[2] * v.z), v.y + t * (m[3] * v.x + m[4] * v.y + m[5] * v.z),
            v.z + t * (m[6] * v.x + m[7] * v.y + m[8] * v.z)};
}
inline Three load_wide(const float* p, std::size_t lane) {
    return {load<Wide>(p + lane), load<Wide>(p + 16 + lane), load<Wide>(p + 32 + lane)};
}
inline void store_wide(float* p, std::size_t lane, const Three& v) {
    store(p + lane, v.x);
    store(p + 16 + lane, v.y);
    store(p + 32 + lane, v.z);
}

/// Blocks that wait to be written together, so that what was just stored as a vector is not read back piecemeal.
constexpr std::size_t chunk = 8;
struct Waiting {
    alignas(64) float positions[chunk][48];  ///< triples
    alignas(64) float normals[chunk][48];    ///< channels, then triples
    alignas(64) float there[chunk][48];      ///< normals of the surface beneath, channels
};

/// Vectors of the skinned surface. The last vertex of the surface has no float after it.
inline Three there_at(BlendKind kind, const std::uint32_t* index, const float* from, std::size_t stride) {
    if (kind != BlendKind::faded_at_end) return gather<Wide>(from, stride, index);
    alignas(64) float v[3][wide];
    for (std::size_t i = 0; i < wide; ++i)
        for (std::size_t c = 0; c < 3; ++c) v[c][i] = from[stride * std::size_t(index[i]) + c];
    return {load<Wide>(v[0]), load<Wide>(v[1]), load<Wide>(v[2])};
}

/// there + fade (v - there)
inline Three faded(const Three& v, const Three& there, Wide fade) {
    return {there.x + fade * (v.x - there.x), there.y + fade * (v.y - there.y), there.z + fade * (v.z - there.z)};
}

inline bool fades(BlendKind kind) {
    return kind == BlendKind::faded || kind == BlendKind::faded_at_end;
}

/// Normals that need no further work: they stay unit and are mixed with nothing.
inline bool is_ready(const BlendFrame& frame, BlendKind kind) {
    return frame.rigid && !fades(kind);
}

template <bool positions, bool normals, bool mixed>
inline void move_block(const BlendTask& task, const BlendFrame& frame, std::size_t block, std::size_t place,
                       Waiting& out) {
    const float* const t = task.shares + 32 * block;
    const std::uint32_t* const index = task.indices + 16 * block;
    const BlendKind kind = task.blocks[block].kind;
    const bool ready = !mixed && frame.rigid;
    // Consecutive vertices of the mesh are stored directly.
    const auto triples = [&](float* surface, float* waiting) {
        return kind == BlendKind::row ? surface + 3 * std::size_t(index[0]) : waiting;
    };
    float* const to = positions ? triples(task.out_positions, out.positions[place]) : nullptr;
    float* const normals_to = normals ? triples(task.out_normals, out.normals[place]) : nullptr;
    for (std::size_t i = 0; i < 16; i += wide) {
        const Wide share = load<Wide>(t + i);
        const Angle angle = angle_of(share * frame.half_angle);
        const Linear linear = turned(frame.turn, angle);
        if constexpr (positions) {
            Three v = load_wide(task.positions + 48 * block, i);
            if (frame.stretched) v = stretched(frame.stretch, share, v);
            v = linear * v;
            v = {((v.x + share * frame.shift[0]) + frame.at[0]) + task.origin[0],
                 ((v.y + share * frame.shift[1]) + frame.at[1]) + task.origin[1],
                 ((v.z + share * frame.shift[2]) + frame.at[2]) + task.origin[2]};
            if (mixed) v = faded(v, there_at(kind, index + i, task.out_positions, 3), load<Wide>(t + 16 + i));
            store_triples(to + 3 * i, v.x, v.y, v.z);
        }
        if constexpr (normals) {
            Three v = load_wide(task.normals + 48 * block, i);
            if (frame.stretched) v = stretched(frame.cofactor, share, v);
            v = (frame.even ? linear : turned(frame.normal_turn, angle)) * v;
            if (ready) {
                store_triples(normals_to + 3 * i, v.x, v.y, v.z);
                continue;
            }
            store_wide(out.normals[place], i, v);
            if (mixed) store_wide(out.there[place], i, there_at(kind, index + i, task.out_normals, 3));
        }
    }
}

/// Tangents are rare: the same, one by one.
inline void move_tangents(const BlendTask& task, const BlendFrame& frame, std::size_t block, Waiting& out) {
    for (std::size_t i = 0; i < 16; i += wide) {
        const Wide share = load<Wide>(task.shares + 32 * block + i);
        Three v = load_wide(task.tangents + 48 * block, i);
        if (frame.stretched) v = stretched(frame.stretch, share, v);
        store_wide(out.normals[0], i, turned(frame.turn, angle_of(share * frame.half_angle)) * v);
        store_wide(out.there[0], i, gather<Wide>(task.out_tangents, 4, task.indices + 16 * block + i));
    }
}

/// Written as plain loops over lanes, which compilers vectorise.
inline void make_unit(float* v) {
    for (std::size_t i = 0; i < 16; ++i) {
        const float x = v[i], y = v[16 + i], z = v[32 + i];
        const float square = (x * x + y * y) + z * z;
        const float s = square > 1e-30f ? 1.0f / __builtin_sqrtf(square) : 0.0f;
        v[i] = x * s, v[16 + i] = y * s, v[32 + i] = z * s;
    }
}

inline void finish_directions_of(BlendKind kind, bool is_unit, const float* there, const float* fade, float* v) {
    if (!is_unit) make_unit(v);
    if (!fades(kind)) return;
    for (std::size_t i = 0; i < 16; i += wide)
        store_wide(v, i, faded(load_wide(v, i), load_wide(there, i), load<Wide>(fade + i)));
    make_unit(v);
}

/// Channels to triples, possibly in place.
inline void to_triples(const float* v, float* to) {
    Three whole[16 / wide];
    for (std::size_t i = 0; i < 16; i += wide) whole[i / wide] = load_wide(v, i);
    for (std::size_t i = 0; i < 16; i += wide)
        store_triples(to + 3 * i, whole[i / wide].x, whole[i / wide].y, whole[i / wide].z);
}

/// Writes triples to their vertices. Reads a fourth float after each.
inline void scatter(const std::uint32_t* index, const float* v, float* out) {
#pragma GCC unroll 16
    for (std::size_t i = 0; i < 16; ++i) {
        const f4 triple = load<f4>(v + 3 * i);
        float* const to = out + 3 * std::size_t(index[i]);
#if defined(__AVX512VL__)
        _mm_mask_storeu_ps(to, 7, triple);
#else
        std::memcpy(to, &triple, 3 * sizeof(float));
#endif
    }
}

template <bool positions, bool normals>
void all_blocks(const BlendTask& task, std::size_t begin, std::size_t end) {
    Waiting waiting;
    for (; begin < end; begin += chunk) {
        const std::size_t blocks = end - begin < chunk ? end - begin : chunk;
        for (std::size_t k = 0; k < blocks; ++k)
            (fades(task.blocks[begin + k].kind)
                 ? move_block<positions, normals, true>
                 : move_block<positions, normals, false>)(task, task.frames[task.blocks[begin + k].owner], begin + k, k,
                                                          waiting);
        for (std::size_t k = 0; normals && k < blocks; ++k) {
            const BlendBlock block = task.blocks[begin + k];
            const BlendFrame& frame = task.frames[block.owner];
            if (is_ready(frame, block.kind)) continue;
            finish_directions_of(block.kind, frame.rigid, waiting.there[k], task.shares + 32 * (begin + k) + 16,
                                 waiting.normals[k]);
        }
        for (std::size_t k = 0; normals && k < blocks; ++k) {
            const BlendBlock block = task.blocks[begin + k];
            if (is_ready(task.frames[block.owner], block.kind)) continue;
            const std::size_t first = 3 * std::size_t(task.indices[16 * (begin + k)]);
            to_triples(waiting.normals[k],
                       block.kind == BlendKind::row ? task.out_normals + first : waiting.normals[k]);
        }
        for (std::size_t k = 0; k < blocks; ++k) {
            const std::uint32_t* const index = task.indices + 16 * (begin + k);
            if (task.blocks[begin + k].kind == BlendKind::row) continue;
            if constexpr (positions) scatter(index, waiting.positions[k], task.out_positions);
            if constexpr (normals) scatter(index, waiting.normals[k], task.out_normals);
        }
    }
}

void all_tangents(const BlendTask& task, std::size_t begin, std::size_t end) {
    Waiting waiting;
    for (std::size_t b = begin; b < end; ++b) {
        move_tangents(task, task.frames[task.blocks[b].owner], b, waiting);
        float* const v = waiting.normals[0];
        finish_directions_of(task.blocks[b].kind, false, waiting.there[0], task.shares + 32 * b + 16, v);
        for (std::size_t i = 0; i < 16; ++i) {
            float* to = task.out_tangents + 4 * std::size_t(task.indices[16 * b + i]);
            to[0] = v[i], to[1] = v[16 + i], to[2] = v[32 + i];
        }
    }
}

}  // namespace

void blend_blocks(const BlendTask& task, std::size_t begin, std::size_t end) {
    if (task.positions != nullptr && task.normals != nullptr) {
        all_blocks<true, true>(task, begin, end);
    } else if (task.positions != nullptr) {
        all_blocks<true, false>(task, begin, end);
    } else if (task.normals != nullptr) {
        all_blocks<false, true>(task, begin, end);
    }
    if (task.tangents != nullptr) all_tangents(task, begin, end);
}

}  // namespace fascia::FASCIA_ISA_NAMESPACE
