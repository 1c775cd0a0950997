#include "sim/blend_points.h"

namespace fascia::sim {

void blend_all(const BlendedPoints& points, ThreadPool& pool) {
    constexpr std::size_t grain = 16;
    pool.for_ranges(points.stride / 8, grain, [&](std::size_t begin, std::size_t end, int) {
        FASCIA_DISPATCH(blend_points)(points, begin, end);
    });
}

}  // namespace fascia::sim
