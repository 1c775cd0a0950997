// Writes the clip that a matched and aligned motion becomes on a character.
#pragma once

#include "character/anatomy.h"
#include "character/arm_clearing.h"
#include "character/character_rest.h"
#include "character/joint_matching.h"
#include "character/motion_start.h"
#include "fascia/pose.h"

namespace fascia {

struct MadeClip {
    Clip clip;
    std::size_t refused_frames = 0;  ///< frames with non-finite numbers; the frame before was held
    ArmClearing::Most cleared;       ///< turns that kept the arms out of the body
};

/// How much is mended. `plain`: only the lower foot is put on the floor. `grounded`: grounding.h. `cleared`: also
/// arm_clearing.h.
enum class ClipCare { plain, grounded, cleared };

MadeClip make_clip(const Character& character, const CharacterRest& rest, const Anatomy& anatomy, const Motion& motion,
                   const MotionStart& start, const JointMatching& matching, ClipCare care);

}  // namespace fascia
