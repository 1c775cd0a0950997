// Skinning of the vertices themselves: what every engine does, and what the others are compared with.
#pragma once

#include "methods/shared/method.h"

namespace fascia {

Method lbs_method();
Method dqs_method();

}  // namespace fascia
