#include "sim/slice_ring.h"

#include <algorithm>

namespace fascia::sim {

namespace {

constexpr std::uint32_t lanes = SegmentLayout::lanes;
constexpr std::uint32_t own_row = 4;

/// Vectors of the layout that no segment writes completely.
std::vector<bool> vectors_with_gaps(const SegmentLayout& layout) {
    std::vector<bool> written(layout.stride, false), gap(layout.stride / lanes, false);
    for (std::size_t k = 0; k < layout.segments(); ++k)
        std::fill_n(written.begin() + layout.rows[9 * k + own_row], lanes, true);
    for (std::size_t i = 0; i < gap.size() * lanes; ++i)
        if (!written[i]) gap[i / lanes] = true;
    return gap;
}

}  // namespace

SliceRing build_ring(const SegmentLayout& layout, int slices) {
    const auto& places = layout.slice_places;
    const std::size_t count = places.size() - 1, apart = std::size_t(slices);
    SliceRing ring;
    ring.stride = layout.stride;
    ring.shift.assign(count + 2, 0);
    // Slice z goes to part z mod `slices`, which is as large as the largest slice that goes there.
    std::vector<std::uint32_t> size(apart, 0), base(apart, 0);
    for (std::size_t z = 0; z < count; ++z) size[z % apart] = std::max(size[z % apart], places[z + 1] - places[z]);
    std::uint32_t next = places.front();
    for (std::size_t part = 0; part < apart; ++part) {
        base[part] = next;
        next += size[part];
    }
    // With a part for each slice nothing is shared, however much of a small body is padding.
    if (apart >= count || next > layout.stride * 3 / 4) return ring;

    ring.slices = slices;
    ring.stride = staggered_stride(next + lanes);
    const std::vector<bool> gap = vectors_with_gaps(layout);
    ring.gap_first.push_back(0);
    for (std::size_t z = 0; z < count; ++z) {
        ring.shift[z + 1] = base[z % apart] - places[z];
        for (std::uint32_t place = places[z]; place < places[z + 1]; place += lanes)
            if (gap[place / lanes]) ring.gaps.push_back(place + ring.shift[z + 1]);
        ring.gap_first.push_back(std::uint32_t(ring.gaps.size()));
    }
    return ring;
}

int ring_slices(const SegmentLayout& layout, std::size_t block) {
    const std::size_t count = std::max<std::size_t>(layout.slice_places.size() - 1, 1);
    const std::size_t per_slice = std::max<std::size_t>(layout.segments() / count, 1);
    return slices_in_flight(most_volume_sweeps) + int(std::max<std::size_t>(block / per_slice, 1));
}

}  // namespace fascia::sim
