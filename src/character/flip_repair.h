// Joints that a capture turns the wrong way round for a moment, and back.
#pragma once

#include <cstddef>
#include <vector>

#include "fascia/pose.h"

namespace fascia {

struct FlipRepair {
    std::size_t flips = 0;    ///< how often a joint flipped and flipped back
    std::vector<int> joints;  ///< those that did, in the motion's order
};

/// A joint may jump by more than 60 degrees from one frame to the next and jump back as far within a twentieth of a
/// second (or one frame, if that is longer). No body moves like that: the capture has lost a marker or mixed up its
/// sides. Such rotations are replaced by interpolating between the frames before and after. Frames before `first_frame`
/// are left alone.
FlipRepair repair_flips(Motion& motion, std::size_t first_frame);

}  // namespace fascia
