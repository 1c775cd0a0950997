// Every edge of every triangle, grouped by the two welded vertices that it joins.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fascia/measure.h"

namespace fascia {

struct HalfEdge {
    std::uint32_t low = 0, high = 0;  ///< welded ends, low < high
    std::uint32_t corner = 0;         ///< it runs from triangles[corner] to the next corner of the same triangle
    bool forward = true;              ///< from low to high

    std::uint32_t triangle() const { return corner / 3; }
    bool same_edge(const HalfEdge& other) const { return low == other.low && high == other.high; }
};

/// The corner that follows in the same triangle.
inline std::size_t next_corner(std::size_t corner) {
    return corner % 3 == 2 ? corner - 2 : corner + 1;
}

/// All half edges whose ends differ after welding, sorted by edge, then by corner.
std::vector<HalfEdge> sorted_half_edges(std::span<const std::uint32_t> triangles, const Weld& weld);

/// Calls body(uses) with all half edges of one edge, for each edge.
template <class Body>
void for_each_edge(std::span<const HalfEdge> sorted, Body&& body) {
    for (std::size_t begin = 0; begin < sorted.size();) {
        std::size_t end = begin + 1;
        while (end < sorted.size() && sorted[end].same_edge(sorted[begin])) ++end;
        body(sorted.subspan(begin, end - begin));
        begin = end;
    }
}

}  // namespace fascia
