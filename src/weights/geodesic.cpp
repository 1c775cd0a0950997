#include "weights/geodesic.h"

#include <algorithm>

namespace fascia::weights {

namespace {

/// [Iwamoto 2015, eq. 1]
double falloff(double distance) {
    constexpr double alpha = 0.5;
    const double f = 1 / ((1 - alpha) * distance + alpha * distance * distance);
    return f * f;
}

double squared_distance(Vec3d p, Vec3d a, Vec3d b) {
    const Vec3d along = b - a;
    const double l2 = dot(along, along);
    const double t = l2 > 0 ? std::clamp(dot(p - a, along) / l2, 0.0, 1.0) : 0.0;
    const Vec3d off = p - (a + along * t);
    return dot(off, off);
}

/// The slots of every node, smallest weight last, filled joint by joint.
class SlotTable {
public:
    SlotTable(std::size_t nodes, int slots) {
        out_.slots = slots;
        out_.joints.assign(nodes * slots, 0);
        out_.weights.assign(nodes * slots, 0);
    }

    void offer(std::size_t node, std::uint16_t joint, double weight) {
        const std::size_t first = node * out_.slots;
        std::size_t k = first + out_.slots;
        const float w = float(weight);
        while (k > first && out_.weights[k - 1] < w) --k;
        if (k == first + out_.slots) return;
        for (std::size_t m = first + out_.slots - 1; m > k; --m) {
            out_.weights[m] = out_.weights[m - 1];
            out_.joints[m] = out_.joints[m - 1];
        }
        out_.weights[k] = w;
        out_.joints[k] = joint;
    }

    Influences& table() { return out_; }

private:
    Influences out_;
};

void normalise(Influences& table, std::size_t node) {
    float sum = 0;
    for (int k = 0; k < table.slots; ++k) sum += table.weights[node * table.slots + k];
    for (int k = 0; k < table.slots; ++k) table.weights[node * table.slots + k] /= sum;
}

std::uint16_t nearest_joint(Vec3d p, std::span<const JointCore> cores) {
    std::uint16_t best = cores.empty() ? 0 : cores[0].joint;
    double least = 1e300;
    for (const JointCore& core : cores) {
        const double d = squared_distance(p, core.a, core.b);
        if (d < least) least = d, best = core.joint;
    }
    return best;
}

}  // namespace

/// [Iwamoto 2015, eq. 2]
Influences geodesic_weights(const GeodesicInput& input, std::span<const JointCore> cores) {
    const std::size_t n = input.links.node_count();
    SlotTable slots(n, input.slots);
    std::vector<std::int32_t> steps(n);
    std::vector<std::uint32_t> queue;
    queue.reserve(n);
    for (const JointCore& core : cores) {
        std::fill(steps.begin(), steps.end(), -1);
        queue.clear();
        for (const std::uint32_t node : core.nodes)
            if (steps[node] < 0) steps[node] = 0, queue.push_back(node);
        for (std::size_t k = 0; k < queue.size(); ++k) {
            const std::uint32_t node = queue[k];
            slots.offer(node, core.joint, falloff(steps[node] * input.step + input.eps));
            for (const std::uint32_t next : input.links.of(node))
                if (steps[next] < 0) steps[next] = steps[node] + 1, queue.push_back(next);
        }
    }
    Influences& table = slots.table();
    for (std::size_t node = 0; node < n; ++node) {
        if (table.weights[node * input.slots] <= 0) slots.offer(node, nearest_joint(input.centers[node], cores), 1);
        normalise(table, node);
    }
    return table;
}

}  // namespace fascia::weights
