// Shape matching and update of segment_step.h: regions are boxes of 3x3x3, summed plane by plane. Compiled once per
// vector level; all levels give the same bits.
#include <cstddef>

#include "sim/region_fit.h"
#include "sim/segment_rows.h"

namespace fascia::sim::FASCIA_ISA_NAMESPACE {

/// Sums of m p over the 3x3 cells of a plane: plain, weighted by dx, weighted by dy. 9 channels.
template <class Ring>
void plane_moments_in(const SegmentStep& s, const float* from, std::size_t begin, std::size_t end) {
    const std::size_t n = s.stride;
    const Channels p(from, n);
    Ring ring(s.plane_slice_first, s, begin);
    for (std::size_t k = begin; k < end; ++k) {
        ring.move_to(k);
        const std::uint32_t* rows = s.plane_rows + k * 3;
        V3 plain[3], slope[3];
        for (int row = 0; row < 3; ++row) {
            const std::size_t at = rows[row];
            const V3 left = p.load(at, -1) * load(s.mass_share + at - 1);
            const V3 middle = p.load(at, 0) * load(s.mass_share + at);
            const V3 right = p.load(at, 1) * load(s.mass_share + at + 1);
            plain[row] = left + middle + right;
            slope[row] = right - left;
        }
        float* sums = s.plane_sums + ring.at(rows[1], 0);
        store3(sums, Ring::stride(s), plain[0] + plain[1] + plain[2]);
        store3(sums + 3 * Ring::stride(s), Ring::stride(s), slope[0] + slope[1] + slope[2]);
        store3(sums + 6 * Ring::stride(s), Ring::stride(s), plain[2] - plain[0]);
    }
}

namespace {

/// Moments of members outside the box, minus those of points in the box that are not members: plain, by x, by y, by z.
FASCIA_RARELY void listed_moments(const SegmentStep& s, const float* from, std::size_t k, ListedSums<12>& sums) {
    const std::size_t n = s.stride;
    for (const IrregularLane& irregular : irregular_lanes(s, k)) {
        float sum[4][3] = {};
        for (const BoxDifference& other : differences(s, irregular)) {
            const float mass = s.mass_share[other.slot] * other.member;
            for (int axis = 0; axis < 3; ++axis) {
                const float value = from[other.slot + axis * n] * mass;
                sum[0][axis] += value;
                sum[1][axis] += value * other.dx;
                sum[2][axis] += value * other.dy;
                sum[3][axis] += value * other.dz;
            }
        }
        for (int c = 0; c < 12; ++c) sums.of[c][irregular.lane] = sum[c / 3][c % 3];
    }
}

FASCIA_LANES_INLINE void fetch_regions(const SegmentStep& s, std::size_t k, std::size_t end) {
    if (!s.far || k >= end) return;
    const std::size_t at = s.rows[k * 9 + own_row];
    fetch_channels(s.rotation + at, s.stride, 4);
    fetch_between(box_of(s, k).mass, box_of(s, k).bone_pull);
}

/// Moments over three planes, relative to the point itself: smaller sums lose less to rounding.
template <class Ring>
FASCIA_LANES_INLINE RegionFit prepared(const SegmentStep& s, const float* from, const Ring& ring, std::size_t k) {
    const std::size_t n = s.stride, r = Ring::stride(s);
    const SegmentBox& box = box_of(s, k);
    const std::uint32_t* rows = s.rows + k * 9;
    const std::size_t at = rows[own_row];
    const std::size_t below = ring.at(rows[1], -1), middle = ring.at(rows[own_row], 0), above = ring.at(rows[7], 1);
    const Channels plain(s.plane_sums, r), by_x(s.plane_sums + 3 * r, r), by_y(s.plane_sums + 6 * r, r);
    const V3 plain_below = plain.load(below, 0), plain_above = plain.load(above, 0);
    Moments m;
    m.plain = plain_below + plain.load(middle, 0) + plain_above;
    m.by_x = by_x.load(below, 0) + by_x.load(middle, 0) + by_x.load(above, 0);
    m.by_y = by_y.load(below, 0) + by_y.load(middle, 0) + by_y.load(above, 0);
    m.by_z = plain_above - plain_below;
    if (s.traits[k] & irregular) {
        ListedSums<12> listed;
        listed_moments(s, from, k, listed);
        m = {m.plain + listed.vector(0), m.by_x + listed.vector(3), m.by_y + listed.vector(6),
             m.by_z + listed.vector(9)};
    }

    RegionFit fit;
    const V3 p = load3(from + at, n);
    const V3 lag = m.plain - p * load(box.mass);
    fit.center = p + lag * load(box.inverse_mass);
    fit.a = moment_matrix(m, load3(box.center[0], lane_count));
    fit.driven = load_quat(s.skinned_rotation + middle, r);
    if (s.traits[k] & pulled) fit.a = held_by(fit.driven, load(box.bone_pull), fit.a);
    fit.q = start_rotation(fit.driven, load_quat(s.rotation + at, n), mask_of_bits(s.live[k]), fit.a);
    return fit;
}

/// Where the map takes the points to the left and right and the point itself, t - R_x, t, t + R_x, then the columns R_y
/// and R_z.
template <class Ring>
FASCIA_LANES_INLINE void store_fit(const SegmentStep& s, const Ring& ring, std::size_t k, const RegionFit& fit) {
    const std::size_t at = s.rows[k * 9 + own_row], stride = Ring::stride(s);
    const RegionMap map = map_of(fit, load3(box_of(s, k).center[0], lane_count), s.live[k]);
    store_quat(s.rotation + at, s.stride, map.relative);
    float* fits = s.fits + ring.at(s.rows[k * 9 + own_row], 0);
    store3(fits, stride, map.t - map.r.x);
    store3(fits + 3 * stride, stride, map.t);
    store3(fits + 6 * stride, stride, map.t + map.r.x);
    store3(fits + 9 * stride, stride, map.r.y);
    store3(fits + 12 * stride, stride, map.r.z);
}

}  // namespace

/// The best rotation of each region and its rigid map.
template <class Ring>
void fit_regions_in(const SegmentStep& s, const float* from, std::size_t begin, std::size_t end) {
    Ring ring(s.slice_first, s, begin), behind = ring;
    fit_in_batches(
        s.live, begin, end,
        [&](std::size_t k) FASCIA_IN_LANES {
            fetch_regions(s, k + fetch_ahead, end);
            ring.move_to(k);
            return prepared(s, from, ring, k);
        },
        [&](std::size_t k, const RegionFit& fit) FASCIA_IN_LANES {
            behind.move_to(k);
            store_fit(s, behind, k, fit);
        });
}

/// Goals summed over the nine regions of a plane: R_r (x0_i - x0_r) + t_r, without what R_r adds along z. 6 channels.
/// [Iwamoto 2015, eq. 4]
template <class Ring>
void plane_goals_in(const SegmentStep& s, std::size_t begin, std::size_t end) {
    const std::size_t n = Ring::stride(s);
    const Channels to_left(s.fits, n), t(s.fits + 3 * n, n), to_right(s.fits + 6 * n, n);
    const Channels ry(s.fits + 9 * n, n), rz(s.fits + 12 * n, n);
    Ring ring(s.plane_slice_first, s, begin);
    for (std::size_t k = begin; k < end; ++k) {
        ring.move_to(k);
        const std::size_t rows[3] = {ring.at(s.plane_rows[k * 3], 0), ring.at(s.plane_rows[k * 3 + 1], 0),
                                     ring.at(s.plane_rows[k * 3 + 2], 0)};
        V3 goal = splat3(0), turn = splat3(0);
        for (int row = 0; row < 3; ++row) {
            const std::size_t at = rows[row];
            goal += to_right.load(at, -1) + t.load(at, 0) + to_left.load(at, 1);
            turn += rz.load(at, -1) + rz.load(at, 0) + rz.load(at, 1);
        }
        const std::size_t front = rows[0], back = rows[2];
        goal += ry.load(front, -1) + ry.load(front, 0) + ry.load(front, 1);
        goal = goal - (ry.load(back, -1) + ry.load(back, 0) + ry.load(back, 1));
        store3(s.plane_sums + rows[1], n, goal);
        store3(s.plane_sums + 3 * n + rows[1], n, turn);
    }
}

namespace {

/// Goals of regions outside the box that hold the point, minus those of regions in the box that do not.
template <class Ring>
FASCIA_RARELY void listed_goal(const SegmentStep& s, const Ring& ring, std::size_t k, ListedSums<3>& sums) {
    const std::size_t n = Ring::stride(s);
    for (const IrregularLane& irregular : irregular_lanes(s, k)) {
        float sum[3] = {};
        for (const BoxDifference& other : differences(s, irregular)) {
            const float* f = s.fits + ring.at(other.slot, other.dz);
            const int along_x = 3 - 3 * other.dx;
            for (int axis = 0; axis < 3; ++axis)
                sum[axis] += (f[(along_x + axis) * n] - f[(9 + axis) * n] * other.dy - f[(12 + axis) * n] * other.dz) *
                             other.member;
        }
        for (int axis = 0; axis < 3; ++axis) sums.of[axis][irregular.lane] = sum[axis];
    }
}

/// Beyond half the limit |u| is compressed smoothly: half + (L/2) x / (1 + x), x = (|u| - half) / (L/2).
FASCIA_LANES_INLINE V3 limited(V3 u, F8 size2, F8 half, I8 beyond) {
    const F8 inverse = inverse_sqrt(lane_max(size2, splat(1e-12f)));
    const F8 excess = size2 * inverse - half;
    const F8 bounded = half + half * excess / (half + lane_max(excess, splat(0)));
    return u * select(beyond, bounded * inverse, splat(1));
}

/// The path of a step as it enters the velocity.
FASCIA_LANES_INLINE V3 slowed(V3 way, F8 way2, const Drag& drag) {
    const F8 size = way2 * inverse_sqrt(lane_max(way2, splat(1e-24f)));
    const F8 excess = lane_max(size - splat(drag.free_way), splat(0));
    return way * (splat(1) / (splat(1) + splat(drag.most) * excess / (excess + splat(drag.half_way))));
}

inline int count_lanes(I8 mask) {
    int count = 0;
    for (int i = 0; i < lane_count; ++i) count += lane(select(mask, splat(1), splat(0)), i) > 0;
    return count;
}

}  // namespace

/// Goals over the three planes, the move towards their mean, the limit, and the new velocity.
/// [Iwamoto 2015, eq. 5] [Iwamoto 2015, alg. line 9] [Iwamoto 2015, alg. line 10] [Iwamoto 2015, alg. line 11]
template <class Ring>
void goals_and_update_in(const SegmentStep& s, const float* from, std::size_t begin, std::size_t end,
                         RangeMotion& motion) {
    const std::size_t n = s.stride;
    const Channels goals(s.plane_sums, Ring::stride(s)), turns(s.plane_sums + 3 * Ring::stride(s), Ring::stride(s));
    const Channels moved_to(from, n), driven(s.driven, n), offset(s.velocity, n);
    Ring ring(s.slice_first, s, begin);
    F8 most = splat(motion.way2);
    const F8 free_way2 = splat(s.drag.free_way * s.drag.free_way);
    for (std::size_t k = begin; k < end; ++k) {
        const SegmentConstants& c = s.constants[k];
        const std::uint32_t* rows = s.rows + k * 9;
        const std::size_t at = rows[own_row];
        if (s.far && k + fetch_ahead < end) {
            const std::size_t ahead = s.rows[(k + fetch_ahead) * 9 + own_row];
            fetch_channels(s.driven + ahead, n, 3);
            fetch_channels(s.velocity + ahead, n, 3);
            fetch_between(s.constants[k + fetch_ahead].match, s.constants[k + fetch_ahead].soft);
        }
        const V3 p = moved_to.load(at, 0), a = driven.load(at, 0);
        V3 u;
        if (s.goals != nullptr) {
            u = (p - a) + load3(s.goals + at, n) * load(c.match);
        } else {
            ring.move_to(k);
            const std::size_t below = ring.at(rows[1], -1), above = ring.at(rows[7], 1);
            V3 goal = goals.load(below, 0) + goals.load(ring.at(rows[own_row], 0), 0) + goals.load(above, 0) +
                      (turns.load(below, 0) - turns.load(above, 0));
            if (s.traits[k] & irregular) {
                ListedSums<3> listed;
                listed_goal(s, ring, k, listed);
                goal += listed.vector(0);
            }
            u = (p - a) + goal * load(c.match) - p * load(c.matched);
        }
        const F8 half = load(c.limit) * 0.5f, soft = load(c.soft);
        const F8 size2 = dot(u, u);
        const I8 beyond = size2 > half * half;
        if (any(beyond)) {
            u = limited(u, size2, half, beyond);
            // Counted as at the limit: offsets that were above nine tenths of it before.
            motion.at_limit += std::uint64_t(count_lanes((size2 > half * half * 3.24f) & (soft > splat(0))));
        }
        // In lanes without a point the sums may belong to other slices.
        u = select(soft > splat(0), u, splat3(0));
        const V3 before = offset.load(at, 0);
        const V3 moved = u - before;
        const F8 way2 = dot(moved, moved);
        V3 kept = moved;
        if (any(way2 > free_way2)) kept = slowed(moved, way2, s.drag);
        store3(s.position + at, n, a + u);
        store3(s.velocity + at, n, kept * (soft * s.inverse_dt));
        // Written so that NaN wins, now and in all later rounds.
        most = select(way2 <= most, most, select(most <= most, way2, most));
    }
    for (int i = 0; i < lane_count; ++i) {
        const float way2 = lane(most, i);
        if (!(way2 <= motion.way2) && motion.way2 <= motion.way2) motion.way2 = way2;
    }
}

// ---- in place or in a ring -----------------------------------------------------------------------------------------

void plane_moments(const SegmentStep& s, const float* from, std::size_t begin, std::size_t end) {
    FASCIA_IN_RING(plane_moments, s, from, begin, end);
}
void fit_regions(const SegmentStep& s, const float* from, std::size_t begin, std::size_t end) {
    FASCIA_IN_RING(fit_regions, s, from, begin, end);
}
void plane_goals(const SegmentStep& s, std::size_t begin, std::size_t end) {
    FASCIA_IN_RING(plane_goals, s, begin, end);
}
void goals_and_update(const SegmentStep& s, const float* from, std::size_t begin, std::size_t end,
                      RangeMotion& motion) {
    FASCIA_IN_RING(goals_and_update, s, from, begin, end, motion);
}

}  // namespace fascia::sim::FASCIA_ISA_NAMESPACE
