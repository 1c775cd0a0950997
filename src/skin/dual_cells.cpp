#include "skin/dual_cells.h"

#include <algorithm>
#include <map>

#include "skin/placed_blocks.h"

namespace fascia {

namespace {

constexpr std::size_t dual_grain = 32;  ///< blocks, or cells, that one thread takes at a time

struct DualCellScratch {
    Floats palette, points;
};

}  // namespace

DualPoints pack_dual_points(const BoundWeights& weights, std::size_t joints) {
    PairEntries entries = pair_entries(weights, joints);
    DualPoints out;
    out.points = weights.vertex_count();
    out.slots = std::size_t(weights.influences);
    out.pairs = std::move(entries.pairs);
    out.entries = std::move(entries.entries);
    for (std::uint32_t& entry : out.entries) entry *= std::uint32_t(dual_floats);
    out.weights = weights.weights;
    return out;
}

DualCells pack_dual_cells(std::span<const std::uint32_t> points, std::span<const float> weights) {
    DualCells out;
    out.vertices = points.size() / 8;
    const std::size_t blocks = block_count(out.vertices);
    out.lines.assign(blocks * skin_block, 0);
    out.inside.assign(blocks * 3 * skin_block, 0);
    std::map<std::array<std::uint32_t, 8>, std::uint32_t> known;
    for (std::size_t v = 0; v < out.vertices; ++v) {
        std::array<std::uint32_t, 8> corners;
        std::copy_n(points.begin() + std::ptrdiff_t(8 * v), 8, corners.begin());
        const auto [cell, added] = known.try_emplace(corners, std::uint32_t(out.cells.size()));
        if (added) out.cells.push_back(corners);
        out.lines[v] = std::uint32_t(cell->second * cell_dual_floats);
        const float* w = &weights[8 * v];
        float* inside = &out.inside[v / skin_block * 3 * skin_block + v % skin_block];
        inside[0] = w[1] + w[3] + w[5] + w[7];
        inside[skin_block] = w[2] + w[3] + w[6] + w[7];
        inside[2 * skin_block] = w[4] + w[5] + w[6] + w[7];
    }
    return out;
}

void lines_of_cells(const DualPoints& points, const DualCells& cells, std::span<const float> duals,
                    std::span<float> lines, Workspace& work) {
    auto& scratch = work.impl().scratch<DualCellScratch>();
    const std::span<float> palette = sized(scratch.palette, points.pairs.size() * dual_floats);
    signed_duals(points.pairs, duals, palette);
    const std::span<float> blended = sized(scratch.points, points.points * dual_floats);
    const PointDualsTask task{points.entries.data(), points.weights.data(), points.slots, palette.data(),
                              blended.data()};
    ThreadPool& pool = work.impl().pool;
    pool.for_ranges(points.points, dual_grain, [&](std::size_t begin, std::size_t end, int) {
        FASCIA_DISPATCH(blend_point_duals)(task, begin, end);
    });
    pool.for_ranges(cells.cells.size(), dual_grain, [&](std::size_t begin, std::size_t end, int) {
        FASCIA_DISPATCH(join_cell_duals)(cells.cells.data(), blended.data(), lines.data(), begin, end);
    });
}

void carry_by_dual_cells(const DualCells& cells, std::span<const float> lines, const DualCarry& carry,
                         Workspace& work) {
    const auto at = [](auto* array, std::size_t block) { return array != nullptr ? array + 48 * block : nullptr; };
    const auto run = [&](std::size_t begin, std::size_t end, float* positions, float* directions) {
        DualCellTask task{cells.lines.data() + skin_block * begin, cells.inside.data() + 48 * begin, lines.data(),
                          carry};
        task.carry.positions = at(carry.positions, begin);
        task.carry.directions = at(carry.directions, begin);
        task.carry.out_positions = positions;
        task.carry.out_directions = directions;
        FASCIA_DISPATCH(carry_by_duals)(task, end - begin);
    };
    place_blocks(cells.vertices, carry.positions != nullptr ? carry.out_positions : nullptr,
                 carry.directions != nullptr ? carry.out_directions : nullptr, work, run);
}

}  // namespace fascia
