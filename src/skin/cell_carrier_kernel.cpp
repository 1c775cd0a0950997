// Vertices in cells (docs/formulas.md D1). The lines of the corners are blended vertex by vertex, as whole cache lines;
// then lanes are vertices. Corners are added in their own order: the same bits for any width.
#include "skin/cell_carriers.h"
#include "skin/kernel_vectors.h"

namespace fascia::FASCIA_ISA_NAMESPACE {
namespace {

constexpr std::size_t cell_lanes = skin_block;

/// Elements of the blended lines, one array each: three columns of the gradient, and the move.
struct BlendedLines {
    alignas(64) float of[12][cell_lanes];
};

void blend_lines(const CellCarry& carry, BlendedLines& out) {
    const std::uint32_t* line = carry.lines;
    const float* weight = carry.weights;
    for (std::size_t i = 0; i < cell_lanes; i += 4) {
        f4 first[4], middle[4], last[4];
        for (std::size_t v = 0; v < 4; ++v, line += cell_corners, weight += cell_corners) {
            f8 low{};
            f4 high{};
            for (std::size_t k = 0; k < cell_corners; ++k) {
                const float* from = carry.rows + line[k];
                low = low + load<f8>(from) * weight[k];
                high = high + load<f4>(from + 8) * weight[k];
            }
            first[v] = __builtin_shufflevector(low, low, 0, 1, 2, 3);
            middle[v] = __builtin_shufflevector(low, low, 4, 5, 6, 7);
            last[v] = high;
        }
        transpose(first[0], first[1], first[2], first[3], out.of[0] + i, cell_lanes);
        transpose(middle[0], middle[1], middle[2], middle[3], out.of[4] + i, cell_lanes);
        transpose(last[0], last[1], last[2], last[3], out.of[8] + i, cell_lanes);
    }
}

void store_block(const float (&x)[cell_lanes], const float (&y)[cell_lanes], const float (&z)[cell_lanes], float* out) {
    for (std::size_t i = 0; i < cell_lanes; i += wide)
        store_triples(out + 3 * i, load<Wide>(x + i), load<Wide>(y + i), load<Wide>(z + i));
}

void move_block(const CellTask& task, const BlendedLines& blended, float* out) {
    alignas(64) float moved[3][cell_lanes];
    for (std::size_t axis = 0; axis < 3; ++axis) {
        for (std::size_t i = 0; i < cell_lanes; i += wide) {
            Wide to = load<Wide>(blended.of[9 + axis] + i);
            if (task.positions != nullptr) to = load<Wide>(task.positions + cell_lanes * axis + i) + to;
            if (task.carry.extra != nullptr) to = to + load<Wide>(task.carry.extra + cell_lanes * axis + i);
            store(moved[axis] + i, to);
        }
        const double origin = task.carry.origin[axis];
        for (std::size_t i = 0; i < cell_lanes; ++i) moved[axis][i] = float(double(moved[axis][i]) + origin);
    }
    store_block(moved[0], moved[1], moved[2], out);
}

struct WideColumn {
    Wide x, y, z;
};
inline WideColumn across(WideColumn p, WideColumn q) {
    return {p.y * q.z - p.z * q.y, p.z * q.x - p.x * q.z, p.x * q.y - p.y * q.x};
}

void turn_block(const CellTask& task, const BlendedLines& g, float* out) {
    alignas(64) float turned[3][cell_lanes];
    for (std::size_t i = 0; i < cell_lanes; i += wide) {
        const auto column = [&](std::size_t c) {
            return WideColumn{load<Wide>(g.of[3 * c] + i), load<Wide>(g.of[3 * c + 1] + i),
                              load<Wide>(g.of[3 * c + 2] + i)};
        };
        WideColumn a = column(0), b = column(1), c = column(2);
        if (!task.carry.tangents) {
            const WideColumn bc = across(b, c), ca = across(c, a), ab = across(a, b);
            a = bc, b = ca, c = ab;
        }
        const Wide x = load<Wide>(task.directions + i), y = load<Wide>(task.directions + cell_lanes + i),
                   z = load<Wide>(task.directions + 2 * cell_lanes + i);
        store(turned[0] + i, (a.x * x + b.x * y) + c.x * z);
        store(turned[1] + i, (a.y * x + b.y * y) + c.y * z);
        store(turned[2] + i, (a.z * x + b.z * y) + c.z * z);
    }
    alignas(64) float length[cell_lanes];
    for (std::size_t i = 0; i < cell_lanes; ++i)
        length[i] =
            __builtin_sqrtf((turned[0][i] * turned[0][i] + turned[1][i] * turned[1][i]) + turned[2][i] * turned[2][i]);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const float* before = task.directions + cell_lanes * axis;
        for (std::size_t i = 0; i < cell_lanes; ++i)
            turned[axis][i] = length[i] > 0 ? turned[axis][i] * (1.0f / length[i]) : before[i];
    }
    store_block(turned[0], turned[1], turned[2], out);
}

}  // namespace

void carry_cells(const CellTask& task, std::size_t blocks) {
    for (std::size_t b = 0; b < blocks; ++b) {
        CellTask here = task;
        here.carry = from_block(task.carry, b);
        if (task.positions != nullptr) here.positions += 48 * b;
        if (task.directions != nullptr) here.directions += 48 * b;
        BlendedLines blended;
        blend_lines(here.carry, blended);
        if (task.out_positions != nullptr) move_block(here, blended, task.out_positions + 48 * b);
        if (task.directions != nullptr) turn_block(here, blended, task.out_directions + 48 * b);
    }
}

}  // namespace fascia::FASCIA_ISA_NAMESPACE
