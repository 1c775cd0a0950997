// Which triangles continue into one another at a corner.
//
// To everything that walks over a surface, vertices at one place are one vertex, whatever seams the file has. Where two
// folds of a body touch, however, vertices at one place must stay separate: the triangles around such a place form two
// fans.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fascia/math.h"

namespace fascia::lattice {

struct SurfaceFans {
    std::vector<std::uint32_t> of_corner;         ///< [triangles * 3] fan at each corner
    std::vector<std::uint32_t> first, triangles;  ///< [fans + 1]: the triangles of each fan, ascending
    std::vector<std::uint32_t> piece;             ///< [triangles] piece of surface that is connected through fans
    std::size_t piece_count = 0;

    std::size_t size() const { return first.size() - 1; }
    std::span<const std::uint32_t> around(std::size_t fan) const {
        return {triangles.data() + first[fan], first[fan + 1] - first[fan]};
    }
};

/// corners: [triangles * 3] welded vertex of each corner. Triangles around it belong to one fan if edges join them. An
/// edge of more than two triangles joins those that share the file's own vertices, then those that continue
/// straightest.
SurfaceFans find_fans(std::span<const Vec3> positions, std::span<const std::uint32_t> triangles,
                      std::span<const std::uint32_t> corners);

}  // namespace fascia::lattice
