// Fades secondary motion in and out per joint: how much is shown over time.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "fascia/method.h"

namespace fascia {

/// How much is shown now: eased at both ends, exactly `to` at the end.
float shown(const Fade& fade);

/// Starts a fade of all joints [names] that match. Fails if none does.
Status start_fade(const std::vector<std::string>& names, const std::string& joints, double amount, double seconds,
                  std::vector<Fade>& fades);

/// Lets time pass. Fades that are back to showing everything are dropped. Returns whether one was running.
bool run_fades(double dt, std::vector<Fade>& fades);

}  // namespace fascia
