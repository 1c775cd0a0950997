// The passes of segment_step.h, eight points at a time. Compiled once per vector level; all levels give the same bits.
#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <span>

#include "sim/rotation_lanes.h"
#include "sim/segment_step.h"

namespace fascia::sim::FASCIA_ISA_NAMESPACE {

namespace {

constexpr int own_row = 4;

/// Three channels as three pointers: a load from any of them is then one instruction.
struct Channels {
    const float *x, *y, *z;
    Channels(const float* p, std::size_t stride) : x(p), y(p + stride), z(p + 2 * stride) {}
    FASCIA_LANES_INLINE V3 load(std::size_t at, int dx) const {
        return {sim::load(x + at + dx), sim::load(y + at + dx), sim::load(z + at + dx)};
    }
};

/// Lanes of segment k whose neighbourhood is not simply their box. They are few: what is done for them stands in
/// functions of its own, which take vectors apart without keeping the others from registers.
#define FASCIA_RARELY [[gnu::noinline]]

FASCIA_LANES_INLINE std::span<const IrregularLane> irregular_lanes(const SegmentStep& s, std::size_t k) {
    return {s.irregular + s.irregular_first[k], s.irregular + s.irregular_first[k + 1]};
}
FASCIA_LANES_INLINE const SegmentBox& box_of(const SegmentStep& s, std::size_t k) {
    return s.boxes[s.box_of[k]];
}
FASCIA_LANES_INLINE std::span<const BoxDifference> differences(const SegmentStep& s, const IrregularLane& lane) {
    return {s.differences + lane.first, lane.count};
}

/// Where the rows of a segment lie in scratch. In small bodies: where the layout has them.
struct InPlace {
    InPlace(const std::uint32_t*, const SegmentStep&, std::size_t) {}
    static std::size_t stride(const SegmentStep& s) { return s.stride; }
    void move_to(std::size_t) {}
    static std::size_t at(std::uint32_t row, int) { return row; }
};

/// In large ones: in a ring of slices (slice_ring.h), each slice at its own distance from the layout's places.
class InRing {
public:
    InRing(const std::uint32_t* first, const SegmentStep& s, std::size_t k)
        : next_(std::upper_bound(first, first + s.slices + 1, k)), below_(s.ring_shift + (next_ - 1 - first)) {}

