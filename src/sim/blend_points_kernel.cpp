#include "sim/blend_points.h"
#include "sim/rotation_lanes.h"

namespace fascia::sim::FASCIA_ISA_NAMESPACE {

namespace {

/// q and -q are the same rotation: each is added with the sign that agrees with the first.
FASCIA_LANES_INLINE float side_of(const float* q, const float* first) {
    return q[0] * first[0] + q[1] * first[1] + q[2] * first[2] + q[3] * first[3] < 0 ? -1.0f : 1.0f;
}

/// The blended matrices of a segment, and sums of quaternions.
struct Blend {
    F8 rows[12];
    Quat8 q;
};

/// [Chen 2012, eq. 1]
FASCIA_LANES_INLINE Blend blend(const BlendedPoints& s, std::size_t k) {
    const BlendTable& table = *s.table;
    const std::size_t begin = table.first[k], end = table.first[k + 1];
    const float* lead = s.palette + blend_floats * table.joints[begin];
    const F8 most = load(table.weights.data() + lane_count * begin);
    Blend out;
    for (int i = 0; i < 12; ++i) out.rows[i] = most * splat(lead[i]);
    out.q = {most * splat(lead[12]), most * splat(lead[13]), most * splat(lead[14]), most * splat(lead[15])};
    for (std::size_t m = begin + 1; m < end; ++m) {
        const float* joint = s.palette + blend_floats * table.joints[m];
        const F8 weight = load(table.weights.data() + lane_count * m);
        for (int i = 0; i < 12; ++i) out.rows[i] = out.rows[i] + weight * splat(joint[i]);
        const F8 turn = weight * splat(side_of(joint + 12, lead + 12));
        out.q = {out.q.w + turn * splat(joint[12]), out.q.x + turn * splat(joint[13]),
                 out.q.y + turn * splat(joint[14]), out.q.z + turn * splat(joint[15])};
    }
    return out;
}

FASCIA_LANES_INLINE F8 lambdas_at(const BlendedPoints& s, std::size_t at) {
    float lambdas[lane_count];
    for (int i = 0; i < lane_count; ++i) lambdas[i] = s.lambdas[s.part[at + std::size_t(i)]];
    return load(lambdas);
}

FASCIA_LANES_INLINE V3 carried(const Columns<F8>& a, V3 t, V3 v) {
    return a.x * v.x + a.y * v.y + a.z * v.z + t;
}

}  // namespace

/// [Chen 2012, eq. 2]
void blend_points(const BlendedPoints& s, std::size_t begin, std::size_t end) {
    for (std::size_t item = begin; item < end; ++item) {
        const std::size_t k = s.listed != nullptr ? s.listed[item] : item, at = s.own[k];
        const Blend sum = blend(s, k);
        const F8* row = sum.rows;
        const Columns<F8> a{{row[0], row[4], row[8]}, {row[1], row[5], row[9]}, {row[2], row[6], row[10]}};
        const V3 t{row[3], row[7], row[11]};
        Quat8 q = sum.q;
        const F8 size = inverse_sqrt(lane_max(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, splat(1e-20f)));
        q = best_rotation(a, mask_of_bits(s.live[k]), Quat8{q.w * size, q.x * size, q.y * size, q.z * size});
        const V3 x0 = load3(s.rest + at, s.stride);
        const V3 from = s.pivots != nullptr ? load3(s.pivots + at, s.stride) : x0;
        V3 place = carried(a, t, from);
        if (s.pivots != nullptr) place = place + rotate(q, x0 - from);
        if (s.lambdas != nullptr) place = place + rotate(q, load3(s.directions + at, s.stride)) * lambdas_at(s, at);
        store3(s.positions + at, s.stride, place);
        store_quat(s.rotations + at, s.stride, q);
        if (s.plain != nullptr) store3(s.plain + at, s.stride, carried(a, t, x0));
    }
}

}  // namespace fascia::sim::FASCIA_ISA_NAMESPACE
