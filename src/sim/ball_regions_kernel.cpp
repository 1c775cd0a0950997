#include "sim/ball_regions.h"
#include "sim/rotation_lanes.h"

namespace fascia::sim::FASCIA_ISA_NAMESPACE {

namespace {

/// Three channels as three pointers: a load from any of them is then one instruction.
struct Channels {
    const float *x, *y, *z;
    Channels(const float* p, std::size_t stride) : x(p), y(p + stride), z(p + 2 * stride) {}
    FASCIA_LANES_INLINE V3 load(std::size_t at) const {
        return {sim::load(x + at), sim::load(y + at), sim::load(z + at)};
    }
};

// ---- rows of a ball ------------------------------------------------------------------------------------------------

/// ball_rows(radius)[index]
constexpr RowReach ball_row(int radius, std::size_t index) {
    for (int dz = -radius; dz <= radius; ++dz) {
        const int left = radius - (dz < 0 ? -dz : dz);
        for (int dy = -left; dy <= left; ++dy)
            if ((dy != 0 || dz != 0) && index-- == 0) return {dy, dz, left - (dy < 0 ? -dy : dy)};
    }
    return {0, 0, radius};
}

/// visit(place of a row, the row); everything about the ball is known to the compiler.
template <int Radius, std::size_t Row = 0, class Visit>
FASCIA_LANES_INLINE void each_row(const std::uint32_t* rows, Visit visit) {
    constexpr RowReach row = ball_row(Radius, Row);
    visit(std::size_t(rows[Row]), row);
    if constexpr (Row + 1 < ball_row_count(Radius)) each_row<Radius, Row + 1>(rows, visit);
}
/// Radius 0 stands for any.
template <int Radius, class Visit>
FASCIA_LANES_INLINE void rows_of_ball(const BallStep& s, std::size_t k, Visit visit) {
    if constexpr (Radius > 0) {
        each_row<Radius>(s.rows + k * ball_row_count(Radius), visit);
    } else {
        const std::size_t count = ball_row_count(s.radius);
        for (std::size_t r = 0; r < count; ++r) visit(std::size_t(s.rows[k * count + r]), s.ball[r]);
    }
}

FASCIA_LANES_INLINE std::size_t own_row(const BallStep& s, std::size_t k) {
    return s.rows[(k + 1) * ball_row_count(s.radius) - 1];
}

FASCIA_LANES_INLINE void add_times(V3& sum, V3 v, int times) {
    if (times == 0) return;
    if (times == 1)
        sum = sum + v;
    else if (times == -1)
        sum = sum - v;
    else
        sum = sum + v * splat(float(times));
}

#define FASCIA_IN_LANES __attribute__((always_inline))
/// What is done for few lanes stands in functions of its own, which take vectors apart.
#define FASCIA_RARELY [[gnu::noinline]]

// ---- fit -----------------------------------------------------------------------------------------------------------

/// Sums of m (y - y of the region's point): plain, and weighted by dx, dy, dz.
struct BallMoments {
    V3 plain, by_x, by_y, by_z;
};

FASCIA_RARELY void correct_moments(const BallStep& s, const float* from, std::size_t k, BallMoments& moments) {
    const std::size_t n = s.stride, own = own_row(s, k);
    float sums[12][lane_count];
    static_assert(sizeof sums == sizeof moments);
    std::memcpy(sums, &moments, sizeof sums);
    for (std::uint32_t c = s.corrected[k]; c < s.corrected[k + 1]; ++c) {
        const BallCorrection& fix = s.corrections[c];
        const float mass = float(fix.share) * s.mass[fix.slot];
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const float v = (from[axis * n + fix.slot] - from[axis * n + own + fix.lane]) * mass;
            sums[axis][fix.lane] += v;
            sums[3 + axis][fix.lane] += v * float(fix.dx);
            sums[6 + axis][fix.lane] += v * float(fix.dy);
            sums[9 + axis][fix.lane] += v * float(fix.dz);
        }
    }
    std::memcpy(&moments, sums, sizeof sums);
}

template <int Radius>
FASCIA_LANES_INLINE BallMoments moments_of(const BallStep& s, const Channels& y, std::size_t k, V3 own) {
    BallMoments sum{splat3(0), splat3(0), splat3(0), splat3(0)};
    rows_of_ball<Radius>(s, k, [&](std::size_t at, RowReach ball) FASCIA_IN_LANES {
        const auto member = [&](int dx) FASCIA_IN_LANES {
            const std::size_t there = at + std::size_t(std::ptrdiff_t(dx));
            return (y.load(there) - own) * load(s.mass + there);
        };
        V3 row = member(-ball.reach);
        if (ball.reach > 0) {
            V3 slope = splat3(0);
            add_times(slope, row, -ball.reach);
            for (int dx = 1 - ball.reach; dx <= ball.reach; ++dx) {
                const V3 v = member(dx);
                row = row + v;
                add_times(slope, v, dx);
            }
            sum.by_x = sum.by_x + slope;
        }
        sum.plain = sum.plain + row;
        add_times(sum.by_y, row, ball.dy);
        add_times(sum.by_z, row, ball.dz);
    });
    return sum;
}

/// What a region's fit needs between its two halves.
struct BallFit {
    Columns<F8> a;  ///< moment matrix, with the driven rotation's pull
    Quat8 driven, start;
    V3 center;  ///< of mass
};

template <int Radius>
FASCIA_LANES_INLINE BallFit prepare(const BallStep& s, const float* from, std::size_t k) {
    const std::size_t n = s.stride, at = own_row(s, k);
    const BallConstants& c = s.constants[k];
    const Channels y(from, n);
    const V3 own = y.load(at);
    BallMoments m = moments_of<Radius>(s, y, k, own);
    if (s.corrected[k] != s.corrected[k + 1]) correct_moments(s, from, k, m);
    const V3 c0 = load3(c.center[0], lane_count);
    BallFit fit;
    fit.center = own + m.plain * load(c.inverse_mass);
    fit.driven = load_quat(s.turned + at, n);
    // sum m (x - c) (d - c0)^T = sum m y d^T - (sum m y) c0^T
    const Columns<F8> bone = columns_of(fit.driven);
    const F8 pull = load(c.pull);
    fit.a = {m.by_x - m.plain * c0.x + bone.x * pull, m.by_y - m.plain * c0.y + bone.y * pull,
             m.by_z - m.plain * c0.z + bone.z * pull};
    fit.start = start_rotation(fit.driven, load_quat(s.rotation + at, n), mask_of_bits(s.live[k]), fit.a);
    return fit;
}

FASCIA_LANES_INLINE void store_fit(const BallStep& s, std::size_t k, const BallFit& fit, Quat8 q) {
    const std::size_t n = s.stride, at = own_row(s, k);
    const Quat8 back{fit.driven.w, -fit.driven.x, -fit.driven.y, -fit.driven.z};
    Quat8 relative = multiply(back, q);
    Columns<F8> r = columns_of(q);
    const V3 c0 = load3(s.constants[k].center[0], lane_count);
    V3 t = fit.center - (r.x * c0.x + r.y * c0.y + r.z * c0.z);
    if (s.live[k] != 0xff) {
        const I8 live = mask_of_bits(s.live[k]);
        const V3 none = splat3(0);
        r = {select(live, r.x, none), select(live, r.y, none), select(live, r.z, none)};
        t = select(live, t, none);
        relative = select_quat(live, relative, Quat8{none.x, none.x, none.x, none.x});
    }
    store_quat(s.rotation + at, n, relative);
    store3(s.fits + at, n, r.x);
    store3(s.fits + 3 * n + at, n, r.y);
    store3(s.fits + 6 * n + at, n, r.z);
    store3(s.fits + 9 * n + at, n, t);
}

/// Segments between a fetch and the use of what it brings. The processor's own guesses lose track of so many channels.
constexpr std::size_t fetch_ahead = 6;

FASCIA_LANES_INLINE void fetch_to_write(const float* channel, std::size_t stride, int count) {
    for (int c = 0; c < count; ++c) __builtin_prefetch(channel + std::size_t(c) * stride, 1);
}
/// Large bodies: what a fit reads and writes of its own.
FASCIA_LANES_INLINE void fetch(const BallStep& s, std::size_t k, std::size_t end) {
    if (!s.far || k >= end) return;
    const std::size_t at = own_row(s, k);
    fetch_to_write(s.rotation + at, s.stride, 4);
    fetch_to_write(s.fits + at, s.stride, 12);
    for (int c = 0; c < 4; ++c) __builtin_prefetch(s.turned + at + std::size_t(c) * s.stride);
    const char* constants = reinterpret_cast<const char*>(&s.constants[k]);
    for (std::size_t line = 0; line < sizeof s.constants[k]; line += 64) __builtin_prefetch(constants + line);
}

template <int Radius>
void fit_all(const BallStep& s, const float* from, std::size_t begin, std::size_t end) {
    std::size_t k = begin;
#if defined(__AVX__)
    for (; k + 2 <= end; k += 2) {
        fetch(s, k + fetch_ahead, end);
        fetch(s, k + fetch_ahead + 1, end);
        const BallFit one = prepare<Radius>(s, from, k), two = prepare<Radius>(s, from, k + 1);
        Quat8 q = one.start, r = two.start;
        best_rotation_pair(one.a, s.live[k], q, two.a, s.live[k + 1], r);
        store_fit(s, k, one, q);
        store_fit(s, k + 1, two, r);
    }
#endif
    for (; k < end; ++k) {
        fetch(s, k + fetch_ahead, end);
        const BallFit fit = prepare<Radius>(s, from, k);
        store_fit(s, k, fit, best_rotation(fit.a, mask_of_bits(s.live[k]), fit.start));
    }
}

// ---- goals ---------------------------------------------------------------------------------------------------------

FASCIA_RARELY void correct_goals(const BallStep& s, const float* from, std::size_t k, V3& goals) {
    const std::size_t n = s.stride, own = own_row(s, k);
    float sums[3][lane_count];
    static_assert(sizeof sums == sizeof goals);
    std::memcpy(sums, &goals, sizeof sums);
    for (std::uint32_t c = s.corrected[k]; c < s.corrected[k + 1]; ++c) {
        const BallCorrection& fix = s.corrections[c];
        const float* f = s.fits + fix.slot;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const float goal = (f[(9 + axis) * n] - from[axis * n + own + fix.lane]) - f[axis * n] * float(fix.dx) -
                               f[(3 + axis) * n] * float(fix.dy) - f[(6 + axis) * n] * float(fix.dz);
            sums[axis][fix.lane] += float(fix.share) * goal;
        }
    }
    std::memcpy(&goals, sums, sizeof sums);
}

