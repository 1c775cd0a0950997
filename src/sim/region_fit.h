// Shape matching of eight regions at a time (docs/formulas.md 0.2), whatever their shape: from the sums over their
// members to the best rotation and the rigid map. How the sums are formed is each kernel's own: boxes
// (segment_match_kernel.cpp), balls (ball_regions_kernel.cpp), lists (listed_regions_kernel.cpp).
// Private to each kernel that includes it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "sim/rotation_lanes.h"

namespace fascia::sim {
namespace {

/// Sums of m y over the members of a region: plain, and weighted by their offsets d in the rest grid. y is a position,
/// from any origin.
struct Moments {
    V3 plain, by_x, by_y, by_z;
};

/// What the parts of a region's fit pass on to one another.
struct RegionFit {
    Columns<F8> a;  ///< moment matrix, with the driven rotation's pull
    Quat8 driven;   ///< the skinned rotation
    Quat8 q;        ///< the starting rotation, then the best one
    V3 center;      ///< c
};

/// sum m (y - c) (d - c0)^T = sum m y d^T - (sum m y) c0^T
FASCIA_LANES_INLINE Columns<F8> moment_matrix(const Moments& m, V3 c0) {
    return {m.by_x - m.plain * c0.x, m.by_y - m.plain * c0.y, m.by_z - m.plain * c0.z};
}

/// Regions with bone, and regions too flat to determine their own rotation, hold on to the driven one with this weight.
FASCIA_LANES_INLINE Columns<F8> held_by(Quat8 driven, F8 pull, const Columns<F8>& a) {
    const Columns<F8> bone = columns_of(driven);
    return {a.x + bone.x * pull, a.y + bone.y * pull, a.z + bone.z * pull};
}

/// From the starting rotations to the best ones.
FASCIA_LANES_INLINE void turn_regions(RegionFit* fits, const std::uint8_t* live, std::size_t count) {
    std::size_t i = 0;
#if defined(__AVX__)
    for (; i + 2 <= count; i += 2)
        best_rotation_pair(fits[i].a, live[i], fits[i].q, fits[i + 1].a, live[i + 1], fits[i + 1].q);
#endif
    for (; i < count; ++i) fits[i].q = best_rotation(fits[i].a, mask_of_bits(live[i]), fits[i].q);
}

/// The result for a region; zero in lanes without a point.
struct RegionMap {
    Quat8 relative;  ///< relative to the driven rotation
    Columns<F8> r;   ///< x0 -> R x0 + t, from the region's point
    V3 t;            ///< c - R c0
};
FASCIA_LANES_INLINE RegionMap map_of(const RegionFit& fit, V3 c0, std::uint8_t live) {
    const Quat8 back{fit.driven.w, -fit.driven.x, -fit.driven.y, -fit.driven.z};
    RegionMap map{multiply(back, fit.q), columns_of(fit.q), fit.center};
    map.t = map.t - (map.r.x * c0.x + map.r.y * c0.y + map.r.z * c0.z);
    if (live != 0xff) {
        const I8 there = mask_of_bits(live);
        const V3 none = splat3(0);
        map.relative = select_quat(there, map.relative, Quat8{none.x, none.x, none.x, none.x});
        map.r = {select(there, map.r.x, none), select(there, map.r.y, none), select(there, map.r.z, none)};
        map.t = select(there, map.t, none);
    }
    return map;
}

/// Segments that go through the three parts of a fit together. The search for a rotation is one long chain of dependent
/// operations; in a separate loop the processor overlaps several of them.
constexpr std::size_t fit_batch = 8;

/// prepare(k) returns a RegionFit with the starting rotation, finish(k, fit) receives it with the best one.
template <class Prepare, class Finish>
FASCIA_LANES_INLINE void fit_in_batches(const std::uint8_t* live, std::size_t begin, std::size_t end, Prepare prepare,
                                        Finish finish) {
    RegionFit fits[fit_batch];
    for (std::size_t first = begin; first < end; first += fit_batch) {
        const std::size_t last = std::min(first + fit_batch, end);
        for (std::size_t k = first; k < last; ++k) fits[k - first] = prepare(k);
        turn_regions(fits, live + first, last - first);
        for (std::size_t k = first; k < last; ++k) finish(k, fits[k - first]);
    }
}

}  // namespace
}  // namespace fascia::sim
