#include "skin/cell_carriers.h"

#include <algorithm>
#include <cstring>

#include "skin/packed_skin.h"

namespace fascia {

namespace {

constexpr std::size_t blocks_at_a_time = 32;

}  // namespace

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
    const auto at = [](float* out, std::size_t block) { return out != nullptr ? out + 48 * block : nullptr; };
    const std::size_t full = vertices / skin_block, left = vertices % skin_block;
    work.impl().pool.for_ranges(full, blocks_at_a_time, [&](std::size_t begin, std::size_t end, int) {
        run(begin, end, at(out_positions, begin), at(out_directions, begin));
    });
    if (left == 0) return;
    alignas(64) float positions[48], turned[48];
    run(full, full + 1, positions, turned);
    const std::size_t bytes = left * 3 * sizeof(float);
    if (out_positions != nullptr) std::memcpy(out_positions + 48 * full, positions, bytes);
    if (directions != nullptr) std::memcpy(out_directions + 48 * full, turned, bytes);
}

}  // namespace fascia
