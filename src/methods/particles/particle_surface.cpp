#include "methods/particles/particle_surface.h"

#include <algorithm>
#include <cmath>

#include "body/simplify.h"
#include "fascia/measure.h"
#include "lattice/surface_fans.h"
#include "measure/closest_triangle.h"
#include "methods/particles/particles_body.h"
#include "sim/path_order.h"

namespace fascia {

namespace {

constexpr std::size_t fewest_vertices = 64;
constexpr int carrying_rings = 2;  ///< how far around its nearest vertex triangles may carry a vertex

/// The character's triangles by welded vertices; small stiff shells are left out. Where folds touch, vertices at the
/// same place stay separate.
struct Welded {
    std::vector<std::uint32_t> id;  ///< [vertices of the character] welded vertex; none: in no triangle
    std::vector<Vec3d> positions;
    std::vector<std::uint32_t> some_vertex;  ///< [welded] one of the vertices there
    std::vector<std::uint32_t> triangles;
};

bool rides(const Shells& shells, std::size_t vertex) {
    return !shells.of_vertex.empty() && shells.is_stiff(vertex) && !shells.all[shells.of_vertex[vertex]].holds_flesh;
}

/// Triangles that have an area; shells that ride are left out.
std::vector<std::uint32_t> flesh_triangles(const Mesh& mesh, const Shells& shells) {
    std::vector<std::uint32_t> out;
    for (std::size_t t = 0; t + 2 < mesh.triangles.size(); t += 3) {
        if (rides(shells, mesh.triangles[t])) continue;
        const std::uint32_t* c = &mesh.triangles[t];
        const Vec3d a = to_double(mesh.positions[c[0]]);
        const Vec3d n = cross(to_double(mesh.positions[c[1]]) - a, to_double(mesh.positions[c[2]]) - a);
        if (dot(n, n) > 0) out.insert(out.end(), c, c + 3);
    }
    return out;
}

Welded weld_surface(const Mesh& mesh, const Shells& shells) {
    Welded out;
    const std::vector<std::uint32_t> given = flesh_triangles(mesh, shells);
    const Weld weld = weld_by_position(mesh.positions);
    std::vector<std::uint32_t> corners;
    for (const std::uint32_t v : given) corners.push_back(weld.id[v]);
    lattice::SurfaceFans fans = lattice::find_fans(mesh.positions, given, corners);
    out.id.assign(mesh.vertex_count(), SimplerSurface::none);
    out.positions.resize(fans.size());
    out.some_vertex.assign(fans.size(), SimplerSurface::none);
    for (std::size_t k = 0; k < given.size(); ++k) {
        const std::uint32_t v = given[k], fan = fans.of_corner[k];
        out.id[v] = std::min(out.id[v], fan);
        out.some_vertex[fan] = std::min(out.some_vertex[fan], v);
        out.positions[fan] = to_double(mesh.positions[out.some_vertex[fan]]);
    }
    out.triangles = std::move(fans.of_corner);
    return out;
}

double area_of(std::span<const Vec3d> positions, std::span<const std::uint32_t> triangles) {
    double out = 0;
    for (std::size_t t = 0; t < triangles.size(); t += 3)
        out += length(cross(positions[triangles[t + 1]] - positions[triangles[t]],
                            positions[triangles[t + 2]] - positions[triangles[t]])) /
               2;
    return out;
}

/// As many vertices as there would be with edges one voxel long; if the resolution is automatic, as many as the budget
/// allows.
std::size_t most_vertices(const FleshSettings& settings, std::size_t layers, const Welded& welded, double size) {
    if (settings.resolution == automatic) return std::max(fewest_vertices, std::size_t(settings.point_budget) / layers);
    const double edge = size / settings.resolution;
    const double vertices = area_of(welded.positions, welded.triangles) / (edge * edge * 0.8660254037844386);
    return std::max(fewest_vertices, std::size_t(std::min(vertices, 1e9)));
}

/// Renumbers the vertices along paths.
void follow_paths(SimplerSurface& simpler) {
    const LinkLists edges = edges_of(simpler.triangles, simpler.vertices.size());
    const std::vector<std::uint32_t> order = sim::order_along_paths(edges.view());
    std::vector<std::uint32_t> number(order.size()), vertices;
    for (std::uint32_t k = 0; k < order.size(); ++k) {
        number[order[k]] = k;
        vertices.push_back(simpler.vertices[order[k]]);
    }
    simpler.vertices = std::move(vertices);
    for (std::uint32_t& v : simpler.triangles) v = number[v];
    for (std::uint32_t& v : simpler.into)
        if (v != SimplerSurface::none) v = number[v];
}

/// Binds vertices of the character to triangles around the vertex that they were merged into.
class Binder {
public:
    explicit Binder(const ParticleSurface& surface)
        : surface_(surface),
          edges_(edges_of(surface.triangles, surface.positions.size())),
          at_(surface.positions.size()),
          around_(surface.positions.size()) {
        for (std::uint32_t k = 0; k < surface.triangles.size(); ++k) at_[surface.triangles[k]].push_back(k / 3);
        for (std::size_t t = 0; t < surface.triangles.size() / 3; ++t) spheres_.push_back(sphere_of(corners(t)));
    }

