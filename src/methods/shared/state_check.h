// Checks whether a State from elsewhere can continue under a rig.
#pragma once

#include "fascia/method.h"

namespace fascia {

/// The State must have the same arrays with the same lengths as `made`, which the rig has just made, and hold nothing
/// but finite numbers, invertible matrices and fades within their range. It must belong to the same rig.
bool is_sound_like(const State& state, const State& made);

/// Resets a State that does not fit, because it was never made or belongs to another rig; its counters are kept.
void begin_as_own(const Rig& rig, State& state);

}  // namespace fascia
