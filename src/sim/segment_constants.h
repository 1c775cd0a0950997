// Constants of segments that follow from the layout alone.
#pragma once

#include <span>
#include <vector>

#include "fascia/method.h"
#include "sim/segment_step.h"
#include "sim/segments.h"

namespace fascia::sim {

using BoxArray = std::vector<SegmentBox, AlignedAllocator<SegmentBox>>;

/// Reaches, weights and least gradients of the volume passes; traits of thin and irregular lanes. volume_weight is a
/// channel, -1 in empty places.
void set_volume_constants(const SegmentLayout& layout, std::span<const float> volume_weight,
                          std::span<const std::uint32_t> irregular_first, std::span<const IrregularLane> irregular,
                          std::span<SegmentConstants> constants, std::span<SegmentBox> boxes,
                          std::span<std::uint8_t> traits, std::span<FaceLanes> face_lanes);

/// Keeps one box of each kind, and returns which one each segment has.
std::vector<std::uint32_t> share_boxes(BoxArray& boxes);

}  // namespace fascia::sim
