#include "sim/hill_muscle.h"

#include <algorithm>

#include "base/portable_math.h"

namespace fascia::sim {

double force_length(double length, double best_length) {
    if (!(length >= 0.5 * best_length && length <= 1.5 * best_length)) return 0;
    return 0.5 * (1 + portable::cosine(2 * portable::pi * (length - best_length) / best_length));
}

double passive_force(const HillMuscle& muscle, double length) {
    const double range = muscle.most_length - muscle.best_length;
    return muscle.passive * muscle.strongest * std::clamp((length - muscle.best_length) / range, 0.0, 1.0);
}

double pull(const HillMuscle& muscle, double activation, double length, double rate) {
    const double contractile =
        std::clamp(activation, 0.0, 1.0) * muscle.strongest * force_length(length, muscle.best_length);
    const double damping = muscle.damping * rate / muscle.best_length;
    return std::max(0.0, contractile + passive_force(muscle, length) + damping);
}

}  // namespace fascia::sim
