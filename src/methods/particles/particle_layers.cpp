#include "methods/particles/particle_layers.h"

#include <algorithm>
#include <cmath>

#include "contact/box_tree.h"

namespace fascia {

namespace {

constexpr int core_smoothing = 3;      ///< rounds over the ring, where copies fold
constexpr int depth_smoothing = 4;     ///< rounds over the ring
constexpr double room_share = 0.45;    ///< of the thickness towards the core
constexpr int most_halvings = 24;      ///< of a depth, after which nothing is left of it
constexpr double least_mass = 1e-4;    ///< of the mean
constexpr double gentle_slope = 1.5;   ///< how much deeper than its neighbour a vertex may be
constexpr double least_facing = 0.05;  ///< cosine between a triangle of the skin and its copies

template <class Value>
Value mean_of_ring(const Links& edges, std::size_t vertex, std::span<const Value> values) {
    Value sum = values[vertex];
    double count = 1;
    for (const std::uint32_t w : edges.of(vertex)) sum = sum + values[w], ++count;
    return sum * (1 / count);
}

template <class Value>
void smooth_over_rings(const Links& edges, int rounds, std::vector<Value>& values) {
    std::vector<Value> next(values.size());
    for (int round = 0; round < rounds; ++round) {
        for (std::size_t v = 0; v < values.size(); ++v)
            next[v] = mean_of_ring(edges, v, std::span<const Value>(values));
        values.swap(next);
    }
}

/// Distance along the unit vector to where it leaves the body through this triangle; 1e300 if it does not.
double way_out(Vec3d from, Vec3d along, Vec3d a, Vec3d b, Vec3d c) {
    const Vec3d e = b - a, f = c - a, n = cross(e, f);
    const double facing = dot(along, n);
    if (!(facing > 0)) return 1e300;
    const double t = dot(a - from, n) / facing;
    if (!(t > 0)) return 1e300;
    const Vec3d q = from + along * t - a;
    const double square = dot(n, n), v = dot(cross(q, f), n) / square, w = dot(cross(e, q), n) / square;
    return v >= 0 && w >= 0 && v + w <= 1 ? t : 1e300;
}

/// How thick the body is from each vertex towards its core; 1e300 if the core comes first.
std::vector<double> find_rooms(const FleshSurface& s) {
    using contact::FloatBox;
    const auto corner = [&](std::size_t t, std::size_t k) { return s.positions[s.triangles[3 * t + k]]; };
    std::vector<Vec3d> centers;
    std::vector<FloatBox> boxes;
    for (std::size_t t = 0; t < s.triangles.size() / 3; ++t) {
        centers.push_back((corner(t, 0) + corner(t, 1) + corner(t, 2)) * (1.0 / 3));
        FloatBox box;
        for (std::size_t k = 0; k < 3; ++k) box.add(to_float(corner(t, k)));
        boxes.push_back(box);
    }
    const contact::BoxTree tree(centers);
    std::vector<FloatBox> fitted(tree.branch_count());
    tree.refit(boxes, fitted);
    std::vector<double> out;
    for (std::uint32_t v = 0; v < s.positions.size(); ++v) {
        const Vec3d from = s.positions[v], way = s.cores[v] - from;
        const double far = length(way);
        double room = 1e300;
        FloatBox box;
        box.add(to_float(from));
        box.add(to_float(s.cores[v]));
        const auto leave = [&](std::uint32_t t) {
            const std::uint32_t* c = &s.triangles[3 * std::size_t(t)];
            if (c[0] == v || c[1] == v || c[2] == v) return;
            room = std::min(room, way_out(from, way * (1 / far), corner(t, 0), corner(t, 1), corner(t, 2)));
        };
        if (far > 0) tree.find(box, boxes, fitted, leave);
        out.push_back(room < far ? room : 1e300);
    }
    return out;
}

Vec3d normal_of(std::span<const Vec3d> p, const std::uint32_t* c) {
    return cross(p[c[1]] - p[c[0]], p[c[2]] - p[c[0]]);
}

/// Does a copy of the triangle face away from the skin's?
bool is_folded(Vec3d skin, Vec3d copy, double facing) {
    return dot(skin, copy) < facing * length(skin) * length(copy);
}

/// Places on all layers, and for each vertex whether a triangle at it is folded on some layer.
struct Copies {
    std::vector<Vec3d> places;
    std::vector<std::uint8_t> folded;
    bool any = false;
};
Copies copy_layers(const FleshSurface& s, std::span<const Vec3d> cores, std::span<const double> depths) {
    const std::size_t n = s.positions.size();
    Copies out;
    out.places.resize(s.layers * n);
    for (std::size_t layer = 0; layer < s.layers; ++layer)
        for (std::size_t v = 0; v < n; ++v) {
            const Vec3d way = cores[v] - s.positions[v];
            const double far = length(way), depth = depths[v] * s.shares[layer * n + v];
            out.places[layer * n + v] = far > 0 ? s.positions[v] + way * (depth / far) : s.positions[v];
        }
    out.folded.assign(n, 0);
    const std::span<const Vec3d> all = out.places, skin = all.subspan((s.layers - 1) * n, n);
    for (std::size_t t = 0; t < s.triangles.size(); t += 3) {
        const std::uint32_t* c = &s.triangles[t];
        const Vec3d normal = normal_of(skin, c);
        for (std::size_t layer = 0; layer + 1 < s.layers; ++layer)
            if (is_folded(normal, normal_of(all.subspan(layer * n, n), c), least_facing))
                out.folded[c[0]] = out.folded[c[1]] = out.folded[c[2]] = 1, out.any = true;
    }
    return out;
}

/// Keeps the neighbours of vertices that were made shallower from being much deeper: they would fold next.
void make_gentle(const Links& edges, std::vector<double>& depths, double least) {
    for (std::size_t v = 0; v < depths.size(); ++v)
        for (const std::uint32_t w : edges.of(v)) depths[v] = std::min(depths[v], gentle_slope * depths[w] + least);
}

}  // namespace

/// [Deul 2013, fig. 1]
ProjectedLayers project_layers(const FleshSurface& s, bool limited) {
    const std::size_t n = s.positions.size();
    ProjectedLayers out;
    std::vector<Vec3d> cores(s.cores.begin(), s.cores.end());
    out.rooms = limited ? find_rooms(s) : std::vector<double>(n, 1e300);
    std::vector<double> depths(s.deepest.begin(), s.deepest.end());
    for (std::size_t v = 0; v < n; ++v) depths[v] = std::min(depths[v], room_share * out.rooms[v]);
    if (limited) smooth_over_rings(s.edges, depth_smoothing, depths);
    for (std::size_t v = 0; v < n; ++v) depths[v] = std::min(depths[v], length(cores[v] - s.positions[v]));
    const std::vector<double> asked = depths;
    double mean = 0;
    for (const double depth : depths) mean += depth / double(n);
    // Neighbours that hang on different bones fold: first their cores are brought together, then their depths are
    // reduced.
    Copies copies = copy_layers(s, cores, depths);
    for (int round = 0; round < core_smoothing && copies.any; ++round) {
        std::vector<Vec3d> next = cores;
        for (std::size_t v = 0; v < n; ++v)
            if (copies.folded[v]) next[v] = mean_of_ring(s.edges, v, std::span<const Vec3d>(cores));
        cores.swap(next);
        copies = copy_layers(s, cores, depths);
    }
    for (int round = 0; round < most_halvings && copies.any; ++round) {
        const bool last = round + 1 == most_halvings;
        for (std::size_t v = 0; v < n; ++v)
            if (copies.folded[v]) depths[v] *= last ? 0 : 0.5;
        if (!last) make_gentle(s.edges, depths, 0.05 * mean);
        copies = copy_layers(s, cores, depths);
    }
    for (std::size_t v = 0; v < n; ++v) out.thinned += depths[v] < 0.5 * asked[v];
    out.places = std::move(copies.places);
    out.depths = std::move(depths);
    return out;
}

std::size_t folded_triangles(std::span<const Vec3d> places, std::span<const std::uint32_t> triangles,
                             std::size_t vertices, std::size_t layers) {
    std::size_t out = 0;
    for (std::size_t t = 0; t < triangles.size(); t += 3) {
        const Vec3d skin = normal_of(places.subspan((layers - 1) * vertices, vertices), &triangles[t]);
        for (std::size_t layer = 0; layer + 1 < layers; ++layer)
            out += is_folded(skin, normal_of(places.subspan(layer * vertices, vertices), &triangles[t]), 0);
    }
    return out;
}

std::vector<double> voronoi_areas(std::span<const Vec3d> positions, std::span<const std::uint32_t> triangles) {
    std::vector<double> out(positions.size(), 0);
    for (std::size_t t = 0; t < triangles.size(); t += 3) {
        const Vec3d p[3] = {positions[triangles[t]], positions[triangles[t + 1]], positions[triangles[t + 2]]};
        const double twice = length(cross(p[1] - p[0], p[2] - p[0]));
        if (!(twice > 0)) continue;
        double cosines[3];  // times the lengths of the two sides
        int obtuse = -1;
        for (int k = 0; k < 3; ++k) {
            cosines[k] = dot(p[(k + 1) % 3] - p[k], p[(k + 2) % 3] - p[k]);
            if (cosines[k] < 0) obtuse = k;
        }
        for (int k = 0; k < 3; ++k) {
            const int l = (k + 1) % 3, m = (k + 2) % 3;
            const Vec3d e = p[l] - p[k], f = p[m] - p[k];
            // 1/8 (|e|^2 cot(angle opposite to e) + |f|^2 cot(angle opposite to f))
            const double voronoi = (dot(e, e) * cosines[m] + dot(f, f) * cosines[l]) / (8 * twice);
            out[triangles[t + std::size_t(k)]] += obtuse < 0 ? voronoi : twice / (k == obtuse ? 4 : 8);
        }
    }
    return out;
}

namespace {

/// Half the distances to the siblings on the layers beside it.
double height_of(std::span<const Vec3d> places, std::size_t vertices, std::size_t layers, std::size_t layer,
                 std::size_t v) {
    const Vec3d here = places[layer * vertices + v];
    double out = 0;
    if (layer > 0) out += length(here - places[(layer - 1) * vertices + v]) / 2;
    if (layer + 1 < layers) out += length(here - places[(layer + 1) * vertices + v]) / 2;
    return out;
}

}  // namespace

std::vector<double> particle_masses(std::span<const Vec3d> places, std::span<const std::uint32_t> triangles,
                                    std::size_t vertices, std::size_t layers) {
    std::vector<double> out;
    double sum = 0;
    for (std::size_t layer = 0; layer < layers; ++layer) {
        const std::vector<double> areas = voronoi_areas(places.subspan(layer * vertices, vertices), triangles);
        for (std::size_t v = 0; v < vertices; ++v) {
            out.push_back(areas[v] * height_of(places, vertices, layers, layer, v));
            sum += out.back();
        }
    }
    const double mean = sum / double(std::max<std::size_t>(out.size(), 1)), least = least_mass * mean;
    for (double& mass : out) mass = mean > 0 ? std::max(mass, least) : 1.0;
    return out;
}

std::vector<sim::ParticleShape::Ellipsoid> particle_ellipsoids(std::span<const Vec3d> places,
                                                               std::span<const std::uint32_t> triangles,
                                                               const Links& edges, std::size_t layers) {
    const std::size_t n = edges.node_count();
    std::vector<sim::ParticleShape::Ellipsoid> out(layers * n);
    for (std::size_t layer = 0; layer < layers; ++layer) {
        const std::span<const Vec3d> here = places.subspan(layer * n, n);
        std::vector<Vec3d> normals(n);
        for (std::size_t t = 0; t < triangles.size(); t += 3)
            for (std::size_t k = t; k < t + 3; ++k) normals[triangles[k]] += normal_of(here, &triangles[t]);
        for (std::size_t v = 0; v < n; ++v) {
            double sum = 0;
            for (const std::uint32_t w : edges.of(v)) sum += length(here[w] - here[v]);
            const double across = std::max(sum / (2 * std::max(double(edges.of(v).size()), 1.0)), 1e-12);
            const double along = height_of(places, n, layers, layer, v) / 2;
            out[layer * n + v] = {normalized(normals[v], {0, 0, 1}), across, std::clamp(along, across / 2, 2 * across)};
        }
    }
    return out;
}

}  // namespace fascia
