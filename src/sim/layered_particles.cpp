#include "sim/layered_particles.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/segments.h"

namespace fascia::sim {

namespace {

/// (m/5) (across^2 I + (along^2 - across^2) n n^T)
void store_moment(const ParticleShape::Ellipsoid& e, double mass, std::size_t at, std::size_t stride, Floats& out) {
    const double a = mass / 5 * e.across * e.across, b = mass / 5 * (e.along * e.along - e.across * e.across);
    const Vec3d n = e.normal;
    const double values[6] = {a + b * n.x * n.x, a + b * n.y * n.y, a + b * n.z * n.z,
                              b * n.x * n.y,     b * n.x * n.z,     b * n.y * n.z};
    for (std::size_t k = 0; k < 6; ++k) out[k * stride + at] = float(values[k]);
}

/// Particles of one region, as places among [layers * vertices].
std::vector<std::uint32_t> members_of(const ParticleShape& shape, std::size_t layer, std::uint32_t vertex, int rings,
                                      std::vector<std::uint32_t>& seen) {
    std::vector<std::uint32_t> out = ring_of(shape.edges, vertex, rings, seen);
    const auto n = std::uint32_t(shape.vertices), k = std::uint32_t(layer);
    for (std::uint32_t& member : out) member += k * n;
    if (layer > 0) out.push_back((k - 1) * n + vertex);
    if (layer + 1 < shape.layers) out.push_back((k + 1) * n + vertex);
    return out;
}

}  // namespace

ParticleRegions make_particle_regions(const ParticleShape& shape, int rings) {
    ParticleRegions out;
    const std::size_t n = shape.vertices;
    out.vertices = n;
    out.layers = shape.layers;
    out.padded = (n + 7) / 8 * 8;
    out.stride = staggered_stride(out.layers * out.padded);
    out.rings = find_ring_runs(shape.edges, rings);
    out.weights.assign(4 * out.stride, 0);
    out.moments.assign(6 * out.stride, 0);
    out.centers.assign(4 * out.stride, 0);
    out.rest.assign(4 * out.stride, 0);
    out.spread.assign(out.stride, 1);
    const auto holders = [&](std::size_t layer, std::size_t v) {
        return double(out.rings.size[v]) + (layer > 0) + (layer + 1 < out.layers);
    };
    // A particle's mass is shared among the regions that hold it, so that fits preserve momentum.
    std::vector<double> mass(shape.mass.begin(), shape.mass.end());
    for (std::size_t k = 0; k < out.layers; ++k)
        for (std::size_t v = 0; v < n; ++v) mass[k * n + v] /= holders(k, v);
    std::vector<std::uint32_t> seen;
    for (std::size_t k = 0; k < out.layers; ++k)
        for (std::uint32_t v = 0; v < n; ++v) {
            const std::size_t at = k * out.padded + v, from = k * n + v;
            const Vec3d x0 = shape.rest[from];
            const double m = mass[from], w[4] = {m, m * x0.x, m * x0.y, m * x0.z};
            std::copy(w, w + 4, &out.weights[4 * at]);
            store_moment(shape.ellipsoids[from], m, at, out.stride, out.moments);
            double total = 0, square = 0;
            Vec3d center;
            const std::vector<std::uint32_t> members = members_of(shape, k, v, rings, seen);
            for (const std::uint32_t i : members) total += mass[i], center += shape.rest[i] * mass[i];
            center = center * (1 / total);
            for (const std::uint32_t i : members)
                square += mass[i] * dot(shape.rest[i] - center, shape.rest[i] - center);
            const double c[4] = {1 / total, center.x, center.y, center.z};
            const double r[4] = {1 / holders(k, v), x0.x, x0.y, x0.z};
            std::copy(c, c + 4, &out.centers[4 * at]);
            std::copy(r, r + 4, &out.rest[4 * at]);
            out.spread[at] = float(square / total / 2);
        }
    return out;
}

void match_particles(const ParticleMatch& match, ThreadPool& pool) {
    const std::size_t items = match.regions->items();
    pool.for_ranges(items, 1, [&](std::size_t b, std::size_t e, int) { FASCIA_DISPATCH(sum_particles)(match, b, e); });
    pool.for_ranges(items, 1, [&](std::size_t b, std::size_t e, int) { FASCIA_DISPATCH(fit_particles)(match, b, e); });
    pool.for_ranges(items, 1, [&](std::size_t b, std::size_t e, int) { FASCIA_DISPATCH(move_particles)(match, b, e); });
}

namespace {

constexpr std::size_t group_grain = 16;  ///< groups of eight that one thread takes at a time

/// On cache lines of their own.
struct alignas(64) ThreadWay : RangeMotion {};

}  // namespace

void drive_all_particles(const ParticleDrive& drive, ThreadPool& pool) {
    pool.for_ranges(drive.padded / 8, group_grain, [&](std::size_t b, std::size_t e, int) {
        FASCIA_DISPATCH(drive_particles)(drive, b, e);
    });
}

void predict_all_particles(const ParticleStep& step, ThreadPool& pool) {
    pool.for_ranges(step.groups, group_grain, [&](std::size_t b, std::size_t e, int) {
        FASCIA_DISPATCH(predict_particles)(step, b, e);
    });
}

Motion update_all_particles(const ParticleStep& step, ThreadPool& pool) {
    std::array<ThreadWay, ThreadPool::most_threads> ways = {};
    pool.for_ranges(step.groups, group_grain, [&](std::size_t b, std::size_t e, int thread) {
        FASCIA_DISPATCH(update_particles)(step, b, e, ways[std::size_t(thread)]);
    });
    Motion out;
    float way2 = 0;
    for (const ThreadWay& way : ways) {
        out.limited += std::size_t(way.at_limit);
        if (!(way.way2 <= way2) && way2 <= way2) way2 = way.way2;
    }
    out.fastest = std::sqrt(way2) * step.rate;
    return out;
}

}  // namespace fascia::sim
