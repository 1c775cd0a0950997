// Primary positions and rotations of points (docs/formulas.md D3): linear blending of the rest positions, and the
// rotation nearest to the blended matrix.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/isa.h"
#include "base/thread_pool.h"

namespace fascia::sim {

/// Floats per joint: rows of the 3x4 map (12), then its rotation w x y z.
inline constexpr std::size_t blend_floats = 16;

/// Channels of `stride` floats, a multiple of eight; places without a point follow any joint.
struct BlendedPoints {
    std::size_t stride = 0;
    const float* rest = nullptr;            ///< 3 channels
    const std::uint16_t* joints = nullptr;  ///< 4 channels
    const float* weights = nullptr;         ///< 4 channels, sum 1
    const float* pivots = nullptr;          ///< 3 channels, or null: plain linear blending
    const float* palette = nullptr;         ///< [joints * blend_floats]
    float* positions = nullptr;             ///< 3 channels
    float* rotations = nullptr;             ///< 4 channels
};

/// x = B x0, R = polar(B) with B = sum w_j T_j; with pivots x = R (x0 - c) + B c. Over groups of eight points.
FASCIA_DECLARE_KERNEL(void blend_points(const BlendedPoints& points, std::size_t begin, std::size_t end))
void blend_all(const BlendedPoints& points, ThreadPool& pool);

}  // namespace fascia::sim
