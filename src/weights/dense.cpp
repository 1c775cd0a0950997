#include "weights/dense.h"

#include <algorithm>

namespace fascia::weights {

std::vector<Clamp> equal_shares(std::vector<NodeJoint> cores) {
    const auto before = [](NodeJoint a, NodeJoint b) { return a.node != b.node ? a.node < b.node : a.joint < b.joint; };
    const auto same = [](NodeJoint a, NodeJoint b) { return a.node == b.node && a.joint == b.joint; };
    std::sort(cores.begin(), cores.end(), before);
    cores.erase(std::unique(cores.begin(), cores.end(), same), cores.end());
    std::vector<Clamp> out;
    for (std::size_t k = 0; k < cores.size();) {
        std::size_t end = k;
        while (end < cores.size() && cores[end].node == cores[k].node) ++end;
        for (std::size_t i = k; i < end; ++i)
            out.push_back({cores[i].node, cores[i].joint, 1.0f / static_cast<float>(end - k)});
        k = end;
    }
    return out;
}

Influences keep_largest(const Dense& dense, int slots, float least) {
    Influences out;
    const std::size_t nodes = dense.joints > 0 ? dense.values.size() / dense.joints : 0;
    out.slots = slots;
    out.joints.assign(nodes * slots, 0);
    out.weights.assign(nodes * slots, 0);
    Mixture mixture;
    for (std::size_t i = 0; i < nodes; ++i) {
        mixture.clear();
        for (std::size_t j = 0; j < dense.joints; ++j)
            if (const float w = dense.values[i * dense.joints + j]; w > least) mixture.add(std::uint16_t(j), w);
        mixture.store({&out.joints[i * slots], std::size_t(slots)}, {&out.weights[i * slots], std::size_t(slots)});
    }
    return out;
}

}  // namespace fascia::weights