    static std::size_t stride(const SegmentStep& s) { return s.ring_stride; }
    /// Segments come in ascending order.
    FASCIA_LANES_INLINE void move_to(std::size_t k) {
        for (; k >= *next_; ++next_) ++below_;
    }
    /// Of a row dz slices above the segment's own.
    FASCIA_LANES_INLINE std::size_t at(std::uint32_t row, int dz) const { return row + below_[1 + dz]; }

private:
    const std::uint32_t *next_, *below_;
};

// ---- large bodies --------------------------------------------------------------------------------------------------

/// Segments between a fetch and the use of what it brings. The processor's own guesses lose track of so many channels.
constexpr std::size_t fetch_ahead = 6;

FASCIA_LANES_INLINE void fetch_channels(const float* channel, std::size_t stride, int count) {
    for (int c = 0; c < count; ++c) __builtin_prefetch(channel + std::size_t(c) * stride);
}
template <class First, class Last>
FASCIA_LANES_INLINE void fetch_between(const First& first, const Last& last) {
    const char* end = reinterpret_cast<const char*>(&last + 1);
    for (const char* line = reinterpret_cast<const char*>(&first); line < end; line += 64) __builtin_prefetch(line);
}

// ---- predict -------------------------------------------------------------------------------------------------------

/// Dual quaternion skinning (docs/papers/000.md, A4): blended, divided by the length of the real part. Points that lie
/// side by side are carried by much the same joints: a table of weights, with zeros, is read faster than slots.
FASCIA_LANES_INLINE V3 skin(const SegmentStep& s, std::size_t k, Quat8& rotation) {
    F8 rows[8];
    for (F8& row : rows) row = splat(0);
    for (std::uint32_t m = s.joint_first[k]; m < s.joint_first[k + 1]; ++m) {
        const float* dual = s.duals + 8 * std::size_t(s.joints[m]);
        const F8 weight = load(s.joint_weights + lane_count * std::size_t(m));
        for (int i = 0; i < 8; ++i) rows[i] = rows[i] + weight * splat(dual[i]);
    }
    const Quat8 real{rows[0], rows[1], rows[2], rows[3]};
    const F8 norm2 = real.w * real.w + real.x * real.x + real.y * real.y + real.z * real.z;
    const F8 scale = inverse_sqrt(lane_max(norm2, splat(1e-16f)));
    rotation = {real.w * scale, real.x * scale, real.y * scale, real.z * scale};
    // The point needs no root: it moves on by 2 (u x (u x x0 + w x0) + w e - w_e u + u x e) / |q|^2.
    const float* first = s.constants[k].first;
    const V3 row{splat(first[0]) + lane_numbers(), splat(first[1]), splat(first[2])};
    const V3 rest = select(mask_of_bits(s.live[k]), row, splat3(0));
    const V3 u{real.x, real.y, real.z}, dual{rows[5], rows[6], rows[7]};
    const V3 turned = cross(u, rest) + dual;
    const V3 half = cross(u, turned) + turned * real.w - u * rows[4];
    return rest + half * ((scale + scale) * scale);
}

}  // namespace

/// p = a + alpha (p - a_before) + beta (v - drive (change of the driven velocity)). Where there is no point no joint
/// has a weight, and everything stays zero.
template <class Ring>
void predict_in(const SegmentStep& s, std::size_t begin, std::size_t end) {
    const std::size_t n = s.stride;
    Ring ring(s.slice_first, s, begin);
    for (std::size_t k = begin; k < end; ++k) {
        ring.move_to(k);
        const SegmentConstants& c = s.constants[k];
        const std::size_t at = s.rows[k * 9 + own_row];
        if (s.far && k + fetch_ahead < end) {
            const std::size_t ahead = s.rows[(k + fetch_ahead) * 9 + own_row];
            for (const float* state : {s.driven, s.driven_velocity, s.position, s.velocity})
                fetch_channels(state + ahead, n, 3);
        }
        Quat8 rotation;
        const V3 a = skin(s, k, rotation);
        store_quat(s.skinned_rotation + ring.at(s.rows[k * 9 + own_row], 0), Ring::stride(s), rotation);
        const V3 before = load3(s.driven + at, n);
        const V3 va_before = load3(s.driven_velocity + at, n);
        const V3 va = (a - before) * splat(s.inverse_dt);
        const V3 u = load3(s.position + at, n) - before;
        const V3 felt = (va - va_before) - V3{splat(s.felt[0]), splat(s.felt[1]), splat(s.felt[2])};
        V3 v = load3(s.velocity + at, n) - felt * load(c.drive);
        if (s.force != nullptr) v += load3(s.force + at, n) * load(c.soft);
        const V3 p = a + u * load(c.alpha) + v * load(c.beta);
        store3(s.driven + at, n, a);
        store3(s.driven_velocity + at, n, va);
        store3(s.velocity + at, n, u);  // kept until the update: v = (u - u_before) / dt
        store3(s.position + at, n, p);
    }
}

// ---- stretch -------------------------------------------------------------------------------------------------------

namespace {

/// 1 / (2 L^2) of a pair that differs along so many axes.
constexpr float half_inverse_square[4] = {0, 0.5f, 0.25f, 1.0f / 6};

/// How far one end of a pair moves against d = p - other: w (1 - L / |d|) with the weight of the other end.
template <class F>
FASCIA_LANES_INLINE F pull(F half_square, F weight) {
    return weight * (1.0f - quick_inverse_sqrt_of_twice(half_square));
}

/// What neighbours outside the box ask, less what those in the box ask that are none.
FASCIA_RARELY V3 pull_listed(const SegmentStep& s, std::size_t k, V3 sum) {
    const std::size_t n = s.stride;
    for (const IrregularLane& irregular : irregular_lanes(s, k)) {
        const float* p = s.position + s.rows[k * 9 + own_row] + irregular.lane;
        const V3 own{splat(p[0]), splat(p[n]), splat(p[2 * n])};
        V3 asked = splat3(0);
        for (const BoxDifference& other : differences(s, irregular)) {
            const float* q = s.position + other.slot;
            const int kind = (other.dx != 0) + (other.dy != 0) + (other.dz != 0);
            const V3 d = own - V3{splat(q[0]), splat(q[n]), splat(q[2 * n])};
            const F8 weight = splat(s.pair_weight[other.slot] * other.neighbour);
            asked += d * pull(dot(d, d) * half_inverse_square[kind], weight);
        }
        add_to_lane(sum, irregular.lane, lane(asked.x, 0), lane(asked.y, 0), lane(asked.z, 0));
    }
    return sum;
}

/// Half of the 26 neighbours; the other half lie opposite.
struct Way {
    int dx, dy, dz;
    constexpr int row() const { return 3 * (dz + 1) + dy + 1; }
    constexpr int opposite_row() const { return 3 * (1 - dz) + 1 - dy; }
    constexpr int kind() const { return (dx != 0) + (dy != 0) + (dz != 0); }
};
constexpr Way ways[pull_channels] = {{1, 0, 0},  {-1, 1, 0}, {0, 1, 0}, {1, 1, 0},  {-1, -1, 1}, {0, -1, 1}, {1, -1, 1},
                                     {-1, 0, 1}, {0, 0, 1},  {1, 0, 1}, {-1, 1, 1}, {0, 1, 1},   {1, 1, 1}};

/// What the neighbours on ways [first, first + count) ask of p, added to its sum; and what it asks of them, less the
/// direction, for them to find. The roots are taken side by side: a long chain of dependent
/// operations for one neighbour would leave the processor waiting.
template <class Ring, int first, int count>
FASCIA_LANES_INLINE void pull_ways(const SegmentStep& s, const Channels& q, const std::uint32_t* rows, float* pulls,
                                   V3 p, F8 own, V3& sum) {
    Wide<count> half;
    V3 d[count];
#pragma GCC unroll 13
    for (int i = 0; i < count; ++i) {
        const Way way = ways[first + i];
        d[i] = p - q.load(rows[way.row()], way.dx);
        half.part[i] = dot(d[i], d[i]) * half_inverse_square[way.kind()];
    }
    const Wide<count> share = 1.0f - quick_inverse_sqrt_of_twice(half);
#pragma GCC unroll 13
    for (int i = 0; i < count; ++i) {
        const Way way = ways[first + i];
        store(pulls + std::size_t(first + i) * Ring::stride(s), share.part[i] * own);
        sum += d[i] * (share.part[i] * load(s.pair_weight + rows[way.row()] + way.dx));
    }
}

}  // namespace

/// Stretch, first half: every pair of neighbours is measured, by the end that comes first.
template <class Ring>
void pull_forward_in(const SegmentStep& s, std::size_t begin, std::size_t end) {
    const std::size_t n = s.stride;
    const Channels q(s.position, n);
    Ring ring(s.slice_first, s, begin);
    for (std::size_t k = begin; k < end; ++k) {
        ring.move_to(k);
        const std::uint32_t* rows = s.rows + k * 9;
        const std::size_t at = rows[own_row];
        const V3 p = q.load(at, 0);
        const F8 own = load(s.pair_weight + at);
        float* pulls = s.fits + ring.at(rows[own_row], 0);
        V3 sum = splat3(0);
        pull_ways<Ring, 0, 7>(s, q, rows, pulls, p, own, sum);
        pull_ways<Ring, 7, 6>(s, q, rows, pulls, p, own, sum);
        store3(s.other + at, n, sum);
    }
}

namespace {

/// Sum of w (p - q) over neighbours q, as p sum(w) - sum(w q): weights are small where pairs are near their length, and
/// with them what the two parts lose to rounding.
struct Pulled {
    V3 places = splat3(0);
    F8 weight = splat(0);

