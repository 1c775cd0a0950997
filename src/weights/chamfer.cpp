#include "weights/chamfer.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace fascia::weights {

namespace {

int cost_of_place(int k) {
    const int steps = std::abs(k % 3 - 1) + std::abs(k / 3 % 3 - 1) + std::abs(k / 9 - 1);
    return steps + 2;
}

/// Nodes by distance: no step costs more than 5, so six lists in a ring are enough.
class Ring {
public:
    void push(std::int32_t distance, std::uint32_t node) {
        lists_[std::size_t(distance) % lists_.size()].push_back(node);
        ++waiting_;
    }
    /// Calls visit(node, distance) in the order of distances; it may push further nodes.
    template <class Visit>
    void run(Visit&& visit) {
        std::vector<std::uint32_t> now;
        for (std::int32_t d = 0; waiting_ > 0; ++d) {
            now.swap(lists_[std::size_t(d) % lists_.size()]);
            waiting_ -= now.size();
            for (const std::uint32_t node : now) visit(node, d);
            now.clear();
        }
    }

private:
    std::array<std::vector<std::uint32_t>, 6> lists_;
    std::size_t waiting_ = 0;
};

double falloff(double d) {
    constexpr double alpha = 0.5;
    const double f = 1 / ((1 - alpha) * d + alpha * d * d);
    return f * f;
}

/// The nearest few bones of each node, nearest first; equally near ones by joint.
class NearestFew {
public:
    NearestFew(std::size_t nodes, std::size_t slots) : slots_(slots), keys_(nodes * slots, none) {}

    void offer(std::size_t node, std::uint16_t distance, std::uint16_t joint) {
        const std::uint32_t key = std::uint32_t(distance) << 16 | joint;
        std::uint32_t* keys = &keys_[node * slots_];
        if (key >= keys[slots_ - 1]) return;
        std::size_t k = slots_ - 1;
        for (; k > 0 && keys[k - 1] > key; --k) keys[k] = keys[k - 1];
        keys[k] = key;
    }
    std::span<const std::uint32_t> of(std::size_t node) const { return {&keys_[node * slots_], slots_}; }

    static constexpr std::uint32_t none = std::uint32_t(chamfer_far) << 16;

private:
    std::size_t slots_;
    std::vector<std::uint32_t> keys_;
};

/// Distances of up to 32 joints to all nodes; moves on to the first core that is left.
std::span<const NodeJoint> offer_joints(const SpreadInput& input, std::span<const NodeJoint> cores,
                                        std::span<const std::uint16_t> limit, std::vector<std::uint16_t>& d,
                                        NearestFew& few) {
    std::array<std::uint16_t, chamfer_lanes> joints{};
    std::size_t used = 0, c = 0;
    std::fill(d.begin(), d.end(), chamfer_far);
    for (; c < cores.size(); ++c) {
        if (used == 0 || joints[used - 1] != cores[c].joint) {
            if (used == chamfer_lanes) break;
            joints[used++] = cores[c].joint;
        }
        d[cores[c].node * chamfer_lanes + used - 1] = 0;
    }
    while (FASCIA_DISPATCH(sweep_distances)(input.neighbours.data(), limit.data(), limit.size(), d.data())) {
    }
    for (std::size_t i = 0; i < limit.size(); ++i)
        for (std::size_t l = 0; l < used; ++l) few.offer(i, d[i * chamfer_lanes + l], joints[l]);
    return cores.subspan(c);
}

/// How far each node looks for bones: the cut-off beyond its nearest one.
std::vector<std::uint16_t> look_out(const SpreadInput& input, const NearestBone& nearest) {
    std::vector<std::uint16_t> out(nearest.distance.size(), 0);
    for (std::size_t i = 0; i < out.size(); ++i)
        if (nearest.distance[i] >= 0)
            out[i] =
                std::uint16_t(std::min(nearest.distance[i] + input.cutoff * chamfer_unit * double(input.thickness[i]),
                                       double(chamfer_far - 1)));
    return out;
}

}  // namespace

NearestBone nearest_bones(std::span<const std::int32_t> neighbours, std::span<const NodeJoint> cores) {
    const std::size_t n = neighbours.size() / 27;
    NearestBone out{std::vector<std::int32_t>(n, -1), std::vector<std::uint16_t>(n, 0)};
    std::array<int, 27> costs;
    for (int k = 0; k < 27; ++k) costs[std::size_t(k)] = cost_of_place(k);
    Ring ring;
    for (const NodeJoint& c : cores)
        if (out.distance[c.node] < 0) out.distance[c.node] = 0, out.joint[c.node] = c.joint, ring.push(0, c.node);
    ring.run([&](std::uint32_t node, std::int32_t d) {
        if (out.distance[node] != d) return;
        for (int k = 0; k < 27; ++k) {
            const std::int32_t next = neighbours[node * 27 + std::size_t(k)];
            if (next < 0 || k == 13) continue;
            const std::int32_t there = d + costs[std::size_t(k)];
            if (out.distance[next] >= 0 && out.distance[next] <= there) continue;
            out.distance[next] = there;
            out.joint[next] = out.joint[node];
            ring.push(there, std::uint32_t(next));
        }
    });
    return out;
}

Influences spread_weights(const SpreadInput& input, const NearestBone& nearest) {
    const std::size_t n = nearest.distance.size();
    const auto slots = std::size_t(input.slots);
    const std::vector<std::uint16_t> limit = look_out(input, nearest);
    NearestFew few(n, slots);
    std::vector<std::uint16_t> d(n * chamfer_lanes);
    for (std::span<const NodeJoint> left = input.cores; !left.empty();) left = offer_joints(input, left, limit, d, few);

    Influences out;
    out.slots = input.slots;
    out.joints.assign(n * slots, 0);
    out.weights.assign(n * slots, 0);
    for (std::size_t i = 0; i < n; ++i) {
        std::array<double, 8> weight{};
        double sum = 0;
        const auto keys = few.of(i);
        for (std::size_t s = 0; s < slots && keys[s] < NearestFew::none; ++s) {
            const double beyond =
                (std::int32_t(keys[s] >> 16) - nearest.distance[i]) / chamfer_unit / input.thickness[i];
            sum += weight[s] = falloff(beyond / input.unit + input.eps);
            out.joints[i * slots + s] = std::uint16_t(keys[s] & 0xFFFF);
        }
        for (std::size_t s = 0; s < slots && weight[s] > 0; ++s) out.weights[i * slots + s] = float(weight[s] / sum);
    }
    return out;
}

}  // namespace fascia::weights
