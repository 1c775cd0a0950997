#include "sim/lattice_swing.h"

#include <algorithm>
#include <cmath>

#include "fascia/math.h"

namespace fascia::sim {

namespace {

constexpr float flat_pull = 0.02f;  ///< weight of the skeleton's rotation in a fit that could not tell its own
constexpr float bone_pull = 1.0f;   ///< the same for each bone particle of a region, times its mass

Vec3d load(std::span<const float> channels, std::size_t stride, std::size_t i) {
    return {channels[i], channels[stride + i], channels[2 * stride + i]};
}

void add_runs(std::span<const std::uint32_t> members, std::span<const float> rest, std::size_t stride,
              std::size_t anchor, ListedRegions& out) {
    const Vec3d at = load(rest, stride, anchor);
    const auto offset = [&](std::size_t i) { return load(rest, stride, i) - at; };
    for (std::size_t k = 0; k < members.size();) {
        const Vec3d d = offset(members[k]);
        std::size_t end = k + 1;
        while (end < members.size() && members[end] == members[end - 1] + 1) {
            const Vec3d step = offset(members[end]) - offset(members[end - 1]);
            if (std::abs(step.x - 1) > 0.1 || std::abs(step.y) > 0.1 || std::abs(step.z) > 0.1) break;
            ++end;
        }
        const auto whole = [](double v) { return std::int8_t(std::lround(v)); };
        out.runs.push_back({members[k], whole(d.x), whole(d.y), whole(d.z), std::uint8_t(end - k)});
        k = end;
    }
}

/// The skeleton's own pose fitted by the same regions: what smoothing alone would do to it.
void correct_bias(const SwingRegions& regions, std::span<const float> rest, SwingArrays& a, ThreadPool& pool) {
    const std::size_t n = a.driven.size() / 3;
    std::fill(a.base_rotations.begin(), a.base_rotations.end(), 0.0f);
    std::fill_n(a.base_rotations.begin(), n, 1.0f);
    fit_swing(regions, rest, a.driven, a.turned, a.base_rotations, a.base_goals, a.records, pool);
    for (std::size_t k = 0; k < 3 * n; ++k) a.goals[k] -= a.base_goals[k];
}

}  // namespace

SwingRegions make_swing_regions(std::span<const std::uint32_t> first, std::span<const std::uint32_t> members,
                                std::span<const float> rest, std::size_t stride, std::span<const std::uint8_t> bone) {
    SwingRegions out;
    const std::size_t count = first.size() - 1;
    out.mass.assign(stride, 0);
    for (std::size_t p = 0; p < count; ++p) out.mass[p] = 1.0f / float(first[p + 1] - first[p]);
    ListedRegions& listed = out.listed;
    listed.center.assign(3 * count, 0);
    listed.run_first.push_back(0);
    for (std::uint32_t p = 0; p < count; ++p) {
        const auto ball = members.subspan(first[p], first[p + 1] - first[p]);
        double mass = 0, bones = 0;
        Vec3d center;
        for (const std::uint32_t q : ball) {
            mass += double(out.mass[q]);
            center += (load(rest, stride, q) - load(rest, stride, p)) * double(out.mass[q]);
            if (bone[q]) bones += double(out.mass[q]);
        }
        listed.anchors.push_back(p);
        listed.points.push_back(p);
        add_runs(ball, rest, stride, p, listed);
        listed.run_first.push_back(std::uint32_t(listed.runs.size()));
        listed.inverse_mass.push_back(float(1 / mass));
        listed.pull.push_back(flat_pull * float(mass) + bone_pull * float(bones));
        listed.center[p] = float(center.x / mass);
        listed.center[count + p] = float(center.y / mass);
        listed.center[2 * count + p] = float(center.z / mass);
    }
    // Particles are in each other's regions.
    listed.owner_first.assign(first.begin(), first.end());
    listed.owners.assign(members.begin(), members.end());
    return out;
}

void fit_swing(const SwingRegions& regions, std::span<const float> rest, std::span<const float> from,
               std::span<const float> turned, std::span<float> rotations, std::span<float> goals,
               std::span<double> records, ThreadPool& pool) {
    SegmentStep step;
    step.stride = regions.mass.size();
    step.mass_share = regions.mass.data();
    step.rotation = rotations.data();
    step.skinned_rotation = const_cast<float*>(turned.data());  // only read by these passes
    const ListedStep listed{&regions.listed, rest.data(), records.data(), goals.data()};
    const std::size_t count = regions.listed.size();
    pool.for_ranges((count + 7) / 8, 16, [&](std::size_t begin, std::size_t end, int) {
        FASCIA_DISPATCH(fit_listed)(step, listed, from.data(), begin, end);
    });
    pool.for_ranges(count, 128, [&](std::size_t begin, std::size_t end, int) {
        FASCIA_DISPATCH(sum_listed)(step, listed, from.data(), begin, end);
    });
}

void damp_regions(const SwingRegions& regions, std::span<const float> positions, float kappa,
                  std::span<float> velocities, std::span<float> scratch) {
    const std::size_t n = regions.mass.size();
    const ListedRegions& listed = regions.listed;
    std::fill(scratch.begin(), scratch.end(), 0.0f);
    for (std::size_t r = 0; r < listed.size(); ++r) {
        const auto members =
            std::span(listed.owners).subspan(listed.owner_first[r], listed.owner_first[r + 1] - listed.owner_first[r]);
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

Motion swing(const SwingRegions& regions, std::span<const float> rest, std::span<const std::uint8_t> bone,
             const SwingTuning& tuning, SwingArrays& a, ThreadPool& pool) {
    const std::size_t n = regions.mass.size(), count = bone.size();
    const float rate = 1.0f / tuning.dt;
    // The skeleton's acceleration, and what is fitted.
    for (std::size_t c = 0; c < 3; ++c)
        for (std::size_t i = 0; i < n; ++i) {
            const std::size_t k = c * n + i;
            const float u = a.positions[k] - a.last_driven[k], speed = (a.driven[k] - a.last_driven[k]) * rate;
            a.velocities[k] -= tuning.drive[i] * ((speed - a.last_speed[k]) - a.felt[c]);
            a.last_speed[k] = speed;
            a.positions[k] = u;
            a.mixed[k] = a.driven[k] + tuning.delta[i] * u;
        }
    fit_swing(regions, rest, a.mixed, a.turned, a.rotations, a.goals, a.records, pool);
    if (tuning.unbiased) correct_bias(regions, rest, a, pool);
    for (std::size_t c = 0; c < 3; ++c)
        for (std::size_t i = 0; i < n; ++i) {
            const std::size_t k = c * n + i;
            const float goal = a.goals[k] * regions.mass[i] - (1.0f - tuning.delta[i]) * a.positions[k];
            a.velocities[k] = tuning.keep * (a.velocities[k] + tuning.alpha * rate * goal);
        }
    if (tuning.region_damping > 0) damp_regions(regions, a.mixed, tuning.region_damping, a.velocities, a.base_goals);
    Motion motion;
    float fastest = 0;
    const float half = 0.5f * tuning.limit;
    for (std::size_t i = 0; i < n; ++i) {
        const bool fixed = i >= count || bone[i];
        float u[3], old[3];
        for (std::size_t c = 0; c < 3; ++c) {
            old[c] = a.positions[c * n + i];
            u[c] = fixed ? 0.0f : old[c] + tuning.dt * a.velocities[c * n + i];
        }
        const float size = std::sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
        if (size > half) {
            // half + half * t / (1 + t): leaves `half` with slope one and never reaches the limit.
            const float t = (size - half) / half, scale = half * (1.0f + t / (1.0f + t)) / size;
            for (float& v : u) v *= scale;
            motion.limited += t > 1.0f;
        }
        float square = 0;
        for (std::size_t c = 0; c < 3; ++c) {
            const std::size_t k = c * n + i;
            a.velocities[k] = fixed ? 0.0f : (u[c] - old[c]) * rate;
            a.positions[k] = a.driven[k] + u[c];
            a.last_driven[k] = a.driven[k];
            square += a.velocities[k] * a.velocities[k];
        }
        fastest = square <= fastest ? fastest : square;
    }
    motion.fastest = std::sqrt(fastest);
    return motion;
}

}  // namespace fascia::sim
