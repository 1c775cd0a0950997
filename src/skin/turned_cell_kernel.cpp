// Corners are added in their own order: the same bits for any width.
#include "skin/kernel_vectors.h"
#include "skin/turned_cells.h"

namespace fascia::FASCIA_ISA_NAMESPACE {
namespace {

constexpr std::size_t turned_lanes = skin_block;

/// Elements of the blended lines, one array each.
struct TurnedLines {
    alignas(64) float of[turned_floats][turned_lanes];
};

void corner_weights(const float* inside, float (&out)[turned_lanes][8]) {
    alignas(64) float weights[8][turned_lanes];
    for (std::size_t i = 0; i < turned_lanes; i += wide) {
        const Wide x = load<Wide>(inside + i), y = load<Wide>(inside + turned_lanes + i),
                   z = load<Wide>(inside + 2 * turned_lanes + i);
        const Wide xs[2] = {1.0f - x, x}, ys[2] = {1.0f - y, y}, zs[2] = {1.0f - z, z};
        for (std::size_t k = 0; k < 8; ++k) store(weights[k] + i, (xs[k & 1] * ys[k >> 1 & 1]) * zs[k >> 2]);
    }
    for (std::size_t v = 0; v < turned_lanes; ++v)
        for (std::size_t k = 0; k < 8; ++k) out[v][k] = weights[k][v];
}

void blend_corners(const TurnedTask& task, TurnedLines& out) {
    alignas(64) float weights[turned_lanes][8];
    corner_weights(task.inside, weights);
    for (std::size_t i = 0; i < turned_lanes; i += 4) {
        f4 low[4], high[4];
        for (std::size_t v = 0; v < 4; ++v) {
            const float* from = task.rows + task.lines[i + v];
            const float* weight = weights[i + v];
            f8 sum = load<f8>(from) * weight[0];
            for (std::size_t k = 1; k < 8; ++k) sum = sum + load<f8>(from + turned_floats * k) * weight[k];
            low[v] = __builtin_shufflevector(sum, sum, 0, 1, 2, 3);
            high[v] = __builtin_shufflevector(sum, sum, 4, 5, 6, 7);
        }
        transpose(low[0], low[1], low[2], low[3], out.of[0] + i, turned_lanes);
        transpose(high[0], high[1], high[2], high[3], out.of[4] + i, turned_lanes);
    }
}

void turn(const TurnedTask& task, const TurnedLines& b, float* out) {
    for (std::size_t i = 0; i < turned_lanes; i += wide) {
        const Wide w = load<Wide>(b.of[4] + i), x = load<Wide>(b.of[5] + i), y = load<Wide>(b.of[6] + i),
                   z = load<Wide>(b.of[7] + i);
        const Wide s = 2.0f / ((w * w + x * x) + (y * y + z * z));
        const Wide vx = load<Wide>(task.directions + i), vy = load<Wide>(task.directions + turned_lanes + i),
                   vz = load<Wide>(task.directions + 2 * turned_lanes + i);
        const Wide cx = (y * vz - z * vy) + w * vx, cy = (z * vx - x * vz) + w * vy, cz = (x * vy - y * vx) + w * vz;
        // Adding +0 leaves no negative zeros.
        store_triples(out + 3 * i, (vx + s * (y * cz - z * cy)) + 0.0f, (vy + s * (z * cx - x * cz)) + 0.0f,
                      (vz + s * (x * cy - y * cx)) + 0.0f);
    }
}

}  // namespace

void place_turned(const TurnedTask& task, std::size_t blocks) {
    for (std::size_t b = 0; b < blocks; ++b) {
        TurnedTask here = task;
        here.lines += turned_lanes * b;
        here.inside += 48 * b;
        TurnedLines blended;
        blend_corners(here, blended);
        if (task.out_positions != nullptr)
            for (std::size_t i = 0; i < turned_lanes; i += wide)
                store_triples(task.out_positions + 48 * b + 3 * i, load<Wide>(blended.of[0] + i) + task.origin[0],
                              load<Wide>(blended.of[1] + i) + task.origin[1],
                              load<Wide>(blended.of[2] + i) + task.origin[2]);
        if (task.directions != nullptr) {
            here.directions += 48 * b;
            turn(here, blended, task.out_directions + 48 * b);
        }
    }
}

}  // namespace fascia::FASCIA_ISA_NAMESPACE
