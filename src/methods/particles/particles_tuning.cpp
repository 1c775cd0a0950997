#include "methods/particles/particles_tuning.h"

#include <algorithm>
#include <cmath>

#include "base/hash.h"
#include "base/portable_math.h"
#include "methods/particles/particles_step.h"
#include "methods/shared/flesh_settings.h"
#include "methods/shared/oscillator.h"
#include "methods/shared/sag.h"
#include "methods/shared/thin_flesh.h"

namespace fascia {

namespace {

using portable::pi;

constexpr double highest_hz = 40;  ///< of a single particle: flesh may be tight, but the step must be able to follow it
constexpr double wave_length = 0.05;   ///< of the size: how far coherence travels while flesh swings by one radian
constexpr double largest_share = 0.8;  ///< of a correction per step
constexpr int published_sweeps = 4;    ///< over the volumes

/// The numbers of one particle.
struct ParticleNumbers {
    double alpha = 0, beta = 0, drive = 0, match = 0, turn = 0, limit = 1, amount = 0;
};

/// The amount of a vertex after joints, masks, meshes and materials.
double part_amount(const ParticlesBlueprint& plan, const std::vector<double>& joint_amount, std::size_t vertex) {
    double out = 0;
    for (std::size_t k = 4 * vertex; k < 4 * vertex + 4; ++k)
        out += double(plan.influences.weights[k]) * joint_amount[plan.influences.joints[k]];
    if (!plan.mask.empty()) out *= plan.mask[vertex];
    if (!plan.own_amount.empty()) out += plan.own_amount[vertex];
    return out;
}

std::vector<ParticleNumbers> physical_numbers(const ParticlesBody& body, const ParticlesSettings& flesh,
                                              const std::vector<double>& joint_amount, double calibration,
                                              bool settling) {
    const ParticlesBlueprint& plan = *body.blueprint;
    const double dt = flesh.step, size = body.size / body.h;
    std::vector<ParticleNumbers> out(body.slots.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
        ParticleNumbers& own = out[i];
        const std::size_t vertex = i % plan.vertex_count();
        const double g = body.thinness[i], part = part_amount(plan, joint_amount, vertex);
        if (body.layer[i] == 0) continue;
        const LayerSettings& layer = flesh.layers[body.layer[i] - 1u];
        own.limit = size * flesh_reach(g, part, layer.frequency, flesh.anatomy == Anatomies::shape);
        const double w = 2 * pi * std::min(highest_hz, layer.frequency / g) * calibration;
        const Oscillator swing = settling ? settler(w, dt) : oscillator(w, layer.damping, dt);
        own.alpha = swing.alpha;
        own.beta = swing.beta;
        own.amount = layer.amount * part;
        own.drive = own.amount * g;
        own.turn = std::min(own.amount, 1.0);
        // Coherence travels at a fixed speed, so that it reaches equally far on every surface. Several fits in one step
        // carry it as far as a single one.
        const double c = 2 * pi * layer.frequency * wave_length * size * calibration * dt;
        const double share = std::min(largest_share, c * c / double(body.regions.spread[body.slots[i]]));
        const double per_fit = 1 - portable::exponential(portable::logarithm(1 - share) / flesh.iterations);
        own.match = own.turn * per_fit;
    }
    return out;
}

/// [Deul 2013, alg. line 17]
std::vector<ParticleNumbers> published_numbers(const ParticlesBody& body, const ParticlesSettings& flesh,
                                               const std::vector<double>& joint_amount) {
    std::vector<ParticleNumbers> out(body.slots.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
        ParticleNumbers& own = out[i];
        if (body.layer[i] == 0) continue;
        const LayerSettings& layer = flesh.layers[body.layer[i] - 1u];
        const double keep = std::clamp(layer.k_d, 1e-6, 1.0);
        own.alpha = 1;
        own.beta = keep * flesh.step;
        own.amount = layer.amount * part_amount(*body.blueprint, joint_amount, i % body.blueprint->vertex_count());
        // Only the velocity that is kept is damped, not the acceleration of the frame itself.
        own.drive = own.amount / keep;
        own.match = std::clamp(layer.k_s, 0.0, 1.0);
        own.turn = 1;
        own.limit = 4 * body.size / body.h;
    }
    return out;
}

void store(const ParticlesBody& body, const ParticlesSettings& flesh, const std::vector<ParticleNumbers>& numbers,
           ParticlesTuning& out) {
    const std::size_t n = body.stride();
    out.step = flesh.step;
    out.iterations = flesh.iterations;
    out.gravity = flesh.gravity;
    out.joint_distance = flesh.joint_distance;
    out.volume = flesh.preserve_volume && body.volumes.parts() > 0;
    for (Floats* channel : {&out.alpha, &out.beta, &out.drive, &out.match, &out.turn}) channel->assign(n, 0);
    out.limit.assign(n, 1);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const std::size_t at = body.slots[i];
        out.alpha[at] = float(numbers[i].alpha);
        out.beta[at] = float(numbers[i].beta);
        out.drive[at] = float(numbers[i].drive);
        out.match[at] = float(numbers[i].match);
        out.turn[at] = float(numbers[i].turn);
        out.limit[at] = float(numbers[i].limit);
        out.give.push_back(float(std::min(numbers[i].amount, 1.0)));
    }
    static_assert(sizeof(ParticleNumbers) == 7 * sizeof(double), "padding would make the tag depend on chance");
    Hasher hasher;
    hasher.values(std::span<const ParticleNumbers>(numbers));
    hasher.values(std::span<const float>(out.swell));
    hasher.bytes(&out.gravity, sizeof out.gravity);
    for (const double v : {out.step, double(out.iterations), out.joint_distance, double(out.volume)})
        hasher.bytes(&v, sizeof v);
    out.tag = hasher.value();
}

/// [vertices] 0 where sides of one part meet (facing_walls.h), rising to 1 over several rings: a change of one side's
/// volume must not move the other.
std::vector<double> off_gaps(const ParticlesBody& body) {
    constexpr int fade_rings = 4;
    const ParticlesBlueprint& plan = *body.blueprint;
    const std::size_t n = plan.vertex_count();
    std::vector<std::uint32_t> first(n, sim::no_part);
    std::vector<int> rings(n, fade_rings);
    for (std::size_t c = 0; c < plan.triangles.size(); ++c) {
        const std::uint32_t part = plan.part[c / 3], v = plan.triangles[c];
        if (part == sim::no_part) continue;
        if (first[v] == sim::no_part) first[v] = part;
        if (first[v] != part && plan.part_joint[first[v]] == plan.part_joint[part]) rings[v] = 0;
    }
    for (int ring = 1; ring < fade_rings; ++ring)
        for (std::size_t v = 0; v < n; ++v)
            for (const std::uint32_t w : body.edges.view().of(v))
                if (rings[w] == ring - 1) rings[v] = std::min(rings[v], ring);
    std::vector<double> out;
    for (const int ring : rings) out.push_back(double(ring) / fade_rings);
    return out;
}

/// Flesh swells in proportion to its depth: by mass alone, thin flesh would swell most.
void store_swelling(const ParticlesBody& body, const std::vector<ParticleNumbers>& numbers, ParticlesTuning& out) {
    const std::size_t vertices = body.blueprint->vertex_count(), first = numbers.size() - vertices;
    const std::vector<double> off = off_gaps(body);
    for (std::size_t v = 0; v < vertices; ++v) {
        const double g = body.blueprint->thinness[v] * off[v];
        out.swell.push_back(float(numbers[first + v].turn * g / std::max(body.areas[v], 1e-3)));
    }
}

}  // namespace

