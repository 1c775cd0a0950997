// Scratch that only a few slices of a body need at a time: slices far apart share their places, so that data passed
// from pass to pass stays in the cache however large the body is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/segments.h"

namespace fascia::sim {

struct SliceRing {
    std::size_t stride = 0;  ///< floats from one channel to the next
    int slices = 0;          ///< this many consecutive slices have separate places; 0: all of them, as in the layout
    /// [slices of the body + 2] what to add to a place of the layout, modulo 2^32; begins with the slice below the
    /// first.
    std::vector<std::uint32_t> shift;
    /// Vectors of each slice that hold cells which no segment writes, in the ring: they must be zero before a slice
    /// takes the places of another.
    std::vector<std::uint32_t> gaps, gap_first;

    bool shared() const { return slices > 0; }
};

/// A ring in which this many slices have separate places; the layout's own places if that would save little.
SliceRing build_ring(const SegmentLayout& layout, int slices);

/// Slices that passes over blocks of about this many segments need at a time, with any number of volume sweeps.
int ring_slices(const SegmentLayout& layout, std::size_t block);

constexpr int most_volume_sweeps = 5;  ///< of a step

/// Number of slices from the first that a pass of a step writes to the last that another one still reads.
constexpr int slices_in_flight(int volume_sweeps) {
    return 2 * volume_sweeps + 5;
}

}  // namespace fascia::sim
