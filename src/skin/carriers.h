// A skinned surface carried further by points: linear blending with points as joints. Points are places in channels,
// and are read in groups of 8 places side by side; only those that carry something get a line in the palette.
#pragma once

#include "skin/packed_skin.h"

namespace fascia {

/// Floats of one point in the palette: rows (a, b, c, t) of its map less the identity, and four that stay zero.
constexpr std::size_t carrier_floats = 16;

constexpr std::size_t carrier_group = 8;

/// Pairs of groups that one thread takes at a time: each such range has its own idle row.
constexpr std::size_t carrier_grain = 32;

/// Which places carry a surface, and how.
struct Carriers {
    std::vector<std::uint32_t>
        first;  ///< [groups] first place of each that carries any vertex, ascending; an even number
    std::vector<std::uint32_t>
        row_of;            ///< [groups * 8] row of each place; the idle one of its range if it carries nothing
    PackedBlocks surface;  ///< entries are rows, in the order of the places
    std::size_t used = 0;  ///< rows of places that carry something; idle ones, which are never read, follow
    std::size_t rows = 0;  ///< all of them

    std::size_t lanes() const { return row_of.size(); }
    std::size_t place(std::size_t lane) const { return first[lane / carrier_group] + lane % carrier_group; }
};

/// points, weights: [vertices * slots] places and their shares, 0 in unused slots.
Carriers pack_carriers(std::span<const std::uint32_t> points, std::span<const float> weights, std::size_t slots);

/// Where points are, where they are driven, and how much of the difference the surface shows: three or four channels
/// each, indexed by place.
struct CarrierTask {
    const std::uint32_t* first = nullptr;   ///< Carriers::first
    const std::uint32_t* row_of = nullptr;  ///< Carriers::row_of
    std::size_t pairs = 0;                  ///< of groups
    const float* driven[3] = {};            ///< where the surface was skinned with them
    const float* driven_turns[4] = {};      ///< w, x, y, z
    const float* driven_before[3] = {};     ///< where they were driven in the last step
    const float* positions[3] = {};         ///< where that step left them
    const float* velocities[3] = {};
    const float* fitted[4] = {};   ///< how they are turned relative to the driven turns
    const float* turn = nullptr;   ///< share of that turn that the surface follows
    const float* shown = nullptr;  ///< [groups * 8] share of everything that is shown, or null: all
    float scale = 1, back = 0;     ///< scene units; seconds to go back from the end of the step
    float* rows = nullptr;         ///< [Carriers::rows * carrier_floats]
    bool far = false;              ///< too many places for the nearer caches: they are prefetched
};

/// Rows that move v by (R - 1) v + (to - from) - (R - 1) from, for a point that went from `from` to `to` and turned by
/// R. Pairs of groups, begin to end.
FASCIA_DECLARE_KERNEL(void carrier_rows(const CarrierTask& task, std::size_t begin, std::size_t end))

/// Skinned vectors of a few blocks, x[16], y[16], z[16] each, 64 floats apart, become what the LBS kernel reads for
/// blocks of this kind.
FASCIA_DECLARE_KERNEL(void pack_carried(const SkinBlock* blocks, std::size_t count, float fourth, float* vectors))

}  // namespace fascia
