// A surface that a kernel writes in blocks of 16 vertices although the caller's arrays end with its last vertex.
#pragma once

#include <cstring>

#include "base/workspace.h"
#include "skin/skin_kernels.h"

namespace fascia {

/// Blocks that one thread takes at a time.
constexpr std::size_t placed_grain = 32;

/// run(begin, end, positions, directions): blocks begin to end, written from where the pointers say. Outputs [vertices]
/// triples, or null.
template <class Run>
void place_blocks(std::size_t vertices, float* out_positions, float* out_directions, Workspace& work, const Run& run) {
    const auto at = [](float* out, std::size_t block) { return out != nullptr ? out + 48 * block : nullptr; };
    const std::size_t full = vertices / skin_block, left = vertices % skin_block;
    work.impl().pool.for_ranges(full, placed_grain, [&](std::size_t begin, std::size_t end, int) {
        run(begin, end, at(out_positions, begin), at(out_directions, begin));
    });
    if (left == 0) return;
    alignas(64) float positions[48], directions[48];
    run(full, full + 1, positions, directions);
    const std::size_t bytes = left * 3 * sizeof(float);
    if (out_positions != nullptr) std::memcpy(out_positions + 48 * full, positions, bytes);
    if (out_directions != nullptr) std::memcpy(out_directions + 48 * full, directions, bytes);
}

}  // namespace fascia