    FASCIA_LANES_INLINE void add(V3 q, F8 w) {
        places += q * w;
        weight = weight + w;
    }
    FASCIA_LANES_INLINE V3 of(V3 p) const { return p * weight - places; }
};

}  // namespace

/// Stretch, second half: with what the 13 neighbours that come before have measured, the mean of the corrections
/// (Jacobi).
template <class Ring>
void stretch_in(const SegmentStep& s, std::size_t begin, std::size_t end) {
    const std::size_t n = s.stride;
    const Channels q(s.position, n);
    Ring ring(s.slice_first, s, begin);
    for (std::size_t k = begin; k < end; ++k) {
        ring.move_to(k);
        const std::uint32_t* rows = s.rows + k * 9;
        const std::size_t at = rows[own_row];
        const V3 p = q.load(at, 0);
        if (s.far && k + fetch_ahead < end) __builtin_prefetch(s.constants[k + fetch_ahead].stretch);
        Pulled before;
#pragma GCC unroll 13
        for (int i = 0; i < pull_channels; ++i) {
            const std::uint32_t row = rows[ways[i].opposite_row()];
            const float* pulls = s.fits + std::size_t(i) * Ring::stride(s);
            before.add(q.load(row, -ways[i].dx), load(pulls + ring.at(row, -ways[i].dz) - ways[i].dx));
        }
        V3 sum = load3(s.other + at, n) + before.of(p);
        if (s.traits[k] & irregular) sum = pull_listed(s, k, sum);
        store3(s.other + at, n, p - sum * load(s.constants[k].stretch));
    }
}

// ---- volume --------------------------------------------------------------------------------------------------------

namespace {

/// Rotation of the region at `at`: the driven rotation, then what the flesh has turned against it.
template <class Ring>
FASCIA_LANES_INLINE Quat8 region_rotation(const SegmentStep& s, const Ring& ring, std::uint32_t row) {
    return multiply(load_quat(s.skinned_rotation + ring.at(row, 0), Ring::stride(s)),
                    load_quat(s.rotation + row, s.stride));
}

/// The edges of a voxel, in voxels.
struct Edges {
    V3 x, y, z;
};

/// One of them: between two neighbours half their distance, else the way to the one that is there. The place of one
/// that is not holds zero.
FASCIA_LANES_INLINE V3 edge(V3 p, V3 lower, V3 upper, F8 reach, F8 lean) {
    return (upper - lower) * reach + p * lean;
}

/// The same for lanes that touch voxels without being connected to them: those do not count.
FASCIA_RARELY Edges connected_edges(const SegmentStep& s, const float* from, std::size_t k, Edges edges) {
    const std::uint32_t* rows = s.rows + k * 9;
    const SegmentBox& box = box_of(s, k);
    const std::size_t lower[3] = {rows[own_row] - std::size_t(1), rows[3], rows[1]};
    const std::size_t upper[3] = {rows[own_row] + std::size_t(1), rows[5], rows[7]};
    V3* targets[3] = {&edges.x, &edges.y, &edges.z};
    for (const IrregularLane& irregular : irregular_lanes(s, k))
        for (int axis = 0; axis < 3; ++axis) {
            const float reach = box.reach[axis][irregular.lane], lean = box.lean[axis][irregular.lane];
            float edge[3];
            for (std::size_t c = 0; c < 3; ++c) {
                const float* at = from + c * s.stride + irregular.lane;
                const float below = irregular.faces >> (2 * axis) & 1 ? at[lower[axis]] : 0.0f;
                const float above = irregular.faces >> (2 * axis + 1) & 1 ? at[upper[axis]] : 0.0f;
                edge[c] = (above - below) * reach + at[rows[own_row]] * lean;
            }
            set_lane(*targets[axis], irregular.lane, edge[0], edge[1], edge[2]);
        }
    return edges;
}

}  // namespace

/// C = V - 1, V = det(X, Y, Z); writes lambda * gradient per axis and on the voxel itself: 12 channels that
/// volume_apply gathers.
template <class Ring>
void volume_gradients_in(const SegmentStep& s, const float* from, std::size_t begin, std::size_t end) {
    const std::size_t n = s.stride;
    const Channels q(from, n);
    Ring ring(s.slice_first, s, begin);
    for (std::size_t k = begin; k < end; ++k) {
        ring.move_to(k);
        const std::uint32_t* rows = s.rows + k * 9;
        const std::size_t at = rows[own_row];
        const SegmentConstants& c = s.constants[k];
        if (s.far && k + fetch_ahead < end) {
            const SegmentConstants& ahead = s.constants[k + fetch_ahead];
            const SegmentBox& box = box_of(s, k + fetch_ahead);
            fetch_between(ahead.volume_weights, ahead.least_gradient);
            fetch_between(box.reach, box.lean);
        }
        const SegmentBox& box = box_of(s, k);
        const V3 reach = load3(box.reach[0], lane_count), lean = load3(box.lean[0], lane_count);
        const V3 p = q.load(at, 0);
        Edges e{edge(p, q.load(at, -1), q.load(at, 1), reach.x, lean.x),
                edge(p, q.load(rows[3], 0), q.load(rows[5], 0), reach.y, lean.y),
                edge(p, q.load(rows[1], 0), q.load(rows[7], 0), reach.z, lean.z)};
        if (s.traits[k] & (irregular | thin)) {
            if (s.traits[k] & irregular) e = connected_edges(s, from, k, e);
            // A voxel without any neighbour along an axis keeps the edge that its rotation gives it.
            const Columns<F8> r = columns_of(region_rotation(s, ring, rows[own_row]));
            e = {select(reach.x > splat(0), e.x, r.x), select(reach.y > splat(0), e.y, r.y),
                 select(reach.z > splat(0), e.z, r.z)};
        }
        const V3 yz = cross(e.y, e.z), zx = cross(e.z, e.x), xy = cross(e.x, e.y);
        const V3 self = yz * lean.x + zx * lean.y + xy * lean.z;
        const F8 denominator = dot(yz, yz) * load(c.volume_weights[0]) + dot(zx, zx) * load(c.volume_weights[1]) +
                               dot(xy, xy) * load(c.volume_weights[2]) + dot(self, self) * load(c.volume_weights[3]);
        const F8 error = dot(e.x, yz) - 1.0f;
        // A crushed voxel has next to no gradient, and its push would be without bound: it counts as at least a fifth
        // of what an even voxel has. Where nothing may move the least is infinite.
        const F8 lambda = error / lane_max(denominator, load(c.least_gradient));
        float* gradients = s.fits + ring.at(rows[own_row], 0);
        store3(gradients, Ring::stride(s), yz * (lambda * reach.x));
        store3(gradients + 3 * Ring::stride(s), Ring::stride(s), zx * (lambda * reach.y));
        store3(gradients + 6 * Ring::stride(s), Ring::stride(s), xy * (lambda * reach.z));
        store3(gradients + 9 * Ring::stride(s), Ring::stride(s), self * lambda);
    }
}

namespace {

/// The same sum for lanes that touch voxels without being connected to them: those do not reach it.
template <class Ring>
FASCIA_RARELY V3 connected_faces(const SegmentStep& s, const Ring& ring, std::size_t k, V3 sum) {
    const std::size_t n = Ring::stride(s);
    const std::uint32_t* rows = s.rows + k * 9;
    const std::size_t middle = ring.at(rows[own_row], 0);
    const std::size_t below[3] = {middle - 1, ring.at(rows[3], 0), ring.at(rows[1], -1)};
    const std::size_t above[3] = {middle + 1, ring.at(rows[5], 0), ring.at(rows[7], 1)};
    for (const IrregularLane& irregular : irregular_lanes(s, k)) {
        float total[3] = {0, 0, 0};
        for (std::size_t axis = 0; axis < 3; ++axis)
            for (std::size_t c = 0; c < 3; ++c) {
                const float* asked = s.fits + (3 * axis + c) * n + irregular.lane;
                if (irregular.faces >> (2 * axis) & 1) total[c] += asked[below[axis]];
                if (irregular.faces >> (2 * axis + 1) & 1) total[c] -= asked[above[axis]];
            }
        set_lane(sum, irregular.lane, total[0], total[1], total[2]);
    }
    return sum;
}

}  // namespace

/// Every voxel gathers what the volumes around it ask of it, summed and relaxed.
template <class Ring>
void volume_apply_in(const SegmentStep& s, const float* from, float* to, std::size_t begin, std::size_t end) {
    const std::size_t n = s.stride, r = Ring::stride(s);
    const Channels gx(s.fits, r), gy(s.fits + 3 * r, r), gz(s.fits + 6 * r, r), self(s.fits + 9 * r, r);
    Ring ring(s.slice_first, s, begin);
    for (std::size_t k = begin; k < end; ++k) {
        ring.move_to(k);
        const std::uint32_t* rows = s.rows + k * 9;
        const std::size_t at = rows[own_row], middle = ring.at(rows[own_row], 0);
        const SegmentConstants& c = s.constants[k];
        V3 sum = (gx.load(middle, -1) - gx.load(middle, 1)) +
                 (gy.load(ring.at(rows[3], 0), 0) - gy.load(ring.at(rows[5], 0), 0)) +
                 (gz.load(ring.at(rows[1], -1), 0) - gz.load(ring.at(rows[7], 1), 0));
        if (s.traits[k] & irregular) sum = connected_faces(s, ring, k, sum);
        sum += self.load(middle, 0);
        const F8 weight = load(c.volume_weights[3]) * (-s.volume_relaxation);
        store3(to + at, n, load3(from + at, n) + sum * weight);
    }
}

// ---- shape matching ------------------------------------------------------------------------------------------------

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

struct Moments {
    V3 plain, by_x, by_y, by_z;
};

/// Moments of members outside the box, less those of points in the box that are none.
FASCIA_RARELY Moments listed_moments(const SegmentStep& s, const float* from, std::size_t k, Moments all) {
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
        V3* targets[4] = {&all.plain, &all.by_x, &all.by_y, &all.by_z};
        for (int t = 0; t < 4; ++t) add_to_lane(*targets[t], irregular.lane, sum[t][0], sum[t][1], sum[t][2]);
    }
    return all;
}

