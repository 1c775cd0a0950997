// Where points are shown: where the skeleton drives them in the frame's own pose, plus a share of their swing.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/isa.h"
#include "base/thread_pool.h"

namespace fascia::sim {

/// Channels of `stride` floats, by segments of eight.
struct ShownPoints {
    std::size_t stride = 0;
    const std::uint32_t* own = nullptr;     ///< [segments] place of lane 0
    const std::uint32_t* listed = nullptr;  ///< which segments ...
    std::size_t segments = 0;               ///< ... and how many
    const float* driven = nullptr;          ///< 3 channels: in the frame's own pose
    const float* skinned = nullptr;         ///< 3 channels: the same, as the surface is skinned
    const float* positions = nullptr;       ///< 3 channels, one step ago, like the next two
    const float* last_driven = nullptr;     ///< 3 channels
    const float* velocities = nullptr;      ///< 3 channels: of the offset
    const float* mix = nullptr;             ///< channel: share of the offset
    const float* faded = nullptr;           ///< channel: share of that, or null
    float share = 1;                        ///< of all that
    float back = 0;                         ///< seconds from the frame to the last step
    float scale = 1;
    float* to = nullptr;     ///< 3 channels
    float* plain = nullptr;  ///< 3 channels: scale * skinned; may be `skinned` itself
};

/// u = x - a - back v; to = scale (driven + mix u). Over the list.
FASCIA_DECLARE_KERNEL(void shown_points(const ShownPoints& points, std::size_t begin, std::size_t end))
/// to -= plain. Over the list.
FASCIA_DECLARE_KERNEL(void shown_moves(const ShownPoints& points, std::size_t begin, std::size_t end))
void show_all_points(const ShownPoints& points, ThreadPool& pool);
void show_all_moves(const ShownPoints& points, ThreadPool& pool);

}  // namespace fascia::sim
