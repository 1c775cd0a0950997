// Points as joints: the palette from which LbsTask::onto carries a surface. Lanes are points.
#include "skin/carriers.h"
#include "skin/kernel_vectors.h"

namespace fascia::FASCIA_ISA_NAMESPACE {
namespace {

constexpr std::size_t lanes = 2 * carrier_group;

/// Lanes of a channel, from `i` on: the first eight are in one group, the others in the other.
inline Wide take(const float* channel, const std::uint32_t* first, std::size_t i) {
#if defined(__AVX512F__)
    (void)i;
    return side_by_side(load<f8>(channel + first[0]), load<f8>(channel + first[1]));
#else
    return load<Wide>(channel + first[i / carrier_group] + i % carrier_group);
#endif
}

struct Turns {
    Wide w, x, y, z;
};

/// A share of each fitted rotation, along the shorter arc.
inline Turns shares_of_turns(const CarrierTask& task, const std::uint32_t* first, Wide shown, std::size_t i) {
    const Wide w = take(task.fitted[0], first, i), x = take(task.fitted[1], first, i),
               y = take(task.fitted[2], first, i), z = take(task.fitted[3], first, i);
    const Wide share = shown * take(task.turn, first, i), side = w < 0 ? -share : share;
    const Wide a = 1 - share + side * w, b = side * x, c = side * y, d = side * z;
    const Wide length = 1.0f / roots((a * a + b * b) + (c * c + d * d));
    return {a * length, b * length, c * length, d * length};
}

/// q r q*: the same turn seen from the scene instead of from the driven point. The real part is r's own.
inline Turns turned_with_points(const CarrierTask& task, const std::uint32_t* first, Turns r, std::size_t i) {
    const Wide qw = take(task.driven_turns[0], first, i), qx = take(task.driven_turns[1], first, i),
               qy = take(task.driven_turns[2], first, i), qz = take(task.driven_turns[3], first, i);
    const Wide tx = 2 * (qy * r.z - qz * r.y), ty = 2 * (qz * r.x - qx * r.z), tz = 2 * (qx * r.y - qy * r.x);
    return {r.w, r.x + (qw * tx + (qy * tz - qz * ty)), r.y + (qw * ty + (qz * tx - qx * tz)),
            r.z + (qw * tz + (qx * ty - qy * tx))};
}

/// Elements of the rows.
struct Elements {
    Wide m[12];
};

/// R - 1.
inline void fill_turns(Turns r, Elements& out) {
    const auto [w, x, y, z] = r;
    out.m[0] = -2 * (y * y + z * z), out.m[1] = 2 * (x * y - w * z), out.m[2] = 2 * (x * z + w * y);
    out.m[4] = 2 * (x * y + w * z), out.m[5] = -2 * (x * x + z * z), out.m[6] = 2 * (y * z - w * x);
    out.m[8] = 2 * (x * z - w * y), out.m[9] = 2 * (y * z + w * x), out.m[10] = -2 * (x * x + y * y);
}

/// (to - from) - (R - 1) from.
inline void fill_shifts(const CarrierTask& task, const std::uint32_t* first, Wide shown, std::size_t i, Elements& out) {
    Wide from[3];
    for (int a = 0; a < 3; ++a) from[a] = task.scale * take(task.driven[a], first, i);
    for (int a = 0; a < 3; ++a) {
        const Wide now = take(task.positions[a], first, i), before = take(task.driven_before[a], first, i),
                   speed = take(task.velocities[a], first, i);
        const Wide u = (now - before) - task.back * speed;
        const Wide turned = (out.m[4 * a] * from[0] + out.m[4 * a + 1] * from[1]) + out.m[4 * a + 2] * from[2];
        out.m[4 * a + 3] = task.scale * (shown * u) - turned;
    }
}

#if defined(__AVX512F__)

/// Each lane to its own row, whole lines at a time.
inline void store_rows(const Elements& elements, const std::uint32_t* row_of, float* rows) {
    f16 turned[3][4];  // [row][lane of a quarter]: in each quarter, that row of one lane
    for (std::size_t row = 0; row < 3; ++row) {
        const f16 *m = elements.m + 4 * row, ab = low_turns(m[0], m[1]), cd = low_turns(m[2], m[3]),
                  ab2 = high_turns(m[0], m[1]), cd2 = high_turns(m[2], m[3]);
        turned[row][0] = low_halves(ab, cd), turned[row][1] = high_halves(ab, cd);
        turned[row][2] = low_halves(ab2, cd2), turned[row][3] = high_halves(ab2, cd2);
    }
    for (std::size_t i = 0; i < 4; ++i) {
        const f16 lower = lower_quarters(turned[0][i], turned[1][i]),
                  upper = upper_quarters(turned[0][i], turned[1][i]);
        const f16 lower_rest = lower_quarters(turned[2][i], f16{}), upper_rest = upper_quarters(turned[2][i], f16{});
        const auto to = [&](std::size_t lane) { return rows + carrier_floats * std::size_t(row_of[lane]); };
        store(to(i), even_quarters(lower, lower_rest));
        store(to(i + 4), odd_quarters(lower, lower_rest));
        store(to(i + 8), even_quarters(upper, upper_rest));
        store(to(i + 12), odd_quarters(upper, upper_rest));
    }
}

#else

/// The quarters of a vector, each to its own place: to[0], to[4], to[8], to[12]. Which overload is needed depends on
/// the level.
[[maybe_unused]] inline void store_quarters(f4 v, float* const* to, std::size_t at) {
    store(to[0] + at, v);
}
[[maybe_unused]] inline void store_quarters(f8 v, float* const* to, std::size_t at) {
    store(to[0] + at, __builtin_shufflevector(v, v, 0, 1, 2, 3));
    store(to[4] + at, __builtin_shufflevector(v, v, 4, 5, 6, 7));
}

/// Each lane to its own row.
inline void store_rows(const Elements& elements, const std::uint32_t* row_of, float* rows) {
    float* to[wide];
    for (std::size_t i = 0; i < wide; ++i) to[i] = rows + carrier_floats * std::size_t(row_of[i]);
    for (std::size_t row = 0; row < 12; row += 4) {
        const Wide *m = elements.m + row, ab = low_turns(m[0], m[1]), cd = low_turns(m[2], m[3]),
                   ab2 = high_turns(m[0], m[1]), cd2 = high_turns(m[2], m[3]);
        store_quarters(low_halves(ab, cd), to, row);
        store_quarters(high_halves(ab, cd), to + 1, row);
        store_quarters(low_halves(ab2, cd2), to + 2, row);
        store_quarters(high_halves(ab2, cd2), to + 3, row);
    }
}

#endif

/// The processor's own prefetcher loses track of so many channels.
void fetch(const CarrierTask& task, std::uint32_t first) {
    for (int a = 0; a < 3; ++a)
        for (const float* channel : {task.driven_before[a], task.positions[a], task.velocities[a]})
            __builtin_prefetch(channel + first);
    for (int k = 0; k < 4; ++k) __builtin_prefetch(task.fitted[k] + first);
    __builtin_prefetch(task.turn + first);
}

constexpr std::size_t fetched_ahead = 8;  ///< pairs of groups

}  // namespace

void carrier_rows(const CarrierTask& task, std::size_t begin, std::size_t end) {
    for (std::size_t pair = begin; pair < end; ++pair) {
        const std::uint32_t* first = task.first + 2 * pair;
        if (task.far && pair + fetched_ahead < task.pairs) {
            fetch(task, first[2 * fetched_ahead]);
            fetch(task, first[2 * fetched_ahead + 1]);
        }
        for (std::size_t i = 0; i < lanes; i += wide) {
            const Wide shown = task.shown != nullptr ? load<Wide>(task.shown + lanes * pair + i) : Wide{} + 1.0f;
            Elements elements;
            fill_turns(turned_with_points(task, first, shares_of_turns(task, first, shown, i), i), elements);
            fill_shifts(task, first, shown, i, elements);
            store_rows(elements, task.row_of + lanes * pair + i, task.rows);
        }
    }
}

}  // namespace fascia::FASCIA_ISA_NAMESPACE