/// What a region's fit needs between its two halves.
struct RegionFit {
    Columns<F8> a;  ///< moment matrix, with the driven rotation's pull
    Quat8 driven;   ///< the skinned rotation
    Quat8 q;        ///< where the search begins, then the best rotation
    V3 center;      ///< c
};

FASCIA_LANES_INLINE void fetch_regions(const SegmentStep& s, std::size_t k, std::size_t end) {
    if (!s.far || k >= end) return;
    const std::size_t at = s.rows[k * 9 + own_row];
    fetch_channels(s.rotation + at, s.stride, 4);
    fetch_between(box_of(s, k).mass, box_of(s, k).bone_pull);
}

/// Moments over three planes, relative to the point itself: the sums lose their size, and with it their rounding.
template <class Ring>
FASCIA_LANES_INLINE RegionFit region_moments(const SegmentStep& s, const float* from, const Ring& ring, std::size_t k) {
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
    if (s.traits[k] & irregular) m = listed_moments(s, from, k, m);

    RegionFit fit;
    const V3 p = load3(from + at, n);
    const F8 mass = load(box.mass);
    const V3 c0 = load3(box.center[0], lane_count);
    const V3 lag = m.plain - p * mass;
    fit.center = p + lag * load(box.inverse_mass);
    // sum m (x - c) (d - c0)^T = sum m x d^T - (sum m x) c0^T
    fit.a = {m.by_x - m.plain * c0.x, m.by_y - m.plain * c0.y, m.by_z - m.plain * c0.z};
    fit.driven = load_quat(s.skinned_rotation + middle, r);
    if (s.traits[k] & pulled) {
        const Columns<F8> bone = columns_of(fit.driven);
        const F8 pull = load(box.bone_pull);
        fit.a = {fit.a.x + bone.x * pull, fit.a.y + bone.y * pull, fit.a.z + bone.z * pull};
    }
    fit.q = start_rotation(fit.driven, load_quat(s.rotation + at, n), mask_of_bits(s.live[k]), fit.a);
    return fit;
}

