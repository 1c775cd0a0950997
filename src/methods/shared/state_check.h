// Whether a State that came from elsewhere may go on under a rig.
#pragma once

#include "fascia/method.h"

namespace fascia {

/// The same arrays of the same lengths as `made`, which the rig has just made, and nothing but finite numbers and
/// invertible matrices in them.
bool is_sound_like(const State& state, const State& made);

}  // namespace fascia
