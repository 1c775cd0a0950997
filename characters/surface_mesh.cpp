#include "surface_mesh.h"

#include <algorithm>

namespace fascia::characters {

SurfaceMesh::SurfaceMesh(std::vector<Vec3d> p, std::vector<int> corners)
    : points(std::move(p)), corner_(std::move(corners)), twin_(corner_.size(), -1), out_(points.size(), -1) {
    struct Edge {
        int low, high, h;
    };
    std::vector<Edge> edges;
    for (int h = 0; h < halfedge_count(); ++h) {
        edges.push_back({std::min(from(h), to(h)), std::max(from(h), to(h)), h});
        out_[index(from(h))] = h;
    }
    std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
        return a.low != b.low ? a.low < b.low : a.high != b.high ? a.high < b.high : a.h < b.h;
    });
    for (std::size_t i = 0; i + 1 < edges.size(); i += 2) pair(edges[i].h, edges[i + 1].h);
}

void SurfaceMesh::pair(int h, int g) {
    twin_[index(h)] = g;
    twin_[index(g)] = h;
}

int SurfaceMesh::valence(int v) const {
    int n = 0;
    around(v, [&](int) { ++n; });
    return n;
}

bool SurfaceMesh::adjacent(int a, int b) const {
    bool found = false;
    around(a, [&](int h) { found = found || to(h) == b; });
    return found;
}

int SurfaceMesh::split(int h, Vec3d where) {
    const int g = twin(h);
    const int b = to(h), c = apex(h), d = apex(g);
    const int m = vertex_count();
    points.push_back(where);
    // Triangles (a b c) and (b a d) become (a m c), (m b c), (b m d), (m a d); the first of each stays in place.
    const int bc = next(h), bc_twin = twin(bc);
    const int ad = next(g), ad_twin = twin(ad), a = from(h);
    const int t = halfedge_count();
    corner_.insert(corner_.end(), {m, b, c, m, a, d});
    twin_.resize(twin_.size() + 6, -1);
    out_.push_back(t);
    corner_[index(next(h))] = m;  // h: a -> m
    corner_[index(next(g))] = m;  // g: b -> m
    pair(t, g);                   // m -> b  with b -> m
    pair(t + 3, h);               // m -> a  with a -> m
    pair(t + 1, bc_twin);         // b -> c
    pair(t + 4, ad_twin);         // a -> d
    pair(t + 2, bc);              // c -> m  with m -> c
    pair(t + 5, ad);              // d -> m  with m -> d
    out_[index(b)] = g;
    out_[index(a)] = h;
    return m;
}

bool SurfaceMesh::can_collapse(int h) const {
    const int a = from(h), b = to(h), c = apex(h), d = apex(twin(h));
    if (c == d || valence(c) <= 3 || valence(d) <= 3) return false;
    // The two ends may share no neighbour but c and d.
    int shared = 0;
    around(a, [&](int x) {
        const int v = to(x);
        if (v != b && adjacent(b, v)) ++shared;
    });
    return shared == 2 && valence(a) + valence(b) > 7;
}

void SurfaceMesh::collapse(int h, Vec3d where) {
    const int a = from(h), b = to(h), g = twin(h), c = apex(h), d = apex(g);
    std::vector<int> leaving_a;
    around(a, [&](int x) { leaving_a.push_back(x); });
    for (const int x : leaving_a) corner_[index(x)] = b;
    const int h1 = twin(next(h)), h2 = twin(prev(h)), g1 = twin(next(g)), g2 = twin(prev(g));
    pair(h1, h2);  // c -> b and b -> c
    pair(g1, g2);
    // h2 ran from a to c, so it leaves b now; h1 leaves c. The same on the other side.
    out_[index(b)] = h2;
    out_[index(c)] = h1;
    out_[index(d)] = g1;
    out_[index(a)] = -1;
    for (const int t : {h / 3, g / 3}) {
        for (int k = 0; k < 3; ++k) {
            corner_[index(3 * t + k)] = -1;
            twin_[index(3 * t + k)] = -1;
        }
    }
    points[index(b)] = where;
}

bool SurfaceMesh::can_flip(int h) const {
    const int g = twin(h);
    return apex(h) != apex(g) && valence(from(h)) > 3 && valence(to(h)) > 3 && !adjacent(apex(h), apex(g));
}

void SurfaceMesh::flip(int h) {
    const int g = twin(h);
    const int a = from(h), b = to(h), c = apex(h), d = apex(g);
    const int bc = twin(next(h)), ca = twin(prev(h)), ad = twin(next(g)), db = twin(prev(g));
    // (a b c), (b a d) become (d c a) with h: d -> c, and (c d b) with g: c -> d.
    corner_[index(h)] = d;
    corner_[index(next(h))] = c;
    corner_[index(prev(h))] = a;
    corner_[index(g)] = c;
    corner_[index(next(g))] = d;
    corner_[index(prev(g))] = b;
    pair(next(h), ca);  // c -> a
    pair(prev(h), ad);  // a -> d
    pair(next(g), db);  // d -> b
    pair(prev(g), bc);  // b -> c
    out_[index(a)] = prev(h);
    out_[index(b)] = prev(g);
    out_[index(c)] = g;
    out_[index(d)] = h;
}

void SurfaceMesh::compact() {
    std::vector<int> renamed(points.size(), -1);
    std::vector<Vec3d> kept;
    for (int v = 0; v < vertex_count(); ++v) {
        if (!used(v)) continue;
        renamed[index(v)] = static_cast<int>(kept.size());
        kept.push_back(points[index(v)]);
    }
    std::vector<int> corners;
    for (int t = 0; t < halfedge_count(); t += 3) {
        if (!alive(t)) continue;
        for (int k = 0; k < 3; ++k) corners.push_back(renamed[index(corner_[index(t + k)])]);
    }
    *this = SurfaceMesh(std::move(kept), std::move(corners));
}

}  // namespace fascia::characters
