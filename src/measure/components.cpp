#include <numeric>

#include "fascia/measure.h"
#include "measure/index_table.h"

namespace fascia {

namespace {

class UnionFind {
public:
    explicit UnionFind(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0u); }
    std::uint32_t find(std::uint32_t i) {
        while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
        return i;
    }
    void join(std::uint32_t a, std::uint32_t b) {
        a = find(a);
        b = find(b);
        // The smaller index leads, so that the outcome does not depend on the order of the triangles.
        if (a < b) parent_[b] = a;
        if (b < a) parent_[a] = b;
    }

private:
    std::vector<std::uint32_t> parent_;
};

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
    std::vector<std::uint32_t> number(weld.count, IndexTable::none);
    std::uint32_t components = 0;
    out.of_triangle.resize(count);
    for (std::size_t t = 0; t < count; ++t) {
        std::uint32_t& n = number[sets.find(corners(triangles, weld, t).v[0])];
        if (n == IndexTable::none) n = components++;
        out.of_triangle[t] = n;
    }
    out.closed.assign(components, false);
}

}  // namespace

Components find_components(std::span<const std::uint32_t> triangles, const Weld& weld) {
    Components out;
    number_components(triangles, weld, out);

    struct Use {
        std::uint32_t forward = 0, backward = 0, component = 0;
    };
    std::vector<Use> uses;
    EdgeTable edges(triangles.size());
    for (std::size_t t = 0; t < out.of_triangle.size(); ++t) {
        const Corners c = corners(triangles, weld, t);
        if (c.collapsed()) continue;  // a triangle that welds to a line is no surface
        for (int k = 0; k < 3; ++k) {
            const std::uint32_t a = c.v[k], b = c.v[(k + 1) % 3];
            const std::uint32_t e = edges.find_or_add(a, b);
            if (e == uses.size()) uses.push_back({0, 0, out.of_triangle[t]});
            ++(a < b ? uses[e].forward : uses[e].backward);
        }
    }
    for (const Use& use : uses) out.closed[use.component] = true;
    for (const Use& use : uses)
        if (use.forward != 1 || use.backward != 1) out.closed[use.component] = false;
    return out;
}

}  // namespace fascia
