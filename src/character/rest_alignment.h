// The difference between the rest poses of a motion and a character: how each stands, how large it is, how its limbs
// point.
#pragma once

#include <vector>

#include "character/body_frame.h"
#include "character/joint_matching.h"
#include "character/motion_start.h"

namespace fascia {

struct RestAlignment {
    Quat to_target;          ///< turns the motion's left, up and forward to the character's
    BodyFrame source_frame;  ///< how the motion stands
    BodyFrame frame;         ///< how the character stands
    double scale = 1;        ///< character over motion, by the legs' length
    /// [character's joints] from the character's rest to the motion's, in the character's space.
    std::vector<Quat> turn;
};

RestAlignment align_rests(const Motion& motion, const MotionStart& start, const JointTree& target,
                          const Anatomy& target_anatomy, const JointMatching& matching);

}  // namespace fascia
