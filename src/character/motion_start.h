// Where a motion begins: its rest pose, its skeleton in that pose, and the first frame to play.
#pragma once

#include <string>

#include "character/anatomy.h"
#include "character/motion_frames.h"
#include "fascia/pose.h"

namespace fascia {

struct MotionStart {
    MotionFrame rest;
    MotionSkeleton source;
    Anatomy anatomy;
    std::size_t first_frame = 0;  ///< where playing starts
    std::string assumption;       ///< one sentence for a person
};

Result<MotionStart> start_of(const Motion& motion, MotionRest wanted);

/// Where the head bone points at rest; the zero vector if it has no single end.
Vec3d head_bone(const Motion& motion, const MotionStart& start);

}  // namespace fascia
