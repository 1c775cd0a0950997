// A surface embedded in cells whose corners move: trilinear in each cell (docs/formulas.md D1).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "embed/trilinear.h"
#include "fascia/math.h"

namespace fascia::embedding {

struct CellsInput {
    std::span<const Vec3d> lower;            ///< [cells] lowest corner at rest
    std::span<const std::uint32_t> corners;  ///< [cells * 8] points, by bits: 1 upper along x, 2 along y, 4 along z
    double h = 1;
    std::span<const Vec3> positions;       ///< [vertices] rest
    std::span<const std::uint32_t> homes;  ///< [vertices] the cell that each lies in
};

/// All eight slots are corners, in the order of their bits.
Trilinear bind_in_cells(const CellsInput& input);

/// v' = sum_k w_k x_k. `to`: [3 * stride] where the points are.
void place_in_cells(const Trilinear& bound, std::size_t stride, std::span<const float> to, std::span<Vec3> out);
/// v' += s R a: arms that start where vertices are bound, turned and scaled by the gradient of that map. h: edge of a
/// cell at rest, in the units of `arms`.
void add_arms_in_cells(const Trilinear& bound, std::size_t stride, std::span<const float> to, double h,
                       std::span<const Vec3> arms, std::span<Vec3> out);

/// v' += sum_k w_k d_k. `moves`: [3 * stride] by which the points are off where the surface was skinned with them.
void carry_in_cells(const Trilinear& bound, std::size_t stride, std::span<const float> moves, std::span<Vec3> out);
/// The same for what lies at the end of an arm from where it is bound: moves go on with their gradient, by no more
/// than the arm is long.
void carry_arms_in_cells(const Trilinear& bound, std::size_t stride, std::span<const float> moves, double h,
                         std::span<const Vec3> arms, std::span<Vec3> out);

/// The neighbours on both sides of a point along each axis; the point itself where there is none.
struct PointSides {
    std::vector<std::uint32_t> points;
    std::vector<std::uint32_t> ends;  ///< [points * 6] -x +x -y +y -z +z
};
inline constexpr std::size_t gradient_floats = 9;  ///< three columns
/// The gradient of the map at the points, from neighbour to neighbour, in units of 1 / h.
/// gradients: [gradient_floats * stride]
void gradients_at_points(const PointSides& sides, std::size_t stride, std::span<const float> to,
                         std::span<float> gradients);
/// Normals by the cofactors of the gradient. Gradients at the points are interpolated trilinearly: the gradient of the
/// map itself jumps from cell to cell, and shading would show it. `out` may be `in`.
void turn_normals_in_cells(const Trilinear& bound, std::span<const float> gradients, std::span<const Vec3> in,
                           std::span<Vec3> out);
/// Tangents by the gradient itself; w is kept.
void turn_tangents_in_cells(const Trilinear& bound, std::span<const float> gradients, std::span<const Vec4> in,
                            std::span<Vec4> out);

/// Gradients of moves as a surface sees them that is skinned already: columns by the axes of the rest pose, turned back
/// by the rotation of each point, and the identity added. rotations: [4 * stride]. h: edge of a cell in the units of
/// the moves
void gradients_of_moves(const PointSides& sides, std::size_t stride, std::span<const float> moves,
                        std::span<const float> rotations, double h, std::span<float> gradients);

}  // namespace fascia::embedding
