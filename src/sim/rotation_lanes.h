// Rotations of eight regions at a time, and the one that fits a region best. Private to each kernel that includes it.
#pragma once

#include "sim/lanes.h"

namespace fascia::sim {
namespace {

template <class F>
struct Quat {
    F w, x, y, z;
};
using Quat8 = Quat<F8>;

FASCIA_LANES_INLINE Quat8 load_quat(const float* p, std::size_t stride) {
    return {load(p), load(p + stride), load(p + 2 * stride), load(p + 3 * stride)};
}

FASCIA_LANES_INLINE void store_quat(float* p, std::size_t stride, Quat8 q) {
    store(p, q.w);
    store(p + stride, q.x);
    store(p + 2 * stride, q.y);
    store(p + 3 * stride, q.z);
}

template <class M, class F>
FASCIA_LANES_INLINE Quat<F> select_quat(M mask, Quat<F> a, Quat<F> b) {
    return {select(mask, a.w, b.w), select(mask, a.x, b.x), select(mask, a.y, b.y), select(mask, a.z, b.z)};
}

FASCIA_LANES_INLINE V3 rotate(Quat8 q, V3 v) {
    const V3 u{q.x, q.y, q.z};
    V3 t = cross(u, v);
    t = t + t;
    return v + t * q.w + cross(u, t);
}

template <class F>
FASCIA_LANES_INLINE Quat<F> multiply(Quat<F> a, Quat<F> b) {
    return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

/// Columns of a matrix.
template <class F>
struct Columns {
    Vec<F> x, y, z;
};
/// The rotation matrix of a unit quaternion.
template <class F>
FASCIA_LANES_INLINE Columns<F> columns_of(Quat<F> q) {
    const F x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
    const F xx = q.x * x2, yy = q.y * y2, zz = q.z * z2, xy = q.x * y2, xz = q.x * z2, yz = q.y * z2;
    const F wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
    return {{1.0f - (yy + zz), xy + wz, xz - wy},
            {xy - wz, 1.0f - (xx + zz), yz + wx},
            {xz + wy, yz - wx, 1.0f - (xx + yy)}};
}

/// Newton step towards the rotation that maximises trace(R^T A): (tr(B) I - sym(B)) w = axial(B), B = R^T A.
/// Returns the square of half the angle it turned by.
template <class F, class M>
FASCIA_LANES_INLINE F newton_polar(const Columns<F>& a, M live, Quat<F>& q) {
    const Columns<F> r = columns_of(q);
    const F b00 = dot(r.x, a.x), b01 = dot(r.x, a.y), b02 = dot(r.x, a.z);
    const F b10 = dot(r.y, a.x), b11 = dot(r.y, a.y), b12 = dot(r.y, a.z);
    const F b20 = dot(r.z, a.x), b21 = dot(r.z, a.y), b22 = dot(r.z, a.z);
    const Vec<F> g{b21 - b12, b02 - b20, b10 - b01};
    const F h00 = b11 + b22, h11 = b00 + b22, h22 = b00 + b11;
    const F h01 = (b01 + b10) * -0.5f, h02 = (b02 + b20) * -0.5f, h12 = (b12 + b21) * -0.5f;
    const F c00 = h11 * h22 - h12 * h12, c01 = h02 * h12 - h01 * h22, c02 = h01 * h12 - h02 * h11;
    const F c11 = h00 * h22 - h02 * h02, c12 = h01 * h02 - h00 * h12, c22 = h00 * h11 - h01 * h01;
    const F det = h00 * c00 + h01 * c01 + h02 * c02;
    // If the Hessian is not definite, the gradient still points uphill.
    const F trace = h00 + h11 + h22;
    const auto definite = (det > trace * trace * trace * 1e-5f) & (trace > constant<F>(0)) & (c22 > constant<F>(0));
    // Half the rotation vector; at most a quarter turn at a time.
    const F scale = 0.5f / select(definite, det, lane_max(dot(g, g), constant<F>(1e-20f)));
    const Vec<F> newton{c00 * g.x + c01 * g.y + c02 * g.z, c01 * g.x + c11 * g.y + c12 * g.z,
                        c02 * g.x + c12 * g.y + c22 * g.z};
    Vec<F> w = select(definite, newton, g * constant<F>(0.5f)) * scale;
    const F size2 = dot(w, w);
    const F most = constant<F>(0.6f);
    if (any((size2 > most) & live))
        w = w * select(size2 > most, inverse_sqrt(lane_max(size2, most)) * 0.7745966f, constant<F>(1));
    const Quat<F> t{q.w - q.x * w.x - q.y * w.y - q.z * w.z, q.x + q.w * w.x + q.y * w.z - q.z * w.y,
                    q.y + q.w * w.y + q.z * w.x - q.x * w.z, q.z + q.w * w.z + q.x * w.y - q.y * w.x};
    const F s = inverse_sqrt(lane_max(t.w * t.w + t.x * t.x + t.y * t.y + t.z * t.z, constant<F>(1e-20f)));
    q = {t.w * s, t.x * s, t.y * s, t.z * s};
    return size2;
}

/// One Newton step, and more only in the lanes where one was not enough: the result must not depend on which lanes run
/// together. Lanes without a point hold sums of their neighbours, which need not have a best rotation at all.
template <class F, class M>
FASCIA_LANES_INLINE Quat<F> best_rotation(const Columns<F>& a, M live, Quat<F> q) {
    const F enough = constant<F>(2.5e-5f);
    F turn2 = select(live, newton_polar(a, live, q), constant<F>(0));
    for (int more = 0; more < 3 && any(turn2 > enough); ++more) {
        const auto unfinished = turn2 > enough;
        Quat<F> refined = q;
        turn2 = select(unfinished, newton_polar(a, live, refined), constant<F>(0));
        q = select_quat(unfinished, refined, q);
    }
    return q;
}

#if defined(__AVX__)
/// The same for two segments at a time; if a vector already takes two registers, one segment is enough.
FASCIA_LANES_INLINE void best_rotation_pair(const Columns<F8>& a, std::uint8_t live_a, Quat8& q, const Columns<F8>& b,
                                            std::uint8_t live_b, Quat8& r) {
    const auto both = [](V3 one, V3 two) {
        return Vec<F16>{pair(one.x, two.x), pair(one.y, two.y), pair(one.z, two.z)};
    };
    const Quat<F16> start{pair(q.w, r.w), pair(q.x, r.x), pair(q.y, r.y), pair(q.z, r.z)};
    const Quat<F16> best = best_rotation(Columns<F16>{both(a.x, b.x), both(a.y, b.y), both(a.z, b.z)},
                                         mask_of_bits(live_a, live_b), start);
    q = {first(best.w), first(best.x), first(best.y), first(best.z)};
    r = {second(best.w), second(best.x), second(best.y), second(best.z)};
}
#endif

/// Where the search begins. The flesh's rotation relative to the bone changes slowly, so together with the bone's new
/// rotation it is nearly right. Far from the bone Newton may climb the wrong hill: it starts from the bone instead if
/// that is higher.
FASCIA_LANES_INLINE Quat8 start_rotation(Quat8 driven, Quat8 relative, I8 live, const Columns<F8>& a) {
    const Quat8 q = multiply(driven, relative);
    const I8 far = (relative.w * relative.w < splat(0.4f)) & live;
    if (!any(far)) return q;
    const Columns<F8> bone = columns_of(driven), turned = columns_of(q);
    const F8 bone_height = dot(bone.x, a.x) + dot(bone.y, a.y) + dot(bone.z, a.z);
    const F8 height = dot(turned.x, a.x) + dot(turned.y, a.y) + dot(turned.z, a.z);
    return select_quat(far & (bone_height > height), driven, q);
}

}  // namespace
}  // namespace fascia::sim
