// The characters and motions that come with Fascia, made by code.
#pragma once

#include <string>
#include <vector>

#include "fascia/api.h"
#include "fascia/character.h"
#include "fascia/pose.h"
#include "fascia/result.h"

FASCIA_API_BEGIN
namespace fascia {

/// "bunny", "gnome", "bloat", "neck", "tube".
const std::vector<std::string>& bundled_names();
/// Builds one of them, with its clips; the error suggests the nearest name.
Result<Character> bundled_character(const std::string& name);

/// Motions for any character: "walk", "jump", "dance", "spin" for bodies with arms and legs, to which they are
/// retargeted; "shake", "bounce", "sway" for every skeleton. All of them loop.
const std::vector<std::string>& bundled_motion_names();
/// One of them as a clip of the character; the error suggests the nearest name, or says which limbs are missing.
Result<Retargeted> bundled_motion(const Character& character, const std::string& name,
                                  const RetargetOptions& options = {});

}  // namespace fascia
FASCIA_API_END
