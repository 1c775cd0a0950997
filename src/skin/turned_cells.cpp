#include "skin/turned_cells.h"

#include <algorithm>
#include <map>

#include "skin/packed_skin.h"
#include "skin/placed_blocks.h"

namespace fascia {

namespace {

constexpr std::size_t turned_grain = 32;  ///< cells that one thread takes at a time

}  // namespace

TurnedCells pack_turned_cells(std::span<const std::uint32_t> points, std::span<const float> weights) {
    TurnedCells out;
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
        out.lines[v] = std::uint32_t(cell->second * 8 * turned_floats);
        const float* w = &weights[8 * v];
        float* inside = &out.inside[v / skin_block * 3 * skin_block + v % skin_block];
        inside[0] = w[1] + w[3] + w[5] + w[7];
        inside[skin_block] = w[2] + w[3] + w[6] + w[7];
        inside[2 * skin_block] = w[4] + w[5] + w[6] + w[7];
    }
    return out;
}

void lines_of_cells(const TurnedCells& cells, std::size_t stride, std::span<const float> places,
                    std::span<const float> rotations, std::span<float> lines, Workspace& work) {
    work.impl().pool.for_ranges(cells.cells.size(), turned_grain, [&](std::size_t begin, std::size_t end, int) {
        for (std::size_t c = begin; c < end; ++c) {
            float* const first = &lines[c * 8 * turned_floats];
            for (std::size_t k = 0; k < 8; ++k) {
                const std::size_t p = cells.cells[c][k];
                float* line = first + turned_floats * k;
                line[0] = places[p], line[1] = places[stride + p], line[2] = places[2 * stride + p], line[3] = 0;
                for (std::size_t e = 0; e < 4; ++e) line[4 + e] = rotations[e * stride + p];
                const float along =
                    (line[4] * first[4] + line[5] * first[5]) + (line[6] * first[6] + line[7] * first[7]);
                if (along < 0)
                    for (std::size_t e = 4; e < 8; ++e) line[e] = -line[e];
            }
        }
    });
}

void place_in_turned_cells(const TurnedCells& cells, std::span<const float> lines, Vec3 origin, const float* directions,
                           float* out_positions, float* out_directions, Workspace& work) {
    const auto run = [&](std::size_t begin, std::size_t end, float* positions, float* turned) {
        TurnedTask task;
        task.lines = cells.lines.data() + skin_block * begin;
        task.inside = cells.inside.data() + 48 * begin;
        task.rows = lines.data();
        task.origin[0] = origin.x, task.origin[1] = origin.y, task.origin[2] = origin.z;
        if (out_positions != nullptr) task.out_positions = positions;
        if (directions != nullptr) task.directions = directions + 48 * begin, task.out_directions = turned;
        FASCIA_DISPATCH(place_turned)(task, end - begin);
    };
    place_blocks(cells.vertices, out_positions, directions != nullptr ? out_directions : nullptr, work, run);
}

}  // namespace fascia
