// Writes the clip that a matched and aligned motion becomes on a character.
#pragma once

#include "character/anatomy.h"
#include "character/character_rest.h"
#include "character/joint_matching.h"
#include "character/motion_start.h"
#include "fascia/pose.h"

namespace fascia {

struct MadeClip {
    Clip clip;
    std::size_t refused_frames = 0;  ///< frames with non-finite numbers; the frame before was held
};

/// `raw` leaves out everything that grounding.h does; only the lower foot is put on the floor.
MadeClip make_clip(const Character& character, const CharacterRest& rest, const Anatomy& anatomy, const Motion& motion,
                   const MotionStart& start, const JointMatching& matching, bool raw);

}  // namespace fascia
