#include "character/blend_seams.h"

#include <algorithm>
#include <vector>

namespace fascia {

namespace {

/// In radii of the limb: the shortest length over which a zone fades out.
constexpr double fade_width = 0.35;
/// The most that the fade may change along one edge, however long it is.
constexpr double most_step = 0.25;

bool blends(const Attachment& a) {
    return a.joint >= 0 && a.fade > 0;
}

/// How differently two attachments move a vertex: 0 if both mean the same joint alone.
double disagreement(const Character& character, const Attachment& a, const Attachment& b) {
    if (a.joint == b.joint) return 0;  // t is continuous
    const auto parent = [&](int j) { return character.joints[std::size_t(j)].parent; };
    if (parent(b.joint) == a.joint) return (1 - a.t) + b.t;
    if (parent(a.joint) == b.joint) return (1 - b.t) + a.t;
    if (parent(a.joint) == parent(b.joint)) return a.t + b.t;
    return 1;
}

}  // namespace

std::vector<SurfaceEdge> surface_edges(const Mesh& mesh, const Weld& weld) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (std::size_t t = 0; t < mesh.triangle_count(); ++t)
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint32_t a = mesh.triangles[3 * t + k], b = mesh.triangles[3 * t + (k + 1) % 3];
            if (weld.id[a] != weld.id[b]) pairs.push_back({std::min(a, b), std::max(a, b)});
        }
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    std::vector<SurfaceEdge> out;
    for (const auto& [a, b] : pairs)
        out.push_back({a, b, length(to_double(mesh.positions[a]) - to_double(mesh.positions[b]))});
    return out;
}

double fade_step(const BlendZone& zone, double length) {
    const double width = fade_width * zone.radius;
    return width > 0 ? std::min(length / width, most_step) : most_step;
}

void spread_fades(std::span<const SurfaceEdge> edges, const Weld& weld, std::span<const BlendZone> zones,
                  std::span<const Attachment> attached, std::span<double> most) {
    // Each sweep propagates a limit over many edges.
    const auto lower = [&](std::uint32_t from, std::uint32_t to, double length) {
        if (!blends(attached[to])) return false;
        const double cap = most[weld.id[from]] + fade_step(zones[std::size_t(attached[to].joint)], length);
        if (!(cap < most[weld.id[to]] - 1e-9)) return false;
        most[weld.id[to]] = cap;
        return true;
    };
    constexpr int most_sweeps = 100;
    bool changed = true;
    for (int sweep = 0; changed && sweep < most_sweeps; ++sweep) {
        changed = false;
        const auto relax = [&](const SurfaceEdge& e) {
            const bool there = lower(e.a, e.b, e.length), back = lower(e.b, e.a, e.length);
            changed = changed || there || back;
        };
        std::for_each(edges.begin(), edges.end(), relax);
        std::for_each(edges.rbegin(), edges.rend(), relax);
    }
}

double rounded_fade(double fade) {
    return fade > 0.999 ? 1 : fade < 0.001 ? 0 : fade;
}

void fade_towards_seams(const Character& character, std::span<const BlendZone> zones, std::span<Attachment> attached) {
    const Weld weld = weld_by_position(character.mesh.positions);
    const std::vector<SurfaceEdge> edges = surface_edges(character.mesh, weld);
    std::vector<double> most(weld.count, 1);  // limit of the fade, shared by all vertices at one position
    for (std::size_t v = 0; v < attached.size(); ++v) {
        double& cap = most[weld.id[v]];
        cap = std::min(cap, blends(attached[v]) ? attached[v].fade : 0.0);
    }
    for (const SurfaceEdge& e : edges) {
        if (!blends(attached[e.a]) || !blends(attached[e.b])) continue;
        const double cap = std::clamp(1 - 2 * disagreement(character, attached[e.a], attached[e.b]), 0.0, 1.0);
        most[weld.id[e.a]] = std::min(most[weld.id[e.a]], cap);
        most[weld.id[e.b]] = std::min(most[weld.id[e.b]], cap);
    }
    spread_fades(edges, weld, zones, attached, most);
    for (std::size_t v = 0; v < attached.size(); ++v) {
        double& fade = attached[v].fade;
        if (blends(attached[v])) fade = std::min(fade, most[weld.id[v]]);
        fade = rounded_fade(fade);
    }
}

}  // namespace fascia
