// One function per method; each lives in a file of its own and knows nothing of the others.
#pragma once

#include "fascia/method.h"

namespace fascia {

Result<RigPtr> bind_lbs(const Character& character);
Result<RigPtr> bind_dqs(const Character& character);
Result<RigPtr> bind_bones_blending(const Character& character, const BonesBlendingSettings& settings);
Result<RigPtr> bind_layers(const Character& character, const LayersSettings& settings);

}  // namespace fascia
