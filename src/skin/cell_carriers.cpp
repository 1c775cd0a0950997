#include "skin/cell_carriers.h"

#include <algorithm>

#include "skin/packed_skin.h"
#include "skin/placed_blocks.h"

namespace fascia {

CellCarriers pack_cell_carriers(std::span<const std::uint32_t> points, std::span<const float> weights,
                                std::span<const std::uint32_t> carriers) {
    std::vector<std::uint32_t> line(carriers.empty() ? 0 : *std::max_element(carriers.begin(), carriers.end()) + 1u, 0);
    for (std::size_t k = 0; k < carriers.size(); ++k) line[carriers[k]] = std::uint32_t(k * cell_floats);
    CellCarriers out;
    out.vertices = points.size() / cell_corners;
    const std::size_t slots = block_count(out.vertices) * skin_block * cell_corners;
    out.lines.assign(slots, 0);
    out.weights.assign(slots, 0);
    for (std::size_t k = 0; k < points.size(); ++k)
        if (weights[k] != 0) out.lines[k] = line[points[k]];
    std::copy(weights.begin(), weights.end(), out.weights.begin());
    return out;
}

void place_in_cells(const CellCarry& carry, std::size_t vertices, const float* directions, float* out_positions,
                    float* out_directions, Workspace& work) {
    const auto run = [&](std::size_t begin, std::size_t end, float* positions, float* turned) {
        CellTask task;
        task.carry = from_block(carry, begin);
        if (out_positions != nullptr) task.out_positions = positions;
        if (directions != nullptr) task.directions = directions + 48 * begin, task.out_directions = turned;
        FASCIA_DISPATCH(carry_cells)(task, end - begin);
    };
    place_blocks(vertices, out_positions, directions != nullptr ? out_directions : nullptr, work, run);
}

}  // namespace fascia
