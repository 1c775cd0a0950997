// A surface in cells whose corners move: each vertex is blended from the points at the eight corners of its cell.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/isa.h"
#include "base/workspace.h"
#include "fascia/method.h"
#include "skin/skin_kernels.h"

namespace fascia {

/// Floats of one point: its gradient (three columns), its move, and four unused ones: one cache line.
constexpr std::size_t cell_floats = 16;
constexpr std::size_t cell_corners = 8;

/// The lines that a block reads if its vertices share them. The same sums in the same order as one by one.
struct SharedLines {
    std::uint32_t first = 0;  ///< in CellCarriers::shared
    std::uint32_t count = 0;  ///< 0: every vertex reads its own
};

struct CellCarry;

/// Which points carry each vertex; vertices in blocks of 16, the last one padded.
struct CellCarriers {
    std::size_t vertices = 0;
    std::vector<std::uint32_t> lines;   ///< [blocks * 16 * 8] where the lines of the corners begin, in floats
    Floats weights;                     ///< [blocks * 16 * 8]
    std::vector<SharedLines> blocks;    ///< [blocks]
    std::vector<std::uint32_t> shared;  ///< lines of blocks that share theirs
    Floats shared_weights;              ///< [shared * 16]

    /// What the kernel needs to know about them.
    CellCarry carry() const;
};

/// points, weights: [vertices * 8]. carriers: the points that have a line, in the order of the lines.
CellCarriers pack_cell_carriers(std::span<const std::uint32_t> points, std::span<const float> weights,
                                std::span<const std::uint32_t> carriers);

/// v' = v + sum w move (+ extra) + origin; n' = cof(sum w gradient) n, t' = (sum w gradient) t, normalised.
struct CellCarry {
    const std::uint32_t* lines = nullptr;  ///< CellCarriers
    const float* weights = nullptr;
    const SharedLines* blocks = nullptr;  ///< or null: no block shares lines
    const std::uint32_t* shared = nullptr;
    const float* shared_weights = nullptr;
    const float* rows = nullptr;   ///< [points * cell_floats]
    const float* extra = nullptr;  ///< [blocks * 48] moves of the vertices themselves, x[16], y[16], z[16]; or null
    double origin[3] = {0, 0, 0};
    bool tangents = false;  ///< directions are along the surface instead of perpendicular to it
};

/// Blocks as x[16], y[16], z[16] in, triples out, counted from the first block given.
struct CellTask {
    CellCarry carry;
    const float* positions = nullptr;   ///< null: all zero
    const float* directions = nullptr;  ///< or null
    float* out_positions = nullptr;     ///< or null
    float* out_directions = nullptr;
};

inline CellCarry CellCarriers::carry() const {
    CellCarry out;
    out.lines = lines.data();
    out.weights = weights.data();
    out.blocks = blocks.data();
    out.shared = shared.data();
    out.shared_weights = shared_weights.data();
    return out;
}

/// The part of a carry that begins at a block.
inline CellCarry from_block(CellCarry carry, std::size_t block) {
    carry.lines += block * skin_block * cell_corners;
    carry.weights += block * skin_block * cell_corners;
    if (carry.blocks != nullptr) carry.blocks += block;
    if (carry.extra != nullptr) carry.extra += block * 3 * skin_block;
    return carry;
}
FASCIA_DECLARE_KERNEL(void carry_cells(const CellTask& task, std::size_t blocks))

/// A surface that nothing else has skinned. directions: [blocks * 48] at rest, or null. Outputs [vertices] or null.
void place_in_cells(const CellCarry& carry, std::size_t vertices, const float* directions, float* out_positions,
                    float* out_directions, Workspace& work);

}  // namespace fascia
