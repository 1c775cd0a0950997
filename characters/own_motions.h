// Motions that a skeleton of any shape can do with its own joints.
#pragma once

#include <optional>
#include <string>

#include "fascia/character.h"

namespace fascia::characters {

/// "shake": up and down, then a dead stop; "bounce": hops; "sway": every joint bends in turn. Nothing for other names.
std::optional<Clip> own_motion(const Character& character, const std::string& name);

}  // namespace fascia::characters
