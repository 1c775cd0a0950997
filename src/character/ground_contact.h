// How high a motion's feet are above the ground it walks on.
#pragma once

#include <vector>

#include "character/motion_start.h"

namespace fascia {

/// A joint of a foot in both skeletons.
struct FootPoint {
    int part = limb_end;  ///< LimbPart: ankle or toes
    int source = -1;      ///< index in Motion::joints
    int target = -1;      ///< index in the character's skeleton
};

std::vector<FootPoint> foot_points(const MotionStart& start, const Anatomy& target_anatomy);

/// For each played frame: how far the lower foot is above the ground, in the motion's units, never negative.
/// The ground is what the feet come down to within half a second before and after. Captured floors drift, in CMU's
/// walks by 6 % of a leg in three seconds; steps and jumps that are higher than a drift can be keep their height.
std::vector<double> lift_above_ground(const Motion& motion, const MotionStart& start,
                                      const std::vector<FootPoint>& points, Vec3d up);

}  // namespace fascia
