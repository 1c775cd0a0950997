// Joints that a capture turns the wrong way round for a moment, and back.
#pragma once

#include <cstddef>
#include <vector>

#include "fascia/pose.h"

namespace fascia {

struct FlipRepair {
    std::size_t flips = 0;    ///< how often a joint flipped forth and back
    std::vector<int> joints;  ///< those that did, in the motion's order
};

/// Replaces rotations that jump away by more than 60 degrees within a frame and jump back as far within a twentieth of
/// a second (a single frame at the least) by what lies between the frames before and after. No body moves like that:
/// the capture has lost a marker or mistaken its side. Frames before `first_frame` are left alone.
FlipRepair repair_flips(Motion& motion, std::size_t first_frame);

}  // namespace fascia
