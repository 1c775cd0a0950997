// Secondary motion that is faded in and out by joint: bookkeeping over time.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "fascia/method.h"

namespace fascia {

/// What is shown now: slow at both ends, exactly `to` at the end.
float shown(const Fade& fade);

/// Starts a fade of all joints [names] that match. Fails where none does.
Status start_fade(const std::vector<std::string>& names, const std::string& joints, double amount, double seconds,
                  std::vector<Fade>& fades);

/// Lets time pass. Fades that have come back to showing everything are forgotten.
void run_fades(double dt, std::vector<Fade>& fades);

}  // namespace fascia
