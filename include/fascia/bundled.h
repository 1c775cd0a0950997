// The characters that come with Fascia, made by code.
#pragma once

#include <string>
#include <vector>

#include "fascia/character.h"
#include "fascia/result.h"

namespace fascia {

/// "bunny", "gnome", "bloat", "tube".
const std::vector<std::string>& bundled_names();
/// Builds one of them, with its clips; the error suggests the nearest name.
Result<Character> bundled_character(const std::string& name);

}  // namespace fascia
