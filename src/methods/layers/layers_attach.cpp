#include "methods/layers/layers_attach.h"

#include <algorithm>

#include "methods/shared/carried_attachment.h"

namespace fascia {

namespace {

using lattice::Cell;

/// Where a vertex is bound, and the node from which the walk through the tissue starts.
class Homes {
public:
    Homes(const LayersBlueprint& plan, const embedding::Trilinear& bound)
        : plan_(plan), bound_(bound), index_(plan.grid, plan.tissue.cells) {}

    /// True if p is in tissue; then `home` is a node of its cell.
    bool find(Vec3d p, const SurfacePoint& tie, std::uint32_t& home) const {
        const Cell c = plan_.grid.cell_at(p);
        const auto [first, last] = index_.at(c);
        if (first == last || !inside(p)) return false;
        home = first;
        // If there are several sheets, the one that the nearby surface belongs to.
        for (std::uint32_t n = first; n < last && last - first > 1; ++n)
            if (touches(n, tie)) home = n;
        return true;
    }

private:
    bool inside(Vec3d p) const {
        const Vec3d o = (p - plan_.grid.origin) * (1 / plan_.grid.h);
        return o.x >= 0 && o.y >= 0 && o.z >= 0 && o.x <= plan_.grid.nx && o.y <= plan_.grid.ny && o.z <= plan_.grid.nz;
    }
    /// Does the node carry a corner of the nearest triangle, or is it linked to one that does?
    bool touches(std::uint32_t node, const SurfacePoint& tie) const {
        const lattice::Tissue& tissue = plan_.tissue;
        for (std::size_t c = 0; c < 3; ++c) {
            const std::size_t v = plan_.surface.triangles[3 * std::size_t(tie.triangle) + c];
            const std::uint32_t carrier = bound_.points[v * embedding::Trilinear::slots];
            if (carrier == node) return true;
            for (int d = 0; d < 6; ++d)
                for (const std::uint32_t next : tissue.through(node, d))
                    if (next == carrier) return true;
        }
        return false;
    }

    const LayersBlueprint& plan_;
    const embedding::Trilinear& bound_;  ///< the body's own surface
    lattice::NodeIndex index_;
};

/// Deep in the tissue, a vertex moves with the nodes around it; at the surface, with the surface.
void take_weights_of_nodes(const LayersBlueprint& plan, TiedMesh& tied, const std::vector<std::uint8_t>& in_tissue,
                           const embedding::Trilinear& bound) {
    constexpr auto slots = std::size_t(max_influences);
    SkinWeights& weights = tied.surface.weights;
    weights::Mixture mixture;
    for (std::size_t v = 0; v < in_tissue.size(); ++v) {
        const double depth = std::clamp(tied.ties[v].distance / plan.grid.h - 1, 0.0, 1.0);
        if (!in_tissue[v] || depth == 0) continue;
        mixture.clear();
        for (std::size_t k = v * slots; k < (v + 1) * slots; ++k)
            if (weights.weights[k] > 0) mixture.add(weights.joints[k], (1 - depth) * weights.weights[k]);
        for (std::size_t k = v * slots; k < (v + 1) * slots; ++k)
            for (std::size_t s = 4 * std::size_t(bound.points[k]); s < 4 * std::size_t(bound.points[k]) + 4; ++s)
                mixture.add(plan.influences.joints[s], depth * bound.weights[k] * plan.influences.weights[s]);
        mixture.store({&weights.joints[v * slots], slots}, {&weights.weights[v * slots], slots});
    }
}

}  // namespace

Result<std::shared_ptr<AttachedSurface>> attach_to_layers(const LayersBody& body, const Mesh& mesh) {
    static_assert(embedding::Trilinear::slots == max_influences);
    const LayersBlueprint& plan = *body.blueprint;
    Result<TiedMesh> tied = tie_mesh(plan.surface, mesh, body.size);
    if (!tied) return tied.error();

    const embedding::Trilinear bound = bound_to_nodes(body);
    const Homes homes(plan, bound);
    std::vector<Vec3> bound_at = mesh.positions;
    std::vector<std::uint32_t> home(bound_at.size());
    std::vector<std::uint8_t> in_tissue(bound_at.size(), 1);
    for (std::size_t v = 0; v < bound_at.size(); ++v) {
        const SurfacePoint& tie = tied->ties[v];
        if (homes.find(to_double(bound_at[v]), tie, home[v])) continue;
        in_tissue[v] = 0;
        bound_at[v] = to_float(tie.point);
        // Rounding may put a point of the surface just outside its cell; a corner of its triangle is always bound.
        if (!homes.find(tie.point, tie, home[v])) {
            const std::uint32_t corner = plan.surface.triangles[3 * std::size_t(tie.triangle)];
            home[v] = bound.points[std::size_t(corner) * embedding::Trilinear::slots];
        }
    }
    std::vector<Vec3d> centers;
    for (const Cell c : plan.tissue.cells) centers.push_back(plan.grid.center(c));
    embedding::Trilinear held = embedding::bind_trilinear({.links = {plan.tissue.link_first, plan.tissue.links, 6},
                                                           .centers = centers,
                                                           .h = plan.grid.h,
                                                           .positions = bound_at,
                                                           .homes = home});
    take_weights_of_nodes(plan, *tied, in_tissue, held);
    std::vector<std::uint32_t> segments = segments_of(body, held.points);
    for (std::uint32_t& p : held.points) p = body.layout.slots[p];
    const auto out = carried_attachment({plan.surface, body.gate.rest(), plan.linear}, std::move(*tied), held);
    out->drivers = std::move(segments);
    return std::shared_ptr<AttachedSurface>(out);
}

}  // namespace fascia
