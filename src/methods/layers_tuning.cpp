#include "methods/layers_tuning.h"

#include <algorithm>
#include <cmath>

#include "base/glob.h"
#include "base/portable_math.h"

namespace fascia {

namespace {

using portable::pi;

constexpr double highest_hz = 40;         ///< of a single node: thin flesh is tight, but the step must follow it
constexpr double wave_length = 0.05;      ///< of the size: how far coherence travels in one radian of the swing
constexpr double skin_thickness = 0.015;  ///< of the size: the skin layer's share of its cell counts as skin
constexpr double largest_share = 0.8;     ///< of a correction per step
constexpr double reach = 0.25;            ///< of the size: limit of travel where flesh is deep

/// What a layer asks of its nodes.
struct LayerNumbers {
    double hz = 4, damping = 0.15, amount = 1;
};

/// Layer 0 is bone. The skin is one cell thick at any resolution; what of the cell is no skin counts as the layer
/// below.
std::vector<LayerNumbers> layer_numbers(const LayersBody& body, const Flesh& flesh) {
    std::vector<LayerNumbers> out(1);
    for (const LayerSettings& layer : flesh.layers) out.push_back({layer.frequency, layer.damping, layer.amount});
    if (flesh.layers.size() > 1 && glob_match("skin", flesh.layers.back().name)) {
        const double phi = std::min(1.0, skin_thickness * body.size / body.grid.h);
        const double skin = out.back().hz, below = out[out.size() - 2].hz;
        out.back().hz = std::sqrt(phi * skin * skin + (1 - phi) * below * below);
    }
    return out;
}

/// u_next = alpha u + beta v with v = (u - u_last) / dt: the exact solution of u'' + 2 zeta w u' + w^2 u = 0.
void set_oscillator(double w, double zeta, double dt, float& alpha, float& beta) {
    const double e = portable::exponential(-zeta * w * dt);
    const double turn = w * std::sqrt(std::abs(1 - zeta * zeta)) * dt;
    const double cosine =
        zeta <= 1 ? portable::cosine(turn) : 0.5 * (portable::exponential(turn) + portable::exponential(-turn));
    alpha = float(2 * e * cosine - e * e);
    beta = float(e * e * dt);
}

/// The same stiffness, but damped so that it goes to rest as fast as it can without swinging: with b = beta / dt the
/// roots of z^2 - (alpha + b) z + b meet at sqrt(b) = 1 - sqrt(1 - alpha).
void set_settler(double w, double dt, float& alpha, float& beta) {
    const double stiffness = 2 - 2 * portable::cosine(std::min(w * dt, 1.5));
    const double root = 1 - std::sqrt(stiffness);
    alpha = float(1 - stiffness);
    beta = float(std::max(root * root, 0.01) * dt);
}

double driven_amount(const LayersBody& body, const std::vector<double>& joint_amount, std::size_t at) {
    double sum = 0;
    for (int k = 0; k < 4; ++k)
        sum += body.weights[k * body.stride + at] * joint_amount[body.joints[k * body.stride + at]];
    return sum;
}

void make_room(LayersTuning& tuning, std::size_t stride) {
    for (Floats* channel : {&tuning.alpha, &tuning.beta, &tuning.drive, &tuning.match, &tuning.stretch})
        channel->assign(stride, 0);
    tuning.limit.assign(stride, 1);
}

}  // namespace

sim::LatticeTuning LayersTuning::view() const {
    return {.dt = float(step),
            .alpha = alpha,
            .beta = beta,
            .drive = drive,
            .lag = lag,
            .limit = limit,
            .match = match,
            .stretch = stretch,
            .volume = volume,
            .volume_sweeps = volume_sweeps};
}

LayersTuning physical_tuning(const LayersBody& body, const Flesh& flesh, const std::vector<double>& joint_amount,
                             double calibration, bool settling) {
    LayersTuning out;
    out.step = flesh.step;
    out.gravity = flesh.gravity;
    make_room(out, body.stride);
    const std::vector<LayerNumbers> layers = layer_numbers(body, flesh);
    const double dt = flesh.step, r = std::max(0.5, (flesh.region_width - 1) / 2.0);
    for (std::size_t i = 0; i < body.points.size(); ++i) {
        const std::size_t at = body.points[i];
        const double g = body.thinness[i];
        out.limit[at] = float(reach * body.size * std::clamp(g, 0.1, 1.0));
        if (body.layer[i] == 0) continue;
        const LayerNumbers& layer = layers[body.layer[i]];
        const double w = 2 * pi * std::min(highest_hz, layer.hz / g) * calibration;
        if (settling) {
            set_settler(w, dt, out.alpha[at], out.beta[at]);
        } else {
            set_oscillator(w, layer.damping, dt, out.alpha[at], out.beta[at]);
        }
        out.drive[at] = float(layer.amount * driven_amount(body, joint_amount, at) * g);
        // Coherence travels at a speed, so that it reaches equally far at every resolution.
        const double c = 2 * pi * layer.hz * wave_length * body.size * calibration * dt / body.grid.h;
        out.match[at] = float(std::min(largest_share, c * c / (r * (r + 1) / 3)));
        out.stretch[at] = float(std::min(largest_share, 0.25 * c * c / 0.083));
    }
    return out;
}

LayersTuning published_tuning(const LayersBody& body, const Flesh& flesh, const std::vector<double>& joint_amount) {
    LayersTuning out;
    out.step = flesh.step;
    out.gravity = flesh.gravity;
    out.volume = 0.5f;
    out.volume_sweeps = 1;
    make_room(out, body.stride);
    const bool literal = flesh.mode == Mode::literal;
    if (literal) out.lag.assign(body.stride, 0);
    // k_d is a keep-factor per step of 1/60 s.
    const double rate = literal ? 1.0 : flesh.step * 60;
    for (std::size_t i = 0; i < body.points.size(); ++i) {
        const std::size_t at = body.points[i];
        out.limit[at] = float(4 * body.size);
        if (body.layer[i] == 0) continue;
        const LayerSettings& layer = flesh.layers[body.layer[i] - 1];
        const double keep = portable::exponential(rate * portable::logarithm(std::clamp(layer.k_d, 1e-6, 1.0)));
        out.alpha[at] = 1;
        out.beta[at] = float(keep * flesh.step);
        // v = keep (v_skinned-relative) and then the frame's own acceleration, which is not damped.
        out.drive[at] = float(layer.amount * driven_amount(body, joint_amount, at) / keep);
        if (literal) out.lag[at] = float((1 - keep) / keep);
        out.match[at] = float(literal ? layer.k_s : 1 - portable::exponential(-layer.k_s));
        out.stretch[at] = 1;
    }
    return out;
}

// ---- calibration -----------------------------------------------------------------------------------------------
namespace {

/// A body at rest in its rest pose, pulled by a force per node.
class RestingBody {
public:
    RestingBody(const LayersBody& body, const LayersTuning& tuning)
        : body_(body), rig_(body.lattice()), tuning_(tuning.view()), driven_(body.rest) {
        const std::size_t n = body.stride;
        for (auto* channel : {&speed_, &velocities_, &push_, &offset_, &other_}) channel->assign(3 * n, 0);
        turned_.assign(4 * n, 0);
        std::fill(turned_.begin(), turned_.begin() + std::ptrdiff_t(n), 1.0f);
        rotations_ = turned_;
        positions_ = last_ = driven_;
        gradients_.assign(9 * n, 0);
        transforms_.assign(12 * n, 0);
    }

