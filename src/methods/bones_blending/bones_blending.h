// Bones blending (Kavan and Zara 2003).
#pragma once

#include "methods/shared/method.h"

namespace fascia {

Method bones_blending_method();

}  // namespace fascia
