// How high a motion's feet are above the ground it walks on.
#pragma once

#include <vector>

#include "character/motion_start.h"

namespace fascia {

/// For each played frame: how far the lower foot is above the ground, in the motion's units, never negative. Empty if
/// the motion has no feet. The ground is what the feet come down to within half a second before and after, because
/// captured floors drift (in CMU's walks by 6 % of a leg in three seconds); steps and jumps that are higher than any
/// drift keep their height.
std::vector<double> lift_above_ground(const Motion& motion, const MotionStart& start, Vec3d up);

}  // namespace fascia
