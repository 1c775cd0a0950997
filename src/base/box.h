// The axis-aligned box around points.
#pragma once

#include <algorithm>
#include <span>

#include "fascia/math.h"

namespace fascia {

struct Box {
    Vec3d low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};

    void add(Vec3d p) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    Vec3d middle() const { return (low + high) * 0.5; }
    double longest() const { return std::max({high.x - low.x, high.y - low.y, high.z - low.z, 0.0}); }
    bool holds(Vec3d p) const {
        return p.x >= low.x && p.y >= low.y && p.z >= low.z && p.x <= high.x && p.y <= high.y && p.z <= high.z;
    }
};

inline Box box_of(std::span<const Vec3> points) {
    Box box;
    for (const Vec3 p : points) box.add(to_double(p));
    return box;
}

}  // namespace fascia
