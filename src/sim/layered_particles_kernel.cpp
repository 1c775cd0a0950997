#include "sim/layered_particles.h"
#include "sim/rotation_lanes.h"

namespace fascia::sim::FASCIA_ISA_NAMESPACE {

namespace {

typedef double D4 __attribute__((vector_size(32)));
typedef float Four __attribute__((vector_size(16)));

constexpr std::size_t record = particle_record, block = RingRuns::block;

FASCIA_LANES_INLINE D4 load_doubles(const double* p) {
    D4 v;
    std::memcpy(&v, p, sizeof v);
    return v;
}
FASCIA_LANES_INLINE void store_doubles(double* p, D4 v) {
    std::memcpy(p, &v, sizeof v);
}
FASCIA_LANES_INLINE D4 widen(const float* p) {
    Four v;
    std::memcpy(&v, p, sizeof v);
    return __builtin_convertvector(v, D4);
}
FASCIA_LANES_INLINE void narrow(D4 v, float* p) {
    const Four f = __builtin_convertvector(v, Four);
    std::memcpy(p, &f, sizeof f);
}

/// A record: four vectors.
struct Record {
    D4 part[4];
};
FASCIA_LANES_INLINE void add(const Record& r, Record& sum) {
    for (int k = 0; k < 4; ++k) sum.part[k] += r.part[k];
}
FASCIA_LANES_INLINE void store_record(const Record& r, double* p) {
    for (int k = 0; k < 4; ++k) store_doubles(p + 4 * k, r.part[k]);
}
FASCIA_LANES_INLINE void add_difference(const double* begin, const double* end, Record& sum) {
    for (int k = 0; k < 4; ++k) sum.part[k] += load_doubles(end + 4 * k) - load_doubles(begin + 4 * k);
}

/// Two vectors of three as rows of eight floats, for each lane: x y z 0 x y z 0.
struct LanePairs {
    float of[lane_count][8];
};
FASCIA_LANES_INLINE LanePairs by_lane(const V3& a, const V3& b) {
    F8 rows[8] = {a.x, a.y, a.z, splat(0), b.x, b.y, b.z, splat(0)};
    transpose(rows);
    LanePairs out;
    for (int i = 0; i < lane_count; ++i) store(out.of[i], rows[i]);
    return out;
}
FASCIA_LANES_INLINE void from_lanes(const LanePairs& in, V3& a, V3& b) {
    F8 rows[8];
    for (int i = 0; i < lane_count; ++i) rows[i] = load(in.of[i]);
    transpose(rows);
    a = {rows[0], rows[1], rows[2]};
    b = {rows[4], rows[5], rows[6]};
}

/// One item of work: a block of vertices on one layer.
struct Item {
    std::size_t layer = 0, first = 0, last = 0;  ///< vertices
    std::size_t records = 0;                     ///< first record of the block, over all layers
};
FASCIA_LANES_INLINE Item item_of(const ParticleRegions& r, std::size_t number) {
    const std::size_t blocks = r.blocks(), layer = number / blocks, b = number % blocks;
    const std::size_t first = b * block, last = first + block < r.padded ? first + block : r.padded;
    return {layer, first, last, layer * r.layer_records() + b * (block + 1)};
}

/// The sum over a region's particles, or over the regions that hold a particle.
FASCIA_LANES_INLINE Record sum_runs(const ParticleRegions& r, const double* prefix, std::size_t layer,
                                    std::size_t vertex) {
    Record sum{};
    const double* own = prefix + layer * r.layer_records() * record;
    for (std::uint32_t k = r.rings.first[vertex]; k < r.rings.first[vertex + 1]; ++k)
        add_difference(own + r.rings.runs[k].begin * record, own + r.rings.runs[k].end * record, sum);
    const std::size_t at = RingRuns::record_of(std::uint32_t(vertex));
    const auto sibling = [&](std::size_t other) {
        const double* p = prefix + (other * r.layer_records() + at) * record;
        add_difference(p, p + record, sum);
    };
    if (layer > 0) sibling(layer - 1);
    if (layer + 1 < r.layers) sibling(layer + 1);
    return sum;
}

FASCIA_LANES_INLINE std::uint8_t live_lanes(const ParticleRegions& r, std::size_t vertex) {
    const std::size_t left = r.vertices > vertex ? r.vertices - vertex : 0;
    return std::uint8_t(left >= lane_count ? 0xff : (1u << left) - 1);
}

/// How well a rotation fits: trace(R^T A).
FASCIA_LANES_INLINE F8 height_of(Quat8 q, const Columns<F8>& a) {
    const Columns<F8> r = columns_of(q);
    return dot(r.x, a.x) + dot(r.y, a.y) + dot(r.z, a.z);
}

/// A crushed region may have no rotation that clearly fits best: the search would wander from step to step, and such
/// flesh would never come to rest. If the search has gone far without arriving somewhere better, the rotation stays.
FASCIA_LANES_INLINE Quat8 arrived(const Columns<F8>& a, I8 live, Quat8 start, Quat8 q) {
    const F8 same = start.w * q.w + start.x * q.x + start.y * q.y + start.z * q.z;
    const I8 gone_far = live & (same * same < splat(0.995f));
    if (!any(gone_far)) return q;
    const F8 enough = splat(2.5e-5f);
    Quat8 found = q;
    const I8 lost = gone_far & (enough < newton_polar(a, gone_far, found));
    if (!any(lost)) return q;
    F8 turn2 = splat(1);
    for (int more = 0; more < 12; ++more) turn2 = newton_polar(a, lost, found);
    const I8 better = (turn2 <= enough) & (height_of(start, a) <= height_of(found, a));
    return select_quat(lost, select_quat(better, found, start), q);
}

}  // namespace

/// [Deul 2013, eq. 1] A = sum_i (A_i + m_i x_i x0_i^T), with A_i = R_i (m_i / 5) Q diag(radii^2) Q^T: rotation on the
/// left.
void sum_particles(const ParticleMatch& s, std::size_t begin, std::size_t end) {
    const ParticleRegions& r = *s.regions;
    const std::size_t n = r.stride;
    for (std::size_t number = begin; number < end; ++number) {
        const Item item = item_of(r, number);
        double* out = s.sums + item.records * record;
        Record sum{};
        store_record(sum, out);
        for (std::size_t v = item.first; v < item.last; v += lane_count) {
            const std::size_t at = item.layer * r.padded + v;
            Quat8 q = load_quat(s.turned + v, r.padded);
            if (item.layer > 0) q = multiply(q, load_quat(s.rotations + at, n));
            const Columns<F8> turn = columns_of(q);
            const float* d = r.moments.data() + at;
            const F8 xx = load(d), yy = load(d + n), zz = load(d + 2 * n), xy = load(d + 3 * n), xz = load(d + 4 * n),
                     yz = load(d + 5 * n);
            const LanePairs one = by_lane(load3(s.positions + at, n), turn.x * xx + turn.y * xy + turn.z * xz);
            const LanePairs two =
                by_lane(turn.x * xy + turn.y * yy + turn.z * yz, turn.x * xz + turn.y * yz + turn.z * zz);
            for (int i = 0; i < lane_count; ++i) {
                const double* w = r.weights.data() + 4 * (at + std::size_t(i));
                const D4 x = widen(one.of[i]);
                add({{x * w[0], x * w[1] + widen(one.of[i] + 4), x * w[2] + widen(two.of[i]),
                      x * w[3] + widen(two.of[i] + 4)}},
                    sum);
                out += record;
                store_record(sum, out);
            }
        }
    }
}

/// A - (sum m x) c0^T, its rotation, T = c - R c0.
void fit_particles(const ParticleMatch& s, std::size_t begin, std::size_t end) {
    const ParticleRegions& r = *s.regions;
    const std::size_t n = r.stride;
    for (std::size_t number = begin; number < end; ++number) {
        const Item item = item_of(r, number);
        double* out = s.maps + item.records * record;
        Record sum{};
        store_record(sum, out);
        for (std::size_t v = item.first; v < item.last; v += lane_count) {
            const std::size_t at = item.layer * r.padded + v;
            const std::uint8_t live = live_lanes(r, v);
            LanePairs one{}, two{};
            D4 center[lane_count] = {};
            for (int i = 0; i < lane_count; ++i) {
                if (!(live >> i & 1)) continue;
                const Record of = sum_runs(r, s.sums, item.layer, v + std::size_t(i));
                const double* c = r.centers.data() + 4 * (at + std::size_t(i));
                center[i] = of.part[0] * c[0];
                narrow(of.part[1] - of.part[0] * c[1], one.of[i]);
                narrow(of.part[2] - of.part[0] * c[2], one.of[i] + 4);
                narrow(of.part[3] - of.part[0] * c[3], two.of[i]);
            }
            Columns<F8> a;
            V3 none;
            from_lanes(one, a.x, a.y);
            from_lanes(two, a.z, none);
            const Quat8 driven = load_quat(s.turned + v, r.padded), last = load_quat(s.rotations + at, n);
            const I8 there = mask_of_bits(live);
            const Quat8 start = start_rotation(driven, last, there, a);
            const Quat8 q = arrived(a, there, start, best_rotation(a, there, start));
            if (item.layer > 0) {
                const Quat8 back{driven.w, -driven.x, -driven.y, -driven.z};
                store_quat(s.rotations + at, n, select_quat(there, multiply(back, q), last));
            }
            const Columns<F8> turn = columns_of(q);
            const LanePairs xy = by_lane(turn.x, turn.y), z = by_lane(turn.z, turn.z);
            for (int i = 0; i < lane_count; ++i) {
                const double* c = r.centers.data() + 4 * (at + std::size_t(i));
                if (live >> i & 1) {
                    const D4 x = widen(xy.of[i]), y = widen(xy.of[i] + 4), w = widen(z.of[i]);
                    add({{center[i] - (x * c[1] + y * c[2] + w * c[3]), x, y, w}}, sum);
                }
                out += record;
                store_record(sum, out);
            }
        }
    }
}

/// [Deul 2013, alg. line 7]
void move_particles(const ParticleMatch& s, std::size_t begin, std::size_t end) {
    const ParticleRegions& r = *s.regions;
    const std::size_t n = r.stride;
    for (std::size_t number = begin; number < end; ++number) {
        const Item item = item_of(r, number);
        if (item.layer == 0) continue;  // bone is where the skeleton puts it
        const std::size_t last = item.last < r.vertices ? item.last : r.vertices;
        for (std::size_t v = item.first; v < last; ++v) {
            const std::size_t at = item.layer * r.padded + v;
            const Record sum = sum_runs(r, s.maps, item.layer, v);
            const double* x0 = r.rest.data() + 4 * at;
            const D4 goal = (sum.part[0] + sum.part[1] * x0[1] + sum.part[2] * x0[2] + sum.part[3] * x0[3]) * x0[0];
            float* x = s.positions + at;
            const float share = s.match[at];
            x[0] += share * float(goal[0] - double(x[0]));
            x[n] += share * float(goal[1] - double(x[n]));
            x[2 * n] += share * float(goal[2] - double(x[2 * n]));
        }
    }
}

namespace {

/// p + 2 u x (u x p + w p) + 2 (w d - dw u + u x d), for a unit dual quaternion (w, u; dw, d).
FASCIA_LANES_INLINE V3 carried(Quat8 q, Quat8 dual, V3 p) {
    const V3 u{q.x, q.y, q.z}, d{dual.x, dual.y, dual.z};
    const V3 c = cross(u, p) + p * q.w;
    const V3 t = (d * q.w - u * dual.w) + cross(u, d);
    const V3 way = cross(u, c) + t;
    return p + way + way;
}

/// sum_j w_j (R_j p + t_j)
FASCIA_LANES_INLINE V3 carried_linearly(const ParticleDrive& s, std::size_t group, V3 p) {
    V3 sum = splat3(0);
    for (std::uint32_t k = s.first[group]; k < s.first[group + 1]; ++k) {
        const float* d = s.duals + 8 * s.joints[k];
        const Quat8 q{splat(d[0]), splat(d[1]), splat(d[2]), splat(d[3])},
            dual{splat(d[4]), splat(d[5]), splat(d[6]), splat(d[7])};
        sum += carried(q, dual, p) * load(s.weights + lane_count * k);
    }
    return sum;
}

}  // namespace

void drive_particles(const ParticleDrive& s, std::size_t begin, std::size_t end) {
    for (std::size_t group = begin; group < end; ++group) {
        F8 sum[8];
        for (F8& each : sum) each = splat(0);
        for (std::uint32_t k = s.first[group]; k < s.first[group + 1]; ++k) {
            const float* dual = s.duals + 8 * s.joints[k];
            const F8 weight = load(s.weights + lane_count * k);
            for (int c = 0; c < 8; ++c) sum[c] = sum[c] + weight * splat(dual[c]);
        }
        const F8 square = sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2] + sum[3] * sum[3];
        const F8 scale = inverse_sqrt(lane_max(square, splat(1e-20f)));
        const Quat8 q{sum[0] * scale, sum[1] * scale, sum[2] * scale, sum[3] * scale};
        const Quat8 dual{sum[4] * scale, sum[5] * scale, sum[6] * scale, sum[7] * scale};
        store_quat(s.turned + lane_count * group, s.padded, q);
        for (std::size_t layer = 0; layer < s.layers; ++layer) {
            const std::size_t at = layer * s.padded + lane_count * group;
            const V3 p = load3(s.rest + at, s.stride);
            store3(s.positions + at, s.stride, s.linear ? carried_linearly(s, group, p) : carried(q, dual, p));
        }
    }
}

