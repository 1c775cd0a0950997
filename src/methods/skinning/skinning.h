// Skinning of the vertices themselves: what every engine does, and the baseline for the other methods.
#pragma once

#include "methods/shared/method.h"

namespace fascia {

Method lbs_method();
Method dqs_method();

}  // namespace fascia
