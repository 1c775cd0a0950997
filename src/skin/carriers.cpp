#include "skin/carriers.h"

#include <algorithm>

namespace fascia {

namespace {

/// Measured: own slots come in fours and many of them are empty, so that a shared list may be this much longer than
/// where joints are blended.
constexpr double sharing_worth = 1.4;

/// Places that carry anything, ascending.
std::vector<std::uint32_t> carrying(std::span<const std::uint32_t> points, std::span<const float> weights) {
    std::vector<std::uint32_t> out;
    for (std::size_t k = 0; k < points.size(); ++k)
        if (weights[k] > 0) out.push_back(points[k]);
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

/// Groups are taken in pairs: if one is missing, the last is taken twice, the second time to no effect.
void add_groups(std::span<const std::uint32_t> places, Carriers& out) {
    for (const std::uint32_t p : places) {
        const std::uint32_t first = p - p % std::uint32_t(carrier_group);
        if (out.first.empty() || out.first.back() != first) out.first.push_back(first);
    }
    const std::size_t lanes = out.first.size() * carrier_group;
    if (out.first.size() % 2 != 0) out.first.push_back(out.first.back());
    constexpr std::size_t range = carrier_grain * 2 * carrier_group;  // lanes that one thread takes at a time
    out.row_of.resize(out.first.size() * carrier_group);
    out.used = places.size();
    out.rows = out.used + (out.lanes() + range - 1) / range;
    for (std::size_t lane = 0; lane < out.lanes(); ++lane) {
        const auto found = std::lower_bound(places.begin(), places.end(), out.place(lane));
        const bool carries = lane < lanes && found != places.end() && *found == out.place(lane);
        out.row_of[lane] = std::uint32_t(carries ? std::size_t(found - places.begin()) : out.used + lane / range);
    }
}

}  // namespace

Carriers pack_carriers(std::span<const std::uint32_t> points, std::span<const float> weights, std::size_t slots) {
    Carriers out;
    const std::vector<std::uint32_t> places = carrying(points, weights);
    add_groups(places, out);
    const auto entry_of = [&](std::uint32_t point) {
        return std::uint32_t(std::lower_bound(places.begin(), places.end(), point) - places.begin());
    };
    // Slots of a vertex in ascending order, empty ones last: the order in which every code path sums.
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
    out.surface =
        pack_blocks(bound, entries, carrier_floats, sharing_worth * skin_kernels().back().sharing.lbs, carrier_slots);
    return out;
}

}  // namespace fascia
