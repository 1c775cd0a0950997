// The characters that come with Fascia, made by code.
#pragma once

#include <string>
#include <vector>

#include "fascia/api.h"
#include "fascia/character.h"
#include "fascia/result.h"

FASCIA_API_BEGIN
namespace fascia {

/// "bunny", "gnome", "bloat", "tube".
const std::vector<std::string>& bundled_names();
/// Builds one of them, with its clips; the error suggests the nearest name.
Result<Character> bundled_character(const std::string& name);

}  // namespace fascia
FASCIA_API_END
