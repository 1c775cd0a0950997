#include "methods/layers/layers_tuning.h"

#include <algorithm>
#include <cmath>

#include "base/glob.h"
#include "base/hash.h"
#include "base/portable_math.h"
#include "body/mask_in_body.h"
#include "methods/layers/layers_step.h"
#include "methods/shared/oscillator.h"
#include "methods/shared/sag.h"
#include "methods/shared/thin_flesh.h"
#include "sim/slice_ring.h"

namespace fascia {

namespace {

using portable::pi;

constexpr double highest_hz = 40;     ///< of a single node: however tight the flesh, the step must be able to follow it
constexpr double wave_length = 0.05;  ///< of the size: how far coherence travels while flesh swings by one radian
constexpr double usual_hz = 4;        ///< of flesh that coheres no farther than that
constexpr double most_coherence = 2;  ///< times that of usual flesh; beyond that, volumes would be lost
constexpr double skin_thickness = 0.015;  ///< of the size: the part of the skin layer's cell that counts as skin
constexpr double largest_share = 0.8;     ///< of a correction per step
constexpr double calm_speed = 0.3;        ///< sizes per second, as of a belly in a walk; a landing has three times that
constexpr double flung_speed = 0.2;       ///< sizes per second beyond that, where drag reaches half of its maximum
constexpr double flung_damping = 0.5;     ///< times critical: the most that drag adds

/// The numbers of a layer, for each of its nodes.
struct LayerNumbers {
    double hz = 4, damping = 0.15, amount = 1;
};

/// Layer 0 is bone. The skin layer is one cell thick at any resolution; the part of that cell beyond the real skin
/// counts as the layer below.
std::vector<LayerNumbers> layer_numbers(const LayersBody& body, const LayersSettings& flesh) {
    std::vector<LayerNumbers> out(1);
    for (const LayerSettings& layer : flesh.layers) out.push_back({layer.frequency, layer.damping, layer.amount});
    if (flesh.layers.size() > 1 && glob_match("skin", flesh.layers.back().name)) {
        const double phi = std::min(1.0, skin_thickness * body.size / body.grid.h);
        const double skin = out.back().hz, below = out[out.size() - 2].hz;
        out.back().hz = std::sqrt(phi * skin * skin + (1 - phi) * below * below);
    }
    return out;
}

double driven_amount(const LayersBody& body, const std::vector<double>& joint_amount, std::size_t at) {
    double sum = 0;
    for (int k = 0; k < 4; ++k)
        sum += body.weights[k * body.stride() + at] * joint_amount[body.joints[k * body.stride() + at]];
    return sum;
}

/// The amount of a node after joints, masks, meshes and materials.
double part_amount(const LayersBody& body, const std::vector<double>& joint_amount, std::size_t node) {
    const LayersBlueprint& plan = *body.blueprint;
    double out = driven_amount(body, joint_amount, body.layout.slots[node]);
    if (!plan.mask.empty()) out *= plan.mask[node];
    if (!plan.own_amount.empty()) out += plan.own_amount[node];
    return out;
}

/// Share of the volume corrections that a node follows. Few voxels share a node at an edge of the body (an end along
/// two axes or more), and each of them corrects its volume in full, which would make a finger tremble where its bones
/// press it.
double volume_share(const LayersBody& body, std::size_t node) {
    constexpr int below[3] = {12, 10, 4}, above[3] = {14, 16, 22};  // face neighbours in the block of 27
    const std::int32_t* around = &body.blueprint->tissue.neighbours[27 * node];
    int ends = 0;
    for (int axis = 0; axis < 3; ++axis) ends += around[below[axis]] < 0 || around[above[axis]] < 0;
    return ends < 2 ? 1.0 : 0.5;
}

/// The same jolt flings flesh of half the frequency four times as far. It is strained no more than usual flesh if it
/// swings in pieces four times as large; if it cohered no farther, it would swing in lumps of a few voxels.
double coherence_of(const LayersSettings& flesh) {
    double slowest = usual_hz;
    for (const LayerSettings& layer : flesh.layers) slowest = std::min(slowest, layer.frequency);
    const double farther = usual_hz / slowest;
    return std::min(farther * farther, most_coherence);
}

std::vector<NodeTuning> physical_nodes(const LayersBody& body, const LayersSettings& flesh,
                                       const std::vector<double>& joint_amount, double calibration, bool settling) {
    std::vector<NodeTuning> out(body.node_count());
    const std::vector<LayerNumbers> layers = layer_numbers(body, flesh);
    const double coherence = coherence_of(flesh);
    const double dt = flesh.step, r = std::max(0.5, (flesh.region_width - 1) / 2.0), size = body.size / body.grid.h;
    for (std::size_t i = 0; i < out.size(); ++i) {
        NodeTuning& node = out[i];
        const double g = body.thinness()[i];
        const double part = part_amount(body, joint_amount, i);
        node.limit = size * flesh_reach(g, part, layers[body.layer()[i]].hz, flesh.anatomy == Anatomies::shape);
        if (body.layer()[i] == 0) {
            // The fit of a region that reaches over a joint turns; a plate that hangs on one bone does not.
            if (part < blackest_mask) node.turn = 0;
            continue;
        }
        const LayerNumbers& layer = layers[body.layer()[i]];
        const double w = 2 * pi * std::min(highest_hz, layer.hz / g) * calibration;
        const Oscillator swing = settling ? settler(w, dt) : oscillator(w, layer.damping, dt);
        node.alpha = swing.alpha;
        node.beta = swing.beta;
        node.amount = layer.amount * part;
        node.drive = node.amount * g;
        // Coherence travels at a fixed speed, so that it reaches equally far at every resolution.
        const double c = 2 * pi * layer.hz * coherence * wave_length * size * calibration * dt;
        // Flesh that should move less is also pulled less by its neighbours: with an amount of 0 it stays where the
        // skeleton puts it.
        node.turn = std::min(node.amount, 1.0);
        node.volume = node.turn * volume_share(body, i);
        node.match = node.turn * std::min(largest_share, c * c / (r * (r + 1) / 3));
        node.stretch = node.turn * std::min(largest_share, 0.25 * c * c / 0.083);
    }
    return out;
}

/// [Iwamoto 2015, alg. line 12]
std::vector<NodeTuning> published_nodes(const LayersBody& body, const LayersSettings& flesh,
                                        const std::vector<double>& joint_amount) {
    std::vector<NodeTuning> out(body.node_count());
    const bool literal = flesh.mode == Mode::literal;
    // k_d is a keep-factor per step of 1/60 s.
    const double rate = literal ? 1.0 : flesh.step * 60;
    for (std::size_t i = 0; i < out.size(); ++i) {
        NodeTuning& node = out[i];
        node.limit = 4 * body.size / body.grid.h;
        if (body.layer()[i] == 0) continue;
        const LayerSettings& layer = flesh.layers[body.layer()[i] - 1];
        const double keep = portable::exponential(rate * portable::logarithm(std::clamp(layer.k_d, 1e-6, 1.0)));
        node.alpha = 1;
        node.beta = keep * flesh.step;
        // Only the velocity that is kept is damped, not the acceleration of the frame itself.
        node.amount = layer.amount * part_amount(body, joint_amount, i);
        node.drive = node.amount / keep;
        if (literal) node.lag = (1 - keep) / keep;
        node.match = literal ? layer.k_s : 1 - portable::exponential(-layer.k_s);
        node.stretch = 1;
    }
    return out;
}

}  // namespace

sim::ReferenceTuning LayersTuning::reference() const {
    return {.dt = float(step),
            .alpha = alpha,
            .beta = beta,
            .drive = drive,
            .lag = lag,
            .limit = limit,
            .match = match,
            .stretch = stretch,
            .volume_share = volume_share,
            .volume = volume,
            .drag = drag};
}

void store_tuning(const LayersBody& body, const std::vector<NodeTuning>& nodes, LayersTuning& out) {
    static_assert(sizeof(NodeTuning) == 10 * sizeof(double), "padding would make the tag depend on chance");
    Hasher hasher;
    hasher.values(std::span<const NodeTuning>(nodes));
    hasher.bytes(&out.gravity, sizeof out.gravity);
    hasher.bytes(&out.step, sizeof out.step);
    out.tag = hasher.value();
    out.give.clear();
    out.turn.assign(body.stride(), 1);
    for (std::size_t i = 0; i < nodes.size(); ++i) out.turn[body.layout.slots[i]] = float(nodes[i].turn);
    out.reach.clear();
    out.felt.clear();
    for (const NodeTuning& node : nodes) {
        out.give.push_back(float(std::min(node.amount, 1.0)));
        out.reach.push_back(float(node.limit));
        out.felt.push_back(float(node.drive));
    }
    if (body.engine == Engine::reference) {
        for (Floats* channel :
             {&out.alpha, &out.beta, &out.drive, &out.lag, &out.match, &out.stretch, &out.volume_share})
            channel->assign(body.stride(), 0);
        out.limit.assign(body.stride(), 1);
    } else {
        out.constants = body.constants;
        for (auto& c : out.constants) std::fill(c.limit, c.limit + sim::SegmentConstants::lanes, 1.0f);
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const NodeTuning& node = nodes[i];
        if (body.engine == Engine::reference) {
            const std::size_t at = body.layout.slots[i];
            out.alpha[at] = float(node.alpha);
            out.beta[at] = float(node.beta);
            out.drive[at] = float(node.drive);
            out.lag[at] = float(node.lag);
            out.match[at] = float(node.match);
            out.stretch[at] = float(node.stretch);
            out.volume_share[at] = float(node.volume);
            out.limit[at] = float(node.limit);
            continue;
        }
        sim::SegmentConstants& c = out.constants[body.layout.lane_of[i] / sim::SegmentConstants::lanes];
        const std::size_t lane = body.layout.lane_of[i] % sim::SegmentConstants::lanes;
        c.alpha[lane] = float(node.alpha);
        c.beta[lane] = float(node.beta);
        c.drive[lane] = float(node.drive);
        c.stretch[lane] = float(body.neighbour_count[i] > 0 ? node.stretch / body.neighbour_count[i] : 0);
        c.match[lane] = float(node.match / body.region_count[i]);
        c.matched[lane] = float(node.match);
        c.volume_weights[3][lane] *= float(node.volume);
        c.limit[lane] = float(node.limit);
    }
}

namespace {

/// A step longer than usual corrects volumes less often, which would slow the swing. Up to twice the usual length they
/// are corrected more strongly, as far as flesh bears it without trembling; beyond that more often.
sim::VolumeSweeps volume_sweeps(double step) {
    const double usual_steps = 240 * step, longer = std::clamp(usual_steps - 1, 0.0, 1.0);
    return {.count = std::clamp(int(usual_steps + 0.5), 2, sim::most_volume_sweeps),
            .relaxations = {float(0.3 + 0.7 * longer), float(0.3 + 0.2 * longer)}};
}

/// If frequencies follow the depth, deep flesh is slow, and a landing would fling it as far as it is deep.
sim::Drag drag_of(const LayersBody& body, const LayersSettings& flesh) {
    if (flesh.anatomy != Anatomies::shape) return {};
    double slowest = highest_hz;
    for (const LayerSettings& layer : flesh.layers) slowest = std::min(slowest, layer.frequency);
    const double way = body.size / body.grid.h * flesh.step;
    return {.free_way = float(calm_speed * way),
            .half_way = float(flung_speed * way),
            .most = float(2 * flung_damping * 2 * pi * slowest * flesh.step)};
}

}  // namespace

LayersTuning physical_tuning(const LayersBody& body, const LayersSettings& flesh,
                             const std::vector<double>& joint_amount, double calibration, bool settling) {
    LayersTuning out;
    out.step = flesh.step;
    out.volume = volume_sweeps(flesh.step);
    out.drag = drag_of(body, flesh);
    out.gravity = flesh.gravity;
    store_tuning(body, physical_nodes(body, flesh, joint_amount, calibration, settling), out);
    return out;
}

LayersTuning published_tuning(const LayersBody& body, const LayersSettings& flesh,
                              const std::vector<double>& joint_amount) {
    LayersTuning out;
    out.step = flesh.step;
    out.gravity = flesh.gravity;
    out.volume = {.count = 1, .relaxations = {0.5f, 0.5f}};
    store_tuning(body, published_nodes(body, flesh, joint_amount), out);
    return out;
}

// ---- calibration -----------------------------------------------------------------------------------------------
namespace {

/// A body at rest in its rest pose, pulled by a force on each node.
class RestingBody {
public:
    RestingBody(const LayersBody& body, const LayersTuning& tuning) : body_(body), step_(body, tuning) {
        const std::size_t n = body.stride();
        arrays_ = LayersArrays::at_rest(body);
        push_.assign(3 * n, 0);
        duals_.assign(8 * body.pivots.size(), 0);
        for (std::size_t j = 0; j < body.pivots.size(); ++j) duals_[8 * j] = 1;
    }

