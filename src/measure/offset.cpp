#include <algorithm>
#include <cmath>

#include "fascia/measure.h"

namespace fascia {

namespace {

double square_distance(Vec3 a, Vec3 b) {
    const Vec3d d = to_double(a) - to_double(b);
    return dot(d, d);
}

double over(double length, double size) {
    return size > 0 ? length / size : length;
}

}  // namespace

Offset surface_offset(std::span<const Vec3> a, std::span<const Vec3> b, double size) {
    const std::size_t n = std::min(a.size(), b.size());
    double sum = 0, largest = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const double d = square_distance(a[i], b[i]);
        sum += d;
        largest = std::max(largest, d);
    }
    if (n == 0) return {};
    if (std::isnan(sum)) largest = sum;  // NaN must not go unnoticed
    return {over(std::sqrt(sum / static_cast<double>(n)), size), over(std::sqrt(largest), size)};
}

void JitterMeter::frame(std::span<const Vec3> positions, bool resting, double size) {
    if (resting && last_.size() == positions.size()) {
        const double moved = surface_offset(positions, last_, size).max;
        if (!(moved <= value_)) value_ = moved;
    }
    last_.assign(positions.begin(), positions.end());
}

}  // namespace fascia
