// A closed triangle surface that can be reworked in place: split, collapse and flip edges.
//
// Half-edge h = 3 t + k runs from corner k of triangle t to the next corner; twin(h) is the same edge in the neighbour.
#pragma once

#include <cstdint>
#include <vector>

#include "fascia/math.h"

namespace fascia::characters {

class SurfaceMesh {
public:
    /// The triangles must form a closed manifold.
    SurfaceMesh(std::vector<Vec3d> points, std::vector<int> corners);

    std::vector<Vec3d> points;

    int vertex_count() const { return static_cast<int>(points.size()); }
    int halfedge_count() const { return static_cast<int>(corner_.size()); }
    bool alive(int h) const { return corner_[index(h)] >= 0; }
    bool used(int v) const { return out_[index(v)] >= 0; }

    static int next(int h) { return h % 3 == 2 ? h - 2 : h + 1; }
    static int prev(int h) { return h % 3 == 0 ? h + 2 : h - 1; }
    int twin(int h) const { return twin_[index(h)]; }
    int from(int h) const { return corner_[index(h)]; }
    int to(int h) const { return corner_[index(next(h))]; }
    /// The corner across from the edge.
    int apex(int h) const { return corner_[index(prev(h))]; }
    /// Some half-edge that leaves v.
    int leaving(int v) const { return out_[index(v)]; }
    int valence(int v) const;
    bool adjacent(int a, int b) const;

    template <class Visit>
    void around(int v, Visit&& visit) const {  ///< visit(h) for each half-edge leaving v
        const int first = out_[index(v)];
        int h = first;
        do {
            visit(h);
            h = twin(prev(h));
        } while (h != first);
    }

    /// Puts a new vertex on the edge.
    int split(int h, Vec3d where);
    /// True when merging from(h) into to(h) keeps the surface a manifold.
    bool can_collapse(int h) const;
    void collapse(int h, Vec3d where);
    bool can_flip(int h) const;
    void flip(int h);

    /// Triangles without the removed ones, vertices renumbered in order.
    void compact();
    const std::vector<int>& corners() const { return corner_; }

private:
    static std::size_t index(int i) { return static_cast<std::size_t>(i); }
    void pair(int h, int g);

    std::vector<int> corner_, twin_, out_;
};

}  // namespace fascia::characters