    Floats& push() { return push_; }

    void settle(int steps) {
        for (int k = 0; k < steps; ++k) step_.run(duals_, arrays_.view(), {push_, {}}, work_);
    }

    /// How far each node sags from its place, [3 * stride].
    Floats sag() const {
        Floats out(body_.rest.size());
        for (std::size_t k = 0; k < out.size(); ++k) out[k] = arrays_.positions[k] - arrays_.driven[k];
        return out;
    }

private:
    const LayersBody& body_;
    LayersStep step_;
    LayersArrays arrays_;
    Floats push_, duals_;
    Workspace work_;
};

double largest(const Floats& values) {
    float most = 0;
    for (const float v : values) most = std::max(most, std::abs(v));
    return most;
}

}  // namespace

double calibrate(const LayersBody& body, const LayersSettings& flesh) {
    const std::vector<double> amounts(body.pivots.size(), 1);
    LayersTuning tuning;
    tuning.step = flesh.step;
    tuning.volume = volume_sweeps(flesh.step);
    const std::vector<NodeTuning> nodes = physical_nodes(body, flesh, amounts, 1.0, true);
    store_tuning(body, nodes, tuning);
    double slowest = 1e300;
    for (const LayerSettings& layer : flesh.layers) slowest = std::min(slowest, layer.frequency);
    const double w = 2 * pi * slowest, dt = flesh.step;
    // Long enough for the slowest layer to come to rest, small enough to stay linear.
    const int steps = std::clamp(int(6 / (w * dt)), 30, 240);
    const double size = body.size / body.grid.h, pull = 0.004 * size * w * w;

    // A force f moves a node by f dt^2 = beta * push.
    RestingBody resting(body, tuning);
    const auto pull_by = [&](int rounds, auto&& force) {
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            if (body.layer()[i] == 0) continue;
            for (std::size_t c = 0; c < 3; ++c) {
                const std::size_t k = c * body.stride() + body.layout.slots[i];
                resting.push()[k] = float(force(k) * dt * dt / nodes[i].beta);
            }
        }
        resting.settle(rounds);
        return resting.sag();
    };
    // The first pull only finds the shape; the second is measured.
    const Floats first = pull_by(steps / 2, [&](std::size_t) { return pull * 0.57735; });
    const double scale = pull / std::max(largest(first), 1e-12 * size);
    const Floats second = pull_by(steps, [&](std::size_t k) { return first[k] * scale; });

    return sag_calibration({body.stride(), body.layout.slots, body.layer(), body.thinness()}, flesh, first, scale,
                           second);
}

}  // namespace fascia
