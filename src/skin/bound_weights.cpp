#include "skin/bound_weights.h"

#include <algorithm>
#include <array>
#include <utility>

namespace fascia {

namespace {

struct Slot {
    double weight = 0;
    std::uint16_t joint = 0;
};
using Slots = std::array<Slot, max_influences>;

/// Slots in use, ascending by joint; slots that name the same joint are added up.
int collect(const SkinSource& source, std::size_t vertex, Slots& slots) {
    int used = 0;
    for (int k = 0; k < source.influences; ++k) {
        const std::size_t i = vertex * static_cast<std::size_t>(source.influences) + static_cast<std::size_t>(k);
        if (!(source.weights[i] > 0)) continue;
        int s = 0;
        while (s < used && slots[s].joint < source.joints[i]) ++s;
        if (s == used || slots[s].joint != source.joints[i]) {
            for (int move = used; move > s; --move) slots[move] = slots[move - 1];
            slots[s] = {0, source.joints[i]};
            ++used;
        }
        slots[s].weight += static_cast<double>(source.weights[i]);
    }
    return used;
}

/// Normalises as far as float allows; weights that vanish in float are dropped.
int normalise(Slots& slots, int used) {
    double sum = 0;
    for (int k = 0; k < used; ++k) sum += slots[k].weight;
    int kept = 0;
    for (int k = 0; k < used; ++k) {
        const auto weight = static_cast<float>(slots[k].weight / sum);
        if (weight > 0) slots[kept++] = {weight, slots[k].joint};
    }
    return kept;
}

}  // namespace

BoundWeights bind_weights(const SkinSource& source) {
    BoundWeights out;
    out.influences = source.influences;
    const std::size_t n = source.positions.size(), k_max = static_cast<std::size_t>(source.influences);
    out.joints.resize(n * k_max);
    out.weights.resize(n * k_max);
    out.pivots.resize(n);
    for (std::size_t v = 0; v < n; ++v) {
        Slots slots{};
        int used = collect(source, v, slots);
        if (used == 0) {
            ++out.unweighted;
            slots[0] = {1, 0};
            used = 1;
        }
        used = normalise(slots, used);
        int pivot = 0;  // in a tie the first joint, so that the order in the file does not matter
        for (int k = 0; k < static_cast<int>(k_max); ++k) {
            const bool live = k < used;
            const std::size_t i = v * k_max + static_cast<std::size_t>(k);
            out.joints[i] = slots[live ? k : used - 1].joint;
            out.weights[i] = live ? static_cast<float>(slots[k].weight) : 0.0f;
            if (live && slots[k].weight > slots[pivot].weight) pivot = k;
        }
        out.pivots[v] = slots[pivot].joint;
    }
    return out;
}

Vec3 rest_centre(std::span<const Vec3> positions) {
    if (positions.empty()) return {};
    Vec3 low = positions[0], high = positions[0];
    for (const Vec3 p : positions) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    return to_float((to_double(low) + to_double(high)) * 0.5);
}

}  // namespace fascia
