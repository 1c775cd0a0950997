// A surface in cells whose corners move and turn: each vertex is blended from the eight corners of its cell, and its
// normal turns with them. Vertices of one cell read the same eight lines, one after another.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/isa.h"
#include "base/workspace.h"
#include "fascia/method.h"
#include "skin/skin_kernels.h"

namespace fascia {

/// Floats of one corner: its place, one that is not used, and its rotation w, x, y, z.
constexpr std::size_t turned_floats = 8;

/// Vertices in blocks of 16, the last one padded.
struct TurnedCells {
    std::size_t vertices = 0;
    std::vector<std::array<std::uint32_t, 8>> cells;  ///< points at the corners, by bits: 1 upper along x, 2 y, 4 z
    std::vector<std::uint32_t> lines;                 ///< [blocks * 16] where the corners of a vertex begin, in floats
    Floats inside;                                    ///< [blocks * 48] where in its cell each vertex lies, 0 to 1
};

/// points, weights: [vertices * 8] trilinear, in the order of the bits.
TurnedCells pack_turned_cells(std::span<const std::uint32_t> points, std::span<const float> weights);

/// Lines of the corners of all cells; in each cell quaternions take the side of the first. places: [3 * stride].
/// rotations: [4 * stride] w, x, y, z. lines: [cells * 8 * turned_floats]
void lines_of_cells(const TurnedCells& cells, std::size_t stride, std::span<const float> places,
                    std::span<const float> rotations, std::span<float> lines, Workspace& work);

/// v' = sum w place + origin; n' = n turned by sum w rotation. Blocks, counted from the first that is given.
struct TurnedTask {
    const std::uint32_t* lines = nullptr;
    const float* inside = nullptr;
    const float* rows = nullptr;        ///< lines_of_cells
    const float* directions = nullptr;  ///< [blocks * 48] at rest, x[16], y[16], z[16]; or null
    float origin[3] = {0, 0, 0};
    float* out_positions = nullptr;   ///< [blocks * 48] triples, or null
    float* out_directions = nullptr;  ///< [blocks * 48] triples
};
FASCIA_DECLARE_KERNEL(void place_turned(const TurnedTask& task, std::size_t blocks))

/// All vertices. directions: at rest, or null. Outputs [vertices] or null.
void place_in_turned_cells(const TurnedCells& cells, std::span<const float> lines, Vec3 origin, const float* directions,
                           float* out_positions, float* out_directions, Workspace& work);

}  // namespace fascia
