// Multi-layer lattice (Iwamoto, Shum, Yang, Morishima 2015).
#pragma once

#include "methods/shared/method.h"

namespace fascia {

Method layers_method();

}  // namespace fascia
