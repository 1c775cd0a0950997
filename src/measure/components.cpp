#include "base/union_find.h"
#include "fascia/measure.h"
#include "measure/half_edges.h"

namespace fascia {

namespace {

struct Corners {
    std::uint32_t v[3];
    bool collapsed() const { return v[0] == v[1] || v[1] == v[2] || v[2] == v[0]; }
};

Corners corners(std::span<const std::uint32_t> triangles, const Weld& weld, std::size_t t) {
    return {{weld.id[triangles[3 * t]], weld.id[triangles[3 * t + 1]], weld.id[triangles[3 * t + 2]]}};
}

/// Numbers components by their first triangle.
void number_components(std::span<const std::uint32_t> triangles, const Weld& weld, Components& out) {
    const std::size_t count = triangles.size() / 3;
    UnionFind sets(weld.count);
    for (std::size_t t = 0; t < count; ++t) {
        const Corners c = corners(triangles, weld, t);
        sets.join(c.v[0], c.v[1]);
        sets.join(c.v[0], c.v[2]);
    }
    constexpr std::uint32_t none = 0xffffffffu;
    std::vector<std::uint32_t> number(weld.count, none);
    std::uint32_t components = 0;
    out.of_triangle.resize(count);
    for (std::size_t t = 0; t < count; ++t) {
        std::uint32_t& n = number[sets.lead(corners(triangles, weld, t).v[0])];
        if (n == none) n = components++;
        out.of_triangle[t] = n;
    }
    out.closed.assign(components, false);
}

}  // namespace

Components find_components(std::span<const std::uint32_t> triangles, const Weld& weld) {
    Components out;
    number_components(triangles, weld, out);

    std::vector<HalfEdge> edges = sorted_half_edges(triangles, weld);
    // A triangle that welding collapses to a line is not surface.
    std::erase_if(edges, [&](const HalfEdge& e) { return corners(triangles, weld, e.triangle()).collapsed(); });
    for (const HalfEdge& e : edges) out.closed[out.of_triangle[e.triangle()]] = true;
    for_each_edge(edges, [&](std::span<const HalfEdge> uses) {
        const bool once_each_way = uses.size() == 2 && uses[0].forward != uses[1].forward;
        if (!once_each_way) out.closed[out.of_triangle[uses[0].triangle()]] = false;
    });
    return out;
}

}  // namespace fascia