template <class Ring>
FASCIA_LANES_INLINE void store_fit(const SegmentStep& s, const Ring& ring, std::size_t k, const RegionFit& fit) {
    const std::size_t n = s.stride;
    const std::size_t at = s.rows[k * 9 + own_row];
    const I8 live = mask_of_bits(s.live[k]);
    const F8 zero = splat(0);
    const Quat8 back{fit.driven.w, -fit.driven.x, -fit.driven.y, -fit.driven.z};
    store_quat(s.rotation + at, n, select_quat(live, multiply(back, fit.q), Quat8{zero, zero, zero, zero}));
    Columns<F8> r = columns_of(fit.q);
    const V3 c0 = load3(box_of(s, k).center[0], lane_count);
    V3 t = fit.center - (r.x * c0.x + r.y * c0.y + r.z * c0.z);
    if (s.live[k] != 0xff) {
        r = {select(live, r.x, splat3(0)), select(live, r.y, splat3(0)), select(live, r.z, splat3(0))};
        t = select(live, t, splat3(0));
    }
    float* fits = s.fits + ring.at(s.rows[k * 9 + own_row], 0);
    const std::size_t stride = Ring::stride(s);
    store3(fits, stride, t - r.x);
    store3(fits + 3 * stride, stride, t);
    store3(fits + 6 * stride, stride, t + r.x);
    store3(fits + 9 * stride, stride, r.y);
    store3(fits + 12 * stride, stride, r.z);
}

