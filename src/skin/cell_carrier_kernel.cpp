// Vertices in cells (docs/formulas.md D1). The lines of the corners are blended vertex by vertex, as whole cache lines;
// then lanes are vertices. Corners are added in a fixed order: the same bits for any width.
#include "skin/cell_carriers.h"
#include "skin/kernel_vectors.h"

namespace fascia::FASCIA_ISA_NAMESPACE {
namespace {

constexpr std::size_t cell_lanes = skin_block;

/// Blocks that are blended before they are moved: data written in quarters can be read as a whole only once it has left
/// the core's store queue.
constexpr std::size_t blended_at_a_time = 4;

/// Elements of the blended lines, one array each: three columns of the gradient, and the move.
struct BlendedLines {
    alignas(64) float of[12][cell_lanes];
};

/// The blended line of one vertex.
struct Line {
    f4 first, middle, last;
};

#if defined(__AVX512F__)
inline Line blend_line(const float* rows, const std::uint32_t* line, const float* weight) {
    f16 sum{};
    for (std::size_t k = 0; k < cell_corners; ++k) sum = sum + load<f16>(rows + line[k]) * weight[k];
    return {__builtin_shufflevector(sum, sum, 0, 1, 2, 3), __builtin_shufflevector(sum, sum, 4, 5, 6, 7),
            __builtin_shufflevector(sum, sum, 8, 9, 10, 11)};
}
#else
inline Line blend_line(const float* rows, const std::uint32_t* line, const float* weight) {
    f8 low{};
    f4 high{};
    for (std::size_t k = 0; k < cell_corners; ++k) {
        low = low + load<f8>(rows + line[k]) * weight[k];
        high = high + load<f4>(rows + line[k] + 8) * weight[k];
    }
    return {__builtin_shufflevector(low, low, 0, 1, 2, 3), __builtin_shufflevector(low, low, 4, 5, 6, 7), high};
}
#endif

/// Lanes are vertices.
void blend_shared_lines(const CellCarry& carry, BlendedLines& out) {
    const std::uint32_t* line = carry.shared + carry.blocks->first;
    const std::uint32_t count = carry.blocks->count;
    for (std::size_t i = 0; i < cell_lanes; i += wide) {
        const float* weight = carry.shared_weights + cell_lanes * std::size_t(carry.blocks->first) + i;
        Wide sum[12] = {};
        for (std::uint32_t u = 0; u < count; ++u) {
            const float* row = carry.rows + line[u];
            const Wide w = load<Wide>(weight + cell_lanes * u);
            for (int e = 0; e < 12; ++e) sum[e] = sum[e] + w * row[e];
        }
        for (int e = 0; e < 12; ++e) store(out.of[e] + i, sum[e]);
    }
}

void blend_lines(const CellCarry& carry, BlendedLines& out) {
    if (carry.blocks != nullptr && carry.blocks->count > 0) return blend_shared_lines(carry, out);
    const std::uint32_t* line = carry.lines;
    const float* weight = carry.weights;
    for (std::size_t i = 0; i < cell_lanes; i += 4) {
        Line four[4];
        for (std::size_t v = 0; v < 4; ++v, line += cell_corners, weight += cell_corners)
            four[v] = blend_line(carry.rows, line, weight);
        transpose(four[0].first, four[1].first, four[2].first, four[3].first, out.of[0] + i, cell_lanes);
        transpose(four[0].middle, four[1].middle, four[2].middle, four[3].middle, out.of[4] + i, cell_lanes);
        transpose(four[0].last, four[1].last, four[2].last, four[3].last, out.of[8] + i, cell_lanes);
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
        const Wide tx = (a.x * x + b.x * y) + c.x * z, ty = (a.y * x + b.y * y) + c.y * z,
                   tz = (a.z * x + b.z * y) + c.z * z;
        const Wide length = roots((tx * tx + ty * ty) + tz * tz), unit = 1.0f / length;
        const auto some = length > 0;
        store_triples(out + 3 * i, some ? tx * unit : x, some ? ty * unit : y, some ? tz * unit : z);
    }
}

}  // namespace

void carry_cells(const CellTask& task, std::size_t blocks) {
    BlendedLines blended[blended_at_a_time];
    for (std::size_t first = 0; first < blocks; first += blended_at_a_time) {
        const std::size_t count = blocks - first < blended_at_a_time ? blocks - first : blended_at_a_time;
        for (std::size_t k = 0; k < count; ++k) blend_lines(from_block(task.carry, first + k), blended[k]);
        for (std::size_t k = 0; k < count; ++k) {
            const std::size_t b = first + k;
            CellTask here = task;
            here.carry = from_block(task.carry, b);
            if (task.positions != nullptr) here.positions += 48 * b;
            if (task.directions != nullptr) here.directions += 48 * b;
            if (task.out_positions != nullptr) move_block(here, blended[k], task.out_positions + 48 * b);
            if (task.directions != nullptr) turn_block(here, blended[k], task.out_directions + 48 * b);
        }
    }
}

}  // namespace fascia::FASCIA_ISA_NAMESPACE
