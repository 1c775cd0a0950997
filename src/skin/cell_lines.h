// How points move a surface that is skinned already, in the form that the kernel of cells reads: the gradient of their
// moves, and the moves (docs/formulas.md D1).
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/isa.h"

namespace fascia {

/// Floats of one point: its move, an unused one, and its rotation w, x, y, z.
constexpr std::size_t moved_floats = 8;

/// Segments of eight points, listed.
struct MovedRows {
    std::size_t stride = 0;
    const std::uint32_t* own = nullptr;     ///< [segments] place of lane 0
    const std::uint32_t* listed = nullptr;  ///< which segments
    const float* moves = nullptr;           ///< 3 channels
    const float* rotations = nullptr;       ///< 4 channels
    float* rows = nullptr;                  ///< [stride * moved_floats] by place
};
FASCIA_DECLARE_KERNEL(void moved_rows(const MovedRows& task, std::size_t begin, std::size_t end))

/// The same numbers as embedding::lines_of_moves_reference.
struct CellLines {
    const std::uint32_t* points = nullptr;  ///< embedding::PointSides
    const std::uint32_t* ends = nullptr;
    const float* rows = nullptr;  ///< MovedRows
    float unit = 1;               ///< 1 / edge of a cell
    float* lines = nullptr;       ///< [points * cell_floats]
};
FASCIA_DECLARE_KERNEL(void lines_of_moves(const CellLines& task, std::size_t begin, std::size_t end))

}  // namespace fascia