/// From where the search began to the best rotation.
FASCIA_LANES_INLINE void turn_regions(RegionFit* fits, const std::uint8_t* live, std::size_t count) {
    std::size_t i = 0;
#if defined(__AVX__)
    for (; i + 2 <= count; i += 2)
        best_rotation_pair(fits[i].a, live[i], fits[i].q, fits[i + 1].a, live[i + 1], fits[i + 1].q);
#endif
    for (; i < count; ++i) fits[i].q = best_rotation(fits[i].a, mask_of_bits(live[i]), fits[i].q);
}

/// Segments that go through the three parts of a fit together. A search for a rotation is one long chain of dependent
/// operations: in a loop of its own the processor works on several at once.
constexpr std::size_t fit_batch = 8;

}  // namespace

/// The best rotation of each region and its rigid map x -> R x + t, t = c - R c0: what it makes of the point itself and
/// of those to its left and right, t - R_x, t, t + R_x, then the columns R_y and R_z.
template <class Ring>
void fit_regions_in(const SegmentStep& s, const float* from, std::size_t begin, std::size_t end) {
    RegionFit fits[fit_batch];
    Ring ring(s.slice_first, s, begin), behind = ring;
    for (std::size_t first = begin; first < end; first += fit_batch) {
        const std::size_t last = std::min(first + fit_batch, end);
        for (std::size_t k = first; k < last; ++k) {
            fetch_regions(s, k + fetch_ahead, end);
            ring.move_to(k);
            fits[k - first] = region_moments(s, from, ring, k);
        }
        turn_regions(fits, s.live + first, last - first);
        for (std::size_t k = first; k < last; ++k) {
            behind.move_to(k);
            store_fit(s, behind, k, fits[k - first]);
        }
    }
}

