// Corners are added in a fixed order: the same bits for any width.
#include "skin/dual_cells.h"
#include "skin/dual_motion.h"

namespace fascia::FASCIA_ISA_NAMESPACE {
namespace {

constexpr std::size_t dual_lanes = skin_block;
/// Added to squares, so that opposite motions of equal weight do not divide by zero.
constexpr float almost_none = 1e-30f;

/// Elements of the blended dual quaternions, one array each.
struct DualLines {
    alignas(64) float of[dual_floats][dual_lanes];
};

void blend_cells(const std::uint32_t* lines, const float* inside, const float* rows, DualLines& out) {
    for (std::size_t i = 0; i < dual_lanes; i += 4) {
        f4 low[4], high[4];
        for (std::size_t v = 0; v < 4; ++v) {
            const float* c = rows + lines[i + v];
            const float x = inside[i + v], y = inside[dual_lanes + i + v], z = inside[2 * dual_lanes + i + v];
            const auto along_x = [&](std::size_t k) { return load<f8>(c + 8 * k) + load<f8>(c + 8 * (k + 1)) * x; };
            const f8 lower = along_x(0) + along_x(2) * y, upper = along_x(4) + along_x(6) * y;
            const f8 sum = lower + upper * z;
            low[v] = __builtin_shufflevector(sum, sum, 0, 1, 2, 3);
            high[v] = __builtin_shufflevector(sum, sum, 4, 5, 6, 7);
        }
        transpose(low[0], low[1], low[2], low[3], out.of[0] + i, dual_lanes);
        transpose(high[0], high[1], high[2], high[3], out.of[4] + i, dual_lanes);
    }
}

Duals<Wide> duals_at(const DualLines& lines, std::size_t i) {
    const auto element = [&](std::size_t e) { return load<Wide>(lines.of[e] + i); };
    return {element(0), element(1), element(2), element(3), element(4), element(5), element(6), element(7)};
}

}  // namespace

void blend_point_duals(const PointDualsTask& task, std::size_t begin, std::size_t end) {
    for (std::size_t p = begin; p < end; ++p) {
        const std::uint32_t* entry = task.entries + task.slots * p;
        const float* weight = task.weights + task.slots * p;
        f8 sum = load<f8>(task.palette + entry[0]) * weight[0];
        for (std::size_t k = 1; k < task.slots; ++k) sum = sum + load<f8>(task.palette + entry[k]) * weight[k];
        store(task.out + dual_floats * p, sum);
    }
}

void join_cell_duals(const std::array<std::uint32_t, 8>* cells, const float* duals, float* lines, std::size_t begin,
                     std::size_t end) {
    for (std::size_t c = begin; c < end; ++c) {
        const float* first = duals + dual_floats * cells[c][0];
        f8 corner[8];
        for (std::size_t k = 0; k < 8; ++k) {
            const float* q = duals + dual_floats * cells[c][k];
            const float along = (q[0] * first[0] + q[1] * first[1]) + (q[2] * first[2] + q[3] * first[3]);
            corner[k] = load<f8>(q) * (along < 0 ? -1.0f : 1.0f);
        }
        for (std::size_t axis = 1; axis < 8; axis *= 2)
            for (std::size_t k = 0; k < 8; ++k)
                if ((k & axis) != 0) corner[k] = corner[k] - corner[k ^ axis];
        for (std::size_t k = 0; k < 8; ++k) store(lines + cell_dual_floats * c + 8 * k, corner[k]);
    }
}

void carry_by_duals(const DualCellTask& task, std::size_t blocks) {
    const DualCarry carry = task.carry;
    for (std::size_t b = 0; b < blocks; ++b) {
        DualLines blended;
        blend_cells(task.lines + dual_lanes * b, task.inside + 48 * b, task.rows, blended);
        for (std::size_t i = 0; i < dual_lanes; i += wide) {
            const Duals<Wide> motion = duals_at(blended, i);
            const Wide s = 2.0f / (square_of(motion) + almost_none);
            const auto rest = [&](const float* from) {
                const float* at = from + 48 * b + i;
                return ThreeOf<Wide>{load<Wide>(at), load<Wide>(at + 16), load<Wide>(at + 32)};
            };
            if (carry.positions != nullptr) {
                const ThreeOf<Wide> v = rest(carry.positions);
                const ThreeOf<Wide> to = moved(motion, s, v.x * carry.scale, v.y * carry.scale, v.z * carry.scale);
                store_triples(carry.out_positions + 48 * b + 3 * i, to.x + carry.origin.x, to.y + carry.origin.y,
                              to.z + carry.origin.z);
            }
            if (carry.directions != nullptr) {
                const ThreeOf<Wide> n = rest(carry.directions), to = turned(motion, s, n.x, n.y, n.z);
                store_triples(carry.out_directions + 48 * b + 3 * i, to.x, to.y, to.z);
            }
        }
    }
}

}  // namespace fascia::FASCIA_ISA_NAMESPACE
