// Settings of the methods that read layers from a flesh.
#pragma once

#include "fascia/settings.h"

namespace fascia {

/// A flesh without layers means the usual ones.
template <class MethodSettings>
Result<MethodSettings> with_layers(MethodSettings settings) {
    if (!settings.flesh.layers.empty()) return settings;
    const Result<Flesh> usual = preset("default");
    if (!usual) return usual.error();
    settings.flesh.layers = usual->layers;
    if (settings.flesh.parts.empty()) settings.flesh.parts = usual->parts;
    return settings;
}

}  // namespace fascia
