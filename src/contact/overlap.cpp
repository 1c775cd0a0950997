#include <algorithm>
#include <cmath>

#include "base/box.h"
#include "base/union_find.h"
#include "fascia/penetration.h"

namespace fascia {

/// A triangle of the closed body. Corners numbered beyond the vertices are the middles of holes.
struct BodyTriangle {
    std::uint32_t v[3];
};

namespace {

constexpr double most_hole = 0.5;     ///< of a component's area: a component that is more open holds no flesh
constexpr double off_surface = 1e-5;  ///< of the size: how far outside its own skin a vertex is tested

struct Edge {
    std::uint32_t low, high;
    int way;
    std::uint32_t from, to;  ///< unwelded
};

/// Edges used more often in one direction than in the other.
std::vector<Edge> open_edges(std::span<const std::uint32_t> triangles, const Weld& weld) {
    std::vector<Edge> all, out;
    for (std::size_t t = 0; t + 2 < triangles.size(); t += 3)
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint32_t from = triangles[t + k], to = triangles[t + (k + 1) % 3];
            const std::uint32_t a = weld.id[from], b = weld.id[to];
            if (a != b) all.push_back({std::min(a, b), std::max(a, b), a < b ? 1 : -1, from, to});
        }
    std::stable_sort(all.begin(), all.end(),
                     [](const Edge& a, const Edge& b) { return a.low < b.low || (a.low == b.low && a.high < b.high); });
    for (std::size_t i = 0, end = 0; i < all.size(); i = end) {
        int sum = 0;
        for (end = i; end < all.size() && all[end].low == all[i].low && all[end].high == all[i].high; ++end)
            sum += all[end].way;
        const int way = sum > 0 ? 1 : -1;
        for (std::size_t k = i; k < end && sum != 0; ++k)
            if (all[k].way == way) out.push_back(all[k]), sum -= way;
    }
    return out;
}

double twice_area(std::span<const Vec3d> places, const BodyTriangle& t) {
    return length(cross(places[t.v[1]] - places[t.v[0]], places[t.v[2]] - places[t.v[0]]));
}

/// One cell of the columns' floor and what is above it.
struct Columns {
    Vec3d low;
    double cell = 1;
    std::size_t across = 1, along = 1;
    std::vector<std::uint32_t> first, triangles;  ///< [cells + 1]

    std::size_t index(double from, double p, std::size_t count) const {
        const double at = (p - from) / cell;
        return at > 0 ? std::size_t(std::min(at, double(count - 1))) : 0;  // also if it is NaN
    }
    std::size_t cell_of(double x, double y) const { return index(low.y, y, along) * across + index(low.x, x, across); }
    std::span<const std::uint32_t> at(std::size_t which) const {
        return std::span(triangles).subspan(first[which], first[which + 1] - first[which]);
    }
};

Columns columns_over(std::span<const Vec3d> places, std::span<const BodyTriangle> triangles, int count) {
    Columns out;
    Box box;
    for (const BodyTriangle& t : triangles)
        for (const std::uint32_t v : t.v) box.add(places[v]);
    const double wide = box.high.x - box.low.x, high = box.high.y - box.low.y;
    out.first.assign(2, 0);
    const bool some = wide >= 0 && wide < 1e300 && high >= 0 && high < 1e300;
    if (!some) return out;  // one cell with nothing above it
    out.low = box.low;
    out.cell = std::max({wide / count, high / count, 1e-300});
    out.across = std::size_t(std::ceil(wide / out.cell)) + 1;
    out.along = std::size_t(std::ceil(high / out.cell)) + 1;
    const auto each_cell = [&](const BodyTriangle& t, auto&& visit) {
        Box own;
        for (const std::uint32_t v : t.v) own.add(places[v]);
        const std::size_t last_x = out.index(box.low.x, own.high.x, out.across),
                          last_y = out.index(box.low.y, own.high.y, out.along);
        for (std::size_t y = out.index(box.low.y, own.low.y, out.along); y <= last_y; ++y)
            for (std::size_t x = out.index(box.low.x, own.low.x, out.across); x <= last_x; ++x)
                visit(y * out.across + x);
    };
    out.first.assign(out.across * out.along + 1, 0);
    for (const BodyTriangle& t : triangles) each_cell(t, [&](std::size_t c) { ++out.first[c + 1]; });
    for (std::size_t c = 1; c < out.first.size(); ++c) out.first[c] += out.first[c - 1];
    out.triangles.resize(out.first.back());
    std::vector<std::uint32_t> next = out.first;
    for (std::uint32_t t = 0; t < triangles.size(); ++t)
        each_cell(triangles[t], [&](std::size_t c) { out.triangles[next[c]++] = t; });
    return out;
}

/// Where a line along z meets a triangle; way: 1 if going up it enters the flesh, -1 if it leaves it, 0 if it misses.
struct Hit {
    double z = 0;
    int way = 0;
    std::uint32_t triangle = 0;
};
/// Neighbours treat their common edge consistently, so that no line slips between them.
Hit hit(std::span<const Vec3d> places, const BodyTriangle& t, double x, double y) {
    int inside = 0;
    for (int k = 0; k < 3; ++k) {
        Vec3d a = places[t.v[k]], b = places[t.v[(k + 1) % 3]];
        if ((a.y > y) == (b.y > y)) continue;
        if (a.y > b.y) std::swap(a, b);
        inside += a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x) > x;
    }
    Hit out;
    if (inside != 1) return out;
    const Vec3d a = places[t.v[0]], n = cross(places[t.v[1]] - a, places[t.v[2]] - a);
    if (n.z == 0) return out;
    out.way = n.z < 0 ? 1 : -1;
    out.z = a.z - (n.x * (x - a.x) + n.y * (y - a.y)) / n.z;
    return out;
}

}  // namespace

