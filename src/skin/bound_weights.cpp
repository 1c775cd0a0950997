#include "skin/bound_weights.h"

#include <algorithm>
#include <array>
#include <utility>

namespace fascia {

namespace {

struct Slot {
    float weight = 0;
    std::uint16_t joint = 0;
};

/// Largest first; equal weights by joint, so that the pivot does not depend on the order in the file.
bool before(const Slot& a, const Slot& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.joint < b.joint;
}

/// By insertion: there are at most eight.
void sort_slots(std::array<Slot, max_influences>& slots, int used) {
    for (int i = 1; i < used; ++i)
        for (int k = i; k > 0 && before(slots[k], slots[k - 1]); --k) std::swap(slots[k], slots[k - 1]);
}

/// Adds up slots that name the same joint twice.
int collect(const SkinSource& source, std::size_t vertex, std::array<Slot, max_influences>& slots) {
    int used = 0;
    for (int k = 0; k < source.influences; ++k) {
        const std::size_t i = vertex * static_cast<std::size_t>(source.influences) + static_cast<std::size_t>(k);
        if (!(source.weights[i] > 0)) continue;
        int s = 0;
        while (s < used && slots[s].joint != source.joints[i]) ++s;
        if (s == used) slots[used++] = {0, source.joints[i]};
        slots[s].weight += source.weights[i];
    }
    return used;
}

}  // namespace

BoundWeights bind_weights(const SkinSource& source) {
    BoundWeights out;
    out.influences = source.influences;
    const std::size_t n = source.positions.size(), k_max = static_cast<std::size_t>(source.influences);
    out.joints.resize(n * k_max);
    out.weights.resize(n * k_max);
    for (std::size_t v = 0; v < n; ++v) {
        std::array<Slot, max_influences> slots{};
        int used = collect(source, v, slots);
        if (used == 0) {
            ++out.unweighted;
            slots[0] = {1, 0};
            used = 1;
        }
        sort_slots(slots, used);
        double sum = 0;
        for (int k = 0; k < used; ++k) sum += slots[k].weight;
        for (std::size_t k = 0; k < k_max; ++k) {
            const bool live = static_cast<int>(k) < used;
            out.joints[v * k_max + k] = live ? slots[k].joint : slots[0].joint;
            out.weights[v * k_max + k] = live ? static_cast<float>(slots[k].weight / sum) : 0.0f;
        }
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
