#include "methods/shared/corner_surface.h"

#include <algorithm>
#include <optional>

#include "lattice/connectivity.h"

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
    CellHomes(const CornerBody& body, const std::vector<Cell>& cells) : body_(body), index_(body.grid, cells) {}

    std::optional<std::uint32_t> find(Vec3d p, const SurfacePoint& tie) const {
        const Vec3d o = (p - body_.grid.origin) * (1 / body_.grid.h);
        if (!(o.x >= 0 && o.y >= 0 && o.z >= 0 && o.x <= body_.grid.nx && o.y <= body_.grid.ny && o.z <= body_.grid.nz))
            return std::nullopt;
        const auto [first, last] = index_.at(body_.grid.cell_at(p));
        if (first == last) return std::nullopt;
        // Among several sheets, the one that the nearby surface belongs to.
        for (std::uint32_t cell = first; cell < last && last - first > 1; ++cell)
            if (touches(cell, tie)) return cell;
        return first;
    }
    /// The cell of a corner of the nearest triangle; there always is one.
    std::uint32_t of_triangle(const SurfacePoint& tie) const {
        const std::size_t slot = embedding::Trilinear::slots * body_.surface.triangles[3 * std::size_t(tie.triangle)];
        return body_.corners.octants[8 * std::size_t(body_.bound.points[slot]) + 7];
    }

private:
    bool touches(std::uint32_t cell, const SurfacePoint& tie) const {
        const auto corners = std::span(body_.corners.of_cell).subspan(8 * std::size_t(cell), 8);
        for (std::size_t c = 0; c < 3; ++c) {
            const std::size_t v = body_.surface.triangles[3 * std::size_t(tie.triangle) + c];
            for (std::size_t k = v * embedding::Trilinear::slots; k < (v + 1) * embedding::Trilinear::slots; ++k)
                if (std::find(corners.begin(), corners.end(), body_.bound.points[k]) != corners.end()) return true;
        }
        return false;
    }

    const CornerBody& body_;
    lattice::NodeIndex index_;
};

}  // namespace

embedding::PointSides sides_of_carriers(const embedding::Trilinear& bound, const lattice::CornerLattice& corners,
                                        std::span<const std::uint32_t> slots) {
    embedding::PointSides out;
    for (const std::uint32_t particle : embedding::carriers_of(bound)) {
        std::uint32_t ends[6];
        std::fill(std::begin(ends), std::end(ends), slots[particle]);
        for (int side = 0; side < 8; ++side) {
            const std::uint32_t cell = corners.octants[8 * std::size_t(particle) + std::size_t(side)];
            if (cell == lattice::no_cell) continue;
            for (int axis = 0; axis < 3; ++axis)
                ends[2 * axis + (side >> axis & 1)] = slots[corners.across(cell, 7 - side, axis)];
        }
        out.points.push_back(slots[particle]);
        out.ends.insert(out.ends.end(), std::begin(ends), std::end(ends));
    }
    return out;
}

std::vector<Vec3d> lower_corners(const lattice::Grid& grid, std::span<const Cell> cells) {
    std::vector<Vec3d> out;
    for (const Cell c : cells) out.push_back(grid.origin + Vec3d{double(c.x), double(c.y), double(c.z)} * grid.h);
    return out;
}

Result<CarriedMesh> carry_mesh(const CornerBody& body, const Mesh& mesh) {
    Result<TiedMesh> tied = tie_mesh(body.surface, mesh, body.size);
    if (!tied) return tied.error();
    const std::vector<Cell> cells = cells_of(body.corners);
    const CellHomes homes(body, cells);
    CarriedMesh out;
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
        out.arms.push_back(mesh.positions[v] - bound_at[v]);
    }
    out.bound = embedding::bind_in_cells({.lower = lower_corners(body.grid, cells),
                                          .corners = body.corners.of_cell,
                                          .h = body.grid.h,
                                          .positions = bound_at,
                                          .homes = home});
    out.has_arms =
        std::any_of(out.arms.begin(), out.arms.end(), [](Vec3 a) { return a.x != 0 || a.y != 0 || a.z != 0; });
    out.tied = std::move(*tied);
    return out;
}

}  // namespace fascia
