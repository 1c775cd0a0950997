// Generalized winding number of a triangle soup: about 1 inside, about 0 outside, fractions where there are holes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fascia/math.h"

namespace fascia::lattice {

/// w(p) = 1 / (4 pi) * sum of the solid angles of the triangles seen from p. Far groups of triangles count as one
/// dipole, w = A . (c - p) / (4 pi |c - p|^3), with A the sum of their area vectors.
class WindingField {
public:
    WindingField(std::span<const Vec3> positions, std::span<const std::uint32_t> triangles);
    double at(Vec3d p) const;

private:
    struct Node {
        Vec3d center, area;
        double radius = 0;
        std::uint32_t first = 0, count = 0;  ///< triangles in `order_`
        std::uint32_t right = 0;             ///< the left child follows its parent; 0: a leaf
    };
    struct Corners {
        Vec3d a, b, c;
    };
    struct Dipole {
        Vec3d area, middle;
        double size = 0;  ///< length of area
    };
    static std::vector<std::uint32_t> along_curve(const std::vector<Corners>& all);
    void build(std::uint32_t first, std::uint32_t count, const std::vector<Dipole>& dipoles);

    std::vector<Node> nodes_;
    std::vector<Corners> corners_;  ///< in the order of the leaves
};

/// Solid angle of one triangle seen from p, signed: positive when p is behind it (Van Oosterom and Strackee).
double solid_angle(Vec3d a, Vec3d b, Vec3d c, Vec3d p);

}  // namespace fascia::lattice
