// How far a place is inside or outside a body at rest: signed distances to its surface on a grid of edge 1.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fascia/math.h"

namespace fascia::contact {

/// A place on the surface.
struct SurfacePlace {
    std::uint32_t triangle = 0xffffffffu;  ///< none
    Vec3 at;
    float distance = 1e30f;
};

/// The point of triangle abc nearest to p.
Vec3 nearest_on_triangle(Vec3 p, Vec3 a, Vec3 b, Vec3 c);

struct RestGrid {
    Vec3 first;  ///< centre of the cell (0, 0, 0)
    int nx = 0, ny = 0, nz = 0;

    std::size_t size() const { return std::size_t(nx) * std::size_t(ny) * std::size_t(nz); }
    std::size_t index(int x, int y, int z) const {
        return (std::size_t(z) * std::size_t(ny) + std::size_t(y)) * std::size_t(nx) + std::size_t(x);
    }
};

/// The nearest place of the surface, at cells within a step of it and at all cells marked in `wanted`, [cells] each.
/// Elsewhere the distance stays 1e30.
std::vector<SurfacePlace> nearest_places(const RestGrid& grid, std::span<const Vec3> positions,
                                         std::span<const std::uint32_t> triangles,
                                         std::span<const std::uint8_t> wanted);

/// Distance, negative inside, and its gradient between the cells' centres; both are continuous.
class RestDistance {
public:
    static constexpr float far = 1.5f;  ///< places farther outside than this count as this far

    RestDistance() = default;
    /// distance: [cells], negative inside
    RestDistance(const RestGrid& grid, std::span<const float> distance);

    float at(Vec3 p) const;
    Vec3 gradient_at(Vec3 p) const;
    float at(Vec3 p, Vec3& gradient) const {
        gradient = gradient_at(p);
        return at(p);
    }

private:
    RestGrid grid_;
    std::vector<float> heights_;   ///< [cells]
    std::vector<Vec3> gradients_;  ///< [cells]
};

}  // namespace fascia::contact
