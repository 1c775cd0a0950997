// Constants of segments that follow from the layout alone.
#pragma once

#include <span>

#include "sim/segment_step.h"
#include "sim/segments.h"

namespace fascia::sim {

/// Shares, weights and least gradients of the volume passes. volume_weight is a channel, -1 where there is no point.
void set_volume_constants(const SegmentLayout& layout, std::span<const float> volume_weight,
                          std::span<const std::uint32_t> irregular_first, std::span<const IrregularLane> irregular,
                          std::span<SegmentConstants> constants);

}  // namespace fascia::sim
