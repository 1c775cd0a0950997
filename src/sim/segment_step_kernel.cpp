// Prediction, stretch and volume of segment_step.h, eight points at a time. Compiled once per vector level; all levels
// give the same bits.
#include <cstddef>
#include <initializer_list>

#include "sim/rotation_lanes.h"
#include "sim/segment_rows.h"

namespace fascia::sim::FASCIA_ISA_NAMESPACE {

// ---- predict -------------------------------------------------------------------------------------------------------

namespace {

/// Dual quaternion skinning (docs/formulas.md C1): blended, then divided by the length of the real part. Neighbouring
/// points are carried by much the same joints: a table of weights, with zeros, is read faster than slots.
/// [Iwamoto 2015, eq. 3]
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
    // The point itself needs no square root: it moves by 2 (u x (u x x0 + w x0) + w e - w_e u + u x e) / |q|^2.
    const float* first = s.constants[k].first;
    const V3 row{splat(first[0]) + lane_numbers(), splat(first[1]), splat(first[2])};
    const V3 rest = select(mask_of_bits(s.live[k]), row, splat3(0));
    const V3 u{real.x, real.y, real.z}, dual{rows[5], rows[6], rows[7]};
    const V3 turned = cross(u, rest) + dual;
    const V3 half = cross(u, turned) + turned * real.w - u * rows[4];
    return rest + half * ((scale + scale) * scale);
}

/// What skin() reads of a segment.
FASCIA_LANES_INLINE void fetch_for_skin(const SegmentStep& s, std::size_t k) {
    __builtin_prefetch(s.constants[k].first);
    for (std::uint32_t m = s.joint_first[k]; m < s.joint_first[k + 1]; m += 2)
        __builtin_prefetch(s.joint_weights + lane_count * std::size_t(m));
}

}  // namespace

void drive(const SegmentStep& s, const std::uint32_t* listed, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
        const std::size_t k = listed != nullptr ? listed[i] : i;
        const std::size_t at = s.rows[k * 9 + own_row];
        if (s.far && listed != nullptr && i + fetch_ahead < end) fetch_for_skin(s, listed[i + fetch_ahead]);
        Quat8 rotation;
        const V3 a = skin(s, k, rotation);
        store_quat(s.skinned_rotation + at, s.stride, rotation);
        store3(s.driven + at, s.stride, a);
    }
}

/// p = a + alpha (p - a_before) + beta (v - drive (change of the driven velocity)). In lanes without a point no joint
/// has a weight, and everything stays zero.
/// [Iwamoto 2015, alg. line 1] [Iwamoto 2015, alg. line 2]
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

/// 1 / (2 L^2) of a pair, by the number of axes along which it differs.
constexpr float half_inverse_square[4] = {0, 0.5f, 0.25f, 1.0f / 6};

/// How far one end of a pair moves along -d, d = p - other: w (1 - L / |d|) with the weight of the other end.
template <class F>
FASCIA_LANES_INLINE F pull(F half_square, F weight) {
    return weight * (1.0f - quick_inverse_sqrt_of_twice(half_square));
}

/// Pulls of neighbours outside the box, minus those of points in the box that are not neighbours.
FASCIA_RARELY void pull_listed(const SegmentStep& s, std::size_t k, ListedSums<3>& sums) {
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
        sums.of[0][irregular.lane] = lane(asked.x, 0);
        sums.of[1][irregular.lane] = lane(asked.y, 0);
        sums.of[2][irregular.lane] = lane(asked.z, 0);
    }
}

/// Half of the 26 neighbours; the other half are opposite.
struct Way {
    int dx, dy, dz;
    constexpr int row() const { return 3 * (dz + 1) + dy + 1; }
    constexpr int opposite_row() const { return 3 * (1 - dz) + 1 - dy; }
    constexpr int kind() const { return (dx != 0) + (dy != 0) + (dz != 0); }
};
constexpr Way ways[pull_channels] = {{1, 0, 0},  {-1, 1, 0}, {0, 1, 0}, {1, 1, 0},  {-1, -1, 1}, {0, -1, 1}, {1, -1, 1},
                                     {-1, 0, 1}, {0, 0, 1},  {1, 0, 1}, {-1, 1, 1}, {0, 1, 1},   {1, 1, 1}};

/// Adds the pulls of the neighbours on ways [first, first + count) to the sum of p, and stores how hard p pulls them,
/// without the direction, for them to pick up. The roots are taken side by side: one long chain of dependent operations
/// per neighbour would leave the processor waiting.
/// [Iwamoto 2015, eq. 7] [Iwamoto 2015, eq. 8]
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

/// Stretch, first half: every pair of neighbours is measured once, by the end that comes first.
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

/// Sum of w (p - q) over neighbours q, as p sum(w) - sum(w q): weights are small for pairs near their rest length, and
/// so are the rounding errors of the two parts.
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

/// Stretch, second half: adds what the 13 preceding neighbours have measured, and applies the mean of the corrections
/// (Jacobi).
/// [Iwamoto 2015, eq. 9]
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
        if (s.traits[k] & irregular) {
            ListedSums<3> listed;
            pull_listed(s, k, listed);
            sum += listed.vector(0);
        }
        store3(s.other + at, n, p - sum * load(s.constants[k].stretch));
    }
}

// ---- volume --------------------------------------------------------------------------------------------------------

