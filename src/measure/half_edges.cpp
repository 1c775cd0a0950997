#include "measure/half_edges.h"

#include <algorithm>

namespace fascia {

std::vector<HalfEdge> sorted_half_edges(std::span<const std::uint32_t> triangles, const Weld& weld) {
    // A counting sort by the lower vertex: linear, and neighbours in the mesh stay close in memory.
    std::vector<std::uint32_t> start(weld.count + 1, 0);
    const auto ends = [&](std::size_t corner) {
        return std::pair(weld.id[triangles[corner]], weld.id[triangles[next_corner(corner)]]);
    };
    const std::size_t corners = triangles.size() / 3 * 3;
    for (std::size_t c = 0; c < corners; ++c) {
        const auto [a, b] = ends(c);
        if (a != b) ++start[std::min(a, b) + 1];
    }
    for (std::size_t v = 0; v < weld.count; ++v) start[v + 1] += start[v];
    std::vector<HalfEdge> sorted(start[weld.count]);
    std::vector<std::uint32_t> fill(start.begin(), start.end() - 1);
    for (std::size_t c = 0; c < corners; ++c) {
        const auto [a, b] = ends(c);
        if (a != b)
            sorted[fill[std::min(a, b)]++] = {std::min(a, b), std::max(a, b), static_cast<std::uint32_t>(c), a < b};
    }
    const auto before = [](const HalfEdge& x, const HalfEdge& y) {
        return x.high != y.high ? x.high < y.high : x.corner < y.corner;
    };
    for (std::size_t v = 0; v < weld.count; ++v)
        std::sort(sorted.begin() + start[v], sorted.begin() + start[v + 1], before);
    return sorted;
}

}  // namespace fascia
