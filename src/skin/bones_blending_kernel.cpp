// Bones blending (docs/formulas.md B4), lanes are vertices of one joint:
//     v' = M_p ( t tau + Rot(axis, t phi) (v + t (S - I) v) )     v about the joint, axis and phi once per joint and
//     frame
#include "skin/bones_blending.h"
#include "skin/kernel_vectors.h"

namespace fascia::FASCIA_ISA_NAMESPACE {
namespace {

struct Three {
    Wide x, y, z;
};

/// sin(x) and 1 - cos(x) of the vertex' angle from half of it: series, good to 1e-7 up to x = 3.6.
struct Angle {
    Wide sine, versine;
};
inline Angle angle_of(Wide half) {
    const Wide q = half * half;
    Wide s = q * (-1.0f / 39916800.0f) + 1.0f / 362880.0f;
    s = s * q - 1.0f / 5040.0f;
    s = s * q + 1.0f / 120.0f;
    s = s * q - 1.0f / 6.0f;
    s = (s * q + 1.0f) * half;
    Wide c = q * (1.0f / 479001600.0f) - 1.0f / 3628800.0f;
    c = c * q + 1.0f / 40320.0f;
    c = c * q - 1.0f / 720.0f;
    c = c * q + 1.0f / 24.0f;
    c = c * q - 0.5f;
    c = c * q + 1.0f;
    const Wide twice = s + s;
    return {twice * c, twice * s};
}

/// M_p Rot(axis, x) = M_p + sin(x) M_p [axis] + (1 - cos(x)) M_p [axis]^2, three matrices of the joint; per lane.
struct Linear {
    Wide m[9];
};
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
inline Three load_three(const float* p, std::size_t lane) {
    return {load<Wide>(p + lane), load<Wide>(p + 16 + lane), load<Wide>(p + 32 + lane)};
}
inline void store_three(float* p, std::size_t lane, const Three& v) {
    store(p + lane, v.x);
    store(p + 16 + lane, v.y);
    store(p + 32 + lane, v.z);
}

/// One block moved, in channels.
struct Moved {
    alignas(64) float positions[48], normals[48], tangents[48];
};

template <bool positions, bool normals, bool tangents>
inline void move_block(const BlendTask& task, const BlendFrame& frame, std::size_t block, Moved& out) {
    const float* const t = task.shares + 32 * block;
    for (std::size_t i = 0; i < 16; i += wide) {
        const Wide share = load<Wide>(t + i);
        const Angle angle = angle_of(share * frame.half_angle);
        const Linear linear = turned(frame.turn, angle);
        if constexpr (positions) {
            Three v = load_three(task.positions + 48 * block, i);
            if (frame.stretched) v = stretched(frame.stretch, share, v);
            v = linear * v;
            store_three(out.positions, i,
                        {((v.x + share * frame.shift[0]) + frame.at[0]) + task.origin[0],
                         ((v.y + share * frame.shift[1]) + frame.at[1]) + task.origin[1],
                         ((v.z + share * frame.shift[2]) + frame.at[2]) + task.origin[2]});
        }
        if constexpr (normals) {
            Three v = load_three(task.normals + 48 * block, i);
            if (frame.stretched) v = stretched(frame.cofactor, share, v);
            store_three(out.normals, i, (frame.even ? linear : turned(frame.normal_turn, angle)) * v);
        }
        if constexpr (tangents) {
            Three v = load_three(task.tangents + 48 * block, i);
            if (frame.stretched) v = stretched(frame.stretch, share, v);
            store_three(out.tangents, i, linear * v);
        }
    }
}

/// Written as plain loops over lanes: compilers make vectors of them.
inline void make_unit(float* v) {
    for (std::size_t i = 0; i < 16; ++i) {
        const float x = v[i], y = v[16 + i], z = v[32 + i];
        const float square = (x * x + y * y) + z * z;
        const float s = square > 1e-30f ? 1.0f / __builtin_sqrtf(square) : 0.0f;
        v[i] = x * s, v[16 + i] = y * s, v[32 + i] = z * s;
    }
}

/// Into the surface. A row of vertices in the order of the mesh is stored as it is.
inline void scatter(BlendKind kind, const std::uint32_t* index, const float* v, std::size_t stride, float* out) {
    if (kind == BlendKind::row && stride == 3) {
        for (std::size_t i = 0; i < 16; i += wide)
            store_triples(out + 3 * (index[0] + i), load<Wide>(v + i), load<Wide>(v + 16 + i), load<Wide>(v + 32 + i));
        return;
    }
    for (std::size_t i = 0; i < 16; ++i) {
        float* to = out + stride * std::size_t(index[i]);
        to[0] = v[i], to[1] = v[16 + i], to[2] = v[32 + i];
    }
}

/// What is there, into channels.
inline void gather(const std::uint32_t* index, const float* from, std::size_t stride, float* out) {
    for (std::size_t i = 0; i < 16; ++i) {
        const float* v = from + stride * std::size_t(index[i]);
        out[i] = v[0], out[16 + i] = v[1], out[32 + i] = v[2];
    }
}

/// v = there + fade (v - there)
inline void fade_over(const float* there, const float* fade, float* v) {
    for (std::size_t k = 0; k < 48; k += 16)
        for (std::size_t i = 0; i < 16; i += wide) {
            const Wide from = load<Wide>(there + k + i);
            store(v + k + i, from + load<Wide>(fade + i) * (load<Wide>(v + k + i) - from));
        }
}

inline void finish_directions_of(BlendKind kind, const float* there, const float* fade, float* v) {
    make_unit(v);
    if (kind != BlendKind::faded) return;
    fade_over(there, fade, v);
    make_unit(v);
}

template <bool positions, bool normals, bool tangents>
void all_blocks(const BlendTask& task, std::size_t begin, std::size_t end) {
    Moved moved, there;
    for (std::size_t b = begin; b < end; ++b) {
        const std::uint32_t* index = task.indices + 16 * b;
        const float* fade = task.shares + 32 * b + 16;
        const BlendKind kind = task.blocks[b].kind;
        if (kind == BlendKind::faded) {  // early: what was stored piecewise is not read back as a vector at once
            if constexpr (positions) gather(index, task.out_positions, 3, there.positions);
            if constexpr (normals) gather(index, task.out_normals, 3, there.normals);
            if constexpr (tangents) gather(index, task.out_tangents, 4, there.tangents);
        }
        move_block<positions, normals, tangents>(task, task.frames[task.blocks[b].owner], b, moved);
        if constexpr (positions) {
            if (kind == BlendKind::faded) fade_over(there.positions, fade, moved.positions);
            scatter(kind, index, moved.positions, 3, task.out_positions);
        }
        if constexpr (normals) {
            finish_directions_of(kind, there.normals, fade, moved.normals);
            scatter(kind, index, moved.normals, 3, task.out_normals);
        }
        if constexpr (tangents) {
            finish_directions_of(kind, there.tangents, fade, moved.tangents);
            scatter(kind, index, moved.tangents, 4, task.out_tangents);
        }
    }
}

}  // namespace

void blend_blocks(const BlendTask& task, std::size_t begin, std::size_t end) {
    if (task.positions != nullptr && task.normals != nullptr) {
        all_blocks<true, true, false>(task, begin, end);
    } else if (task.positions != nullptr) {
        all_blocks<true, false, false>(task, begin, end);
    } else if (task.normals != nullptr) {
        all_blocks<false, true, false>(task, begin, end);
    }
    if (task.tangents != nullptr) all_blocks<false, false, true>(task, begin, end);
}

}  // namespace fascia::FASCIA_ISA_NAMESPACE
