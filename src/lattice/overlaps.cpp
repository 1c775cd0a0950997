#include "lattice/overlaps.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/box.h"

namespace fascia::lattice {

namespace {

/// Where a ray along +x meets the surface, and whether it comes out (+1 before the place) or goes in.
struct Crossing {
    std::uint32_t ray;
    float x;
    int inward;  ///< +1: inside from here on
    std::uint32_t triangle;
};

/// Slightly off the middles of the cells, because vertices and edges of modelled surfaces are often exactly there.
constexpr double beside_y = 0.5 + 1.37e-4, beside_z = 0.5 + 2.11e-4;

/// Twice the signed area of (a, b, p) in the plane (y, z).
double side(Vec3d a, Vec3d b, double y, double z) {
    return (b.y - a.y) * (z - a.z) - (b.z - a.z) * (y - a.y);
}

int first_beyond(double place, double origin, double h, double beside) {
    return int(std::ceil((place - origin) / h - beside));
}

std::vector<Crossing> crossings_of(std::span<const Vec3> positions, std::span<const std::uint32_t> triangles,
                                   const Grid& grid) {
    std::vector<Crossing> out;
    for (std::size_t t = 0; t + 2 < triangles.size(); t += 3) {
        const Vec3d a = to_double(positions[triangles[t]]), b = to_double(positions[triangles[t + 1]]),
                    c = to_double(positions[triangles[t + 2]]);
        const double area = side(a, b, c.y, c.z);  // seen along x
        if (!(std::abs(area) > 0)) continue;
        const auto [low_y, high_y] = std::minmax({a.y, b.y, c.y});
        const auto [low_z, high_z] = std::minmax({a.z, b.z, c.z});
        const int y_end = std::min(grid.ny, first_beyond(high_y, grid.origin.y, grid.h, beside_y));
        const int z_end = std::min(grid.nz, first_beyond(high_z, grid.origin.z, grid.h, beside_z));
        for (int j = std::max(0, first_beyond(low_y, grid.origin.y, grid.h, beside_y)); j < y_end; ++j)
            for (int k = std::max(0, first_beyond(low_z, grid.origin.z, grid.h, beside_z)); k < z_end; ++k) {
                const double y = grid.origin.y + (j + beside_y) * grid.h, z = grid.origin.z + (k + beside_z) * grid.h;
                const double u = side(b, c, y, z) / area, v = side(c, a, y, z) / area, w = 1 - u - v;
                if (u < 0 || v < 0 || w < 0) continue;
                out.push_back({std::uint32_t(k * grid.ny + j), float(u * a.x + v * b.x + w * c.x), area > 0 ? -1 : 1,
                               std::uint32_t(t / 3)});
            }
    }
    std::sort(out.begin(), out.end(),
              [](const Crossing& a, const Crossing& b) { return a.ray != b.ray ? a.ray < b.ray : a.x < b.x; });
    return out;
}

struct Counts {
    std::size_t right_way = 0, wrong_way = 0, more_than_once = 0;
};

/// The cells between one crossing and the next have one winding number.
void count_ray(std::span<const Crossing> ray, const Grid& grid, Counts& counts) {
    int winding = 0;
    for (const Crossing& c : ray) winding += c.inward;
    if (winding != 0) return;  // a hole, or a ray along an edge
    for (std::size_t k = 0; k + 1 < ray.size(); ++k) {
        winding += ray[k].inward;
        const int begin = std::max(0, first_beyond(ray[k].x, grid.origin.x, grid.h, 0.5));
        const int end = std::min(grid.nx, first_beyond(ray[k + 1].x, grid.origin.x, grid.h, 0.5));
        const auto cells = std::size_t(std::max(0, end - begin));
        if (std::abs(winding) > 1) counts.more_than_once += cells;
        if (winding == 1) counts.right_way += cells;
        if (winding == -1) counts.wrong_way += cells;
    }
}

/// Along one ray through one piece: marks both ends of every stretch longer than `shallowest` that is in the piece
/// twice.
void mark_overlaps(std::span<const Crossing> ray, double shallowest, std::vector<std::uint8_t>& marked) {
    int winding = 0;
    for (const Crossing& c : ray) winding += c.inward;
    if (winding != 0 || ray.size() < 4) return;  // a hole, or a ray along an edge; or too few walls to overlap
    const int first = ray[0].inward;             // -1: the piece is inside out
    for (std::size_t k = 0; k + 1 < ray.size(); ++k) {
        winding += ray[k].inward * first;
        if (winding < 2 || double(ray[k + 1].x) - double(ray[k].x) < shallowest) continue;
        marked[ray[k].triangle] = marked[ray[k + 1].triangle] = 1;
    }
}

/// The surface with its axes exchanged: rays along x are then rays along another axis.
std::vector<Vec3> turned(std::span<const Vec3> positions, int axis) {
    std::vector<Vec3> out(positions.begin(), positions.end());
    for (Vec3& p : out) p = axis == 0 ? p : axis == 1 ? Vec3{p.y, p.z, p.x} : Vec3{p.z, p.x, p.y};
    return out;
}

}  // namespace

std::vector<std::uint8_t> overlapped_triangles(std::span<const Vec3> positions,
                                               std::span<const std::uint32_t> triangles,
                                               std::span<const std::uint32_t> piece, const RayPlan& plan) {
    std::vector<std::uint8_t> marked(triangles.size() / 3, 0);
    for (int axis = 0; axis < 3; ++axis) {
        const std::vector<Vec3> seen = turned(positions, axis);
        const Box box = box_of(seen);
        const int longest = std::max(1, int(std::ceil(box.longest() / plan.spacing)));
        std::vector<Crossing> crossings = crossings_of(seen, triangles, make_grid(box.low, box.high, longest));
        const auto ray_of = [&](const Crossing& c) { return std::pair(c.ray, piece[c.triangle]); };
        std::stable_sort(crossings.begin(), crossings.end(),
                         [&](const Crossing& a, const Crossing& b) { return ray_of(a) < ray_of(b); });
        for (std::size_t first = 0, last = 0; first < crossings.size(); first = last) {
            while (last < crossings.size() && ray_of(crossings[last]) == ray_of(crossings[first])) ++last;
            mark_overlaps({&crossings[first], last - first}, plan.shallowest, marked);
        }
    }
    return marked;
}

std::size_t count_overlapped_cells(std::span<const Vec3> positions, std::span<const std::uint32_t> triangles,
                                   const Grid& grid) {
    const std::vector<Crossing> crossings = crossings_of(positions, triangles, grid);
    Counts counts;
    for (std::size_t first = 0; first < crossings.size();) {
        std::size_t last = first;
        while (last < crossings.size() && crossings[last].ray == crossings[first].ray) ++last;
        count_ray({&crossings[first], last - first}, grid, counts);
        first = last;
    }
    // A surface that is inside out everywhere does not overlap itself.
    return counts.more_than_once + std::min(counts.right_way, counts.wrong_way);
}

}  // namespace fascia::lattice
