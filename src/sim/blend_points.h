// Primary positions and rotations of points (docs/formulas.md D3): linear blending of the rest positions, and the
// rotation nearest to the blended matrix; then the move that preserves the volume of each part (D5).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/isa.h"
#include "base/thread_pool.h"
#include "sim/segments.h"

namespace fascia::sim {

/// Floats per joint: rows of the 3x4 map (12), then its rotation w x y z.
inline constexpr std::size_t blend_floats = 16;

/// The joints of each segment, the strongest first, and their weights in each lane. Neighbouring points follow much the
/// same joints: a table with zeros is read faster than slots.
struct BlendTable {
    std::vector<std::uint32_t> first;  ///< [segments + 1]
    std::vector<std::uint16_t> joints;
    std::vector<float> weights;  ///< [8 per joint]
};
/// joints, weights: [points * 4]
BlendTable make_blend_table(const SegmentLayout& layout, std::span<const std::uint16_t> joints,
                            std::span<const float> weights);

/// Channels of `stride` floats.
struct BlendedPoints {
    std::size_t stride = 0, segments = 0;
    const std::uint32_t* own = nullptr;     ///< [segments] place of lane 0
    const std::uint8_t* live = nullptr;     ///< [segments]
    const std::uint32_t* listed = nullptr;  ///< [segments] which ones, or null: all
    const BlendTable* table = nullptr;
    const float* rest = nullptr;     ///< 3 channels
    const float* pivots = nullptr;   ///< 3 channels, or null: plain linear blending
    const float* palette = nullptr;  ///< [joints * blend_floats]
    float* positions = nullptr;      ///< 3 channels
    float* rotations = nullptr;      ///< 4 channels
    float* plain = nullptr;          ///< 3 channels, or null: positions without pivots and volumes as well

    // ---- volumes, or null ----
    const float* lambdas = nullptr;       ///< [parts + 1] how far each part goes; the last is 0
    const std::uint16_t* part = nullptr;  ///< channel: the part that a point belongs to; `parts` in empty places
    const float* directions = nullptr;    ///< 3 channels: the move for lambda = 1 at rest
};

/// x = B x0, R = polar(B) with B = sum w_j T_j; with pivots x = R (x0 - c) + B c; x += lambda R v. Over segments.
FASCIA_DECLARE_KERNEL(void blend_points(const BlendedPoints& points, std::size_t begin, std::size_t end))
void blend_all(const BlendedPoints& points, ThreadPool& pool);

}  // namespace fascia::sim
