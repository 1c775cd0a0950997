// The pieces of body in one cell that the surface passes through.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/union_find.h"
#include "lattice/connectivity.h"
#include "lattice/folds.h"
#include "lattice/surface_fans.h"

namespace fascia::lattice {

/// Merges the triangles of one cell into sheets. Triangles that continue into one another in or beside the cell are one
/// patch. Patches with tissue between them are one sheet; patches with nothing between them are not, unless they follow
/// one part and the surface leads from one to the other nearby: that is a crease. If it is not known, patches of
/// related parts are one.
class SheetFinder {
public:
    SheetFinder(std::span<const Vec3> positions, std::span<const std::uint32_t> triangles, const Grid& grid,
                const SurfaceParts& parts, const SurfaceFans& fans, const Folds& folds);

    /// Sheet of each triangle, numbered in the order in which they first appear; returns their count.
    int find(std::span<const std::uint32_t> triangles, Vec3d center, std::vector<int>& sheet);

    /// Most patches of one cell to compare with one another. If there are more, those of one part and of its relatives
    /// are one sheet.
    static constexpr int most_patches = 16;
    /// Cells in which there were more.
    std::size_t crowded() const { return crowded_; }

private:
    /// The cell and a cell's width around it on each side: a connection here is no farther away than a neighbour.
    struct Block {
        Vec3d center;
        double half;
        bool holds(Vec3d p) const;
        bool is_cut_by(Vec3d a, Vec3d b) const;
    };

    using Parts = std::vector<std::uint16_t>;  ///< of some triangles, ascending
    bool related(const Parts& a, const Parts& b) const;
    Vec3d corner(std::uint32_t t, int k) const { return to_double(positions_[triangles_[3 * t + k]]); }
    void join_by_corner(std::span<const std::uint32_t> cell, const Block& block);
    void join_by_edge(std::span<const std::uint32_t> cell, const Block& block);
    void join_patches(std::span<const std::uint32_t> cell, Vec3d center, const Block& block, int patches,
                      const std::vector<int>& patch);
    void join_by_part(std::span<const std::uint32_t> cell);
    void join_undecided(const std::vector<int>& patch, int patches);

    static constexpr int sides = 27;  ///< viewpoints in a cell: its middle, corners, edges and faces
    /// A patch of the cell, and what has been computed about it so far.
    struct Patch {
        std::vector<std::uint32_t> triangles;
        Parts parts;
        int member = -1;  ///< its first triangle, by its place in the cell
        Folds::Patch seen;
        std::vector<Folds::Sight> sights;      ///< [sides]
        std::vector<std::int8_t> seen_behind;  ///< [sides] whether the place is behind it; -1: not checked yet
    };
    bool share_part(const Patch& a, const Patch& b) const;
    bool hang_together(Patch& a, Patch& b, Vec3d center, std::span<const std::uint32_t> cell) const;
    Vec3d place_of(int side, Vec3d center) const;
    void look_around(Vec3d center, Patch& patch) const;
    bool lies_behind(Patch& patch, int side, Vec3d place, std::span<const std::uint32_t> cell) const;
    std::uint32_t lot_of(const Patch& patch, const Block& block);
    void walk(std::span<const std::uint32_t> from, const Block& block);

    int lead(int k) { return int(joined_.lead(std::uint32_t(k))); }
    void join(int a, int b) { joined_.join(std::uint32_t(a), std::uint32_t(b)); }
    int number(std::vector<int>& sheet);

    std::span<const Vec3> positions_;
    std::span<const std::uint32_t> triangles_;
    const Grid& grid_;
    const SurfaceParts& parts_;
    const SurfaceFans& fans_;
    const Folds& folds_;
    UnionFind joined_;                                        ///< triangles of one cell
    std::vector<std::pair<std::uint32_t, int>> seen_at_fan_;  ///< [fans] cell's serial number, triangle of the cell
    std::uint32_t serial_ = 0;
    std::vector<Patch> patches_;
    struct Pair {
        int a, b;
    };
    std::vector<Pair> apart_, undecided_;
    std::vector<std::uint32_t> reached_, walk_;    ///< [triangles] serial number of the walk; the walk
    std::uint32_t walks_ = 0, first_of_cell_ = 0;  ///< walks so far, and the first one in this cell
    std::size_t crowded_ = 0;
};

}  // namespace fascia::lattice