ParticlesTuning physical_tuning(const ParticlesBody& body, const ParticlesSettings& settings, double calibration,
                                bool settling) {
    ParticlesTuning out;
    const std::vector<double> amounts = joint_amounts(body.blueprint->surface.joints, settings);
    const auto numbers = physical_numbers(body, settings, amounts, calibration, settling);
    store_swelling(body, numbers, out);
    store(body, settings, numbers, out);
    return out;
}

ParticlesTuning published_tuning(const ParticlesBody& body, const ParticlesSettings& settings) {
    ParticlesTuning out;
    const std::vector<double> amounts = joint_amounts(body.blueprint->surface.joints, settings);
    const auto numbers = published_numbers(body, settings, amounts);
    const std::size_t vertices = body.blueprint->vertex_count();
    for (std::size_t v = 0; v < vertices; ++v)
        out.swell.push_back(float(1 / body.masses[body.masses.size() - vertices + v]));
    out.volume_sweeps = published_sweeps;
    store(body, settings, numbers, out);
    return out;
}

// ---- calibration -----------------------------------------------------------------------------------------------
double calibrate(const ParticlesBody& body, const ParticlesSettings& given) {
    ParticlesSettings flesh = given;
    flesh.parts.clear();
    flesh.anatomy = Anatomies::names;
    flesh.preserve_volume = false;
    flesh.gravity = {};
    const ParticlesTuning tuning = physical_tuning(body, flesh, 1, true);
    double slowest = 1e300;
    for (const LayerSettings& layer : flesh.layers) slowest = std::min(slowest, layer.frequency);
    const double w = 2 * pi * slowest, dt = flesh.step;
    // Long enough for the slowest layer to come to rest, small enough to stay linear.
    const int steps = std::clamp(int(6 / (w * dt)), 30, 240);
    const double size = body.size / body.h, pull = 0.004 * size * w * w;

    const std::size_t n = body.stride();
    const ParticlesStep step(body, tuning);
    ParticlesArrays arrays = ParticlesArrays::at_rest(body);
    Floats push(3 * n, 0), duals(8 * body.pivots.size(), 0);
    for (std::size_t j = 0; j < body.pivots.size(); ++j) duals[8 * j] = 1;
    Workspace work;
    // A force f moves a particle by f dt^2 = beta * push.
    const auto pull_by = [&](int rounds, auto&& force) {
        for (std::size_t i = 0; i < body.slots.size(); ++i) {
            if (body.layer[i] == 0) continue;
            const std::size_t at = body.slots[i];
            for (std::size_t k = at; k < 3 * n; k += n) push[k] = float(force(k) * dt * dt / double(tuning.beta[at]));
        }
        for (int round = 0; round < rounds; ++round) step.run(duals, arrays.view(), {push, {}}, work);
        Floats sag(3 * n, 0);
        for (std::size_t k = 0; k < 3 * n; ++k) sag[k] = arrays.positions[k] - arrays.driven[k];
        return sag;
    };
    // The first pull only finds the shape; the second is measured.
    const Floats first = pull_by(steps / 2, [&](std::size_t) { return pull * 0.57735; });
    float most = 0;
    for (const float v : first) most = std::max(most, std::abs(v));
    const double scale = pull / std::max(double(most), 1e-12 * size);
    const Floats second = pull_by(steps, [&](std::size_t k) { return first[k] * scale; });
    return sag_calibration({n, body.slots, body.layer, body.thinness}, flesh, first, scale, second);
}

}  // namespace fascia
