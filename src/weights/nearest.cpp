#include "weights/nearest.h"

#include <algorithm>

namespace fascia::weights {

double squared_distance(Vec3d p, const Segment& segment) {
    const Vec3d along = segment.b - segment.a;
    const double l2 = dot(along, along);
    const double t = l2 > 0 ? std::clamp(dot(p - segment.a, along) / l2, 0.0, 1.0) : 0.0;
    const Vec3d off = p - (segment.a + along * t);
    return dot(off, off);
}

std::uint16_t nearest_joint(Vec3d p, std::span<const Segment> segments) {
    std::uint16_t best = 0;
    double least = 1e300;
    for (const Segment& segment : segments) {
        const double d = squared_distance(p, segment);
        if (d < least) least = d, best = segment.joint;
    }
    return best;
}

}  // namespace fascia::weights