struct OverlapMeter::Flesh {
    std::vector<std::uint32_t> own;  ///< triangles of the whole surface, for normals
    std::vector<bool> turned;        ///< [own triangles] the component is inside out
    Weld weld;
    std::vector<BodyTriangle> triangles;            ///< closed, all components outwards
    std::vector<std::vector<std::uint32_t>> holes;  ///< vertices of which each middle is the mean
    std::vector<bool> covered;                      ///< [triangles] at rest
    std::vector<bool> inside;                       ///< [welded vertices] at rest
    double volume = 0;
    int columns = 256;

    void close(std::span<const Vec3> rest);
    std::vector<Vec3d> places(std::span<const Vec3> positions) const;
    /// Calls visit(length, triangle below, triangle above) for each stretch of a column that is covered twice.
    template <class Visit>
    void each_stretch(std::span<const Vec3d> places, const Columns& columns, Visit&& visit) const;
    /// [welded vertices]
    std::vector<bool> vertices_inside(std::span<const Vec3d> places, const Columns& columns) const;
};

/// Adds a fan to each border, turns components that are inside out, drops those that are mostly hole.
void OverlapMeter::Flesh::close(std::span<const Vec3> rest) {
    const Components components = find_components(own, weld);
    const std::size_t parts = components.closed.size();
    std::vector<std::uint32_t> part_of_vertex(rest.size(), 0), part;
    for (std::size_t c = 0; c < own.size(); ++c) part_of_vertex[own[c]] = components.of_triangle[c / 3];
    for (std::size_t t = 0; t < own.size() / 3; ++t) {
        triangles.push_back({{own[3 * t], own[3 * t + 1], own[3 * t + 2]}});
        part.push_back(components.of_triangle[t]);
    }
    const std::size_t without_fans = triangles.size();
    const std::vector<Edge> border = open_edges(own, weld);
    UnionFind sets(weld.count);
    for (const Edge& e : border) sets.join(e.low, e.high);
    std::vector<std::uint32_t> hole_of(weld.count, 0xffffffffu);
    for (const Edge& e : border) {
        std::uint32_t& hole = hole_of[sets.lead(e.low)];
        if (hole == 0xffffffffu) {
            hole = std::uint32_t(holes.size());
            holes.emplace_back();
        }
        holes[hole].push_back(e.from);
        triangles.push_back({{e.to, e.from, std::uint32_t(rest.size()) + hole}});
        part.push_back(part_of_vertex[e.from]);
    }
    const std::vector<Vec3d> at = places(rest);
    Vec3d centre;
    for (const Vec3d& p : at) centre += p * (1 / double(at.size()));
    std::vector<double> volumes(parts, 0), areas(parts, 0), open(parts, 0);
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        const auto& v = triangles[t].v;
        volumes[part[t]] += dot(at[v[0]] - centre, cross(at[v[1]] - centre, at[v[2]] - centre)) / 6;
        (t < without_fans ? areas : open)[part[t]] += twice_area(at, triangles[t]);
    }
    for (std::size_t t = 0; t < without_fans; ++t) turned.push_back(volumes[part[t]] < 0);
    std::vector<BodyTriangle> kept;
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        if (open[part[t]] > most_hole * areas[part[t]]) continue;
        BodyTriangle own_triangle = triangles[t];
        if (volumes[part[t]] < 0) std::swap(own_triangle.v[0], own_triangle.v[1]);
        kept.push_back(own_triangle);
    }
    triangles = std::move(kept);
    for (std::size_t p = 0; p < parts; ++p)
        if (open[p] <= most_hole * areas[p]) volume += std::abs(volumes[p]);
}

