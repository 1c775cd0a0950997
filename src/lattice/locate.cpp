#include "lattice/locate.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <tuple>

#include "lattice/point_tree.h"

namespace fascia::lattice {

namespace {

/// The node whose cell is nearest to p; in a tie the first around p: nearer shells of cells first, then by z, y, x.
std::uint32_t nearest_node(const Grid& grid, const Tissue& tissue, const PointTree& centers, Vec3d p) {
    const Cell c = grid.cell_at(p);
    const auto rank = [&](std::uint32_t n) {
        const Cell at = tissue.cells[n];
        const int dx = at.x - c.x, dy = at.y - c.y, dz = at.z - c.z;
        return std::tuple(std::max({std::abs(dx), std::abs(dy), std::abs(dz)}), dz, dy, dx, n);
    };
    std::uint32_t best = 0;
    bool found = false;
    centers.within(p, centers.nearest(p, 1e300), [&](std::size_t n) {
        if (!found || rank(std::uint32_t(n)) < rank(best)) best = std::uint32_t(n);
        found = true;
    });
    return best;
}

PointTree centers_of(const Grid& grid, const Tissue& tissue) {
    std::vector<Vec3d> centers;
    centers.reserve(tissue.size());
    for (const Cell& cell : tissue.cells) centers.push_back(grid.center(cell));
    return PointTree(centers);
}

}  // namespace

std::vector<std::uint32_t> locate_vertices(const Grid& grid, const Tissue& tissue, std::span<const Vec3> positions,
                                           std::span<const std::uint32_t> triangles) {
    const NodeIndex index(grid, tissue.cells);
    std::optional<PointTree> centers;
    std::vector<std::uint32_t> homes(positions.size());
    for (std::uint32_t v = 0; v < positions.size(); ++v) {
        const Vec3d p = to_double(positions[v]);
        const auto [first, last] = index.at(grid.cell_at(p));
        if (first == last && !centers) centers = centers_of(grid, tissue);
        homes[v] = first == last ? nearest_node(grid, tissue, *centers, p) : first;
    }
    // Among several sheets, a vertex belongs to the last one that has a triangle of it.
    for (std::uint32_t first = 0, last = 0; first < tissue.size(); first = last) {
        for (last = first + 1; last < tissue.size() && tissue.cells[last] == tissue.cells[first];) ++last;
        for (std::uint32_t n = first; n < last && last - first > 1; ++n)
            for (const std::uint32_t t : tissue.triangles_of(n))
                for (int k = 0; k < 3; ++k) {
                    const std::uint32_t v = triangles[3 * std::size_t(t) + k];
                    if (grid.cell_at(to_double(positions[v])) == tissue.cells[n]) homes[v] = n;
                }
    }
    return homes;
}

}  // namespace fascia::lattice
