#include "weights/chamfer.h"

#include <algorithm>
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

/// Neighbour lists without the empty places.
struct Steps {
    std::vector<std::uint32_t> first, to;
    std::vector<std::uint8_t> cost;

    explicit Steps(std::span<const std::int32_t> neighbours) {
        for (std::size_t i = 0; i < neighbours.size() / 27; ++i) {
            first.push_back(std::uint32_t(to.size()));
            for (int k = 0; k < 27; ++k)
                if (const std::int32_t j = neighbours[i * 27 + k]; k != 13 && j >= 0) {
                    to.push_back(std::uint32_t(j));
                    cost.push_back(std::uint8_t(cost_of_place(k)));
                }
        }
        first.push_back(std::uint32_t(to.size()));
    }
};

double falloff(double d) {
    constexpr double alpha = 0.5;
    const double f = 1 / ((1 - alpha) * d + alpha * d * d);
    return f * f;
}

}  // namespace

NearestBone nearest_bones(std::span<const std::int32_t> neighbours, std::span<const NodeJoint> cores) {
    const Steps steps(neighbours);
    const std::size_t n = neighbours.size() / 27;
    NearestBone out{std::vector<std::int32_t>(n, -1), std::vector<std::uint16_t>(n, 0)};
    Ring ring;
    for (const NodeJoint& c : cores)
        if (out.distance[c.node] < 0) out.distance[c.node] = 0, out.joint[c.node] = c.joint, ring.push(0, c.node);
    ring.run([&](std::uint32_t node, std::int32_t d) {
        if (out.distance[node] != d) return;
        for (std::uint32_t k = steps.first[node]; k < steps.first[node + 1]; ++k) {
            const std::uint32_t next = steps.to[k];
            const std::int32_t there = d + steps.cost[k];
            if (out.distance[next] >= 0 && out.distance[next] <= there) continue;
            out.distance[next] = there;
            out.joint[next] = out.joint[node];
            ring.push(there, next);
        }
    });
    return out;
}

Influences spread_weights(const SpreadInput& input, const NearestBone& nearest) {
    const Steps steps(input.neighbours);
    const std::size_t n = nearest.distance.size();
    struct Entry {
        std::uint32_t node;
        std::uint16_t joint;
        float weight;
    };
    std::vector<Entry> entries;
    std::vector<std::int32_t> distance(n, -1);
    std::vector<std::uint32_t> touched;
    // Beyond the nearest bone, in units of the thickness.
    const auto beyond = [&](std::uint32_t node, std::int32_t d) {
        return (d - nearest.distance[node]) / chamfer_unit / input.thickness[node];
    };
    for (std::size_t c = 0; c < input.cores.size();) {
        const std::uint16_t joint = input.cores[c].joint;
        Ring ring;
        for (; c < input.cores.size() && input.cores[c].joint == joint; ++c) {
            const std::uint32_t node = input.cores[c].node;
            if (distance[node] == 0) continue;
            distance[node] = 0;
            touched.push_back(node);
            ring.push(0, node);
        }
        ring.run([&](std::uint32_t node, std::int32_t d) {
            if (distance[node] != d) return;
            const double off = beyond(node, d);
            if (off > input.cutoff) return;
            entries.push_back({node, joint, float(falloff(off / input.unit + input.eps))});
            for (std::uint32_t k = steps.first[node]; k < steps.first[node + 1]; ++k) {
                const std::uint32_t next = steps.to[k];
                const std::int32_t there = d + steps.cost[k];
                if (distance[next] >= 0 && distance[next] <= there) continue;
                if (distance[next] < 0) touched.push_back(next);
                distance[next] = there;
                ring.push(there, next);
            }
        });
        for (const std::uint32_t node : touched) distance[node] = -1;
        touched.clear();
    }
    std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.node < b.node; });
    Influences out;
    const auto slots = std::size_t(input.slots);
    out.slots = input.slots;
    out.joints.assign(n * slots, 0);
    out.weights.assign(n * slots, 0);
    Mixture mixture;
    for (std::size_t k = 0; k < entries.size();) {
        const std::uint32_t node = entries[k].node;
        mixture.clear();
        for (; k < entries.size() && entries[k].node == node; ++k) mixture.add(entries[k].joint, entries[k].weight);
        mixture.store({&out.joints[node * slots], slots}, {&out.weights[node * slots], slots});
    }
    return out;
}

}  // namespace fascia::weights
