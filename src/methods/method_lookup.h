// Finds methods by name, and reads settings through their method's table.
#pragma once

#include <string>

#include "methods/registry.h"

namespace fascia {

/// Null if there is none.
const Method* find_method(const std::string& name);
/// The error suggests the nearest name.
Result<const Method*> need_method(const std::string& name);

}  // namespace fascia
