#include "character/motion_start.h"

#include "character/body_frame.h"

namespace fascia {
namespace {

void set_rest(const Motion& motion, MotionStart& start) {
    start.source = skeleton_of(motion, start.rest);
    start.anatomy = find_anatomy(start.source.skeleton);
}

}  // namespace

Result<MotionStart> start_of(const Motion& motion, MotionRest wanted) {
    MotionStart start;
    const bool apart = first_frame_stands_apart(motion);
    const bool use_first = wanted == MotionRest::frame0 || (wanted == MotionRest::automatic && apart);
    if (use_first) {
        if (!evaluate_motion(motion, 0, start.rest))
            return input_error(
                "frame 0 of \"" + motion.name +
                "\" has numbers that are not finite, so it cannot be the rest pose; use --bvh-rest zero");
        set_rest(motion, start);
        start.first_frame = motion.frame_count() > 1 ? 1 : 0;
        start.assumption = apart ? "frame 0 of \"" + motion.name +
                                       "\" jumps away from frame 1: it is used as the rest pose and not played"
                                 : "frame 0 of \"" + motion.name + "\" is used as the rest pose and not played";
        return start;
    }
    evaluate_motion_zero(motion, start.rest);
    set_rest(motion, start);
    start.assumption = "the zero pose of \"" + motion.name + "\" is used as its rest pose";
    MotionFrame first;
    const bool upright = stands_upright(start.source.skeleton, start.anatomy);
    if (wanted == MotionRest::automatic && !upright && evaluate_motion(motion, 0, first)) {
        start.rest = first;
        set_rest(motion, start);
        start.assumption = "the zero pose of \"" + motion.name +
                           "\" does not stand upright, so its frame 0 is used as the rest pose (and played)";
    }
    return start;
}

Vec3d head_bone(const Motion& motion, const MotionStart& start) {
    if (start.anatomy.head < 0) return {};
    const int head = start.source.joints[start.anatomy.head];
    Vec3d bone;
    int ends = 0;
    for (std::size_t j = 0; j < motion.joints.size(); ++j) {
        if (motion.joints[j].parent != head) continue;
        bone = start.rest.positions[j] - start.rest.positions[head];
        ++ends;
    }
    return ends == 1 ? bone : Vec3d{};
}

}  // namespace fascia
