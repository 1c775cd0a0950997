// Where the passes of segment_step.h find the rows of a segment and its other data. Private to each kernel that
// includes it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "sim/channels.h"
#include "sim/segment_step.h"

namespace fascia::sim {
namespace {

constexpr int own_row = 4;

/// Lanes of segment k whose neighbourhood is not simply their box.
FASCIA_LANES_INLINE std::span<const IrregularLane> irregular_lanes(const SegmentStep& s, std::size_t k) {
    return {s.irregular + s.irregular_first[k], s.irregular + s.irregular_first[k + 1]};
}
FASCIA_LANES_INLINE const SegmentBox& box_of(const SegmentStep& s, std::size_t k) {
    return s.boxes[s.box_of[k]];
}
FASCIA_LANES_INLINE std::span<const BoxDifference> differences(const SegmentStep& s, const IrregularLane& lane) {
    return {s.differences + lane.first, lane.count};
}

/// The terms that lists add to the sums of a segment, lane by lane; zero for all other lanes.
template <int channels>
struct ListedSums {
    alignas(32) float of[channels][lane_count] = {};

    FASCIA_LANES_INLINE V3 vector(int first) const { return load3(of[first], lane_count); }
};

/// Where the rows of a segment are in scratch. In small bodies: where the layout has them.
struct InPlace {
    InPlace(const std::uint32_t*, const SegmentStep&, std::size_t) {}
    static std::size_t stride(const SegmentStep& s) { return s.stride; }
    void move_to(std::size_t) {}
    static std::size_t at(std::uint32_t row, int) { return row; }
};

/// In large ones: in a ring of slices (slice_ring.h), each slice shifted from its place in the layout.
class InRing {
public:
    InRing(const std::uint32_t* first, const SegmentStep& s, std::size_t k)
        : next_(std::upper_bound(first, first + s.slices + 1, k)), below_(s.ring_shift + (next_ - 1 - first)) {}

    static std::size_t stride(const SegmentStep& s) { return s.ring_stride; }
    /// Segments come in ascending order.
    FASCIA_LANES_INLINE void move_to(std::size_t k) {
        for (; k >= *next_; ++next_) ++below_;
    }
    /// Place of a row dz slices above the segment's own.
    FASCIA_LANES_INLINE std::size_t at(std::uint32_t row, int dz) const { return row + below_[1 + dz]; }

private:
    const std::uint32_t *next_, *below_;
};

}  // namespace
}  // namespace fascia::sim

/// Runs a pass written for both.
#define FASCIA_IN_RING(pass, ...) return s.ring_shift ? pass##_in<InRing>(__VA_ARGS__) : pass##_in<InPlace>(__VA_ARGS__)