/// Goals summed over the nine regions of a plane: R_r (x0_i - x0_r) + t_r, less what R_r adds along z. 6 channels.
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

/// Goals of regions outside the box that hold the point, less those of regions in the box that do not.
template <class Ring>
FASCIA_RARELY V3 listed_goal(const SegmentStep& s, const Ring& ring, std::size_t k, V3 goal) {
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
        add_to_lane(goal, irregular.lane, sum[0], sum[1], sum[2]);
    }
    return goal;
}

/// Beyond half the limit |u| is compressed smoothly: half + (L/2) x / (1 + x), x = (|u| - half) / (L/2).
FASCIA_LANES_INLINE V3 limited(V3 u, F8 size2, F8 half, I8 beyond) {
    const F8 inverse = inverse_sqrt(lane_max(size2, splat(1e-12f)));
    const F8 excess = size2 * inverse - half;
    const F8 bounded = half + half * excess / (half + lane_max(excess, splat(0)));
    return u * select(beyond, bounded * inverse, splat(1));
}

inline int count_lanes(I8 mask) {
    int count = 0;
    for (int i = 0; i < lane_count; ++i) count += lane(select(mask, splat(1), splat(0)), i) > 0;
    return count;
}

}  // namespace

/// Goals over the three planes, the move towards their mean, the limit, and the new velocity.
template <class Ring>
void goals_and_update_in(const SegmentStep& s, const float* from, std::size_t begin, std::size_t end,
                         RangeMotion& motion) {
    const std::size_t n = s.stride;
    const Channels goals(s.plane_sums, Ring::stride(s)), turns(s.plane_sums + 3 * Ring::stride(s), Ring::stride(s));
    const Channels moved_to(from, n), driven(s.driven, n), offset(s.velocity, n);
    Ring ring(s.slice_first, s, begin);
    F8 most = splat(motion.way2);
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
            if (s.traits[k] & irregular) goal = listed_goal(s, ring, k, goal);
            u = (p - a) + goal * load(c.match) - p * load(c.matched);
        }
        const F8 half = load(c.limit) * 0.5f, soft = load(c.soft);
        const F8 size2 = dot(u, u);
        const I8 beyond = size2 > half * half;
        if (any(beyond)) {
            u = limited(u, size2, half, beyond);
            // Counted as at the limit: what asked for more than nine tenths of it.
            motion.at_limit += std::uint64_t(count_lanes((size2 > half * half * 3.24f) & (soft > splat(0))));
        }
        u = u * soft;
        const V3 before = offset.load(at, 0);
        const V3 moved = u - before;
        store3(s.position + at, n, a + u);
        store3(s.velocity + at, n, moved * (soft * s.inverse_dt));
        // Written so that a number that is none wins, now and in all later rounds.
        const F8 way2 = dot(moved, moved);
        most = select(way2 <= most, most, select(most <= most, way2, most));
    }
    for (int i = 0; i < lane_count; ++i) {
        const float way2 = lane(most, i);
        if (!(way2 <= motion.way2) && motion.way2 <= motion.way2) motion.way2 = way2;
    }
}

// ---- in place or in a ring -----------------------------------------------------------------------------------------

#define FASCIA_IN_RING(pass, ...) return s.ring_shift ? pass##_in<InRing>(__VA_ARGS__) : pass##_in<InPlace>(__VA_ARGS__)

void predict(const SegmentStep& s, std::size_t begin, std::size_t end) {
    FASCIA_IN_RING(predict, s, begin, end);
}
void pull_forward(const SegmentStep& s, std::size_t begin, std::size_t end) {
    FASCIA_IN_RING(pull_forward, s, begin, end);
}
void stretch(const SegmentStep& s, std::size_t begin, std::size_t end) {
    FASCIA_IN_RING(stretch, s, begin, end);
}
void volume_gradients(const SegmentStep& s, const float* from, std::size_t begin, std::size_t end) {
    FASCIA_IN_RING(volume_gradients, s, from, begin, end);
}
void volume_apply(const SegmentStep& s, const float* from, float* to, std::size_t begin, std::size_t end) {
    FASCIA_IN_RING(volume_apply, s, from, to, begin, end);
}
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
