// Checks whether a State from elsewhere can go on under a rig.
#pragma once

#include "fascia/method.h"

namespace fascia {

/// The State must have the same arrays with the same lengths as `made`, which the rig has just made, and hold nothing
/// but finite numbers and invertible matrices.
bool is_sound_like(const State& state, const State& made);

}  // namespace fascia
