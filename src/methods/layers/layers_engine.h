// Binding with a given engine, for code that compares engines.
#pragma once

#include "methods/layers/layers_body.h"

namespace fascia {

Result<RigPtr> bind_layers_by(const Character& character, const LayersSettings& settings, Engine engine,
                              const BindInputs& inputs = {});

}  // namespace fascia
