// Lattice skinning (Chen, Tsai, Lin, Lu 2012).
#pragma once

#include "methods/shared/method.h"

namespace fascia {

Method lattice_method();

}  // namespace fascia
