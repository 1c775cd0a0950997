#include "sim/shown_points.h"

namespace fascia::sim {

namespace {

/// Segments that one thread takes at a time.
constexpr std::size_t shown_grain = 128;

}  // namespace

void show_all_points(const ShownPoints& points, ThreadPool& pool) {
    pool.for_ranges(points.segments, shown_grain, [&](std::size_t begin, std::size_t end, int) {
        FASCIA_DISPATCH(shown_points)(points, begin, end);
    });
}

void show_all_moves(const ShownPoints& points, ThreadPool& pool) {
    pool.for_ranges(points.segments, shown_grain, [&](std::size_t begin, std::size_t end, int) {
        FASCIA_DISPATCH(shown_moves)(points, begin, end);
    });
}

}  // namespace fascia::sim