    void bind_around(std::uint32_t home, Vec3d p, std::uint32_t* points, float* weights) {
        double least = 1e300, reach = length(surface_.positions[home] - p);
        for (const std::uint32_t t : triangles_around(home)) {
            const double beyond = (spheres_[t].radius + reach) * (1 + 1e-9);
            const Vec3d to_centre = spheres_[t].centre - p;
            if (dot(to_centre, to_centre) > beyond * beyond) continue;
            const auto [a, b, d] = corners(t);
            const std::array<double, 3> share = nearest_shares(p, a, b, d);
            const Vec3d off = a * share[0] + b * share[1] + d * share[2] - p;
            if (!(dot(off, off) < least)) continue;
            least = dot(off, off);
            reach = std::min(reach, std::sqrt(least));
            // On an edge, rounding may leave a share slightly below zero.
            for (std::size_t k = 0; k < 3; ++k)
                points[k] = surface_.triangles[3 * std::size_t(t) + k], weights[k] = float(std::max(share[k], 0.0));
        }
    }

private:
    struct Sphere {
        Vec3d centre;
        double radius = 0;
    };
    static Sphere sphere_of(const std::array<Vec3d, 3>& c) {
        Sphere out{(c[0] + c[1] + c[2]) * (1.0 / 3)};
        for (const Vec3d& corner : c) out.radius = std::max(out.radius, length(corner - out.centre));
        return out;
    }
    std::array<Vec3d, 3> corners(std::size_t t) const {
        const std::uint32_t* c = &surface_.triangles[3 * t];
        return {surface_.positions[c[0]], surface_.positions[c[1]], surface_.positions[c[2]]};
    }
    /// Each once; many vertices of the character share a home.
    const std::vector<std::uint32_t>& triangles_around(std::uint32_t home) {
        std::vector<std::uint32_t>& out = around_[home];
        if (!out.empty()) return out;
        for (const std::uint32_t v : sim::ring_of(edges_.view(), home, carrying_rings, seen_))
            for (const std::uint32_t t : at_[v])
                if (std::find(out.begin(), out.end(), t) == out.end()) out.push_back(t);
        return out;
    }

    const ParticleSurface& surface_;
    LinkLists edges_;
    std::vector<std::vector<std::uint32_t>> at_;      ///< [vertices] triangles
    std::vector<std::vector<std::uint32_t>> around_;  ///< [vertices] triangles of two rings, once they are asked for
    std::vector<Sphere> spheres_;                     ///< [triangles] around their corners
    std::vector<std::uint32_t> seen_;
};

std::uint32_t nearest_vertex(std::span<const Vec3d> positions, Vec3d p) {
    std::uint32_t out = 0;
    double least = 1e300;
    for (std::uint32_t v = 0; v < positions.size(); ++v)
        if (const double square = dot(positions[v] - p, positions[v] - p); square < least) least = square, out = v;
    return out;
}

void bind_surface(const Character& character, const Shells& shells, ParticleSurface& surface) {
    constexpr std::size_t slots = embedding::Trilinear::slots;
    const std::size_t n = character.mesh.vertex_count();
    surface.bound.points.assign(n * slots, 0);
    surface.bound.weights.assign(n * slots, 0);
    // Each shell that rides is carried by one particle, so that it keeps its shape.
    std::vector<std::uint32_t> carrier(shells.all.size(), SimplerSurface::none);
    for (std::size_t k = 0; k < carrier.size(); ++k)
        if (shells.all[k].stiff && !shells.all[k].holds_flesh)
            carrier[k] = nearest_vertex(surface.positions, shells.all[k].centre), ++surface.riding;
    Binder binder(surface);
    for (std::size_t v = 0; v < n; ++v) {
        std::uint32_t* points = &surface.bound.points[v * slots];
        float* weights = &surface.bound.weights[v * slots];
        const Vec3d p = to_double(character.mesh.positions[v]);
        std::uint32_t home = surface.into[v];
        const bool riding = rides(shells, v);
        if (riding) home = carrier[shells.of_vertex[v]];
        if (home == SimplerSurface::none) home = nearest_vertex(surface.positions, p);
        surface.into[v] = home;
        if (riding || surface.positions[home] == p)
            points[0] = home, weights[0] = 1;
        else
            binder.bind_around(home, p, points, weights);
        std::fill(points + 3, points + slots, points[0]);
        if (weights[0] == 1) points[1] = points[2] = points[0];
    }
}

}  // namespace

ParticleSurface find_particle_surface(const Character& character, const FleshSettings& settings, std::size_t layers,
                                      const Shells& given) {
    ParticleSurface out;
    Shells shells = given;
    Welded welded = weld_surface(character.mesh, shells);
    if (welded.triangles.empty()) {
        shells = {};
        welded = weld_surface(character.mesh, shells);
    }
    if (welded.triangles.empty()) return out;
    const std::size_t most = most_vertices(settings, layers, welded, character.size());
    SimplerSurface simpler = simplify(welded.positions, welded.triangles, most);
    follow_paths(simpler);
    for (const std::uint32_t v : simpler.vertices) {
        out.vertices.push_back(welded.some_vertex[v]);
        out.positions.push_back(welded.positions[v]);
    }
    out.triangles = std::move(simpler.triangles);
    for (const std::uint32_t id : welded.id) out.into.push_back(id == SimplerSurface::none ? id : simpler.into[id]);
    bind_surface(character, shells, out);
    return out;
}

}  // namespace fascia
