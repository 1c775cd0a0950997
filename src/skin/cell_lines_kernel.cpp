// Points are in channels, their neighbours anywhere: rows of eight floats make each neighbour one load. Then lanes are
// points, four at a time: the same bits at every level.
#include "skin/cell_carriers.h"
#include "skin/cell_lines.h"
#include "skin/kernel_vectors.h"

namespace fascia::FASCIA_ISA_NAMESPACE {

void moved_rows(const MovedRows& task, std::size_t begin, std::size_t end) {
    const std::size_t n = task.stride;
    for (std::size_t k = begin; k < end; ++k)
        for (std::size_t half = 0; half < 8; half += 4) {
            const std::size_t at = task.own[task.listed[k]] + half;
            const auto channel = [&](const float* from, std::size_t c) { return load<f4>(from + c * n + at); };
            float* out = task.rows + moved_floats * at;
            transpose(channel(task.moves, 0), channel(task.moves, 1), channel(task.moves, 2), f4{}, out, moved_floats);
            transpose(channel(task.rotations, 0), channel(task.rotations, 1), channel(task.rotations, 2),
                      channel(task.rotations, 3), out + 4, moved_floats);
        }
}

namespace {

constexpr std::size_t at_a_time = 4;

/// Elements of four vectors.
struct Lanes {
    f4 x, y, z, w;
};
inline Lanes lanes_of(const f4 (&of)[at_a_time]) {
    const f4 ab = low_turns(of[0], of[1]), cd = low_turns(of[2], of[3]);
    const f4 ab2 = high_turns(of[0], of[1]), cd2 = high_turns(of[2], of[3]);
    return {low_halves(ab, cd), high_halves(ab, cd), low_halves(ab2, cd2), high_halves(ab2, cd2)};
}

/// The difference between the neighbours of four points along an axis.
__attribute__((always_inline)) inline Lanes along_axis(const CellLines& task, const std::uint32_t (&which)[at_a_time],
                                                       std::size_t axis) {
    f4 difference[at_a_time];
    for (std::size_t p = 0; p < at_a_time; ++p) {
        const std::uint32_t* ends = task.ends + 6 * std::size_t(which[p]) + 2 * axis;
        const std::uint32_t own = task.points[which[p]];
        const bool both = ends[0] != own && ends[1] != own;
        difference[p] = (load<f4>(task.rows + moved_floats * std::size_t(ends[1])) -
                         load<f4>(task.rows + moved_floats * std::size_t(ends[0]))) *
                        (both ? 0.5f : 1.0f);
    }
    return lanes_of(difference);
}

void four_lines(const CellLines& task, const std::uint32_t (&which)[at_a_time], float* out) {
    const Lanes g[3] = {along_axis(task, which, 0), along_axis(task, which, 1), along_axis(task, which, 2)};
    f4 rotation[at_a_time], move[at_a_time];
    for (std::size_t p = 0; p < at_a_time; ++p) {
        const float* row = task.rows + moved_floats * std::size_t(task.points[which[p]]);
        move[p] = load<f4>(row);
        rotation[p] = load<f4>(row + 4);
    }
    const Lanes q = lanes_of(rotation);
    const f4 w = q.x, x = q.y, y = q.z, z = q.w;
    const f4 rows[3][3] = {{1.0f - 2.0f * (y * y + z * z), 2.0f * (x * y - w * z), 2.0f * (x * z + w * y)},
                           {2.0f * (x * y + w * z), 1.0f - 2.0f * (x * x + z * z), 2.0f * (y * z - w * x)},
                           {2.0f * (x * z - w * y), 2.0f * (y * z + w * x), 1.0f - 2.0f * (x * x + y * y)}};
    // Element r of column c: the columns mixed by row c of the rotation, plus 1 on the diagonal.
    f4 turned[12];
    for (int c = 0; c < 3; ++c) {
        const auto mixed = [&](f4 a, f4 b, f4 d, float own) {
            return own + task.unit * (a * rows[c][0] + b * rows[c][1] + d * rows[c][2]);
        };
        turned[3 * c] = mixed(g[0].x, g[1].x, g[2].x, c == 0 ? 1.0f : 0.0f);
        turned[3 * c + 1] = mixed(g[0].y, g[1].y, g[2].y, c == 1 ? 1.0f : 0.0f);
        turned[3 * c + 2] = mixed(g[0].z, g[1].z, g[2].z, c == 2 ? 1.0f : 0.0f);
    }
    transpose(turned[0], turned[1], turned[2], turned[3], out, cell_floats);
    transpose(turned[4], turned[5], turned[6], turned[7], out + 4, cell_floats);
    // The ninth, then the move.
    for (std::size_t p = 0; p < at_a_time; ++p)
        store(out + cell_floats * p + 8, f4{turned[8][p], move[p][0], move[p][1], move[p][2]});
}

}  // namespace

void lines_of_moves(const CellLines& task, std::size_t begin, std::size_t end) {
    std::uint32_t which[at_a_time];
    for (std::size_t k = begin; k < end; k += at_a_time) {
        for (std::size_t p = 0; p < at_a_time; ++p) which[p] = std::uint32_t(k + p < end ? k + p : end - 1);
        if (end - k >= at_a_time) {
            four_lines(task, which, task.lines + cell_floats * k);
            continue;
        }
        alignas(64) float rest[at_a_time * cell_floats] = {};
        four_lines(task, which, rest);
        std::memcpy(task.lines + cell_floats * k, rest, (end - k) * cell_floats * sizeof(float));
    }
}

}  // namespace fascia::FASCIA_ISA_NAMESPACE
