// Which settings of `layers` are built in by bind, and which may change while running.
#pragma once

#include <string>
#include <vector>

#include "fascia/settings.h"

namespace fascia {

/// The first field that differs and is built in, or nothing. joints: [joints] names.
std::string built_in_difference(const LayersSettings& had, const LayersSettings& asked,
                                const std::vector<std::string>& joints);

/// True where the calibration of `had` holds for `asked` too.
bool same_calibration(const Flesh& had, const Flesh& asked);

}  // namespace fascia
