#include "methods/lattice/lattice_tuning.h"

#include <algorithm>
#include <cmath>

#include "base/hash.h"
#include "base/number_text.h"
#include "base/portable_math.h"
#include "methods/shared/auto_frequency.h"
#include "methods/shared/flesh_settings.h"
#include "methods/shared/thin_flesh.h"

namespace fascia {

namespace {

constexpr double limit_of_size = 0.25;  ///< how far a particle may be from its driven position, as published
constexpr double least_delta = 0.05;    ///< lower bound when limits on the shown offset are divided by delta
constexpr double highest_alpha = 0.9;   ///< beyond this a step overshoots its goal
constexpr double damping_unit = 0.016;  ///< seconds in which region_damping acts once: the published step
constexpr int power_rounds = 40;

const LayerSettings& softest_layer(const LatticeSettings& flesh) {
    return *std::min_element(flesh.layers.begin(), flesh.layers.end(),
                             [](const LayerSettings& a, const LayerSettings& b) { return a.frequency < b.frequency; });
}

/// Mean over the joints that hold a particle.
std::vector<float> by_joint(const LatticeBody& body, const std::vector<double>& of_joint) {
    const std::size_t n = body.stride();
    std::vector<float> out(n, 0);
    for (const std::size_t i : body.slots())
        for (std::size_t k = i; k < 4 * n; k += n) out[i] += body.weights[k] * float(of_joint[body.joints[k]]);
    return out;
}

/// Limits offsets as `layers` does. Thin flesh, and flesh with a small amount, also feels less of the skeleton's motion
/// and of its neighbours. drive: on entry the amounts
void hold_by_depth(const LatticeBody& body, const LatticeSettings& flesh, const LayerSettings& layer,
                   sim::SwingTuning& swing) {
    const double size = body.size / body.h;
    for (std::size_t p = 0; p < body.particle_count(); ++p) {
        const std::size_t i = body.slots()[p];
        const double g = body.blueprint->thinness[p], amount = swing.drive[i];
        // Only delta times the offset is shown.
        swing.limit[i] = float(size * flesh_reach(g, amount, layer.frequency, flesh.anatomy == Anatomies::shape) /
                               std::max(double(swing.delta[i]), least_delta));
        swing.pull[i] = float(std::min(amount, 1.0) * std::sqrt(g));
        swing.drive[i] = float(amount * g);
    }
}

std::string number(double value) {
    return number_text(value, 3);
}

}  // namespace

double softest_share(const LatticeBody& body, const sim::SwingTuning& tuning) {
    const sim::SwingRegions& regions = body.regions;
    const std::size_t n = body.stride();
    constexpr float size = 0.02f;  // cells: small enough to be linear, large enough for float precision
    Floats turned(4 * n, 0), places(3 * n, 0), goals(3 * n, 0);
    Floats from(3 * regions.spread(), 0), fits(12 * regions.spread(), 0);
    for (const std::size_t i : body.slots()) turned[i] = 1;
    Floats rotations = turned;
    std::vector<float> u(3 * n), next(3 * n, 0);
    for (std::size_t k = 0; k < 3 * n; ++k) u[k] = size * regions.soft[k % n];
    ThreadPool pool(1);
    double share = 0;
    for (int round = 0; round < power_rounds; ++round) {
        for (std::size_t k = 0; k < 3 * n; ++k) places[k] = body.rest[k] + tuning.delta[k % n] * u[k];
        sim::spread_out(regions, places, from);
        sim::fit_swing(regions, {from, turned, rotations, fits, goals}, pool);
        double before = 0, both = 0;
        float most = 0;
        for (std::size_t k = 0; k < 3 * n; ++k) {
            next[k] = regions.soft[k % n] * tuning.pull[k % n] *
                      (goals[k] * regions.mass[k % n] + tuning.delta[k % n] * u[k]);
            before += double(u[k]) * u[k];
            both += double(u[k]) * next[k];
            most = std::max(most, std::abs(next[k]));
        }
        if (!(before > 0) || !(most > 0)) return 0;
        share = both / before;
        for (std::size_t k = 0; k < 3 * n; ++k) u[k] = next[k] * (size / most);
    }
    return std::clamp(share, 0.0, 0.9999);
}

LatticeTuning tune_lattice(const LatticeBody& body, const LatticeSettings& settings) {
    LatticeSettings flesh = settings;
    resolve_frequencies(body.blueprint->depth, flesh);
    LatticeTuning out;
    sim::SwingTuning& swing = out.swing;
    const LayerSettings& layer = softest_layer(flesh);
    const double dt = flesh.step, w = 2 * portable::pi * layer.frequency;
    std::vector<double> amount = joint_amounts(body.surface().joints, flesh), delta;
    for (double& each : amount) each *= layer.amount;
    for (const Joint& joint : body.surface().joints)
        delta.push_back(at_joint(flesh.parts, joint.name, &PartSettings::delta, flesh.delta));
    swing.dt = float(dt);
    swing.delta = by_joint(body, delta);
    swing.drive = by_joint(body, amount);
    for (std::size_t i = 0; i < swing.drive.size(); ++i) swing.drive[i] *= body.regions.soft[i];
    for (std::size_t p = 0; p < body.blueprint->mask.size(); ++p)
        swing.drive[body.slots()[p]] *= body.blueprint->mask[p];
    for (std::size_t p = 0; p < body.blueprint->own_amount.size(); ++p) {
        const std::size_t i = body.slots()[p];
        swing.drive[i] += body.regions.soft[i] * float(layer.amount) * body.blueprint->own_amount[p];
    }
    for (const std::size_t i : body.slots()) out.give.push_back(std::min(swing.drive[i] * swing.drive[i], 1.0f));
    swing.unbiased = flesh.unbiased;
    const auto farthest = float(limit_of_size * body.size / body.h);
    swing.pull.assign(body.stride(), 1);
    swing.limit.assign(body.stride(), farthest);
    const bool held = !body.blueprint->thinness.empty() && flesh.mode == Mode::physical;
    if (held) hold_by_depth(body, flesh, layer, swing);
    const double lost = std::clamp(flesh.region_damping, 0.0, 0.999999);
    swing.region_damping =
        lost > 0 ? float(1 - portable::exponential(dt / damping_unit * portable::logarithm(1 - lost))) : 0.0f;
    if (flesh.mode == Mode::physical) {
        const double left = 1 - softest_share(body, swing), wanted = w * w * dt * dt / left;
        swing.alpha = float(std::min(wanted, highest_alpha));
        swing.keep = float(portable::exponential(-2 * layer.damping * w * dt));
        if (wanted > highest_alpha)
            out.warnings.push_back("layer '" + layer.name + "' asks for " + number(layer.frequency) +
                                   " Hz, more than steps of " + number(dt) + " s reach at this delta; it gets about " +
                                   number(layer.frequency * std::sqrt(highest_alpha / wanted)) + " Hz");
    } else {
        swing.alpha = float(std::clamp(layer.k_s, 0.0, 1.0));
    }
    out.decay = swing_decay(flesh);
    Hasher hasher;
    hasher.values(std::span<const float>(swing.delta));
    hasher.values(std::span<const float>(swing.drive));
    if (held) {
        hasher.values(std::span<const float>(swing.pull));
        hasher.values(std::span<const float>(swing.limit));
    }
    for (const float v : {swing.dt, swing.alpha, swing.keep, swing.region_damping, farthest, float(swing.unbiased)})
        hasher.bytes(&v, sizeof v);
    hasher.bytes(&flesh.gravity, sizeof flesh.gravity);
    out.tag = hasher.value();
    return out;
}

}  // namespace fascia
