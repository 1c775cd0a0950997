// Method `neck`: bones, muscles and skin by physics (Luo 2016, chapter 3).
#pragma once

#include "methods/shared/method.h"

namespace fascia {

Method neck_method();

}  // namespace fascia
