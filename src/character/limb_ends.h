// Limbs whose end has no joint of its own, such as forearms that carry fingers only.
#pragma once

#include "character/anatomy.h"

namespace fascia {

/// A limb without a hand or a foot ends where the bone of its lower joint does, if there is a joint to mark the place.
Anatomy with_limb_ends(Anatomy anatomy, const JointTree& skeleton);

}  // namespace fascia
