#include <cmath>
#include <cstring>

#include "sim/listed_regions.h"
#include "sim/region_fit.h"

namespace fascia::sim::FASCIA_ISA_NAMESPACE {

namespace {

/// Moments of one region, with y measured from its anchor; the caller adds up the lanes.
FASCIA_LANES_INLINE Moments sum_region(const SegmentStep& s, const ListedRegions& regions, const float* from,
                                       std::size_t region) {
    const std::size_t n = s.stride, anchor = regions.anchors[region];
    const V3 own{splat(from[anchor]), splat(from[anchor + n]), splat(from[anchor + 2 * n])};
    const F8 index = lane_numbers();
    Moments sums{splat3(0), splat3(0), splat3(0), splat3(0)};
    for (std::uint32_t k = regions.run_first[region]; k < regions.run_first[region + 1]; ++k) {
        const RegionRun& run = regions.runs[k];
        V3 row = splat3(0);
        for (int done = 0; done < run.count; done += lane_count) {
            const std::size_t at = run.slot + std::size_t(done);
            // Beyond the run there may be other points; a channel extends one vector past its last one.
            const F8 mass = select(splat(float(run.count - done)) > index, load(s.mass_share + at), splat(0));
            const V3 y = (load3(from + at, n) - own) * mass;
            row += y;
            sums.by_x += y * (index + splat(float(run.dx + done)));
        }
        sums.plain += row;
        sums.by_y += row * splat(float(run.dy));
        sums.by_z += row * splat(float(run.dz));
    }
    return sums;
}

/// The sum of all lanes, always in the same order.
FASCIA_LANES_INLINE float total(F8 v) {
    float x[lane_count];
    std::memcpy(x, &v, sizeof x);
    return ((x[0] + x[1]) + (x[2] + x[3])) + ((x[4] + x[5]) + (x[6] + x[7]));
}
FASCIA_LANES_INLINE void put_total(const V3& v, int lane, V3& out) {
    set_lane(out, lane, total(v.x), total(v.y), total(v.z));
}

/// Eight regions side by side.
struct Group {
    Moments sums{splat3(0), splat3(0), splat3(0), splat3(0)};
    Quat8 driven, relative;
    V3 own = splat3(0), center = splat3(0);
    F8 inverse_mass = splat(0), pull = splat(0);
};

FASCIA_LANES_INLINE void put_quat(const float* channel, std::size_t stride, int lane, Quat8& q) {
    set_lane(q.w, lane, channel[0]);
    set_lane(q.x, lane, channel[stride]);
    set_lane(q.y, lane, channel[2 * stride]);
    set_lane(q.z, lane, channel[3 * stride]);
}

inline Group gather(const SegmentStep& s, const ListedRegions& regions, const float* from, std::size_t first,
                    int count) {
    const std::size_t n = s.stride, all = regions.size();
    Group g;
    g.driven = g.relative = {splat(1), splat(0), splat(0), splat(0)};
    for (int lane = 0; lane < count; ++lane) {
        const std::size_t region = first + std::size_t(lane), at = regions.anchors[region];
        const Moments sums = sum_region(s, regions, from, region);
        put_total(sums.plain, lane, g.sums.plain);
        put_total(sums.by_x, lane, g.sums.by_x);
        put_total(sums.by_y, lane, g.sums.by_y);
        put_total(sums.by_z, lane, g.sums.by_z);
        put_quat(s.skinned_rotation + at, n, lane, g.driven);
        put_quat(s.rotation + at, n, lane, g.relative);
        set_lane(g.own, lane, from[at], from[at + n], from[at + 2 * n]);
        set_lane(g.center, lane, regions.center[region], regions.center[all + region],
                 regions.center[2 * all + region]);
        set_lane(g.inverse_mass, lane, regions.inverse_mass[region]);
        set_lane(g.pull, lane, regions.pull[region]);
    }
    return g;
}

/// x -> R (x - x0) + t about the common origin, and the rotation relative to the driven one, with the sign nearer to
/// the identity.
void write_records(const ListedStep& listed, std::size_t stride, std::size_t first, int count, const RegionMap& map) {
    for (int i = 0; i < count; ++i) {
        const std::size_t region = first + std::size_t(i), at = listed.regions->anchors[region];
        double* out = listed.records + ListedRegions::record * region;
        const V3* columns[3] = {&map.r.x, &map.r.y, &map.r.z};
        out[0] = lane(map.t.x, i), out[1] = lane(map.t.y, i), out[2] = lane(map.t.z, i);
        for (int c = 0; c < 3; ++c) {
            double* column = out + 3 + 3 * c;
            column[0] = lane(columns[c]->x, i), column[1] = lane(columns[c]->y, i), column[2] = lane(columns[c]->z, i);
            const double x0 = listed.rest[at + std::size_t(c) * stride];
            for (int row = 0; row < 3; ++row) out[row] -= column[row] * x0;
        }
        const double side = lane(map.relative.w, i) < 0 ? -1 : 1;
        out[12] = side * lane(map.relative.w, i), out[13] = side * lane(map.relative.x, i);
        out[14] = side * lane(map.relative.y, i), out[15] = side * lane(map.relative.z, i);
    }
}

typedef double D4 __attribute__((vector_size(32)));

/// The records of the regions owners[begin..end), added up in their order.
FASCIA_LANES_INLINE void add_records(const ListedStep& listed, std::uint32_t begin, std::uint32_t end,
                                     double (&out)[ListedRegions::record]) {
    D4 sum[4] = {};
    for (std::uint32_t o = begin; o < end; ++o) {
        const double* record = listed.records + ListedRegions::record * listed.regions->owners[o];
        for (int part = 0; part < 4; ++part) {
            D4 value;
            std::memcpy(&value, record + 4 * part, sizeof value);
            sum[part] += value;
        }
    }
    std::memcpy(out, sum, sizeof out);
}

}  // namespace

void fit_listed(const SegmentStep& s, const ListedStep& listed, const float* from, std::size_t begin, std::size_t end) {
    const ListedRegions& regions = *listed.regions;
    for (std::size_t group = begin; group < end; ++group) {
        const std::size_t first = group * lane_count;
        const int count = int(regions.size() - first < lane_count ? regions.size() - first : lane_count);
        const Group g = gather(s, regions, from, first, count);
        const std::uint8_t live = std::uint8_t((1u << count) - 1);
        RegionFit fit;
        fit.center = g.own + g.sums.plain * g.inverse_mass;
        fit.driven = g.driven;
        fit.a = held_by(g.driven, g.pull, moment_matrix(g.sums, g.center));
        fit.q = start_rotation(g.driven, g.relative, mask_of_bits(live), fit.a);
        turn_regions(&fit, &live, 1);
        write_records(listed, s.stride, first, count, map_of(fit, g.center, live));
    }
}

/// [Iwamoto 2015, eq. 4]
void sum_listed(const SegmentStep& s, const ListedStep& listed, const float* from, std::size_t begin, std::size_t end) {
    const ListedRegions& regions = *listed.regions;
    const std::size_t n = s.stride;
    for (std::size_t k = begin; k < end; ++k) {
        double sum[ListedRegions::record];
        add_records(listed, regions.owner_first[k], regions.owner_first[k + 1], sum);
        const std::size_t at = regions.points[k];
        const double count = regions.owner_first[k + 1] - regions.owner_first[k];
        const double x = listed.rest[at], y = listed.rest[at + n], z = listed.rest[at + 2 * n];
        for (std::size_t c = 0; c < 3; ++c)
            listed.goals[c * n + at] =
                float((sum[c] + sum[3 + c] * x + sum[6 + c] * y + sum[9 + c] * z) - count * double(from[c * n + at]));
        const double length = std::sqrt(sum[12] * sum[12] + sum[13] * sum[13] + sum[14] * sum[14] + sum[15] * sum[15]);
        const double scale = length > 0 ? 1 / length : 0;
        for (std::size_t c = 0; c < 4; ++c) s.rotation[c * n + at] = float(sum[12 + c] * scale);
    }
}

}  // namespace fascia::sim::FASCIA_ISA_NAMESPACE
