// What lies under the skin of bundled characters, as anatomy files.
#pragma once

#include "fascia/character.h"

namespace fascia::characters {

/// With the anatomy of its name, if there is one.
Character with_anatomy(Character character);

}  // namespace fascia::characters
