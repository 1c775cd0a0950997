#include <algorithm>
#include <cmath>
#include <limits>

#include "base/box.h"
#include "fascia/measure.h"
#include "measure/half_edges.h"

namespace fascia {

namespace {

double distance(Vec3 a, Vec3 b) {
    return length(to_double(a) - to_double(b));
}

Vec3d area_normal(std::span<const Vec3> p, const std::uint32_t* t) {
    const Vec3d a = to_double(p[t[0]]);
    return cross(to_double(p[t[1]]) - a, to_double(p[t[2]]) - a);
}

/// A strain that can be sorted: NaN becomes infinity.
double strain(double length, double rest) {
    const double s = std::abs(length / rest - 1);
    return std::isfinite(s) ? s : std::numeric_limits<double>::infinity();
}

/// A closed part with almost no volume (a two-sided sheet, an eyelash) says nothing about a body: its ratio is noise.
bool is_body(double volume, std::span<const Vec3> positions) {
    constexpr double least = 1e-4;  // of the box around everything
    const Box around = box_of(positions);
    const Vec3d box = around.high - around.low;
    return std::abs(volume) > least * (box.x * box.y * box.z);
}

}  // namespace

SurfaceMeter::SurfaceMeter(std::span<const Vec3> rest, std::span<const std::uint32_t> triangles, double size)
    : rest_(rest.begin(), rest.end()),
      triangles_(triangles.begin(), triangles.end()),
      weld_(weld_by_position(rest)),
      components_(find_components(triangles, weld_)),
      rest_volume_(closed_volume(rest, triangles, components_)),
      size_(size) {
    if (rest_volume_ && !is_body(*rest_volume_, rest)) rest_volume_.reset();
    const std::vector<HalfEdge> half_edges = sorted_half_edges(triangles_, weld_);
    for_each_edge(half_edges, [&](std::span<const HalfEdge> uses) {
        const std::uint32_t a = triangles_[uses[0].corner], b = triangles_[next_corner(uses[0].corner)];
        edges_.push_back({a, b, static_cast<float>(distance(rest_[a], rest_[b]))});
    });
    // Edges that vanish or overflow in float cannot be compared with anything.
    std::erase_if(edges_, [](const Edge& e) { return !(e.rest_length > 0) || !std::isfinite(e.rest_length); });
}

std::optional<double> SurfaceMeter::volume_ratio(std::span<const Vec3> positions) const {
    if (!rest_volume_) return std::nullopt;
    return *closed_volume(positions, triangles_, components_) / *rest_volume_;
}

EdgeStrain SurfaceMeter::edge_strain(std::span<const Vec3> positions) const {
    EdgeStrain out;
    if (edges_.empty()) return out;
    std::vector<double> strains(edges_.size());
    double squares = 0;
    for (std::size_t i = 0; i < edges_.size(); ++i) {
        const Edge& e = edges_[i];
        strains[i] = strain(distance(positions[e.a], positions[e.b]), e.rest_length);
        squares += strains[i] * strains[i];
        out.max = std::max(out.max, strains[i]);
    }
    out.rms = std::sqrt(squares / static_cast<double>(strains.size()));
    // The smallest strain that at least 99 % of the edges do not exceed.
    const std::size_t rank = (strains.size() * 99 + 99) / 100 - 1;
    std::nth_element(strains.begin(), strains.begin() + static_cast<std::ptrdiff_t>(rank), strains.end());
    out.p99 = strains[rank];
    return out;
}

void SurfaceMeter::vertex_strain(std::span<const Vec3> positions, std::span<float> out) const {
    std::vector<double> sum(weld_.count, 0);
    std::vector<std::uint32_t> count(weld_.count, 0);
    for (const Edge& e : edges_) {
        const double s = strain(distance(positions[e.a], positions[e.b]), e.rest_length);
        for (const std::uint32_t v : {weld_.id[e.a], weld_.id[e.b]}) {
            sum[v] += s;
            ++count[v];
        }
    }
    for (std::size_t i = 0; i < out.size() && i < weld_.id.size(); ++i) {
        const std::uint32_t v = weld_.id[i];
        out[i] = count[v] > 0 ? static_cast<float>(sum[v] / count[v]) : 0.0f;
    }
}

std::size_t SurfaceMeter::flipped_triangles(std::span<const Vec3> positions, std::span<const Vec3> reference) const {
    std::size_t flipped = 0;
    for (std::size_t i = 0; i + 2 < triangles_.size(); i += 3)
        if (!(dot(area_normal(positions, &triangles_[i]), area_normal(reference, &triangles_[i])) >= 0)) ++flipped;
    return flipped;
}

}  // namespace fascia
