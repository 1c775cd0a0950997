// From cells to nodes connected through tissue.
//
// A surface cell may hold pieces of body that are connected only farther away: two fingers, both thighs, a breast and
// the arm beside it. Each becomes a node of its own (sheets.h): parts that are not neighbours in the skeleton, unless
// the surface joins them inside the cell, and any others that have no tissue between them (folds.h). Nodes of
// neighbouring cells are linked where tissue passes through their common face. Everything downstream walks only these
// links.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/relations.h"
#include "lattice/grid.h"
#include "lattice/surface_fans.h"
#include "lattice/voxelise.h"

namespace fascia::lattice {

/// What is known of the surface besides its shape.
struct SurfaceParts {
    std::span<const std::uint32_t> corners;    ///< [triangles * 3] welded vertex of each corner
    std::span<const std::uint16_t> part;       ///< [triangles] body part that each triangle follows most
    const Relations& related;                  ///< of parts: those that may share a node
    std::span<const std::int32_t> shell = {};  ///< [triangles] which way each faces (folds.h); empty: unknown
    std::span<const std::int32_t> body = {};   ///< [triangles] which shells are one body (folds.h); empty: each its own
    const SurfaceFans* fans = nullptr;         ///< null: found from the corners
    bool parts_fold = true;                    ///< false: flesh of one part is connected wherever it meets
};

/// Two parts that are not neighbours in the body but meet in some cells, where they are kept apart.
struct Meeting {
    std::uint16_t a = 0, b = 0;  ///< parts, a < b
    std::size_t cells = 0;       ///< cells that hold both
    double gap = 0;              ///< how near they come in those cells, scene units
    double usual_gap = 0;        ///< the same in the middle one of these cells
};

/// The nodes of the lattice, in the order of their cells (z, y, x), sheets of one cell in the order of their triangles.
struct Tissue {
    std::vector<Cell> cells;                               ///< [nodes]
    std::vector<std::uint8_t> on_surface;                  ///< [nodes] 1 if the surface passes through the cell
    std::vector<std::uint32_t> triangle_first, triangles;  ///< [nodes + 1], touches: triangles of each surface node
    std::vector<std::uint32_t> link_first;                 ///< [nodes * 6 + 1] links by face direction
    std::vector<std::uint32_t> links;                      ///< nodes through that face; several where sheets separate
    std::vector<std::int32_t> neighbours;  ///< [nodes * 27] one node per place of the block, or -1; mutual
    std::vector<Meeting> meetings;
    std::vector<Meeting> folds;  ///< the same for neighbours in the body, or for a part and itself (a = b)
    std::size_t crowded = 0;     ///< cells with too many pieces to tell apart (sheets.h)

    std::size_t size() const { return cells.size(); }
    std::span<const std::uint32_t> through(std::size_t node, int direction) const {
        const std::size_t k = node * 6 + direction;
        return {links.data() + link_first[k], link_first[k + 1] - link_first[k]};
    }
    std::span<const std::uint32_t> triangles_of(std::size_t node) const {
        return {triangles.data() + triangle_first[node], triangle_first[node + 1] - triangle_first[node]};
    }
};

Tissue connect(std::span<const Vec3> positions, std::span<const std::uint32_t> triangles, const Grid& grid,
               const SurfaceCells& surface, const SolidCells& solid, const SurfaceParts& parts);

/// Looks up the nodes of a grid cell.
class NodeIndex {
public:
    NodeIndex(const Grid& grid, std::span<const Cell> cells);
    /// Nodes [first, last) of the cell.
    std::pair<std::uint32_t, std::uint32_t> at(Cell c) const {
        if (!grid_.contains(c)) return {0, 0};
        const std::uint32_t* run = find(std::uint32_t(grid_.index(c)));
        return run == nullptr ? std::pair<std::uint32_t, std::uint32_t>{0, 0} : std::pair{run[0], run[1]};
    }

private:
    const std::uint32_t* find(std::uint32_t cell) const;
    Grid grid_;
    std::vector<std::uint32_t> row_first_;   ///< [rows + 1] into occupied_
    std::vector<std::uint32_t> occupied_;    ///< grid index of each occupied cell
    std::vector<std::uint32_t> node_first_;  ///< [occupied + 1]
};

}  // namespace fascia::lattice
