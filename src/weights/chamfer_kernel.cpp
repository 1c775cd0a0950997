// Shortest paths from 32 bones at once: a row of the table is one node, its lanes the bones.
#include <cstddef>
#include <cstring>

#include "weights/chamfer.h"

namespace fascia::weights::FASCIA_ISA_NAMESPACE {

namespace {

constexpr std::size_t lanes = chamfer_lanes;

/// Costs of the 27 places of the 3x3x3 block: 3 for a face, 4 for an edge, 5 for a corner.
constexpr std::uint16_t costs[27] = {5, 4, 5, 4, 3, 4, 5, 4, 5, 4, 3, 4, 3, 0, 3, 4, 3, 4, 5, 4, 5, 4, 3, 4, 5, 4, 5};

/// Shortens paths through the neighbours in the places [from, to).
bool relax(const std::int32_t* neighbours, int from, int to, std::uint16_t limit, std::size_t node, std::uint16_t* d) {
    std::uint16_t own[lanes], best[lanes];
    std::memcpy(own, d + node * lanes, sizeof own);
    std::memcpy(best, own, sizeof best);
    for (int k = from; k < to; ++k) {
        const std::int32_t j = neighbours[node * 27 + std::size_t(k)];
        if (j < 0) continue;
        const std::uint16_t* way = d + std::size_t(j) * lanes;
        const std::uint16_t cost = costs[k];
        for (std::size_t l = 0; l < lanes; ++l) {
            const auto there = std::uint16_t(way[l] + cost);
            best[l] = best[l] < there ? best[l] : there;
        }
    }
    std::uint16_t changed = 0;
    for (std::size_t l = 0; l < lanes; ++l) {
        const std::uint16_t value = best[l] <= limit ? best[l] : chamfer_far;
        best[l] = value;
        changed |= std::uint16_t(value ^ own[l]);
    }
    std::memcpy(d + node * lanes, best, sizeof best);
    return changed != 0;
}

}  // namespace

bool sweep_distances(const std::int32_t* neighbours, const std::uint16_t* limit, std::size_t nodes, std::uint16_t* d) {
    bool changed = false;
    for (std::size_t i = 0; i < nodes; ++i) changed |= relax(neighbours, 0, 13, limit[i], i, d);
    for (std::size_t i = nodes; i-- > 0;) changed |= relax(neighbours, 14, 27, limit[i], i, d);
    return changed;
}

}  // namespace fascia::weights::FASCIA_ISA_NAMESPACE
