// What bind judged stiff and soft, for people to read.
#pragma once

#include <span>

#include "fascia/method.h"
#include "methods/shared/rest_surface.h"

namespace fascia {

/// softness: [vertices]. by_shape: whether stiff shells were looked for
FoundAnatomy found_anatomy(const RestSurface& surface, std::span<const float> softness, bool by_shape);

}  // namespace fascia
