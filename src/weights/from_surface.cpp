#include "weights/from_surface.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace fascia::weights {

// Walks the regions of the triangle's corners, edges and face (Ericson, Real-Time Collision Detection, 5.1.5). An edge
// of zero length has no region: a triangle may be a line.
Barycentric nearest_on_triangle(Vec3d p, Vec3d a, Vec3d b, Vec3d c) {
    const Vec3d ab = b - a, ac = c - a, ap = p - a;
    const double d1 = dot(ab, ap), d2 = dot(ac, ap);
    if (d1 <= 0 && d2 <= 0) return {1, 0, 0};
    const Vec3d bp = p - b;
    const double d3 = dot(ab, bp), d4 = dot(ac, bp);
    if (d3 >= 0 && d4 <= d3) return {0, 1, 0};
    const double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0 && d1 > d3) return {1 - d1 / (d1 - d3), d1 / (d1 - d3), 0};
    const Vec3d cp = p - c;
    const double d5 = dot(ab, cp), d6 = dot(ac, cp);
    if (d6 >= 0 && d5 <= d6) return {0, 0, 1};
    const double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0 && d2 > d6) return {1 - d2 / (d2 - d6), 0, d2 / (d2 - d6)};
    const double va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0 && (d4 - d3) + (d5 - d6) > 0) {
        const double t = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return {0, 1 - t, t};
    }
    const double sum = va + vb + vc;
    return sum > 0 ? Barycentric{va / sum, vb / sum, vc / sum} : Barycentric{1, 0, 0};
}

namespace {

/// Adds the triangle's weights at its point nearest to the node's centre, weighted by its area, at most that of a
/// cell's face.
void sample(const PaintedSurface& surface, std::uint32_t triangle, Vec3d center, double h, Mixture& mixture) {
    const std::uint32_t* corner = &surface.triangles[3 * std::size_t(triangle)];
    const Vec3d a = to_double(surface.positions[corner[0]]), b = to_double(surface.positions[corner[1]]),
                c = to_double(surface.positions[corner[2]]);
    const Barycentric at = nearest_on_triangle(center, a, b, c);
    const double area = std::min(0.5 * length(cross(b - a, c - a)), h * h) + 1e-9 * h * h;
    const double share[3] = {at.a * area, at.b * area, at.c * area};
    for (int k = 0; k < 3; ++k)
        for (int s = 0; s < surface.slots; ++s) {
            const std::size_t slot = std::size_t(corner[k]) * surface.slots + s;
            if (surface.weights[slot] > 0) mixture.add(surface.joints[slot], share[k] * surface.weights[slot]);
        }
}

/// Nodes without a surface, in the order in which a walk inward reaches them.
struct Inward {
    std::vector<std::int32_t> level;  ///< [nodes] steps from the surface
    std::vector<std::uint32_t> order;
};

Inward walk_inward(const SurfaceNodes& nodes) {
    Inward out;
    const std::size_t n = nodes.links.node_count();
    out.level.assign(n, -1);
    std::vector<std::uint32_t> queue;
    queue.reserve(n);
    for (std::uint32_t i = 0; i < n; ++i)
        if (nodes.triangle_first[i + 1] > nodes.triangle_first[i]) out.level[i] = 0, queue.push_back(i);
    for (std::size_t k = 0; k < queue.size(); ++k) {
        const std::uint32_t i = queue[k];
        if (out.level[i] > 0) out.order.push_back(i);
        for (const std::uint32_t j : nodes.links.of(i))
            if (out.level[j] < 0) out.level[j] = out.level[i] + 1, queue.push_back(j);
    }
    return out;
}

/// The working table has more slots than are kept in the end: weights that are small on the way may grow.
constexpr int working_slots = 8;

class Diffusion {
public:
    Diffusion(const PaintedSurface& surface, const SurfaceNodes& nodes) : surface_(surface), nodes_(nodes) {
        table_.slots = working_slots;
        table_.joints.assign(nodes.links.node_count() * working_slots, 0);
        table_.weights.assign(nodes.links.node_count() * working_slots, 0);
    }

    void paint_surface() {
        for (std::size_t i = 0; i < nodes_.links.node_count(); ++i) {
            if (nodes_.triangle_first[i + 1] == nodes_.triangle_first[i]) continue;
            mixture_.clear();
            for (std::uint32_t k = nodes_.triangle_first[i]; k < nodes_.triangle_first[i + 1]; ++k)
                sample(surface_, nodes_.triangles[k], nodes_.centers[i], nodes_.h, mixture_);
            store(i);
        }
    }

    /// Each node becomes the mean of those neighbours that have weights (and, on the way in, are no deeper).
    void average(std::uint32_t i, const std::vector<std::int32_t>* not_deeper_than = nullptr) {
        mixture_.clear();
        for (const std::uint32_t j : nodes_.links.of(i)) {
            if (not_deeper_than != nullptr && (*not_deeper_than)[j] >= (*not_deeper_than)[i]) continue;
            for (int s = 0; s < working_slots; ++s) {
                const std::size_t slot = std::size_t(j) * working_slots + s;
                if (table_.weights[slot] > 0) mixture_.add(table_.joints[slot], table_.weights[slot]);
            }
        }
        if (!mixture_.empty()) store(i);
    }

    Influences keep(int slots) {
        Influences out;
        out.slots = slots;
        out.joints.resize(table_.size() * slots);
        out.weights.resize(table_.size() * slots);
        for (std::size_t i = 0; i < table_.size(); ++i) {
            mixture_.clear();
            for (int s = 0; s < working_slots; ++s) {
                const std::size_t slot = i * working_slots + s;
                if (table_.weights[slot] > 0) mixture_.add(table_.joints[slot], table_.weights[slot]);
            }
            mixture_.store({&out.joints[i * slots], std::size_t(slots)}, {&out.weights[i * slots], std::size_t(slots)});
        }
        return out;
    }

private:
    void store(std::size_t i) {
        mixture_.store({&table_.joints[i * working_slots], working_slots},
                       {&table_.weights[i * working_slots], working_slots});
    }

    const PaintedSurface& surface_;
    const SurfaceNodes& nodes_;
    Influences table_;
    Mixture mixture_;
};

}  // namespace

Influences weights_from_surface(const PaintedSurface& surface, const SurfaceNodes& nodes) {
    Diffusion diffusion(surface, nodes);
    diffusion.paint_surface();
    const Inward inward = walk_inward(nodes);
    for (const std::uint32_t i : inward.order) diffusion.average(i, &inward.level);
    // Fronts leave ridges where they meet; sweeps from the middle outwards and back level them.
    for (int round = 0; round < 3; ++round) {
        for (std::size_t k = inward.order.size(); k-- > 0;) diffusion.average(inward.order[k]);
        for (const std::uint32_t i : inward.order) diffusion.average(i);
    }
    return diffusion.keep(nodes.slots);
}

}  // namespace fascia::weights