namespace {

/// Rotation of the region at `at`: the driven rotation, then the flesh's rotation relative to it.
template <class Ring>
FASCIA_LANES_INLINE Quat8 region_rotation(const SegmentStep& s, const Ring& ring, std::uint32_t row) {
    return multiply(load_quat(s.skinned_rotation + ring.at(row, 0), Ring::stride(s)),
                    load_quat(s.rotation + row, s.stride));
}

/// The edges of a voxel, in voxels.
struct Edges {
    V3 x, y, z;
};

/// One of these edges: half the vector between two neighbours, otherwise the vector to the only one. A missing
/// neighbour reads as zero.
/// [Iwamoto 2015, fig. 7]
FASCIA_LANES_INLINE V3 edge(V3 p, V3 lower, V3 upper, F8 reach, F8 lean) {
    return (upper - lower) * reach + p * lean;
}

/// A neighbour across a face, if it is connected.
FASCIA_LANES_INLINE V3 across(const FaceLanes& lanes, int face, V3 v) {
    return select(mask_of_bits(lanes.of[face]), v, splat3(0));
}

/// How much of its volume a voxel asks for. Bones may press it flat or inside out, when its gradient may point anywhere
/// and it would push back and forth for ever. Below a tenth of its volume it yields, and is held by its neighbours
/// alone.
FASCIA_LANES_INLINE F8 firmness(F8 volume) {
    return lane_max(1.0f - lane_max(1.0f - volume * crushed_rate, splat(0)), splat(0));
}

}  // namespace

/// C = V - 1, V = det(X, Y, Z); writes lambda * gradient per axis and on the voxel itself: 12 channels that
/// volume_apply gathers.
/// [Iwamoto 2015, eq. 6] [Iwamoto 2015, eq. 10] [Iwamoto 2015, eq. 11] [Iwamoto 2015, eq. 12]
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
        if (s.traits[k] & irregular) {
            // Voxels that only touch do not count.
            const FaceLanes& lanes = s.face_lanes[k];
            e = {edge(p, across(lanes, 0, q.load(at, -1)), across(lanes, 1, q.load(at, 1)), reach.x, lean.x),
                 edge(p, across(lanes, 2, q.load(rows[3])), across(lanes, 3, q.load(rows[5])), reach.y, lean.y),
                 edge(p, across(lanes, 4, q.load(rows[1])), across(lanes, 5, q.load(rows[7])), reach.z, lean.z)};
        }
        if (s.traits[k] & thin) {
            // A voxel without any neighbour along an axis keeps the edge that its rotation gives it.
            const Columns<F8> r = columns_of(region_rotation(s, ring, rows[own_row]));
            e = {select(reach.x > splat(0), e.x, r.x), select(reach.y > splat(0), e.y, r.y),
                 select(reach.z > splat(0), e.z, r.z)};
        }
        const V3 yz = cross(e.y, e.z), zx = cross(e.z, e.x), xy = cross(e.x, e.y);
        const V3 self = yz * lean.x + zx * lean.y + xy * lean.z;
        const F8 denominator = dot(yz, yz) * load(c.volume_weights[0]) + dot(zx, zx) * load(c.volume_weights[1]) +
                               dot(xy, xy) * load(c.volume_weights[2]) + dot(self, self) * load(c.volume_weights[3]);
        const F8 volume = dot(e.x, yz);
        const F8 error = (volume - 1.0f) * firmness(volume);
        // A crushed voxel has almost no gradient, and its push would grow without bound: the gradient counts as at
        // least a fifth of that of a cube. If nothing may move, the lower bound is infinite.
        const F8 lambda = error / lane_max(denominator, load(c.least_gradient));
        float* gradients = s.fits + ring.at(rows[own_row], 0);
        store3(gradients, Ring::stride(s), yz * (lambda * reach.x));
        store3(gradients + 3 * Ring::stride(s), Ring::stride(s), zx * (lambda * reach.y));
        store3(gradients + 6 * Ring::stride(s), Ring::stride(s), xy * (lambda * reach.z));
        store3(gradients + 9 * Ring::stride(s), Ring::stride(s), self * lambda);
    }
}

/// Every voxel gathers the corrections of the volumes around it, summed and relaxed.
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
        const std::size_t front = ring.at(rows[3], 0), back = ring.at(rows[5], 0);
        const std::size_t below = ring.at(rows[1], -1), above = ring.at(rows[7], 1);
        V3 sum = (gx.load(middle, -1) - gx.load(middle, 1)) + (gy.load(front) - gy.load(back)) +
                 (gz.load(below) - gz.load(above));
        if (s.traits[k] & irregular) {
            // The same from connected voxels only.
            const FaceLanes& lanes = s.face_lanes[k];
            sum = (across(lanes, 0, gx.load(middle, -1)) - across(lanes, 1, gx.load(middle, 1))) +
                  (across(lanes, 2, gy.load(front)) - across(lanes, 3, gy.load(back))) +
                  (across(lanes, 4, gz.load(below)) - across(lanes, 5, gz.load(above)));
        }
        sum += self.load(middle, 0);
        const F8 weight = load(c.volume_weights[3]) * (-s.volume_relaxation);
        store3(to + at, n, load3(from + at, n) + sum * weight);
    }
}

// ---- in place or in a ring -----------------------------------------------------------------------------------------

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

}  // namespace fascia::sim::FASCIA_ISA_NAMESPACE
