#include "sim/lattice_swing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

#include "fascia/math.h"
#include "sim/swing_passes.h"

namespace fascia::sim {

namespace {

constexpr float flat_pull = 0.02f;  ///< weight of the skeleton's rotation in a fit that could not tell its own
constexpr float bone_pull = 1.0f;   ///< the same for each bone particle of a region, times its mass
constexpr std::size_t grain = 16;   ///< segments that a thread takes at least

Vec3d load(std::span<const float> channels, std::size_t stride, std::size_t i) {
    return {channels[i], channels[stride + i], channels[2 * stride + i]};
}

// ---- regions ---------------------------------------------------------------------------------------------------
using SiteNumbers = std::map<std::tuple<int, int, int, int>, std::uint32_t>;

/// The particles that the ball around a site holds, ascending.
std::vector<std::uint32_t> ball_around(const Site& s, std::span<const RowReach> ball, const SiteNumbers& numbers) {
    std::vector<std::uint32_t> out;
    for (const RowReach& row : ball)
        for (int dx = -row.reach; dx <= row.reach; ++dx)
            if (const auto found = numbers.find({s.x + dx, s.y + row.dy, s.z + row.dz, s.sheet});
                found != numbers.end())
                out.push_back(found->second);
    std::sort(out.begin(), out.end());
    return out;
}

/// What is to be put right about each ball, by segment.
void store_corrections(std::span<const Site> sites, const RegionLists& lists, SwingRegions& out) {
    SiteNumbers numbers;
    for (std::uint32_t p = 0; p < sites.size(); ++p) numbers[{sites[p].x, sites[p].y, sites[p].z, sites[p].sheet}] = p;
    std::vector<std::vector<BallCorrection>> of_segment(out.segments());
    for (std::size_t p = 0; p < sites.size(); ++p) {
        const std::uint32_t lane = out.layout.lane_of[p];
        const auto add = [&](std::uint32_t q, int share) {
            of_segment[lane / BallConstants::lanes].push_back(
                {out.layout.slots[q], std::int8_t(sites[q].x - sites[p].x), std::int8_t(sites[q].y - sites[p].y),
                 std::int8_t(sites[q].z - sites[p].z), std::int8_t(share), std::uint8_t(lane % BallConstants::lanes)});
        };
        const auto members = lists.members.subspan(lists.first[p], lists.first[p + 1] - lists.first[p]);
        const std::vector<std::uint32_t> ball = ball_around(sites[p], out.ball, numbers);
        for (const std::uint32_t q : ball)
            if (!std::binary_search(members.begin(), members.end(), q)) add(q, -1);
        for (const std::uint32_t q : members)
            if (!std::binary_search(ball.begin(), ball.end(), q)) add(q, 1);
    }
    out.corrected.push_back(0);
    for (const auto& segment : of_segment) {
        out.corrections.insert(out.corrections.end(), segment.begin(), segment.end());
        out.corrected.push_back(std::uint32_t(out.corrections.size()));
    }
}

void store_constants(std::span<const Site> sites, const RegionLists& lists, std::span<const std::uint8_t> bone,
                     SwingRegions& out) {
    out.constants.assign(out.segments(), {});
    for (std::size_t p = 0; p < sites.size(); ++p) {
        double mass = 0, bones = 0;
        Vec3d center;
        for (std::uint32_t k = lists.first[p]; k < lists.first[p + 1]; ++k) {
            const std::uint32_t q = lists.members[k];
            const double share = double(out.mass[out.layout.slots[q]]);
            mass += share;
            center += Vec3d{double(sites[q].x - sites[p].x), double(sites[q].y - sites[p].y),
                            double(sites[q].z - sites[p].z)} *
                      share;
            if (bone[q]) bones += share;
        }
        const std::uint32_t lane = out.layout.lane_of[p] % BallConstants::lanes;
        BallConstants& c = out.constants[out.layout.lane_of[p] / BallConstants::lanes];
        c.inverse_mass[lane] = float(1 / mass);
        c.pull[lane] = flat_pull * float(mass) + bone_pull * float(bones);
        c.center[0][lane] = float(center.x / mass);
        c.center[1][lane] = float(center.y / mass);
        c.center[2][lane] = float(center.z / mass);
    }
}

// ---- passes ----------------------------------------------------------------------------------------------------
/// The skeleton's own pose fitted by the same regions: what smoothing alone would do to it.
void correct_bias(const SwingRegions& regions, SwingArrays& a, ThreadPool& pool) {
    std::copy(regions.present.begin(), regions.present.end(), a.base_rotations.begin());
    std::fill(a.base_rotations.begin() + std::ptrdiff_t(regions.stride()), a.base_rotations.end(), 0.0f);
    fit_swing(regions, {a.driven, a.turned, a.base_rotations, a.fits, a.base_goals}, pool);
    for (std::size_t k = 0; k < a.goals.size(); ++k) a.goals[k] -= a.base_goals[k];
}

SwingPass pass_over(const SwingRegions& regions, const SwingTuning& tuning, const SwingArrays& a) {
    const float rate = 1.0f / tuning.dt;
    return {.stride = regions.stride(),
            .own = regions.own.data(),
            .driven = a.driven.data(),
            .last_driven = a.last_driven.data(),
            .last_speed = a.last_speed.data(),
            .positions = a.positions.data(),
            .velocities = a.velocities.data(),
            .push = a.push.empty() ? nullptr : a.push.data(),
            .mixed = a.mixed.data(),
            .goals = a.goals.data(),
            .delta = tuning.delta.data(),
            .drive = tuning.drive.data(),
            .mass = regions.mass.data(),
            .soft = regions.soft.data(),
            .rate = rate,
            .alpha_rate = tuning.alpha * rate,
            .keep = tuning.keep,
            .limit = tuning.limit,
            .felt = {a.felt[0], a.felt[1], a.felt[2]}};
}

Motion move_particles(const SwingPass& pass, std::size_t segments, ThreadPool& pool) {
    std::array<RangeMotion, ThreadPool::most_threads> ranges = {};
    pool.for_ranges(segments, grain, [&](std::size_t begin, std::size_t end, int worker) {
        FASCIA_DISPATCH(swing_move)(pass, begin, end, ranges[std::size_t(worker)]);
    });
    Motion out;
    float way2 = 0;
    for (const RangeMotion& range : ranges) {
        out.limited += range.at_limit;
        if (!(range.way2 <= way2)) way2 = range.way2;
        if (way2 != way2) break;
    }
    out.fastest = std::sqrt(way2) * pass.rate;
    return out;
}

}  // namespace

SwingRegions make_swing_regions(std::span<const Site> sites, const RegionLists& lists, int radius,
                                std::span<const std::uint8_t> bone) {
    SwingRegions out;
    out.radius = radius;
    out.ball = ball_rows(radius);
    out.layout = build_segments(sites, out.ball);
    for (std::size_t k = 0; k < out.layout.segments(); ++k)
        out.own.push_back(out.layout.rows[(k + 1) * out.ball.size() - 1]);
    out.mass.assign(out.stride(), 0);
    out.present.assign(out.stride(), 0);
    out.soft.assign(out.stride(), 0);
    for (std::size_t p = 0; p < sites.size(); ++p) {
        const std::uint32_t at = out.layout.slots[p];
        out.mass[at] = 1.0f / float(lists.first[p + 1] - lists.first[p]);
        out.present[at] = 1;
        out.soft[at] = bone[p] ? 0.0f : 1.0f;
    }
    store_constants(sites, lists, bone, out);
    store_corrections(sites, lists, out);
    out.first.assign(lists.first.begin(), lists.first.end());
    for (const std::uint32_t q : lists.members) out.members.push_back(out.layout.slots[q]);
    return out;
}

void fit_swing(const SwingRegions& regions, const SwingFit& a, ThreadPool& pool) {
    const BallStep step{.stride = regions.stride(),
                        .radius = regions.radius,
                        .ball = regions.ball.data(),
                        .rows = regions.layout.rows.data(),
                        .live = regions.layout.live.data(),
                        .constants = regions.constants.data(),
                        .corrected = regions.corrected.data(),
                        .corrections = regions.corrections.data(),
                        .mass = regions.mass.data(),
                        .present = regions.present.data(),
                        .turned = a.turned.data(),
                        .rotation = a.rotations.data(),
                        .fits = a.fits.data(),
                        .goals = a.goals.data()};
    pool.for_ranges(regions.segments(), grain, [&](std::size_t begin, std::size_t end, int) {
        FASCIA_DISPATCH(fit_balls)(step, a.from.data(), begin, end);
    });
    pool.for_ranges(regions.segments(), grain, [&](std::size_t begin, std::size_t end, int) {
        FASCIA_DISPATCH(sum_ball_goals)(step, a.from.data(), begin, end);
    });
}

void damp_regions(const SwingRegions& regions, std::span<const float> positions, float kappa,
                  std::span<float> velocities, std::span<float> scratch) {
    const std::size_t n = regions.stride();
    std::fill(scratch.begin(), scratch.end(), 0.0f);
    for (std::size_t r = 0; r + 1 < regions.first.size(); ++r) {
        const auto members =
            std::span(regions.members).subspan(regions.first[r], regions.first[r + 1] - regions.first[r]);
        double mass = 0;
        Vec3d c, v, momentum;
        for (const std::uint32_t q : members) {
            const double m = double(regions.mass[q]);
            mass += m;
            c += load(positions, n, q) * m;
            v += load(velocities, n, q) * m;
        }
        c = c * (1 / mass);
        v = v * (1 / mass);
        double i[6] = {0, 0, 0, 0, 0, 0};  // xx yy zz xy xz yz
        for (const std::uint32_t q : members) {
            const double m = double(regions.mass[q]);
            const Vec3d d = load(positions, n, q) - c;
            momentum += cross(d, load(velocities, n, q)) * m;
            i[0] += m * (d.y * d.y + d.z * d.z), i[1] += m * (d.x * d.x + d.z * d.z),
                i[2] += m * (d.x * d.x + d.y * d.y);
            i[3] -= m * d.x * d.y, i[4] -= m * d.x * d.z, i[5] -= m * d.y * d.z;
        }
        const Vec3d row_x{i[0], i[3], i[4]}, row_y{i[3], i[1], i[5]}, row_z{i[4], i[5], i[2]};
        const double det = dot(row_x, cross(row_y, row_z)), trace = i[0] + i[1] + i[2];
        Vec3d spin;
        if (det > 1e-9 * trace * trace * trace)
            spin = (cross(row_y, row_z) * momentum.x + cross(row_z, row_x) * momentum.y +
                    cross(row_x, row_y) * momentum.z) *
                   (1 / det);
        for (const std::uint32_t q : members) {
            const Vec3 by = to_float(v + cross(spin, load(positions, n, q) - c) - load(velocities, n, q));
            scratch[q] += by.x, scratch[n + q] += by.y, scratch[2 * n + q] += by.z;
        }
    }
    for (std::size_t c = 0; c < 3; ++c)
        for (std::size_t p = 0; p < n; ++p) velocities[c * n + p] += kappa * regions.mass[p] * scratch[c * n + p];
}

Motion swing(const SwingRegions& regions, const SwingTuning& tuning, SwingArrays& a, ThreadPool& pool) {
    const SwingPass pass = pass_over(regions, tuning, a);
    pool.for_ranges(regions.segments(), grain, [&](std::size_t begin, std::size_t end, int) {
        FASCIA_DISPATCH(swing_mix)(pass, begin, end);
    });
    fit_swing(regions, {a.mixed, a.turned, a.rotations, a.fits, a.goals}, pool);
    if (tuning.unbiased) correct_bias(regions, a, pool);
    pool.for_ranges(regions.segments(), grain, [&](std::size_t begin, std::size_t end, int) {
        FASCIA_DISPATCH(swing_accelerate)(pass, begin, end);
    });
    if (tuning.region_damping > 0) damp_regions(regions, a.mixed, tuning.region_damping, a.velocities, a.base_goals);
    return move_particles(pass, regions.segments(), pool);
}

}  // namespace fascia::sim
