// All methods, by name. A method is a folder of its own and one line in registry.cpp.
#pragma once

#include <string>
#include <vector>

#include "methods/shared/method.h"

namespace fascia {

/// In the order of the table in the README.
const std::vector<Method>& registered_methods();

}  // namespace fascia
