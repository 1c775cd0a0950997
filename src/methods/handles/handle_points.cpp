#include "methods/handles/handle_points.h"

#include <algorithm>

#include "base/box.h"
#include "base/union_find.h"
#include "fascia/measure.h"

namespace fascia {

namespace {

struct WeldedSurface {
    std::vector<Vec3> positions;
    std::vector<std::uint32_t> first_vertex;  ///< [points]
    std::vector<std::uint32_t> triangles;
};

WeldedSurface welded(const RestSurface& surface, const Weld& weld) {
    WeldedSurface out;
    out.positions.resize(weld.count);
    out.first_vertex.resize(weld.count);
    for (std::size_t v = surface.positions.size(); v-- > 0;) {
        out.positions[weld.id[v]] = surface.positions[v];
        out.first_vertex[weld.id[v]] = std::uint32_t(v);
    }
    for (const std::uint32_t v : surface.triangles) out.triangles.push_back(weld.id[v]);
    return out;
}

double mean_edge(const std::vector<Vec3>& positions, const sim::CotangentGraph& graph) {
    double sum = 0;
    for (std::size_t p = 0; p < graph.size(); ++p)
        for (std::uint32_t e = graph.first[p]; e < graph.first[p + 1]; ++e)
            sum += length(to_double(positions[p]) - to_double(positions[graph.to[e]]));
    return sum > 0 ? sum / double(graph.to.size()) : 1;
}

}  // namespace

HandlePoints::HandlePoints(const RestSurface& surface, const SkinWeights& of_handles) {
    const Weld weld = weld_by_position(surface.positions);
    WeldedSurface mesh = welded(surface, weld);
    const sim::CotangentGraph graph = sim::cotangent_graph(mesh.positions, mesh.triangles);
    centre = box_of(surface.positions).middle();
    unit = mean_edge(mesh.positions, graph);
    std::vector<Vec3> near;
    for (const Vec3 p : mesh.positions) near.push_back(to_float((to_double(p) - centre) * (1 / unit)));
    arap = sim::SurfaceArap(near, graph);
    std::vector<std::uint32_t> place(weld.count);
    influences = std::size_t(of_handles.influences);
    for (std::uint32_t k = 0; k < arap.order().size(); ++k) {
        place[arap.order()[k]] = k;
        rest.push_back(mesh.positions[arap.order()[k]]);
        const std::size_t from = influences * mesh.first_vertex[arap.order()[k]];
        for (std::size_t s = from; s < from + influences; ++s) {
            joints.push_back(of_handles.joints[s]);
            weights.push_back(of_handles.weights[s]);
        }
    }
    for (std::size_t v = 0; v < surface.positions.size(); ++v) places.push_back(place[weld.id[v]]);
    UnionFind sets(size());
    for (std::uint32_t p = 0; p < size(); ++p)
        for (std::uint32_t e = arap.graph().first[p]; e < arap.graph().first[p + 1]; ++e)
            sets.join(p, arap.graph().to[e]);
    for (std::uint32_t p = 0; p < size(); ++p) pieces.push_back(sets.lead(p));
}

std::vector<std::uint8_t> held_by(const HandlePoints& points, std::span<const std::uint8_t> enabled, double proximal,
                                  std::vector<std::size_t>& without_points) {
    std::vector<std::uint8_t> held(points.size(), 0);
    std::vector<std::uint8_t> holds(enabled.size(), 0);
    std::vector<float> most(enabled.size(), 0);
    std::vector<std::uint32_t> where(enabled.size(), 0);
    for (std::uint32_t p = 0; p < points.size(); ++p)
        for (std::size_t s = p * points.influences; s < (p + 1) * points.influences; ++s) {
            const std::size_t j = points.joints[s];
            if (!enabled[j]) continue;
            if (double(points.weights[s]) > proximal) held[p] = 1, holds[j] = 1;
            if (points.weights[s] > most[j]) most[j] = points.weights[s], where[j] = p;
        }
    const sim::CotangentGraph& graph = points.arap.graph();
    for (std::size_t j = 0; j < enabled.size(); ++j) {
        if (!enabled[j] || holds[j] || !(most[j] > 0)) continue;
        without_points.push_back(j);
        held[where[j]] = 1;
        for (std::uint32_t e = graph.first[where[j]]; e < graph.first[where[j] + 1]; ++e) held[graph.to[e]] = 1;
    }
    std::vector<std::uint8_t> piece_held(points.size(), 0);
    for (std::size_t p = 0; p < held.size(); ++p)
        if (held[p]) piece_held[points.pieces[p]] = 1;
    for (std::size_t p = 0; p < held.size(); ++p) held[p] |= !piece_held[points.pieces[p]];
    return held;
}

}  // namespace fascia