template <int Radius>
void goals_of_all(const BallStep& s, const float* from, std::size_t begin, std::size_t end) {
    const std::size_t n = s.stride;
    const Channels rx(s.fits, n), ry(s.fits + 3 * n, n), rz(s.fits + 6 * n, n), t(s.fits + 9 * n, n), y(from, n);
    for (std::size_t k = begin; k < end; ++k) {
        const std::size_t own_at = own_row(s, k);
        const V3 own = y.load(own_at);
        V3 sum = splat3(0);
        rows_of_ball<Radius>(s, k, [&](std::size_t at, RowReach ball) FASCIA_IN_LANES {
            V3 along_y = splat3(0), along_z = splat3(0);
            for (int dx = -ball.reach; dx <= ball.reach; ++dx) {
                const std::size_t there = at + std::size_t(std::ptrdiff_t(dx));
                // Differences first: the sums keep the digits of small offsets far from the origin.
                sum = sum + (t.load(there) - own) * load(s.present + there);
                if (dx != 0) add_times(sum, rx.load(there), -dx);
                if (ball.dy != 0) along_y = along_y + ry.load(there);
                if (ball.dz != 0) along_z = along_z + rz.load(there);
            }
            add_times(sum, along_y, -ball.dy);
            add_times(sum, along_z, -ball.dz);
        });
        if (s.corrected[k] != s.corrected[k + 1]) correct_goals(s, from, k, sum);
        store3(s.goals + own_at, n, sum);
    }
}

}  // namespace

void fit_balls(const BallStep& s, const float* from, std::size_t begin, std::size_t end) {
    if (s.radius == 1) return fit_all<1>(s, from, begin, end);
    if (s.radius == 2) return fit_all<2>(s, from, begin, end);
    fit_all<0>(s, from, begin, end);
}

void sum_ball_goals(const BallStep& s, const float* from, std::size_t begin, std::size_t end) {
    if (s.radius == 1) return goals_of_all<1>(s, from, begin, end);
    if (s.radius == 2) return goals_of_all<2>(s, from, begin, end);
    goals_of_all<0>(s, from, begin, end);
}

}  // namespace fascia::sim::FASCIA_ISA_NAMESPACE
