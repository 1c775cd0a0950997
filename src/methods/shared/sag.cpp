#include "methods/shared/sag.h"

#include <algorithm>
#include <cmath>

#include "base/glob.h"
#include "base/number_text.h"
#include "base/portable_math.h"

namespace fascia {

namespace {

constexpr double nearly_deep = 1.25;  ///< flesh up to this 1 / g still counts as "deep"

/// Square of the frequency that the settings ask of this motion: from the flesh layers that take most part in it,
/// higher where the flesh is thin (1 / g).
double asked_square(const SaggingBody& body, const FleshSettings& flesh, std::span<const float> motion) {
    const std::size_t flesh_layers = body.layers.empty() ? 0 : flesh.layers.size();
    std::vector<double> part(flesh_layers + 1, 0);
    double sum = 0, thin = 0;
    for (std::size_t i = 0; i < body.slots.size(); ++i) {
        double square = 0;
        for (std::size_t c = 0; c < 3; ++c) {
            const double v = motion[c * body.stride + body.slots[i]];
            square += v * v;
        }
        // Squared once more, so that places of large motion decide, not how much of the body takes a small part in it.
        const double weight = square * square;
        part[body.layers[i]] += weight;
        sum += weight;
        thin += weight / (double(body.thinness[i]) * body.thinness[i]);
    }
    if (flesh_layers > 1 && glob_match("skin", flesh.layers.back().name)) part.back() = 0;
    double top = 0, bottom = 0;
    for (std::size_t k = 1; k < part.size(); ++k) {
        top += part[k] * part[k] * flesh.layers[k - 1].frequency * flesh.layers[k - 1].frequency;
        bottom += part[k] * part[k];
    }
    if (!(bottom > 0) || !(sum > 0)) return 0;
    // Flesh that is nearly deep counts as deep, so that the softest flesh of a body shows the frequency it was asked
    // for.
    return top / bottom * std::max(1.0, thin / sum / (nearly_deep * nearly_deep));
}

/// Square of the frequency at which the body swings in `motion`, given `force` = K `motion`. Weighted by where the
/// motion is large, as in asked_square, so that both describe the same flesh.
double seen_square(const SaggingBody& body, std::span<const float> force, std::span<const float> motion) {
    double top = 0, bottom = 0;
    for (const std::size_t i : body.slots) {
        double square = 0, work = 0;
        for (std::size_t c = 0; c < 3; ++c) {
            const std::size_t k = c * body.stride + i;
            square += double(motion[k]) * motion[k];
            work += double(motion[k]) * force[k];
        }
        top += square * work;
        bottom += square * square;
    }
    return bottom > 0 ? top / bottom : 0;
}

}  // namespace

double sag_calibration(const SaggingBody& body, const FleshSettings& flesh, std::span<const float> shape, double scale,
                       std::span<const float> sag) {
    // K sag = scale * shape, in (rad / s)^2.
    const double seen = seen_square(body, shape, sag) * scale;
    const double asked = asked_square(body, flesh, sag) * 4 * portable::pi * portable::pi;
    if (!(seen > 0) || !(asked > 0)) return 1;
    return std::clamp(std::sqrt(asked / seen), 0.05, 4.0);
}

namespace {

constexpr double steps_per_swing = 8;  ///< with fewer, an oscillation can no longer be seen
/// The damping that the passes of a step cause by themselves, as a share of w dt.
constexpr double own_damping = 0.05;
constexpr double shortest_step = 0.0005;  ///< allowed by the settings, seconds

std::string number(double value) {
    return number_text(value, 3);
}

/// Advice for a layer that needs steps of at most `step` seconds.
std::string remedy(double step) {
    if (step < shortest_step) return "; no step is short enough for more";
    // Rounded down, so that the suggested value is short enough.
    return "; step=" + number(std::floor(step * 1e5) / 1e5) + " would reach it";
}

}  // namespace

std::vector<std::string> clamp_to_step(FleshSettings& flesh) {
    std::vector<std::string> warnings;
    if (flesh.mode != Mode::physical) return warnings;
    const std::string steps = "steps of " + number(flesh.step) + " s";
    for (LayerSettings& layer : flesh.layers) {
        const double highest = 1 / (steps_per_swing * flesh.step);
        if (layer.frequency > highest) {
            warnings.push_back("layer '" + layer.name + "' asks for " + number(layer.frequency) + " Hz, more than " +
                               steps + " can follow; it gets " + number(highest) + " Hz" +
                               remedy(1 / (steps_per_swing * layer.frequency)));
            layer.frequency = highest;
        }
        const double w = 2 * portable::pi * layer.frequency, least = own_damping * w * flesh.step;
        if (layer.damping < least) {
            warnings.push_back("layer '" + layer.name + "' asks for a damping of " + number(layer.damping) +
                               ", less than " + steps + " take by themselves at " + number(layer.frequency) +
                               " Hz; it gets " + number(least) + remedy(layer.damping / (own_damping * w)));
            layer.damping = least;
        }
    }
    return warnings;
}

bool same_calibration(const FleshSettings& had, const FleshSettings& asked) {
    if (had.step != asked.step || had.layers.size() != asked.layers.size()) return false;
    for (std::size_t k = 0; k < had.layers.size(); ++k)
        if (had.layers[k].frequency != asked.layers[k].frequency) return false;
    return true;
}

}  // namespace fascia
