// Frequencies that the settings leave to the body: deep flesh swings slower and farther.
#pragma once

#include "fascia/settings.h"

namespace fascia {

/// Replaces each automatic frequency by a number. depth: of the flesh, as a share of the size (deep_flesh)
void resolve_frequencies(double depth, FleshSettings& settings);

}  // namespace fascia
