#include "lattice/folds.h"

#include <algorithm>
#include <cmath>

namespace fascia::lattice {

namespace {

constexpr double squarely = 0.3;  ///< cosine: surfaces that merely pass one another do not look at one another
constexpr double as_near = 1.02;  ///< of a squared distance

Vec3d nearest_on_segment(Vec3d p, Vec3d a, Vec3d b) {
    const Vec3d along = b - a;
    const double l2 = dot(along, along);
    return a + along * (l2 > 0 ? std::clamp(dot(p - a, along) / l2, 0.0, 1.0) : 0.0);
}

}  // namespace

Vec3d Folds::nearest(std::uint32_t t, Vec3d place) const {
    const Vec3d a = corner(t, 0), b = corner(t, 1), c = corner(t, 2), normal = cross(b - a, c - a);
    const double n2 = dot(normal, normal);
    if (n2 > 0 && dot(cross(b - a, place - a), normal) >= 0 && dot(cross(c - b, place - b), normal) >= 0 &&
        dot(cross(a - c, place - c), normal) >= 0)
        return place - normal * (dot(place - a, normal) / n2);
    Vec3d best = nearest_on_segment(place, a, b);
    for (const Vec3d p : {nearest_on_segment(place, b, c), nearest_on_segment(place, c, a)})
        if (dot(p - place, p - place) < dot(best - place, best - place)) best = p;
    return best;
}

Vec3d Folds::outward(std::uint32_t t) const {
    const Vec3d normal = cross(corner(t, 1) - corner(t, 0), corner(t, 2) - corner(t, 0));
    const double l = length(normal);
    return l > 0 ? normal * ((shell_[t] > 0 ? 1 : -1) / l) : Vec3d{};
}

bool Folds::between(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b, Vec3d place) const {
    if (!known()) return false;
    // Walls that look at one another meet others at their rims, just as near: these do not count against them.
    double least = 1e300, least_fold = 1e300;
    for (const std::uint32_t s : a) {
        const Vec3d p = nearest(s, place), up = outward(s);
        for (const std::uint32_t t : b) {
            const Vec3d across = nearest(t, place) - p;
            const double l2 = dot(across, across);
            least = std::min(least, l2);
            if (l2 >= least_fold || shell_[s] == 0 || shell_[s] != shell_[t]) continue;
            const double l = squarely * std::sqrt(l2);
            if (dot(up, across) > l && dot(outward(t), across) < -l) least_fold = l2;
        }
    }
    return least_fold <= least * as_near;
}

}  // namespace fascia::lattice
