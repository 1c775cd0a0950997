// Points as joints: the palette from which LbsTask::onto carries a surface. Lanes are points.
#include "skin/carriers.h"
#include "skin/kernel_vectors.h"

namespace fascia::FASCIA_ISA_NAMESPACE {
namespace {

constexpr std::size_t lanes = skin_block;
alignas(64) constexpr float all_shown[lanes] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

struct Turns {
    float w[lanes], x[lanes], y[lanes], z[lanes];
};

/// A share of each fitted rotation, the short way round.
void shares_of_turns(const CarrierTask& task, std::size_t first, const float* shown, Turns& out) {
    const float *w = task.fitted[0] + first, *x = task.fitted[1] + first, *y = task.fitted[2] + first,
                *z = task.fitted[3] + first, *turn = task.turn + first;
    for (std::size_t i = 0; i < lanes; ++i) {
        const float share = shown[i] * turn[i], side = w[i] < 0 ? -share : share;
        const float a = 1 - share + side * w[i], b = side * x[i], c = side * y[i], d = side * z[i];
        const float length = 1.0f / __builtin_sqrtf((a * a + b * b) + (c * c + d * d));
        out.w[i] = a * length, out.x[i] = b * length, out.y[i] = c * length, out.z[i] = d * length;
    }
}

/// q r q*: the same turn seen from the scene instead of from the driven point. The real part is r's own.
void turn_with_points(const CarrierTask& task, std::size_t first, Turns& r) {
    const float *qw = task.driven_turns[0] + first, *qx = task.driven_turns[1] + first,
                *qy = task.driven_turns[2] + first, *qz = task.driven_turns[3] + first;
    for (std::size_t i = 0; i < lanes; ++i) {
        const float x = r.x[i], y = r.y[i], z = r.z[i];
        const float tx = 2 * (qy[i] * z - qz[i] * y), ty = 2 * (qz[i] * x - qx[i] * z),
                    tz = 2 * (qx[i] * y - qy[i] * x);
        r.x[i] = x + (qw[i] * tx + (qy[i] * tz - qz[i] * ty));
        r.y[i] = y + (qw[i] * ty + (qz[i] * tx - qx[i] * tz));
        r.z[i] = z + (qw[i] * tz + (qx[i] * ty - qy[i] * tx));
    }
}

/// Elements of the rows, one array each.
struct Elements {
    float m[12][lanes];
};

/// R - 1.
void fill_turns(const Turns& r, Elements& out) {
    for (std::size_t i = 0; i < lanes; ++i) {
        const float w = r.w[i], x = r.x[i], y = r.y[i], z = r.z[i];
        out.m[0][i] = -2 * (y * y + z * z), out.m[1][i] = 2 * (x * y - w * z), out.m[2][i] = 2 * (x * z + w * y);
        out.m[4][i] = 2 * (x * y + w * z), out.m[5][i] = -2 * (x * x + z * z), out.m[6][i] = 2 * (y * z - w * x);
        out.m[8][i] = 2 * (x * z - w * y), out.m[9][i] = 2 * (y * z + w * x), out.m[10][i] = -2 * (x * x + y * y);
    }
}

/// (to - from) - (R - 1) from.
void fill_shifts(const CarrierTask& task, std::size_t first, const float* shown, Elements& out) {
    float from[3][lanes];
    for (int a = 0; a < 3; ++a) {
        const float* there = task.driven[a] + first;
        for (std::size_t i = 0; i < lanes; ++i) from[a][i] = task.scale * there[i];
    }
    for (int a = 0; a < 3; ++a) {
        const float *now = task.positions[a] + first, *before = task.driven_before[a] + first,
                    *speed = task.velocities[a] + first;
        const float* row[3] = {out.m[4 * a], out.m[4 * a + 1], out.m[4 * a + 2]};
        for (std::size_t i = 0; i < lanes; ++i) {
            const float u = (now[i] - before[i]) - task.back * speed[i];
            const float turned = (row[0][i] * from[0][i] + row[1][i] * from[1][i]) + row[2][i] * from[2][i];
            out.m[4 * a + 3][i] = task.scale * (shown[i] * u) - turned;
        }
    }
}

void store_rows(const Elements& elements, float* rows) {
    for (std::size_t i = 0; i < lanes; i += 4)
        for (std::size_t row = 0; row < 3; ++row) {
            const auto element = [&](std::size_t e) { return load<f4>(elements.m[4 * row + e] + i); };
            transpose(element(0), element(1), element(2), element(3), rows + carrier_floats * i + 4 * row,
                      carrier_floats);
        }
}

}  // namespace

void carrier_rows(const CarrierTask& task, std::size_t begin, std::size_t end) {
    for (std::size_t b = begin; b < end; ++b) {
        const std::size_t first = task.first[b];
        const float* shown = task.shown != nullptr ? task.shown + lanes * b : all_shown;
        Turns turns;
        Elements elements;
        shares_of_turns(task, first, shown, turns);
        turn_with_points(task, first, turns);
        fill_turns(turns, elements);
        fill_shifts(task, first, shown, elements);
        store_rows(elements, task.rows + lanes * carrier_floats * b);
    }
}

void pack_carried(const float* channels, const SkinBlock* blocks, std::size_t count, float fourth, float* out) {
    for (std::size_t b = 0; b < count; ++b, channels += 48, out += 64) {
        if (blocks[b].shared != 0) {
            std::memcpy(out, channels, 48 * sizeof(float));
            continue;
        }
        for (std::size_t i = 0; i < lanes; i += 4)
            transpose(load<f4>(channels + i), load<f4>(channels + 16 + i), load<f4>(channels + 32 + i), f4{} + fourth,
                      out + 4 * i, 4);
    }
}

}  // namespace fascia::FASCIA_ISA_NAMESPACE
