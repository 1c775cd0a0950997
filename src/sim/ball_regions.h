// Shape matching over regions that are balls of steps along the axes (docs/formulas.md 0.4, D6), eight at a time.
//
// Points lie in segments (segments.h, ball_rows): the members of eight regions are vector loads. If a region is not
// simply the ball around its point, because the body ends or has a gap there, the few extra or missing members are
// listed and corrected afterwards.
//
// Legend: y what is fitted, m mass share, d offset in the rest grid, R rotation and t place of a region's point.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/isa.h"
#include "sim/segments.h"

namespace fascia::sim {

/// Constants of the eight regions of a segment.
struct BallConstants {
    static constexpr int lanes = 8;
    float inverse_mass[lanes];  ///< 1 / M, 0 for an empty lane
    float center[3][lanes];     ///< rest centre of mass from the point
    float pull[lanes];          ///< weight of the driven rotation in the fit
};

/// A point that is in a region's ball but not in the region (share -1), or the other way round (1).
struct BallCorrection {
    std::uint32_t slot = 0;              ///< place in a channel
    std::int8_t dx = 0, dy = 0, dz = 0;  ///< from the region's point
    std::int8_t share = 1;
    std::uint8_t lane = 0;
};

/// Channels of `stride` floats. Passes write their own segments only.
struct BallStep {
    std::size_t stride = 0;
    int radius = 2;
    bool far = false;                     ///< larger than the caches: the data of a fit are fetched some segments ahead
    const RowReach* ball = nullptr;       ///< ball_rows(radius)
    const std::uint32_t* rows = nullptr;  ///< [segments * rows of the ball]
    const std::uint8_t* live = nullptr;   ///< [segments]
    const BallConstants* constants = nullptr;     ///< [segments]
    const std::uint32_t* corrected = nullptr;     ///< [segments + 1] into `corrections`
    const BallCorrection* corrections = nullptr;  ///< by segment
    const float* mass = nullptr;                  ///< channel: m, 0 in empty places
    const float* present = nullptr;               ///< channel: 1 at a point, 0 elsewhere
    const float* turned = nullptr;                ///< 4 channels: rotation that the skeleton gives each point
    float* rotation = nullptr;                    ///< 4 channels: of the regions, relative to `turned`
    float* fits = nullptr;                        ///< 12 channels: columns of R, t; zero in empty places
    float* goals = nullptr;                       ///< 3 channels: sum of the goals minus y
};

/// How many ball_rows there are.
constexpr std::size_t ball_row_count(int radius) {
    return std::size_t(2 * radius * (radius + 1) + 1);
}

/// The best rotation of each region and its rigid map.
FASCIA_DECLARE_KERNEL(void fit_balls(const BallStep& step, const float* from, std::size_t begin, std::size_t end))
/// The move that the regions around each point ask of it: sum of R_r (x0 - x0_r) + t_r - y.
FASCIA_DECLARE_KERNEL(void sum_ball_goals(const BallStep& step, const float* from, std::size_t begin, std::size_t end))

}  // namespace fascia::sim
