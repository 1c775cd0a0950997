// Which triangles go on into one another at a corner.
//
// Vertices at one place are one vertex to everything that walks over a surface, whatever seams the file has. Where two
// folds of a body touch, their vertices may lie at one place as well, and must not be one: the triangles around such a
// place form two fans.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fascia/math.h"

namespace fascia::lattice {

struct SurfaceFans {
    std::vector<std::uint32_t> of_corner;         ///< [triangles * 3] fan at each corner
    std::vector<std::uint32_t> first, triangles;  ///< [fans + 1]: the triangles of each fan, ascending
    std::vector<std::uint32_t> piece;             ///< [triangles] piece of surface that hangs together through fans
    std::size_t piece_count = 0;

    std::size_t size() const { return first.size() - 1; }
    std::span<const std::uint32_t> around(std::size_t fan) const {
        return {triangles.data() + first[fan], first[fan + 1] - first[fan]};
    }
};

/// corners: [triangles * 3] welded vertex of each corner. Triangles around it belong to one fan where edges join them.
/// An edge of more than two triangles joins those that share the file's own vertices, then those that go on
/// straightest.
SurfaceFans find_fans(std::span<const Vec3> positions, std::span<const std::uint32_t> triangles,
                      std::span<const std::uint32_t> corners);

}  // namespace fascia::lattice
