// check_mesh: what is wrong with a surface's topology.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "fascia/io.h"
#include "fascia/measure.h"
#include "io/component_overlap.h"

namespace fascia {

namespace {

/// A triangle is degenerate when two of its corners coincide or all three are collinear.
bool is_degenerate(const Mesh& mesh, const Weld& weld, std::size_t t) {
    const std::uint32_t a = mesh.triangles[3 * t], b = mesh.triangles[3 * t + 1], c = mesh.triangles[3 * t + 2];
    if (weld.id[a] == weld.id[b] || weld.id[b] == weld.id[c] || weld.id[c] == weld.id[a]) return true;
    const Vec3d ab = to_double(mesh.positions[b]) - to_double(mesh.positions[a]);
    const Vec3d ac = to_double(mesh.positions[c]) - to_double(mesh.positions[a]);
    const double longest = std::max({dot(ab, ab), dot(ac, ac), dot(ac - ab, ac - ab)});
    return length(cross(ab, ac)) <= 1e-9 * longest;
}

/// The welded edges of every triangle that still has three corners, sorted so that equal ones are adjacent.
std::vector<std::uint64_t> sorted_edges(const Mesh& mesh, const Weld& weld) {
    std::vector<std::uint64_t> edges;
    edges.reserve(mesh.triangles.size());
    for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
        std::uint64_t corner[3];
        for (std::size_t c = 0; c < 3; ++c) corner[c] = weld.id[mesh.triangles[3 * t + c]];
        if (corner[0] == corner[1] || corner[1] == corner[2] || corner[2] == corner[0]) continue;
        for (std::size_t c = 0; c < 3; ++c) {
            const std::uint64_t a = corner[c], b = corner[(c + 1) % 3];
            edges.push_back(std::min(a, b) << 32 | std::max(a, b));
        }
    }
    std::sort(edges.begin(), edges.end());
    return edges;
}

void count_edges(const std::vector<std::uint64_t>& edges, MeshCheck& out) {
    for (std::size_t i = 0; i < edges.size();) {
        std::size_t end = i;
        while (end < edges.size() && edges[end] == edges[i]) ++end;
        out.border_edges += end - i == 1;
        out.nonmanifold_edges += end - i > 2;
        i = end;
    }
}

std::size_t count_unreferenced(const Mesh& mesh) {
    std::vector<bool> used(mesh.vertex_count());
    for (std::uint32_t v : mesh.triangles) used[v] = true;
    return static_cast<std::size_t>(std::count(used.begin(), used.end(), false));
}

}  // namespace

MeshCheck check_mesh(const Mesh& mesh) {
    MeshCheck out;
    const Weld weld = weld_by_position(mesh.positions);
    const Components components = find_components(mesh.triangles, weld);
    out.welded_vertices = weld.count;
    out.components = components.closed.size();
    out.closed_components =
        static_cast<std::size_t>(std::count(components.closed.begin(), components.closed.end(), true));
    count_edges(sorted_edges(mesh, weld), out);
    for (std::size_t t = 0; t < mesh.triangle_count(); ++t) out.degenerate_triangles += is_degenerate(mesh, weld, t);
    out.unreferenced_vertices = count_unreferenced(mesh);
    out.overlapping_components = io::count_overlapping_components(mesh.positions, mesh.triangles, components);
    out.signed_volume = closed_volume(mesh.positions, mesh.triangles, components).value_or(0);
    return out;
}

}  // namespace fascia
