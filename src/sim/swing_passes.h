// The passes of a swing other than its fits (lattice_swing.h), over segments.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/isa.h"
#include "sim/segment_step.h"

namespace fascia::sim {

/// Channels of `stride` floats; legend as in lattice_swing.h.
struct SwingPass {
    std::size_t stride = 0;
    const std::uint32_t* own = nullptr;  ///< [segments] place of lane 0
    const float* driven = nullptr;       ///< 3 channels
    float* last_driven = nullptr;        ///< 3 channels
    float* last_speed = nullptr;         ///< 3 channels
    float* positions = nullptr;          ///< 3 channels: x; u between the passes
    float* velocities = nullptr;         ///< 3 channels
    const float* push = nullptr;         ///< 3 channels, or null
    float* mixed = nullptr;              ///< 3 channels
    const float* goals = nullptr;        ///< 3 channels
    const float *delta = nullptr, *drive = nullptr, *mass = nullptr, *soft = nullptr;  ///< channels
    const float *pull = nullptr, *limit = nullptr;                                     ///< channels
    float rate = 240, alpha_rate = 12, keep = 1;
    float felt[3] = {0, 0, 0};
};

/// Applies the skeleton's acceleration, and mixes the positions to be fitted.
FASCIA_DECLARE_KERNEL(void swing_mix(const SwingPass& pass, std::size_t begin, std::size_t end))
/// Accelerates towards the goals, with damping.
FASCIA_DECLARE_KERNEL(void swing_accelerate(const SwingPass& pass, std::size_t begin, std::size_t end))
/// New offsets within their limit, and the velocities that result.
FASCIA_DECLARE_KERNEL(void swing_move(const SwingPass& pass, std::size_t begin, std::size_t end, RangeMotion& motion))

}  // namespace fascia::sim
