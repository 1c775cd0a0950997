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

}  // namespace
}  // namespace fascia::sim
