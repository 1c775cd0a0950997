// Constants of segments that follow from the layout alone.
#pragma once

#include <span>

#include "sim/segment_step.h"
#include "sim/segments.h"

namespace fascia::sim {

/// Reaches, weights and least gradients of the volume passes; traits of thin and of irregular lanes. volume_weight is a
/// channel, -1 where there is no point.
void set_volume_constants(const SegmentLayout& layout, std::span<const float> volume_weight,
                          std::span<const std::uint32_t> irregular_first, std::span<const IrregularLane> irregular,
                          std::span<SegmentConstants> constants, std::span<std::uint8_t> traits);

}  // namespace fascia::sim
