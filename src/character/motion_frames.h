// A motion's frames in world space, and the frame that shows its rest pose.
#pragma once

#include <string>
#include <vector>

#include "character/joint_tree.h"
#include "fascia/pose.h"

namespace fascia {

/// World rotation and position of every joint at one time.
struct MotionFrame {
    std::vector<Quat> rotations;
    std::vector<Vec3d> positions;
};

/// Frame `frame` of the motion. Returns false and leaves `out` unchanged if a number in it is NaN, infinite or absurdly
/// large.
bool evaluate_motion(const Motion& motion, std::size_t frame, MotionFrame& out);
/// All rotations zero, all joints at their offsets.
void evaluate_motion_zero(const Motion& motion, MotionFrame& out);

/// Frame 0 jumps away from frame 1: it is a reference pose that a converter has put in front of the motion.
bool first_frame_stands_apart(const Motion& motion);

/// The motion's joints without its end sites, placed as `rest` says; `joints[i]` is the motion's index of joint i.
struct MotionSkeleton {
    JointTree skeleton;
    std::vector<int> joints;
};
MotionSkeleton skeleton_of(const Motion& motion, const MotionFrame& rest);

}  // namespace fascia