    Floats& push() { return push_; }

    void settle(int steps) {
        sim::LatticeArrays arrays{.driven = driven_,
                                  .turned = turned_,
                                  .last_driven = last_,
                                  .last_speed = speed_,
                                  .positions = positions_,
                                  .velocities = velocities_,
                                  .rotations = rotations_,
                                  .push = push_,
                                  .offset = offset_,
                                  .other = other_,
                                  .gradients = gradients_,
                                  .transforms = transforms_};
        for (int k = 0; k < steps; ++k) sim::step_reference(rig_, tuning_, arrays);
    }

    /// How far each node hangs from its place, [3 * stride].
    Floats sag() const {
        Floats out(driven_.size());
        for (std::size_t k = 0; k < out.size(); ++k) out[k] = positions_[k] - driven_[k];
        return out;
    }

private:
    const LayersBody& body_;
    sim::LatticeRig rig_;
    sim::LatticeTuning tuning_;
    Floats driven_, turned_, last_, speed_, positions_, velocities_, rotations_, push_, offset_, other_, gradients_,
        transforms_;
};

double largest(const Floats& values) {
    float most = 0;
    for (const float v : values) most = std::max(most, std::abs(v));
    return most;
}

double product(const Floats& a, const Floats& b) {
    double sum = 0;
    for (std::size_t k = 0; k < a.size(); ++k) sum += double(a[k]) * b[k];
    return sum;
}

/// Square of the frequency that the layers ask of this motion: that of the flesh layers which take most part in it,
/// each where the flesh is thinner by 1 / g.
double asked_square(const LayersBody& body, const Flesh& flesh, const Floats& motion) {
    const std::size_t flesh_layers = body.layer.empty() ? 0 : flesh.layers.size();
    std::vector<double> part(flesh_layers + 1, 0);
    double sum = 0, thin = 0;
    for (std::size_t i = 0; i < body.points.size(); ++i) {
        double square = 0;
        for (std::size_t c = 0; c < 3; ++c) {
            const double v = motion[c * body.stride + body.points[i]];
            square += v * v;
        }
        // Squared once more: what counts is where the motion is large, not how much of the body takes a little part.
        const double weight = square * square;
        part[body.layer[i]] += weight;
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
    return top / bottom * thin / sum;
}

}  // namespace

double calibrate(const LayersBody& body, const Flesh& flesh) {
    const std::vector<double> amounts(body.pivots.size(), 1);
    const LayersTuning tuning = physical_tuning(body, flesh, amounts, 1.0, true);
    const std::size_t n = body.stride;
    double slowest = 1e300;
    for (const LayerSettings& layer : flesh.layers) slowest = std::min(slowest, layer.frequency);
    const double w = 2 * pi * slowest, dt = flesh.step;
    // Long enough for the slowest layer to come to rest, small enough to stay linear.
    const int steps = std::clamp(int(6 / (w * dt)), 30, 240);
    const double pull = 0.004 * body.size * w * w;

    // A force f moves a node by f dt^2 = beta * push.
    RestingBody resting(body, tuning);
    const auto pull_by = [&](auto&& force) {
        for (const std::size_t at : body.points) {
            if (body.softness[at] == 0) continue;
            for (std::size_t c = 0; c < 3; ++c)
                resting.push()[c * n + at] = float(force(c * n + at) * dt * dt / tuning.beta[at]);
        }
        resting.settle(steps);
        return resting.sag();
    };
    const Floats first = pull_by([&](std::size_t) { return pull * 0.57735; });
    const double scale = pull / std::max(largest(first), 1e-12 * body.size);
    const Floats second = pull_by([&](std::size_t k) { return first[k] * scale; });

    // K second = force: the Rayleigh quotient of the softest motion, in (rad / s)^2.
    const double bottom = product(second, second);
    if (!(bottom > 0)) return 1;
    const double seen = product(second, first) * scale / bottom;
    const double asked = asked_square(body, flesh, second) * 4 * pi * pi;
    if (!(seen > 0) || !(asked > 0)) return 1;
    return std::clamp(std::sqrt(asked / seen), 0.05, 4.0);
}

std::vector<std::string> clamp_to_step(Flesh& flesh) {
    std::vector<std::string> warnings;
    for (LayerSettings& layer : flesh.layers) {
        // Eight steps per swing: with fewer the oscillation is no longer seen as one.
        const double highest = 1 / (8 * flesh.step);
        if (layer.frequency > highest) {
            warnings.push_back("layer '" + layer.name + "' asks for " + std::to_string(layer.frequency) +
                               " Hz, more than steps of " + std::to_string(flesh.step) + " s can follow; it gets " +
                               std::to_string(highest) + " Hz; a step of " + std::to_string(1 / (8 * layer.frequency)) +
                               " s would reach it");
            layer.frequency = highest;
        }
    }
    return warnings;
}

}  // namespace fascia
