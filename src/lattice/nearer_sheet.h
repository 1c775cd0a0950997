// Which of two sheets in one cell a vertex belongs to, if its own triangles do not reach that cell.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fascia/math.h"
#include "lattice/connectivity.h"

namespace fascia::lattice {

/// Where two walls lie on one another, the surface of a vertex goes on in the one that faces as it does. Beyond the end
/// of a slit both hang together, so that links do not tell.
class NearerSheet {
public:
    /// homes: [vertices] nodes; h: the edge of a cell
    NearerSheet(std::span<const Vec3> positions, std::span<const std::uint32_t> triangles, const Tissue& tissue,
                std::span<const std::uint32_t> homes, double h);

    /// Whether node `b` is nearer than `a` along the surface.
    bool operator()(std::uint32_t vertex, std::uint32_t a, std::uint32_t b) const;

private:
    /// Around a triangle's corners.
    struct Sphere {
        Vec3d centre;
        double radius = 0;
    };

    Vec3d corner(std::uint32_t t, int k) const { return to_double(positions_[triangles_[3 * std::size_t(t) + k]]); }
    Vec3d area(std::uint32_t t) const { return cross(corner(t, 1) - corner(t, 0), corner(t, 2) - corner(t, 0)); }
    bool has(std::uint32_t t, std::uint32_t vertex) const;
    double distance2(std::uint32_t vertex, Vec3d facing, std::uint32_t node) const;

    std::span<const Vec3> positions_;
    std::span<const std::uint32_t> triangles_;
    const Tissue& tissue_;
    std::span<const std::uint32_t> homes_;
    double h_;
    std::vector<Sphere> spheres_;  ///< [triangles]
};

}  // namespace fascia::lattice
