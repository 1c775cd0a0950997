// How near two pieces of surface come to one another within a cell.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fascia/math.h"

namespace fascia::lattice {

/// Measures from places of either piece in the cell to the triangles of the other one: exact where walls face one
/// another. What lies outside of the cell does not count: two thighs that meet at the crotch are apart further down.
class CellGap {
public:
    CellGap(std::span<const Vec3> positions, std::span<const std::uint32_t> triangles)
        : positions_(positions), triangles_(triangles) {}

    /// Squared, or `bound` if they come no nearer than that. center, half: the cell's
    double between(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b, Vec3d center, double half,
                   double bound);

private:
    /// What of a triangle lies in the cell: its corners and its middle.
    struct Piece {
        Vec3d corner[3];
        std::vector<Vec3d> places;
        Vec3d middle;  ///< of the triangle
        double radius = 0;
    };
    void cut(std::span<const std::uint32_t> triangles, Vec3d center, double half, std::vector<Piece>& out);

    std::span<const Vec3> positions_;
    std::span<const std::uint32_t> triangles_;
    std::vector<Piece> a_, b_;
    std::vector<Vec3d> polygon_;
};

}  // namespace fascia::lattice
