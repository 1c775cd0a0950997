// Common code of the kernels of as-rigid-as-possible points: records of points, and rotations as columns. Private to
// each kernel that includes it.
#pragma once

#include "sim/rotation_lanes.h"

namespace fascia::sim {
namespace {

constexpr std::size_t arap_lanes = lane_count;
constexpr std::size_t column_floats = 16;

/// Three floats at from[record * index], one index per lane; reads eight.
template <std::size_t record>
FASCIA_LANES_INLINE V3 gather_three(const float* from, const std::uint32_t* index) {
    F8 rows[arap_lanes];
    for (std::size_t k = 0; k < arap_lanes; ++k) rows[k] = load(from + record * index[k]);
    transpose(rows);
    return {rows[0], rows[1], rows[2]};
}

FASCIA_LANES_INLINE F8 height(const Columns<F8>& r, const Columns<F8>& a) {
    return dot(r.x, a.x) + dot(r.y, a.y) + dot(r.z, a.z);
}

FASCIA_LANES_INLINE void store_columns(const Columns<F8>& r, float* out) {
    const F8 none = splat(0);
    F8 low[arap_lanes] = {r.x.x, r.x.y, r.x.z, none, r.y.x, r.y.y, r.y.z, none};
    F8 high[arap_lanes] = {r.z.x, r.z.y, r.z.z, none, none, none, none, none};
    transpose(low);
    transpose(high);
    for (std::size_t k = 0; k < arap_lanes; ++k) {
        store(out + column_floats * k, low[k]);
        store(out + column_floats * k + arap_lanes, high[k]);
    }
}

/// The better of two rotations: an element turned inside out may send the search downhill, and then keeps what it had.
FASCIA_LANES_INLINE Quat8 turn_to_fit(const Columns<F8>& a, Quat8 before, Columns<F8>& columns) {
    const Quat8 best = best_rotation(a, mask_of_bits(0xff), before);
    const Columns<F8> was = columns_of(before), is = columns_of(best);
    const I8 better = height(is, a) > height(was, a);
    columns = {select(better, is.x, was.x), select(better, is.y, was.y), select(better, is.z, was.z)};
    return select_quat(better, best, before);
}

/// w of lean_arap: twice the turn that newton_polar makes, for another right-hand side.
FASCIA_LANES_INLINE V3 turn_that_follows(const Columns<F8>& r, const Columns<F8>& a, const Columns<F8>& change) {
    const V3 g{dot(r.z, change.y) - dot(r.y, change.z), dot(r.x, change.z) - dot(r.z, change.x),
               dot(r.y, change.x) - dot(r.x, change.y)};
    const F8 b00 = dot(r.x, a.x), b11 = dot(r.y, a.y), b22 = dot(r.z, a.z);
    const F8 h00 = b11 + b22, h11 = b00 + b22, h22 = b00 + b11;
    const F8 h01 = (dot(r.x, a.y) + dot(r.y, a.x)) * -0.5f, h02 = (dot(r.x, a.z) + dot(r.z, a.x)) * -0.5f,
             h12 = (dot(r.y, a.z) + dot(r.z, a.y)) * -0.5f;
    const F8 c00 = h11 * h22 - h12 * h12, c01 = h02 * h12 - h01 * h22, c02 = h01 * h12 - h02 * h11;
    const F8 c11 = h00 * h22 - h02 * h02, c12 = h01 * h02 - h00 * h12, c22 = h00 * h11 - h01 * h01;
    const F8 det = h00 * c00 + h01 * c01 + h02 * c02, trace = h00 + h11 + h22;
    const I8 definite = (det > trace * trace * trace * 1e-3f) & (trace > splat(0)) & (c22 > splat(0));
    const F8 scale = select(definite, 1.0f / select(definite, det, splat(1)), splat(0));
    return V3{c00 * g.x + c01 * g.y + c02 * g.z, c01 * g.x + c11 * g.y + c12 * g.z, c02 * g.x + c12 * g.y + c22 * g.z} *
           scale;
}

/// q (1, w): a turn by w's direction, whose angle is less than a half turn however long w is.
FASCIA_LANES_INLINE Quat8 turned_by_half(Quat8 q, V3 w) {
    const Quat8 t = multiply(q, Quat8{splat(1), w.x, w.y, w.z});
    const F8 s = splat(1) / lane_sqrt(t.w * t.w + t.x * t.x + t.y * t.y + t.z * t.z);
    return {t.w * s, t.x * s, t.y * s, t.z * s};
}

}  // namespace
}  // namespace fascia::sim
