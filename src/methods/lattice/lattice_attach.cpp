#include "methods/lattice/lattice_attach.h"

#include "methods/shared/corner_surface.h"

namespace fascia {

namespace {

/// Small enough to move nothing.
constexpr float next_to_nothing = 1e-20f;

/// An arm reads all corners of its cell, those that have no share in the place itself too.
void let_all_corners_carry(std::span<const Vec3> arms, embedding::Trilinear& bound) {
    for (std::size_t k = 0; k < bound.weights.size(); ++k) {
        const Vec3 arm = arms[k / embedding::Trilinear::slots];
        const bool has_arm = arm.x != 0 || arm.y != 0 || arm.z != 0;
        if (has_arm && !(bound.weights[k] > next_to_nothing)) bound.weights[k] = next_to_nothing;
    }
}

}  // namespace

Result<std::shared_ptr<LatticeAttachment>> attach_to_lattice(const LatticeBody& body, const Mesh& mesh) {
    const LatticeBlueprint& plan = *body.blueprint;
    const embedding::Trilinear own = bound_to_particles(body);
    Result<CarriedMesh> carried = carry_mesh({plan.grid, plan.corners, plan.surface, own, body.size}, mesh);
    if (!carried) return carried.error();
    auto out = std::make_shared<LatticeAttachment>();
    out->bound = std::move(carried->bound);
    out->arms = std::move(carried->arms);
    out->has_arms = carried->has_arms;
    if (out->has_arms) let_all_corners_carry(out->arms, out->bound);
    out->sides = sides_of_carriers(out->bound, plan.corners, body.slots());
    out->segments = segments_of(body, out->sides);
    for (std::uint32_t& point : out->bound.points) point = body.slots()[point];
    out->cells = pack_cell_carriers(out->bound.points, out->bound.weights, out->sides.points);
    if (body.painted() && out->has_arms) pack_arms(out->bound.weights, out->arms, body.h, out->cells);
    if (!body.painted()) out->normals = pack_for_dqs(mesh.normals);
    if (body.painted()) out->skin = LbsSurface(carried->tied.surface.source(), body.gate.rest());
    out->beneath = vertices_beneath(plan.surface, carried->tied);
    out->warnings = std::move(carried->tied.warnings);
    return std::shared_ptr<LatticeAttachment>(std::move(out));
}

}  // namespace fascia
