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

/// For vertices at the end of an arm from the place where they are bound: how much further than that place they move,
/// begin to end. Lines of three: x[16], y[16], z[16] for each 16 vertices.
/// v' += s R a: arms turned and scaled by the gradient of the map. to: [3 * stride] where the points are. h: edge of a
/// cell at rest, in the units of `arms`
void arms_in_cells(const Trilinear& bound, std::size_t stride, std::span<const float> to, double h,
                   std::span<const Vec3> arms, std::size_t begin, std::size_t end, std::span<float> out);
/// The same for a surface that is skinned already: moves are extrapolated by their gradient, by no more than the arm's
/// length. moves: [3 * stride] by which the points are off where the surface was skinned with them
void moves_of_arms_in_cells(const Trilinear& bound, std::size_t stride, std::span<const float> moves, double h,
                            std::span<const Vec3> arms, std::size_t begin, std::size_t end, std::span<float> out);

/// The neighbours on both sides of a point along each axis; the point itself if there is none.
struct PointSides {
    std::vector<std::uint32_t> points;
    std::vector<std::uint32_t> ends;  ///< [points * 6] -x +x -y +y -z +z
};
/// What each point contributes to the surface, a line of 16 floats: three columns of a gradient, then its move, then
/// padding.
inline constexpr std::size_t line_floats = 16;
/// The gradient of the map at the points, from neighbour to neighbour, in units of 1 / h. The gradient of the trilinear
/// map itself jumps from cell to cell, and shading would show it. `to`: [3 * stride]; it is also the move
void lines_of_places(const PointSides& sides, std::size_t stride, std::span<const float> to, std::size_t begin,
                     std::size_t end, std::span<float> lines);
/// Plain twins of the kernels that carry a surface (skin/cell_lines.h, skin/cell_carriers.h), for tests and for
/// programs that look into a lattice.
/// Lines of moves for a surface that is skinned already: columns along the axes of the rest pose, turned back by the
/// rotation of each point, plus the identity. rotations: [4 * stride]. h: edge of a cell in the units of the moves
void lines_of_moves_reference(const PointSides& sides, std::size_t stride, std::span<const float> moves,
                              std::span<const float> rotations, double h, std::span<float> lines);
/// v' = v + sum_k w_k d_k. line: [vertices * 8] which line each slot reads
void carry_in_cells_reference(const Trilinear& bound, std::span<const std::uint32_t> line, std::span<const float> lines,
                              std::span<const Vec3> in, std::span<Vec3> out);
/// Normals by the cofactors of the gradient, tangents by the gradient itself.
void turn_normals_reference(const Trilinear& bound, std::span<const std::uint32_t> line, std::span<const float> lines,
                            std::span<const Vec3> in, std::span<Vec3> out);
void turn_tangents_reference(const Trilinear& bound, std::span<const std::uint32_t> line, std::span<const float> lines,
                             std::span<const Vec3> in, std::span<Vec3> out);

}  // namespace fascia::embedding
