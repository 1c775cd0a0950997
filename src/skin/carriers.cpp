#include "skin/carriers.h"

#include <algorithm>

namespace fascia {

namespace {

std::vector<std::uint32_t> blocks_of(std::span<const std::uint32_t> points) {
    std::vector<std::uint32_t> first(points.begin(), points.end());
    for (std::uint32_t& p : first) p -= p % skin_block;
    std::sort(first.begin(), first.end());
    first.erase(std::unique(first.begin(), first.end()), first.end());
    return first;
}

}  // namespace

Carriers pack_carriers(std::span<const std::uint32_t> points, std::span<const float> weights, std::size_t slots) {
    Carriers out;
    out.first = blocks_of(points);
    const auto entry_of = [&](std::uint32_t point) {
        const auto block = std::lower_bound(out.first.begin(), out.first.end(), point - point % skin_block);
        return std::uint32_t(block - out.first.begin()) * std::uint32_t(skin_block) + point % std::uint32_t(skin_block);
    };
    // Slots of a vertex in ascending order, those without weight last: the order in which every code path sums.
    BoundWeights bound;
    bound.influences = int(slots);
    bound.pivots.resize(points.size() / slots);
    bound.weights.assign(points.size(), 0.0f);
    std::vector<std::uint32_t> entries(points.size());
    std::vector<std::pair<std::uint32_t, float>> used;
    for (std::size_t v = 0; v < bound.vertex_count(); ++v) {
        used.clear();
        for (std::size_t i = v * slots; i < (v + 1) * slots; ++i)
            if (weights[i] > 0) used.emplace_back(entry_of(points[i]), weights[i]);
        std::sort(used.begin(), used.end());
        for (std::size_t k = 0; k < slots; ++k) {
            entries[v * slots + k] = used[std::min(k, used.size() - 1)].first;
            if (k < used.size()) bound.weights[v * slots + k] = used[k].second;
        }
    }
    out.surface = pack_blocks(bound, entries, carrier_floats, skin_kernels().back().sharing.lbs, carrier_slots);
    return out;
}

}  // namespace fascia
