#include "lattice/locate.h"

#include <algorithm>

namespace fascia::lattice {

namespace {

constexpr std::uint32_t none = 0xffffffffu;

bool holds_vertex(const Tissue& tissue, std::uint32_t node, std::span<const std::uint32_t> triangles,
                  std::uint32_t vertex) {
    for (const std::uint32_t t : tissue.triangles_of(node))
        for (int k = 0; k < 3; ++k)
            if (triangles[3 * std::size_t(t) + k] == vertex) return true;
    return false;
}

/// Searches shells of cells around c until one holds a node, then one more shell: a corner may be farther away than a
/// face.
std::uint32_t nearest_node(const Grid& grid, const Tissue& tissue, const NodeIndex& index, Vec3d p) {
    const Cell c = grid.cell_at(p);
    std::uint32_t best = none;
    double least = 1e300;
    const int furthest = std::max({grid.nx, grid.ny, grid.nz});
    for (int r = 0, stop = furthest; r <= std::min(stop, furthest); ++r) {
        for (int dz = -r; dz <= r; ++dz)
            for (int dy = -r; dy <= r; ++dy) {
                const bool side = std::max(std::abs(dz), std::abs(dy)) == r;
                for (int dx = -r; dx <= r; dx += side || r == 0 ? 1 : 2 * r) {
                    const auto [first, last] = index.at({c.x + dx, c.y + dy, c.z + dz});
                    for (std::uint32_t n = first; n < last; ++n) {
                        const Vec3d off = grid.center(tissue.cells[n]) - p;
                        if (dot(off, off) < least) least = dot(off, off), best = n;
                    }
                }
            }
        if (best != none) stop = std::min(stop, 2 * r + 1);
    }
    return best;
}

}  // namespace

std::vector<std::uint32_t> locate_vertices(const Grid& grid, const Tissue& tissue, std::span<const Vec3> positions,
                                           std::span<const std::uint32_t> triangles) {
    const NodeIndex index(grid, tissue.cells);
    std::vector<std::uint32_t> homes(positions.size());
    for (std::uint32_t v = 0; v < positions.size(); ++v) {
        const Vec3d p = to_double(positions[v]);
        const auto [first, last] = index.at(grid.cell_at(p));
        homes[v] = first == last ? nearest_node(grid, tissue, index, p) : first;
        if (last - first < 2) continue;
        for (std::uint32_t n = first; n < last; ++n)
            if (holds_vertex(tissue, n, triangles, v)) homes[v] = n;
    }
    return homes;
}

}  // namespace fascia::lattice
