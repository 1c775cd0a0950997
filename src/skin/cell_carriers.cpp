#include "skin/cell_carriers.h"

#include <algorithm>

#include "skin/packed_skin.h"
#include "skin/placed_blocks.h"

namespace fascia {

namespace {

/// The lines that a block uses, ascending; empty if a vertex reads its lines in another order.
std::vector<std::uint32_t> lines_in_order(const CellCarriers& cells, std::size_t block) {
    std::vector<std::uint32_t> out;
    for (std::size_t v = block * skin_block; v < (block + 1) * skin_block; ++v) {
        std::uint32_t least = 0;
        for (std::size_t k = v * cell_corners; k < (v + 1) * cell_corners; ++k) {
            if (cells.weights[k] == 0) continue;
            if (cells.lines[k] < least) return {};
            least = cells.lines[k] + 1;
            out.push_back(cells.lines[k]);
        }
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

/// The most lines for which sharing pays, measured as for joints.
std::size_t most_shared_lines() {
    return std::size_t(double(cell_corners) * skin_kernels().back().sharing.lbs + 0.5);
}

void share_lines(CellCarriers& out) {
    out.blocks.resize(block_count(out.vertices));
    for (std::size_t b = 0; b < out.blocks.size(); ++b) {
        const std::vector<std::uint32_t> used = lines_in_order(out, b);
        if (used.empty() || used.size() > most_shared_lines()) continue;
        out.blocks[b] = {std::uint32_t(out.shared.size()), std::uint32_t(used.size())};
        out.shared.insert(out.shared.end(), used.begin(), used.end());
        out.shared_weights.resize(out.shared.size() * skin_block, 0.0f);
        for (std::size_t k = b * skin_block * cell_corners; k < (b + 1) * skin_block * cell_corners; ++k) {
            if (out.weights[k] == 0) continue;
            const auto at = std::lower_bound(used.begin(), used.end(), out.lines[k]) - used.begin();
            const std::size_t lane = k / cell_corners % skin_block;
            out.shared_weights[(out.blocks[b].first + std::size_t(at)) * skin_block + lane] = out.weights[k];
        }
    }
}

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
    share_lines(out);
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
