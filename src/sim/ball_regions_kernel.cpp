#include "sim/ball_regions.h"
#include "sim/channels.h"
#include "sim/region_fit.h"

namespace fascia::sim::FASCIA_ISA_NAMESPACE {

namespace {

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

/// Calls visit(place of a row, the row); everything about the ball is known to the compiler.
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

// ---- fit -----------------------------------------------------------------------------------------------------------

FASCIA_RARELY void correct_moments(const BallStep& s, const float* from, std::size_t k, Moments& moments) {
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

/// Moments of y relative to the region's own point.
template <int Radius>
FASCIA_LANES_INLINE Moments moments_of(const BallStep& s, const Channels& y, std::size_t k, V3 own) {
    Moments sum{splat3(0), splat3(0), splat3(0), splat3(0)};
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

template <int Radius>
FASCIA_LANES_INLINE RegionFit prepared(const BallStep& s, const float* from, std::size_t k) {
    const std::size_t n = s.stride, at = own_row(s, k);
    const BallConstants& c = s.constants[k];
    const Channels y(from, n);
    const V3 own = y.load(at);
    Moments m = moments_of<Radius>(s, y, k, own);
    if (s.corrected[k] != s.corrected[k + 1]) correct_moments(s, from, k, m);
    RegionFit fit;
    fit.center = own + m.plain * load(c.inverse_mass);
    fit.driven = load_quat(s.turned + at, n);
    fit.a = held_by(fit.driven, load(c.pull), moment_matrix(m, load3(c.center[0], lane_count)));
    fit.q = start_rotation(fit.driven, load_quat(s.rotation + at, n), mask_of_bits(s.live[k]), fit.a);
    return fit;
}

FASCIA_LANES_INLINE void store_fit(const BallStep& s, std::size_t k, const RegionFit& fit) {
    const std::size_t n = s.stride, at = own_row(s, k);
    const RegionMap map = map_of(fit, load3(s.constants[k].center[0], lane_count), s.live[k]);
    store_quat(s.rotation + at, n, map.relative);
    store3(s.fits + at, n, map.r.x);
    store3(s.fits + 3 * n + at, n, map.r.y);
    store3(s.fits + 6 * n + at, n, map.r.z);
    store3(s.fits + 9 * n + at, n, map.t);
}

/// In large bodies, prefetches what a fit reads and writes in its own segment.
FASCIA_LANES_INLINE void fetch(const BallStep& s, std::size_t k, std::size_t end) {
    if (!s.far || k >= end) return;
    const std::size_t at = own_row(s, k);
    fetch_to_write(s.rotation + at, s.stride, 4);
    fetch_to_write(s.fits + at, s.stride, 12);
    fetch_channels(s.turned + at, s.stride, 4);
    fetch_between(s.constants[k], s.constants[k]);
}

template <int Radius>
void fit_all(const BallStep& s, const float* from, std::size_t begin, std::size_t end) {
    fit_in_batches(
        s.live, begin, end,
        [&](std::size_t k) FASCIA_IN_LANES {
            fetch(s, k + fetch_ahead, end);
            return prepared<Radius>(s, from, k);
        },
        [&](std::size_t k, const RegionFit& fit) FASCIA_IN_LANES { store_fit(s, k, fit); });
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

/// [Chen 2012, eq. 13]
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
                // Differences first: far from the origin the sums then keep the digits of small offsets.
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
