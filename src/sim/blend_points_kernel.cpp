#include "sim/blend_points.h"
#include "sim/rotation_lanes.h"

namespace fascia::sim::FASCIA_ISA_NAMESPACE {

namespace {

/// q and -q are one rotation: each is added on the side of the first.
FASCIA_LANES_INLINE float side_of(const float* q, const float* first) {
    return q[0] * first[0] + q[1] * first[1] + q[2] * first[2] + q[3] * first[3] < 0 ? -1.0f : 1.0f;
}

/// The blended matrix and sum of quaternions of one point.
FASCIA_LANES_INLINE void mix(const BlendedPoints& s, std::size_t at, F8& low, F8& high) {
    const float* first = s.palette + blend_floats * s.joints[at];
    low = load(first) * splat(s.weights[at]);
    high = load(first + 8) * splat(s.weights[at]);
    for (std::size_t k = 1; k < 4; ++k) {
        const float w = s.weights[at + k * s.stride];
        if (w == 0) return;  // largest first
        const float* joint = s.palette + blend_floats * s.joints[at + k * s.stride];
        const float side = w * side_of(joint + 12, first + 12), signs[8] = {w, w, w, w, side, side, side, side};
        low = low + load(joint) * splat(w);
        high = high + load(joint + 8) * load(signs);
    }
}

}  // namespace

void blend_points(const BlendedPoints& s, std::size_t begin, std::size_t end) {
    const I8 live = mask_of_bits(0xff);
    for (std::size_t group = begin; group < end; ++group) {
        const std::size_t at = group * lane_count;
        F8 low[8], high[8];
        for (std::size_t i = 0; i < 8; ++i) mix(s, at + i, low[i], high[i]);
        transpose(low);
        transpose(high);
        // Rows (a b c t): low holds the first two, high the third and the quaternion.
        const Columns<F8> a{{low[0], low[4], high[0]}, {low[1], low[5], high[1]}, {low[2], low[6], high[2]}};
        const V3 t{low[3], low[7], high[3]};
        Quat8 q{high[4], high[5], high[6], high[7]};
        const F8 size = inverse_sqrt(lane_max(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, splat(1e-20f)));
        q = best_rotation(a, live, Quat8{q.w * size, q.x * size, q.y * size, q.z * size});
        const V3 x0 = load3(s.rest + at, s.stride);
        const V3 from = s.pivots != nullptr ? load3(s.pivots + at, s.stride) : x0;
        V3 place = a.x * from.x + a.y * from.y + a.z * from.z + t;
        if (s.pivots != nullptr) place = place + rotate(q, x0 - from);
        store3(s.positions + at, s.stride, place);
        store_quat(s.rotations + at, s.stride, q);
    }
}

}  // namespace fascia::sim::FASCIA_ISA_NAMESPACE