std::vector<Vec3d> OverlapMeter::Flesh::places(std::span<const Vec3> positions) const {
    std::vector<Vec3d> out;
    out.reserve(positions.size() + holes.size());
    for (const Vec3 p : positions) out.push_back(to_double(p));
    for (const std::vector<std::uint32_t>& hole : holes) {
        Vec3d sum;
        for (const std::uint32_t v : hole) sum += to_double(positions[v]);
        out.push_back(sum * (1 / double(hole.size())));
    }
    return out;
}

template <class Visit>
void OverlapMeter::Flesh::each_stretch(std::span<const Vec3d> places, const Columns& columns, Visit&& visit) const {
    // Not through the middle of the cell, where symmetric bodies have their edges.
    constexpr double in_cell_x = 0.4142135, in_cell_y = 0.7320508;
    std::vector<Hit> hits;
    for (std::size_t row = 0; row < columns.along; ++row)
        for (std::size_t k = 0; k < columns.across; ++k) {
            const double x = columns.low.x + (double(k) + in_cell_x) * columns.cell,
                         y = columns.low.y + (double(row) + in_cell_y) * columns.cell;
            hits.clear();
            for (const std::uint32_t t : columns.at(row * columns.across + k)) {
                Hit found = hit(places, triangles[t], x, y);
                found.triangle = t;
                if (found.way != 0) hits.push_back(found);
            }
            std::sort(hits.begin(), hits.end(),
                      [](const Hit& a, const Hit& b) { return a.z < b.z || (a.z == b.z && a.triangle < b.triangle); });
            int deep = 0;
            Hit begin;
            for (const Hit& each : hits) {
                deep += each.way;
                if (deep == 2 && each.way > 0) begin = each;
                if (deep == 1 && each.way < 0) visit(each.z - begin.z, begin.triangle, each.triangle);
            }
        }
}

std::vector<bool> OverlapMeter::Flesh::vertices_inside(std::span<const Vec3d> places, const Columns& columns) const {
    std::vector<Vec3d> normals(weld.count);
    for (std::size_t t = 0; t + 2 < own.size(); t += 3) {
        const Vec3d a = places[own[t]], n = cross(places[own[t + 1]] - a, places[own[t + 2]] - a);
        for (std::size_t k = t; k < t + 3; ++k) normals[weld.id[own[k]]] += turned[t / 3] ? n * -1.0 : n;
    }
    const double off = off_surface * columns.cell * double(std::max(columns.across, columns.along));
    std::vector<bool> out(weld.count, false), seen(weld.count, false);
    for (std::size_t v = 0; v < weld.id.size(); ++v) {
        if (seen[weld.id[v]]) continue;
        seen[weld.id[v]] = true;
        const Vec3d p = places[v] + normalized(normals[weld.id[v]]) * off;
        int deep = 0;
        for (const std::uint32_t t : columns.at(columns.cell_of(p.x, p.y)))
            if (const Hit above = hit(places, triangles[t], p.x, p.y); above.way != 0 && above.z > p.z)
                deep -= above.way;
        out[weld.id[v]] = deep > 0;
    }
    return out;
}

OverlapMeter::OverlapMeter(std::span<const Vec3> rest, std::span<const std::uint32_t> triangles, int columns) {
    auto flesh = std::make_shared<Flesh>();
    flesh->own.assign(triangles.begin(), triangles.end());
    flesh->weld = weld_by_position(rest);
    flesh->columns = columns;
    flesh->close(rest);
    const std::vector<Vec3d> places = flesh->places(rest);
    const Columns over = columns_over(places, flesh->triangles, columns);
    flesh->inside = flesh->vertices_inside(places, over);
    flesh->covered.assign(flesh->triangles.size(), false);
    for (std::size_t t = 0; t < flesh->triangles.size(); ++t)
        for (const std::uint32_t v : flesh->triangles[t].v)
            if (v < rest.size() && flesh->inside[flesh->weld.id[v]]) flesh->covered[t] = true;
    flesh->each_stretch(places, over, [&](double, std::uint32_t below, std::uint32_t above) {
        flesh->covered[below] = flesh->covered[above] = true;
    });
    flesh_ = std::move(flesh);
}

Overlap OverlapMeter::measure(std::span<const Vec3> positions) const {
    Overlap out;
    if (flesh_->triangles.empty() || !(flesh_->volume > 0)) return out;
    const std::vector<Vec3d> places = flesh_->places(positions);
    const Columns over = columns_over(places, flesh_->triangles, flesh_->columns);
    double height = 0;
    flesh_->each_stretch(places, over, [&](double stretch, std::uint32_t below, std::uint32_t above) {
        if (!flesh_->covered[below] || !flesh_->covered[above]) height += stretch;
    });
    out.twice_volume = height * over.cell * over.cell / flesh_->volume;
    const std::vector<bool> inside = flesh_->vertices_inside(places, over);
    for (std::size_t v = 0; v < inside.size(); ++v) out.vertices_inside += inside[v] && !flesh_->inside[v];
    return out;
}

}  // namespace fascia
