#include "sim/lattice_swing.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "fascia/math.h"
#include "sim/slice_waves.h"
#include "sim/swing_passes.h"

namespace fascia::sim {

namespace {

constexpr float flat_pull = 0.02f;  ///< weight of the skeleton's rotation in a fit too flat to determine its own
constexpr float bone_pull = 1.0f;   ///< the same for each bone particle of a region, times its mass
constexpr std::size_t most_cached_segments = 2500;  ///< about two megabytes of state and scratch

Vec3d load(std::span<const float> channels, std::size_t stride, std::size_t i) {
    return {channels[i], channels[stride + i], channels[2 * stride + i]};
}

// ---- regions ---------------------------------------------------------------------------------------------------
/// The corrections to each ball, by segment: the particles that its loads reach, compared with those in its list.
void store_corrections(std::span<const Site> sites, const RegionLists& lists, SwingRegions& out) {
    constexpr std::uint32_t nobody = 0xffffffffu;
    const SegmentLayout& layout = out.layout;
    std::vector<std::uint32_t> particle_at(out.stride(), nobody);
    for (std::uint32_t p = 0; p < sites.size(); ++p) particle_at[layout.slots[p]] = p;
    std::vector<std::vector<BallCorrection>> of_segment(out.segments());
    std::vector<std::uint32_t> ball;
    for (std::size_t p = 0; p < sites.size(); ++p) {
        const std::uint32_t segment = layout.lane_of[p] / BallConstants::lanes,
                            lane = layout.lane_of[p] % BallConstants::lanes;
        const auto add = [&](std::uint32_t q, int share) {
            of_segment[segment].push_back({layout.slots[q], std::int8_t(sites[q].x - sites[p].x),
                                           std::int8_t(sites[q].y - sites[p].y), std::int8_t(sites[q].z - sites[p].z),
                                           std::int8_t(share), std::uint8_t(lane)});
        };
        ball.clear();
        for (std::size_t r = 0; r < out.ball.size(); ++r)
            for (int dx = -out.ball[r].reach; dx <= out.ball[r].reach; ++dx)
                if (const std::uint32_t q =
                        particle_at[layout.rows[segment * out.ball.size() + r] + lane + std::uint32_t(dx)];
                    q != nobody)
                    ball.push_back(q);
        std::sort(ball.begin(), ball.end());
        const auto members = lists.members.subspan(lists.first[p], lists.first[p + 1] - lists.first[p]);
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
/// The skeleton's own pose, fitted by the same regions: how smoothing alone would change it.
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
            .pull = tuning.pull.data(),
            .limit = tuning.limit.data(),
            .rate = rate,
            .alpha_rate = tuning.alpha * rate,
            .keep = tuning.keep,
            .felt = {a.felt[0], a.felt[1], a.felt[2]}};
}

BallStep fit_over(const SwingRegions& regions, const SwingFit& a) {
    return {.stride = regions.stride(),
            .radius = regions.radius,
            .far = regions.segments() > most_cached_segments,
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
}

/// A region reads the particles of `radius` slices on either side of its own, and a particle the regions of just as
/// many.
void fit_in_waves(const SliceBlock& block, const BallStep& step, const float* from) {
    block.run(step.radius, [&](std::size_t b, std::size_t e, int) { FASCIA_DISPATCH(fit_balls)(step, from, b, e); });
    block.run(2 * step.radius, [&](std::size_t b, std::size_t e, int) {
        FASCIA_DISPATCH(sum_ball_goals)(step, from, b, e);
    });
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
    const BallStep step = fit_over(regions, a);
    run_waves(regions.layout.slice_first, 2 * regions.radius, {}, pool,
              [&](const SliceBlock& block) { fit_in_waves(block, step, a.from.data()); });
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
    const BallStep fit = fit_over(regions, {a.mixed, a.turned, a.rotations, a.fits, a.goals});
    const int lag = 2 * regions.radius;
    std::array<ThreadMotion, ThreadPool::most_threads> motions = {};
    const auto accelerate = [&](std::size_t b, std::size_t e, int) { FASCIA_DISPATCH(swing_accelerate)(pass, b, e); };
    const auto move = [&](std::size_t b, std::size_t e, int thread) {
        FASCIA_DISPATCH(swing_move)(pass, b, e, motions[std::size_t(thread)]);
    };
    const bool damped = tuning.region_damping > 0, one_wave = !tuning.unbiased && !damped;
    run_waves(regions.layout.slice_first, lag, {}, pool, [&](const SliceBlock& block) {
        block.run(0, [&](std::size_t b, std::size_t e, int) { FASCIA_DISPATCH(swing_mix)(pass, b, e); });
        fit_in_waves(block, fit, a.mixed.data());
        if (!one_wave) return;
        block.run(lag, accelerate);
        block.run(lag, move);
    });
    if (!one_wave) {
        if (tuning.unbiased) correct_bias(regions, a, pool);
        pool.for_ranges(regions.segments(), wave_grain, accelerate);
        if (damped) damp_regions(regions, a.mixed, tuning.region_damping, a.velocities, a.base_goals);
        pool.for_ranges(regions.segments(), wave_grain, move);
    }
    return put_together(motions, pass.rate);
}

}  // namespace fascia::sim