/// [Deul 2013, alg. line 2] [Deul 2013, alg. line 3]
void predict_particles(const ParticleStep& s, std::size_t begin, std::size_t end) {
    const std::size_t n = s.stride;
    const V3 gravity{splat(s.felt[0]), splat(s.felt[1]), splat(s.felt[2])};
    for (std::size_t group = begin; group < end; ++group) {
        const std::size_t at = lane_count * group;
        const V3 a = load3(s.there + at, n), before = load3(s.driven + at, n);
        const V3 u = load3(s.positions + at, n) - before, speed = (a - before) * splat(s.rate);
        const V3 felt = (speed - load3(s.driven_speed + at, n)) - gravity;
        V3 v = load3(s.velocities + at, n) - felt * load(s.drive + at);
        if (s.push != nullptr) v = v + load3(s.push + at, n);
        store3(s.offsets + at, n, u);
        store3(s.driven + at, n, a);
        store3(s.driven_speed + at, n, speed);
        store3(s.positions + at, n, a + (u * load(s.alpha + at) + v * load(s.beta + at)));
    }
}

/// [Deul 2013, alg. line 15]
void update_particles(const ParticleStep& s, std::size_t begin, std::size_t end, RangeMotion& motion) {
    const std::size_t n = s.stride;
    const F8 rate = splat(s.rate);
    F8 most = splat(motion.way2);
    for (std::size_t group = begin; group < end; ++group) {
        const std::size_t at = lane_count * group;
        const F8 half = splat(0.5f) * load(s.limit + at);
        const V3 a = load3(s.driven + at, n), old = load3(s.offsets + at, n);
        V3 u = load3(s.positions + at, n) - a;
        const F8 size2 = dot(u, u);
        const I8 beyond = size2 > half * half;
        if (any(beyond)) {
            // half + half * t / (1 + t): leaves `half` with slope one and never reaches the limit.
            const F8 size = lane_sqrt(size2), t = (size - half) / half;
            const F8 scale = half * (splat(1) + t / (splat(1) + t)) / lane_max(size, half);
            u = u * select(beyond, scale, splat(1));
            const F8 there = select(beyond & (t > splat(1)), splat(1), splat(0));
            for (int i = 0; i < lane_count; ++i) motion.at_limit += std::uint64_t(lane(there, i) > 0);
        }
        const V3 way = u - old;
        store3(s.velocities + at, n, way * rate);
        store3(s.positions + at, n, a + u);
        // Written so that NaN wins, now and in all later rounds.
        const F8 way2 = dot(way, way);
        most = select(way2 <= most, most, select(most <= most, way2, most));
    }
    for (int i = 0; i < lane_count; ++i) {
        const float way2 = lane(most, i);
        if (!(way2 <= motion.way2) && motion.way2 <= motion.way2) motion.way2 = way2;
    }
}

}  // namespace fascia::sim::FASCIA_ISA_NAMESPACE
