// A surface in cells whose corners have motions: each vertex is moved by the dual quaternion that the eight corners of
// its cell blend, as if it had been skinned by weights that are trilinear in the cell (docs/formulas.md C9, C11).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/isa.h"
#include "base/workspace.h"
#include "fascia/method.h"
#include "skin/bound_weights.h"
#include "skin/joint_maps.h"
#include "skin/packed_skin.h"

namespace fascia {

/// Points that joints carry.
struct DualPoints {
    std::size_t points = 0;
    std::size_t slots = 0;
    std::vector<SignedPair> pairs;       ///< the palette
    std::vector<std::uint32_t> entries;  ///< [points * slots] where palette entries begin, in floats
    std::vector<float> weights;          ///< [points * slots]
};
DualPoints pack_dual_points(const BoundWeights& weights, std::size_t joints);

/// Vertices in blocks of 16, the last one padded.
struct DualCells {
    std::size_t vertices = 0;
    std::vector<std::array<std::uint32_t, 8>> cells;  ///< points at the corners, by bits: 1 upper along x, 2 y, 4 z
    std::vector<std::uint32_t> lines;                 ///< [blocks * 16] where the lines of a vertex's cell begin
    Floats inside;                                    ///< [blocks * 48] where each vertex is in its cell, 0 to 1
};
/// points, weights: [vertices * 8] trilinear, in the order of the bits.
DualCells pack_dual_cells(std::span<const std::uint32_t> points, std::span<const float> weights);

/// Floats of one cell: a polynomial in x, y, z whose eight coefficients (by bits) are dual quaternions.
constexpr std::size_t cell_dual_floats = 8 * dual_floats;

/// The cells' polynomials for the motions of joints. duals: [joints * dual_floats]. lines: [cells * cell_dual_floats]
void lines_of_cells(const DualPoints& points, const DualCells& cells, std::span<const float> duals,
                    std::span<float> lines, Workspace& work);

/// All vertices. Rest vectors: [blocks * 48] x[16], y[16], z[16], or null. Outputs [vertices] or null.
struct DualCarry {
    const float *positions = nullptr, *directions = nullptr;
    float scale = 1;  ///< of positions, first
    Vec3 origin;      ///< added to positions last
    float *out_positions = nullptr, *out_directions = nullptr;
};
void carry_by_dual_cells(const DualCells& cells, std::span<const float> lines, const DualCarry& carry, Workspace& work);

// ---- kernels -------------------------------------------------------------------------------------------------------
struct PointDualsTask {
    const std::uint32_t* entries = nullptr;  ///< DualPoints
    const float* weights = nullptr;
    std::size_t slots = 0;
    const float* palette = nullptr;
    float* out = nullptr;  ///< [points * dual_floats]
};
FASCIA_DECLARE_KERNEL(void blend_point_duals(const PointDualsTask& task, std::size_t begin, std::size_t end))
/// In each cell dual quaternions take the sign nearest to the first corner's.
FASCIA_DECLARE_KERNEL(void join_cell_duals(const std::array<std::uint32_t, 8>* cells, const float* duals, float* lines,
                                           std::size_t begin, std::size_t end))
/// Blocks, counted from the first one given.
struct DualCellTask {
    const std::uint32_t* lines = nullptr;
    const float *inside = nullptr, *rows = nullptr;
    DualCarry carry;
};
FASCIA_DECLARE_KERNEL(void carry_by_duals(const DualCellTask& task, std::size_t blocks))

}  // namespace fascia
