// What every method that skins by the file's weights asks of a character.
#pragma once

#include <string>
#include <vector>

#include "fascia/character.h"
#include "fascia/result.h"

namespace fascia {

/// Sizes, indices and numbers that skinning relies on; the error names what is wrong.
Status check_skinned(const Character& character, const char* method);

/// What a user should know about vertices that no joint holds; empty when there are none.
std::vector<std::string> unweighted_warning(std::size_t vertices);

}  // namespace fascia
