#include "lattice/folds.h"

#include <algorithm>
#include <cmath>

#include "lattice/nearest.h"

namespace fascia::lattice {

namespace {

constexpr double squarely = 0.3;  ///< cosine: surfaces that merely pass one another do not look at one another
constexpr double as_near = 1.02;  ///< of a squared distance

}  // namespace

Vec3d Folds::nearest(std::uint32_t t, Vec3d place) const {
    return nearest_on_triangle(place, corner(t, 0), corner(t, 1), corner(t, 2));
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
