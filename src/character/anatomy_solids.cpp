// Solids and muscles for authors of scenes. Sines and cosines come from square roots alone: the same bits everywhere.
#include <algorithm>
#include <cmath>

#include "base/portable_math.h"
#include "fascia/anatomy_scene.h"

namespace fascia {

namespace {

struct Axes {
    Vec3d x, y, z;  ///< z along the solid
};

Axes axes_along(Vec3d direction) {
    const Vec3d z = normalized(direction, {0, 1, 0});
    const Vec3d x = normalized(cross(std::abs(z.y) < 0.9 ? Vec3d{0, 1, 0} : Vec3d{1, 0, 0}, z));
    return {x, cross(z, x), z};
}

/// Rings of points between two poles, of which both solids are made. Calls place(latitude, longitude), in radians.
template <class Place>
AnatomyScene::Solid globe(int sides, Place place) {
    AnatomyScene::Solid out;
    const int rings = std::max(2, sides / 2), around = std::max(3, sides);
    const double pi = portable::pi;
    out.points.push_back(place(-pi / 2, 0.0));
    for (int r = 1; r < rings; ++r)
        for (int k = 0; k < around; ++k) out.points.push_back(place(-pi / 2 + pi * r / rings, 2 * pi * k / around));
    out.points.push_back(place(pi / 2, 0.0));
    const auto at = [&](int ring, int k) {
        if (ring == 0) return std::uint32_t(0);
        if (ring == rings) return std::uint32_t(out.points.size() - 1);
        return std::uint32_t(1 + (ring - 1) * around + k % around);
    };
    for (int r = 0; r < rings; ++r)
        for (int k = 0; k < around; ++k) {
            const std::uint32_t a = at(r, k), b = at(r, k + 1), c = at(r + 1, k + 1), d = at(r + 1, k);
            if (r > 0) out.triangles.insert(out.triangles.end(), {a, b, c});
            if (r == 0) out.triangles.insert(out.triangles.end(), {a, c, d});
            if (r > 0 && r + 1 < rings) out.triangles.insert(out.triangles.end(), {a, c, d});
        }
    return out;
}

}  // namespace

AnatomyScene::Solid capsule_solid(Vec3d from, Vec3d to, double radius, int sides) {
    const Axes axes = axes_along(to - from);
    return globe(sides, [&](double latitude, double longitude) {
        const double ring = portable::cosine(latitude), up = portable::sine(latitude);
        const Vec3d out =
            axes.x * (ring * portable::cosine(longitude)) + axes.y * (ring * portable::sine(longitude)) + axes.z * up;
        return (up < 0 ? from : to) + out * radius;
    });
}

AnatomyScene::Solid ellipsoid_solid(Vec3d centre, Vec3d radii, int sides) {
    return globe(sides, [&](double latitude, double longitude) {
        const double ring = portable::cosine(latitude);
        return centre + Vec3d{ring * portable::cosine(longitude) * radii.x, ring * portable::sine(longitude) * radii.y,
                              portable::sine(latitude) * radii.z};
    });
}

void sweep_muscle(const std::vector<Vec3d>& path, const std::vector<double>& radii, int segments,
                  AnatomyScene::Muscle& out) {
    if (path.size() < 2 || radii.empty()) return;
    std::vector<double> along{0};
    for (std::size_t k = 1; k < path.size(); ++k) along.push_back(along.back() + length(path[k] - path[k - 1]));
    Axes axes = axes_along(path[1] - path[0]);
    const std::uint32_t first = std::uint32_t(out.points.size());
    for (int s = 0; s <= segments; ++s) {
        const double want = along.back() * s / segments;
        std::size_t k = 1;
        while (k + 1 < path.size() && along[k] < want) ++k;
        const double t = along[k] > along[k - 1] ? (want - along[k - 1]) / (along[k] - along[k - 1]) : 0;
        const auto radius = [&](std::size_t i) { return radii[std::min(i, radii.size() - 1)]; };
        const double r = radius(k - 1) * (1 - t) + radius(k) * t;
        const Vec3d at = path[k - 1] * (1 - t) + path[k] * t;
        // The section is carried along without twist.
        axes.z = normalized(path[k] - path[k - 1], axes.z);
        axes.x = normalized(axes.x - axes.z * dot(axes.x, axes.z), axes.x);
        axes.y = cross(axes.z, axes.x);
        for (int j = -1; j <= 1; ++j)
            for (int i = -1; i <= 1; ++i) {
                const double round = i != 0 && j != 0 ? 0.75 : 1;
                out.points.push_back(at + (axes.x * double(i) + axes.y * double(j)) * (r * round));
            }
    }
    for (int s = 0; s < segments; ++s)
        for (int j = 0; j < 2; ++j)
            for (int i = 0; i < 2; ++i)
                for (int corner = 0; corner < 8; ++corner) {
                    const int at = 9 * (s + (corner >> 2)) + 3 * (j + ((corner >> 1) & 1)) + i + (corner & 1);
                    out.hexahedra.push_back(first + std::uint32_t(at));
                }
}

}  // namespace fascia
