// A skinned surface that points carry further: linear blending with points as joints. Points are places in channels,
// and are taken in blocks of 16 places side by side.
#pragma once

#include "skin/packed_skin.h"

namespace fascia {

/// Floats of one point in the palette: rows (a, b, c, t) of its map less the identity, and four that stay zero.
constexpr std::size_t carrier_floats = 16;

/// Which places carry a surface, and how.
struct Carriers {
    std::vector<std::uint32_t> first;  ///< [blocks] first place of each block of 16 that carries any vertex
    PackedBlocks surface;              ///< entries are places, counted over the blocks

    std::size_t rows() const { return first.size() * skin_block; }
};

/// points, weights: [vertices * slots] places and their shares, 0 where a slot is not used.
Carriers pack_carriers(std::span<const std::uint32_t> points, std::span<const float> weights, std::size_t slots);

/// Where points are, where they are driven, and what the surface shall see of the difference: three or four channels
/// each, indexed by place.
struct CarrierTask {
    const std::uint32_t* first = nullptr;  ///< Carriers::first
    const float* driven[3] = {};           ///< where the surface was skinned with them
    const float* driven_turns[4] = {};     ///< w, x, y, z
    const float* driven_before[3] = {};    ///< where they were driven in the last step
    const float* positions[3] = {};        ///< where that step left them
    const float* velocities[3] = {};
    const float* fitted[4] = {};   ///< how they are turned against the driven turns
    const float* turn = nullptr;   ///< share of that turn that the surface follows
    const float* shown = nullptr;  ///< [blocks * 16] share of everything that is shown, or null: all
    float scale = 1, back = 0;     ///< scene units; seconds to go back from the end of the step
    float* rows = nullptr;         ///< [blocks * 16 * carrier_floats]
};

/// Rows that move v by (R - 1) v + (to - from) - (R - 1) from, for a point that went from `from` to `to` and turned by
/// R.
FASCIA_DECLARE_KERNEL(void carrier_rows(const CarrierTask& task, std::size_t begin, std::size_t end))

/// Skinned vectors of a few blocks (x[16], y[16], z[16] each) in the form that the LBS kernel reads for blocks of this
/// kind. out: [count * 64]
FASCIA_DECLARE_KERNEL(void pack_carried(const float* channels, const SkinBlock* blocks, std::size_t count, float fourth,
                                        float* out))

}  // namespace fascia
