#include "methods/lattice/lattice_attach.h"

#include <algorithm>
#include <optional>

#include "embed/in_cells.h"
#include "lattice/connectivity.h"
#include "methods/shared/attached_mesh.h"

namespace fascia {

namespace {

using lattice::Cell;

/// The lowest corner of each cell.
std::vector<Cell> cells_of(const lattice::CornerLattice& corners) {
    std::vector<Cell> out;
    for (std::size_t k = 0; k < corners.of_cell.size(); k += 8) out.push_back(corners.places[corners.of_cell[k]]);
    return out;
}

/// The cell in which a vertex is bound.
class CellHomes {
public:
    CellHomes(const LatticeBlueprint& plan, const embedding::Trilinear& bound, const std::vector<Cell>& cells)
        : plan_(plan), bound_(bound), index_(plan.grid, cells) {}

    std::optional<std::uint32_t> find(Vec3d p, const SurfacePoint& tie) const {
        const Vec3d o = (p - plan_.grid.origin) * (1 / plan_.grid.h);
        if (!(o.x >= 0 && o.y >= 0 && o.z >= 0 && o.x <= plan_.grid.nx && o.y <= plan_.grid.ny && o.z <= plan_.grid.nz))
            return std::nullopt;
        const auto [first, last] = index_.at(plan_.grid.cell_at(p));
        if (first == last) return std::nullopt;
        // Of several sheets, the one that the nearby surface belongs to.
        for (std::uint32_t cell = first; cell < last && last - first > 1; ++cell)
            if (touches(cell, tie)) return cell;
        return first;
    }
    /// The cell of a corner of the nearest triangle; there always is one.
    std::uint32_t of_triangle(const SurfacePoint& tie) const {
        const std::size_t slot = embedding::Trilinear::slots * plan_.surface.triangles[3 * std::size_t(tie.triangle)];
        return plan_.corners.octants[8 * std::size_t(bound_.points[slot]) + 7];
    }

private:
    bool touches(std::uint32_t cell, const SurfacePoint& tie) const {
        const auto corners = std::span(plan_.corners.of_cell).subspan(8 * std::size_t(cell), 8);
        for (std::size_t c = 0; c < 3; ++c) {
            const std::size_t v = plan_.surface.triangles[3 * std::size_t(tie.triangle) + c];
            for (std::size_t k = v * embedding::Trilinear::slots; k < (v + 1) * embedding::Trilinear::slots; ++k)
                if (std::find(corners.begin(), corners.end(), bound_.points[k]) != corners.end()) return true;
        }
        return false;
    }

    const LatticeBlueprint& plan_;
    const embedding::Trilinear& bound_;  ///< the body\'s own surface
    lattice::NodeIndex index_;
};

}  // namespace

Result<std::shared_ptr<LatticeAttachment>> attach_to_lattice(const LatticeBody& body, const Mesh& mesh) {
    const LatticeBlueprint& plan = *body.blueprint;
    Result<TiedMesh> tied = tie_mesh(plan.surface, mesh, body.size);
    if (!tied) return tied.error();
    const std::vector<Cell> cells = cells_of(plan.corners);
    const embedding::Trilinear bound = bound_to_particles(body);
    const CellHomes homes(plan, bound, cells);
    auto out = std::make_shared<LatticeAttachment>();
    std::vector<Vec3> bound_at = mesh.positions;
    std::vector<std::uint32_t> home(bound_at.size());
    for (std::size_t v = 0; v < bound_at.size(); ++v) {
        const SurfacePoint& tie = tied->ties[v];
        std::optional<std::uint32_t> found = homes.find(to_double(bound_at[v]), tie);
        if (!found) {
            bound_at[v] = to_float(tie.point);
            found = homes.find(tie.point, tie);  // rounding may put it next to its cell
        }
        home[v] = found ? *found : homes.of_triangle(tie);
        out->arms.push_back(mesh.positions[v] - bound_at[v]);
    }
    std::vector<Vec3d> lower;
    for (const Cell c : cells)
        lower.push_back(plan.grid.origin + Vec3d{double(c.x), double(c.y), double(c.z)} * plan.grid.h);
    out->bound = embedding::bind_in_cells(
        {.lower = lower, .corners = plan.corners.of_cell, .h = plan.grid.h, .positions = bound_at, .homes = home});
    out->sides = sides_of_carriers(out->bound, plan.corners, body.slots());
    for (std::uint32_t& point : out->bound.points) point = body.slots()[point];
    out->cells = pack_cell_carriers(out->bound.points, out->bound.weights, out->sides.points);
    out->has_arms =
        std::any_of(out->arms.begin(), out->arms.end(), [](Vec3 a) { return a.x != 0 || a.y != 0 || a.z != 0; });
    if (!body.painted()) out->normals = pack_for_dqs(mesh.normals);
    if (body.painted()) out->skin = LbsSurface(tied->surface.source(), body.gate.rest());
    out->warnings = std::move(tied->warnings);
    return std::shared_ptr<LatticeAttachment>(std::move(out));
}

}  // namespace fascia
