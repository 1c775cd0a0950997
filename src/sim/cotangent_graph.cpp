#include "sim/cotangent_graph.h"

#include <algorithm>
#include <cmath>

namespace fascia::sim {

namespace {

/// An obtuse pair of angles would make its edge repel; angles below a degree say more about rounding than about shape.
constexpr double least_weight = 1e-3, most_weight = 50;

struct HalfEdge {
    std::uint32_t from = 0, to = 0;
    double weight = 0;
};

/// Of the angle at `apex`, between the directions to the ends of the opposite edge.
double cotangent(Vec3d apex, Vec3d a, Vec3d b) {
    const Vec3d u = a - apex, v = b - apex;
    const double sine = length(cross(u, v)), cosine = dot(u, v);
    return sine > std::abs(cosine) / most_weight ? cosine / sine : cosine > 0 ? most_weight : -most_weight;
}

}  // namespace

CotangentGraph cotangent_graph(std::span<const Vec3> positions, std::span<const std::uint32_t> triangles) {
    std::vector<HalfEdge> edges;
    for (std::size_t t = 0; t + 2 < triangles.size(); t += 3) {
        const std::uint32_t corner[3] = {triangles[t], triangles[t + 1], triangles[t + 2]};
        if (corner[0] == corner[1] || corner[1] == corner[2] || corner[0] == corner[2]) continue;
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint32_t a = corner[(k + 1) % 3], b = corner[(k + 2) % 3];
            const double half =
                0.5 * cotangent(to_double(positions[corner[k]]), to_double(positions[a]), to_double(positions[b]));
            edges.push_back({a, b, half});
            edges.push_back({b, a, half});
        }
    }
    std::stable_sort(edges.begin(), edges.end(), [](const HalfEdge& a, const HalfEdge& b) {
        return a.from != b.from ? a.from < b.from : a.to < b.to;
    });
    CotangentGraph out;
    out.first.assign(positions.size() + 1, 0);
    for (std::size_t e = 0; e < edges.size();) {
        double sum = 0;
        std::size_t same = e;
        for (; same < edges.size() && edges[same].from == edges[e].from && edges[same].to == edges[e].to; ++same)
            sum += edges[same].weight;
        out.to.push_back(edges[e].to);
        out.weights.push_back(float(std::clamp(sum, least_weight, most_weight)));
        out.first[edges[e].from + 1] = std::uint32_t(out.to.size());
        e = same;
    }
    for (std::size_t p = 1; p < out.first.size(); ++p) out.first[p] = std::max(out.first[p], out.first[p - 1]);
    return out;
}

}  // namespace fascia::sim
