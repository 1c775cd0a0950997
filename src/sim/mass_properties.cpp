#include "sim/mass_properties.h"

#include <cmath>

namespace fascia::sim {

namespace {

/// A volume that is a smaller share than this of the boxes that its triangles span is none.
constexpr double flat = 1e-12;

}  // namespace

MassProperties mass_properties(std::span<const Vec3d> points, std::span<const std::uint32_t> triangles) {
    MassProperties out;
    if (triangles.empty()) return out;
    const Vec3d origin = points[triangles[0]];  // near the body, so that little cancels
    Vec3d first;
    Matrix3 second;  // integral of x x^T
    double all = 0;
    for (std::size_t t = 0; t + 2 < triangles.size(); t += 3) {
        const Vec3d a = points[triangles[t]] - origin, b = points[triangles[t + 1]] - origin,
                    c = points[triangles[t + 2]] - origin, sum = a + b + c;
        const double volume = dot(a, cross(b, c)) / 6;
        out.volume += volume;
        all += length(a) * length(b) * length(c);
        first += sum * (volume / 4);
        second = second + (outer(a, a) + outer(b, b) + outer(c, c) + outer(sum, sum)) * (volume / 20);
    }
    // What is left of a flat body's volume is rounding.
    if (!(std::abs(out.volume) > flat * all)) {
        out.volume = 0;
        for (const std::uint32_t k : triangles) out.centre += (points[k] - origin) * (1 / double(triangles.size()));
        out.centre += origin;
        return out;
    }
    const Vec3d centre = first * (1 / out.volume);
    out.centre = origin + centre;
    second = second + outer(centre, centre) * -out.volume;
    const double trace = second.m[0][0] + second.m[1][1] + second.m[2][2];
    out.inertia = scaled_identity(trace) + second * -1;
    return out;
}

}  // namespace fascia::sim
