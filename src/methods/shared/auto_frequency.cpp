#include "methods/shared/auto_frequency.h"

#include <algorithm>

namespace fascia {

namespace {

/// Flesh shears on its bone like a shaft whose length is the flesh's depth: at a depth d the stiffness falls with
/// 1/d^2, and the frequency with 1/d. A usual figure keeps its frequency: 4 Hz at a depth of 0.088.
constexpr double usual_hz = 4, usual_depth = 0.088;
/// Slower flesh does not come to rest between two footsteps; faster flesh does not visibly swing.
constexpr double slowest_hz = 2.4, fastest_hz = 6;

/// The frequency of the layer called fat; all others keep their ratio to it.
double hz_of_fat(double depth) {
    return depth > 0 ? std::clamp(usual_hz * usual_depth / depth, slowest_hz, fastest_hz) : usual_hz;
}

double proportion(const std::string& layer) {
    return layer == "muscle" ? 2 : layer == "skin" ? 1.125 : 1;
}

}  // namespace

void resolve_frequencies(double depth, FleshSettings& settings) {
    for (LayerSettings& layer : settings.layers)
        if (layer.frequency == automatic) layer.frequency = settings.tone * hz_of_fat(depth) * proportion(layer.name);
}

}  // namespace fascia
