// The triangles around each vertex of a surface. Vertices at the same position at rest count as one and move together,
// so that seams stay closed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fascia/math.h"

namespace fascia::embedding {

struct Fans {
    std::vector<std::uint32_t> corners;     ///< [triangles * 3] the first of the vertices at one place
    std::vector<std::uint32_t> first;       ///< [vertices + 1] into `around`
    std::vector<std::uint32_t> around;      ///< 3 * triangle + place in it, for each corner
    std::vector<std::uint32_t> same_place;  ///< [vertices] the next one at the same place, or itself

    Fans(std::span<const Vec3> rest, std::span<const std::uint32_t> triangles);

    std::size_t vertex_count() const { return same_place.size(); }
    std::size_t triangle_count() const { return corners.size() / 3; }
    std::span<const std::uint32_t> of(std::uint32_t corner) const {
        return std::span(around).subspan(first[corner], first[corner + 1] - first[corner]);
    }
    /// Moves a corner, and all vertices at its place.
    void move(std::uint32_t corner, Vec3 by, std::span<Vec3> surface) const {
        for (std::uint32_t v = corner;; v = same_place[v]) {
            surface[v] = surface[v] + by;
            if (same_place[v] == v) break;
        }
    }
};

}  // namespace fascia::embedding
