// How far it is from one point of a body to another without leaving it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fascia/math.h"
#include "lattice/grid.h"

namespace fascia {

class TissueDistance {
public:
    TissueDistance(std::span<const Vec3> positions, std::span<const std::uint32_t> triangles, bool open);

    /// Along voxels that touch by faces, edges or corners; -1 if there is no path. [voxels]
    std::vector<double> from(Vec3d p) const;
    /// The voxel of the body that is nearest to p.
    std::size_t voxel(Vec3d p) const;
    Vec3d center(std::size_t voxel) const { return grid_.center(grid_.cell(cells_[voxel])); }
    std::size_t size() const { return cells_.size(); }
    double spacing() const { return grid_.h; }
    /// Steps to the outside. [voxels]
    const std::vector<int>& depth() const { return depth_; }
    /// At any place; 0 outside.
    int depth_at(Vec3d p) const;

private:
    lattice::Grid grid_;
    std::vector<std::uint32_t> cells_;  ///< [voxels] in the grid
    std::vector<std::int64_t> number_;  ///< [grid cells] -1: outside
    std::vector<int> depth_;
};

}  // namespace fascia
