#include "methods/lattice/lattice_attach.h"

#include "methods/shared/corner_surface.h"

namespace fascia {

Result<std::shared_ptr<LatticeAttachment>> attach_to_lattice(const LatticeBody& body, const Mesh& mesh) {
    const LatticeBlueprint& plan = *body.blueprint;
    const embedding::Trilinear own = bound_to_particles(body);
    Result<CarriedMesh> carried = carry_mesh({plan.grid, plan.corners, plan.surface, own, body.size}, mesh);
    if (!carried) return carried.error();
    auto out = std::make_shared<LatticeAttachment>();
    out->bound = std::move(carried->bound);
    out->arms = std::move(carried->arms);
    out->has_arms = carried->has_arms;
    out->sides = sides_of_carriers(out->bound, plan.corners, body.slots());
    out->segments = segments_of(body, out->sides);
    for (std::uint32_t& point : out->bound.points) point = body.slots()[point];
    out->cells = pack_cell_carriers(out->bound.points, out->bound.weights, out->sides.points);
    if (!body.painted()) out->normals = pack_for_dqs(mesh.normals);
    if (body.painted()) out->skin = LbsSurface(carried->tied.surface.source(), body.gate.rest());
    out->beneath = vertices_beneath(plan.surface, carried->tied);
    out->warnings = std::move(carried->tied.warnings);
    return std::shared_ptr<LatticeAttachment>(std::move(out));
}

}  // namespace fascia
