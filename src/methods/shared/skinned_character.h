// What every method that skins with the file's weights requires of a character.
#pragma once

#include <string>
#include <vector>

#include "fascia/character.h"
#include "fascia/result.h"

namespace fascia {

/// Checks the sizes, indices and numbers that skinning relies on; the error names what is wrong.
Status check_skinned(const Character& character, const char* method);

/// A sentence about vertices that no joint holds; empty if there are none.
std::vector<std::string> unweighted_warning(std::size_t vertices);

}  // namespace fascia
