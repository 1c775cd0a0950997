#include "methods/shared/touching_shape.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "base/union_find.h"
#include "contact/box_tree.h"
#include "contact/contact_sums.h"
#include "embed/trilinear.h"
#include "lattice/winding.h"
#include "methods/shared/joint_places.h"

namespace fascia {

namespace {

constexpr double outside = 0.05;       ///< of h: how far outside a triangle to look
constexpr float deepest_doubt = 0.9f;  ///< cells deeper than this are inside, whatever the winding number says
constexpr float plain_view = 0.8f;     ///< cosine above which the nearest triangle alone tells inside from outside
constexpr float farthest_sample = 0.9f;

Vec3d in_scene(const TouchingLattice& lattice, Vec3 p) {
    return lattice.centre + from_axes(to_double(p), lattice.turn) * lattice.h;
}

/// Which piece of the surface each vertex belongs to.
UnionFind pieces_of(const TouchingLattice& lattice) {
    UnionFind out(lattice.positions.size());
    for (std::size_t t = 0; t + 2 < lattice.triangles.size(); t += 3)
        for (std::size_t k = 1; k < 3; ++k) out.join(lattice.triangles[t], lattice.triangles[t + k]);
    return out;
}

/// The main direction of a normal, 0..5.
int side_of(Vec3d n) {
    const double x = std::abs(n.x), y = std::abs(n.y), z = std::abs(n.z);
    return x >= y && x >= z ? (n.x < 0 ? 0 : 1) : y >= z ? (n.y < 0 ? 2 : 3) : (n.z < 0 ? 4 : 5);
}

/// Triangles that face the outside, not the inside of another shell. Triangles of one piece that face the same way from
/// one cell are alike.
std::vector<std::uint32_t> outer_triangles(const TouchingLattice& lattice, const lattice::WindingField& winding) {
    std::vector<std::uint32_t> out;
    UnionFind pieces = pieces_of(lattice);
    std::map<std::array<long, 5>, bool> known;
    for (std::size_t t = 0; t + 2 < lattice.triangles.size(); t += 3) {
        const Vec3d a = to_double(lattice.positions[lattice.triangles[t]]);
        const Vec3d b = to_double(lattice.positions[lattice.triangles[t + 1]]);
        const Vec3d c = to_double(lattice.positions[lattice.triangles[t + 2]]);
        const Vec3d normal = normalized(cross(b - a, c - a));
        if (normal == Vec3d{}) continue;
        const Vec3d before = (a + b + c) * (1.0 / 3) + normal * (outside * lattice.h);
        const Vec3d cell = (before - lattice.centre) * (1 / lattice.h);
        const auto [found, is_new] = known.try_emplace({std::lround(cell.x), std::lround(cell.y), std::lround(cell.z),
                                                        long(pieces.lead(lattice.triangles[t])), side_of(normal)},
                                                       false);
        if (is_new) found->second = winding.at(before) < 0.5;
        if (found->second) out.insert(out.end(), &lattice.triangles[t], &lattice.triangles[t] + 3);
    }
    return out;
}

contact::RestGrid grid_around(const TouchingLattice& lattice) {
    const contact::ConstChannels rest{lattice.stride, lattice.rest.data()};
    contact::FloatBox box;
    for (const std::uint32_t i : lattice.slots) box.add(rest.at(i));
    const auto cells = [](float low, float high) { return int(std::lround(high - low)) + 5; };
    return {box.low - Vec3{2, 2, 2}, cells(box.low.x, box.high.x), cells(box.low.y, box.high.y),
            cells(box.low.z, box.high.z)};
}

/// The points of the block of 27 around each point, in the points' axes.
std::vector<std::uint32_t> neighbours_in_axes(const TouchingLattice& lattice) {
    std::size_t place[27];
    for (int k = 0; k < 27; ++k) {
        const Vec3d d = to_axes({double(k % 3), double(k / 3 % 3), double(k / 9)}, lattice.turn);
        place[k] = std::size_t(9 * d.z + 3 * d.y + d.x);
    }
    std::vector<std::uint32_t> out(lattice.neighbours.size(), contact::TouchingBody::none);
    for (std::size_t i = 0; i < lattice.slots.size(); ++i) {
        for (std::size_t k = 0; k < 27; ++k)
            if (lattice.neighbours[27 * i + k] >= 0)
                out[27 * i + place[k]] = std::uint32_t(lattice.neighbours[27 * i + k]);
        out[27 * i + 13] = std::uint32_t(i);
    }
    return out;
}

/// Places of the block of 27 around each point, in the points' axes, that are connected to it or empty: they belong to
/// the point's own part of the body, or to none. solid: cells that hold a point
std::vector<std::uint32_t> own_places(const TouchingLattice& lattice, const contact::RestGrid& grid,
                                      std::span<const std::uint8_t> solid, std::span<const std::uint32_t> around) {
    std::vector<std::uint32_t> out(lattice.slots.size(), 1u << 13);
    const contact::ConstChannels rest{lattice.stride, lattice.rest.data()};
    for (std::size_t i = 0; i < out.size(); ++i) {
        const Vec3 p = rest.at(lattice.slots[i]) - grid.first;
        const int x = int(std::lround(p.x)), y = int(std::lround(p.y)), z = int(std::lround(p.z));
        for (unsigned k = 0; k < 27; ++k)
            if (solid[grid.index(x + int(k % 3) - 1, y + int(k / 3 % 3) - 1, z + int(k / 9) - 1)] == 0)
                out[i] |= 1u << k;
        for (std::size_t k = 0; k < 27; ++k)
            if (around[27 * i + k] != contact::TouchingBody::none) out[i] |= 1u << k;
    }
    return out;
}

std::uint16_t main_joint(const TouchingLattice& lattice, std::size_t slot) {
    std::size_t best = slot;
    for (std::size_t k = slot; k < 4 * lattice.stride; k += lattice.stride)
        if (lattice.weights[k] > lattice.weights[best]) best = k;
    return lattice.joints[best];
}

bool has_open_side(const Links& links, std::size_t point) {
    for (std::size_t d = 0; d < 6; ++d)
        if (links.first[6 * point + d] == links.first[6 * point + d + 1]) return true;
    return false;
}

}  // namespace

std::shared_ptr<const contact::TouchingBody> touching_body(const TouchingLattice& lattice) {
    const lattice::WindingField winding(lattice.positions, lattice.triangles);
    const std::vector<std::uint32_t> outer = outer_triangles(lattice, winding);
    std::vector<Vec3> local;
    for (const Vec3 v : lattice.positions)
        local.push_back(to_float(to_axes((to_double(v) - lattice.centre) * (1 / lattice.h), lattice.turn)));

    // Distances at the cells' centres.
    const contact::RestGrid grid = grid_around(lattice);
    const contact::ConstChannels rest{lattice.stride, lattice.rest.data()};
    const auto cell_of = [&](std::size_t point) {
        const Vec3 p = rest.at(lattice.slots[point]) - grid.first;
        return grid.index(int(std::lround(p.x)), int(std::lround(p.y)), int(std::lround(p.z)));
    };
    std::vector<std::uint8_t> solid(grid.size(), 0);
    for (std::size_t i = 0; i < lattice.slots.size(); ++i) solid[cell_of(i)] = 1;
    const std::vector<contact::SurfacePlace> nearest = contact::nearest_places(grid, local, outer, solid);
    std::vector<float> distance(grid.size());
    for (std::size_t k = 0; k < distance.size(); ++k) distance[k] = nearest[k].distance;
    const auto normal_of = [&](std::uint32_t triangle) {
        const std::uint32_t* t = &outer[3 * std::size_t(triangle)];
        return normalized(cross(local[t[1]] - local[t[0]], local[t[2]] - local[t[0]]));
    };
    const auto is_inside = [&](Vec3 p, const contact::SurfacePlace& place) {
        if (place.distance > 1e29f) return false;
        if (place.distance > deepest_doubt) return true;
        const float above = dot(p - place.at, normal_of(place.triangle));
        if (std::abs(above) > plain_view * place.distance) return above < 0;
        return winding.at(in_scene(lattice, p)) > 0.5;
    };
    std::vector<std::uint8_t> asked(grid.size(), 0);
    for (std::size_t i = 0; i < lattice.slots.size(); ++i) {
        const std::size_t k = cell_of(i);
        if (asked[k]++ != 0) continue;
        if (is_inside(rest.at(lattice.slots[i]), nearest[k])) distance[k] = -distance[k];
    }

    // One sample for each point at the surface.
    std::vector<std::uint32_t> homes;
    std::vector<Vec3> places, normals, in_space;
    std::vector<Vec3d> centers;
    std::vector<std::uint16_t> parts;
    for (std::uint32_t i = 0; i < lattice.slots.size(); ++i) {
        centers.push_back(in_scene(lattice, rest.at(lattice.slots[i])));
        parts.push_back(main_joint(lattice, lattice.slots[i]));
        const contact::SurfacePlace& place = nearest[cell_of(i)];
        if (place.distance > farthest_sample || !has_open_side(lattice.links, i)) continue;
        homes.push_back(i);
        places.push_back(place.at);
        normals.push_back(normal_of(place.triangle));
        in_space.push_back(to_float(in_scene(lattice, place.at)));
    }
    const embedding::Trilinear bound = embedding::bind_trilinear(
        {.links = lattice.links, .centers = centers, .h = lattice.h, .positions = in_space, .homes = homes});
    const std::vector<std::uint32_t> around = neighbours_in_axes(lattice);
    const std::vector<std::uint32_t> linked = own_places(lattice, grid, solid, around);
    return std::make_shared<contact::TouchingBody>(contact::TouchingInput{.stride = lattice.stride,
                                                                          .slots = lattice.slots,
                                                                          .rest = lattice.rest,
                                                                          .links = lattice.links,
                                                                          .linked = linked,
                                                                          .around = around,
                                                                          .joints = lattice.joints,
                                                                          .shares = lattice.weights,
                                                                          .part = parts,
                                                                          .homes = homes,
                                                                          .places = places,
                                                                          .normals = normals,
                                                                          .carriers = bound.points,
                                                                          .weights = bound.weights},
                                                   contact::RestDistance(grid, distance));
}

}  // namespace fascia
