// Segments and cubes.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "fascia/math.h"

namespace fascia::lattice {

/// Does the segment pass through the closed cube around c? The slab test.
inline bool segment_cuts_box(Vec3d a, Vec3d b, Vec3d c, double half) {
    double t0 = 0, t1 = 1;
    const double from[3] = {a.x - c.x, a.y - c.y, a.z - c.z}, along[3] = {b.x - a.x, b.y - a.y, b.z - a.z};
    for (int k = 0; k < 3; ++k) {
        if (std::abs(along[k]) < 1e-300) {
            if (std::abs(from[k]) > half) return false;
            continue;
        }
        double in = (-half - from[k]) / along[k], out = (half - from[k]) / along[k];
        if (in > out) std::swap(in, out);
        t0 = std::max(t0, in);
        t1 = std::min(t1, out);
    }
    return t0 <= t1;
}

}  // namespace fascia::lattice
