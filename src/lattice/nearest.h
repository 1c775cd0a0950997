// The point of a triangle that is nearest to a place.
#pragma once

#include <algorithm>

#include "fascia/math.h"

namespace fascia::lattice {

inline Vec3d nearest_on_segment(Vec3d p, Vec3d a, Vec3d b) {
    const Vec3d along = b - a;
    const double l2 = dot(along, along);
    return a + along * (l2 > 0 ? std::clamp(dot(p - a, along) / l2, 0.0, 1.0) : 0.0);
}

inline Vec3d nearest_on_triangle(Vec3d p, Vec3d a, Vec3d b, Vec3d c) {
    const Vec3d normal = cross(b - a, c - a);
    const double n2 = dot(normal, normal);
    if (n2 > 0 && dot(cross(b - a, p - a), normal) >= 0 && dot(cross(c - b, p - b), normal) >= 0 &&
        dot(cross(a - c, p - c), normal) >= 0)
        return p - normal * (dot(p - a, normal) / n2);
    Vec3d best = nearest_on_segment(p, a, b);
    for (const Vec3d q : {nearest_on_segment(p, b, c), nearest_on_segment(p, c, a)})
        if (dot(q - p, q - p) < dot(best - p, best - p)) best = q;
    return best;
}

}  // namespace fascia::lattice
