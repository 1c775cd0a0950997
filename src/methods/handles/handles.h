// A surface posed by points (docs/formulas.md C15 to C17).
#pragma once

#include "methods/shared/method.h"

namespace fascia {

Method handles_method();

}  // namespace fascia
