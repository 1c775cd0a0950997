// Method `particles`: layers of oriented particles on copies of the surface (Deul, Bender 2013).
#pragma once

#include "methods/shared/method.h"

namespace fascia {

Method particles_method();

}  // namespace fascia
