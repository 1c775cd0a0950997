#include "contact/rest_distance.h"

#include <algorithm>
#include <cmath>

namespace fascia::contact {

Vec3 nearest_on_triangle(Vec3 p, Vec3 a, Vec3 b, Vec3 c) {
    const Vec3 ab = b - a, ac = c - a, ap = p - a;
    const float d1 = dot(ab, ap), d2 = dot(ac, ap);
    if (d1 <= 0 && d2 <= 0) return a;
    const Vec3 bp = p - b;
    const float d3 = dot(ab, bp), d4 = dot(ac, bp);
    if (d3 >= 0 && d4 <= d3) return b;
    const float vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0 && d1 - d3 > 0) return a + ab * (d1 / (d1 - d3));
    const Vec3 cp = p - c;
    const float d5 = dot(ab, cp), d6 = dot(ac, cp);
    if (d6 >= 0 && d5 <= d6) return c;
    const float vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0 && d2 - d6 > 0) return a + ac * (d2 / (d2 - d6));
    const float va = d3 * d6 - d5 * d4;
    const float along = d4 - d3, back = d5 - d6;
    if (va <= 0 && along >= 0 && back >= 0 && along + back > 0) return b + (c - b) * (along / (along + back));
    const float sum = va + vb + vc;
    if (!(sum > 0)) return a;  // no area
    return a + ab * (vb / sum) + ac * (vc / sum);
}

namespace {

class NearestPlaces {
public:
    NearestPlaces(const RestGrid& grid, std::span<const Vec3> positions, std::span<const std::uint32_t> triangles)
        : grid_(grid), positions_(positions), triangles_(triangles), places_(grid.size()) {}

    /// Offers the triangle to the cells within one step of it.
    void spread(std::uint32_t t) {
        Vec3 low = corner(t, 0), high = low;
        for (std::size_t k = 1; k < 3; ++k) {
            const Vec3 v = corner(t, k);
            low = {std::min(low.x, v.x), std::min(low.y, v.y), std::min(low.z, v.z)};
            high = {std::max(high.x, v.x), std::max(high.y, v.y), std::max(high.z, v.z)};
        }
        const Vec3 f = grid_.first;
        const auto from = [](float v) { return std::max(0, int(std::ceil(v - 1))); };
        const auto to = [](float v, int n) { return std::min(n - 1, int(std::floor(v + 1))); };
        for (int z = from(low.z - f.z); z <= to(high.z - f.z, grid_.nz); ++z)
            for (int y = from(low.y - f.y); y <= to(high.y - f.y, grid_.ny); ++y)
                for (int x = from(low.x - f.x); x <= to(high.x - f.x, grid_.nx); ++x) offer(t, x, y, z);
    }

    /// The nearest place known to a neighbouring cell may be nearest to this one, too.
    void ask_around(int x, int y, int z) {
        for (int dz = -1; dz <= 1; ++dz)
            for (int dy = -1; dy <= 1; ++dy)
                for (int dx = -1; dx <= 1; ++dx) {
                    const int i = x + dx, j = y + dy, k = z + dz;
                    if (i < 0 || j < 0 || k < 0 || i >= grid_.nx || j >= grid_.ny || k >= grid_.nz) continue;
                    const SurfacePlace& there = places_[grid_.index(i, j, k)];
                    const SurfacePlace& own = places_[grid_.index(x, y, z)];
                    if (there.distance < 1e29f && there.triangle != own.triangle) offer(there.triangle, x, y, z);
                }
    }

    std::vector<SurfacePlace> take() { return std::move(places_); }

private:
    Vec3 corner(std::uint32_t t, std::size_t k) const { return positions_[triangles_[3 * std::size_t(t) + k]]; }

    void offer(std::uint32_t t, int x, int y, int z) {
        const Vec3 p = grid_.first + Vec3{float(x), float(y), float(z)};
        const Vec3 at = nearest_on_triangle(p, corner(t, 0), corner(t, 1), corner(t, 2));
        const float distance = length(p - at);
        SurfacePlace& own = places_[grid_.index(x, y, z)];
        if (distance < own.distance) own = {t, at, distance};
    }

    const RestGrid& grid_;
    std::span<const Vec3> positions_;
    std::span<const std::uint32_t> triangles_;
    std::vector<SurfacePlace> places_;
};

}  // namespace

std::vector<SurfacePlace> nearest_places(const RestGrid& grid, std::span<const Vec3> positions,
                                         std::span<const std::uint32_t> triangles,
                                         std::span<const std::uint8_t> wanted) {
    NearestPlaces out(grid, positions, triangles);
    for (std::uint32_t t = 0; 3 * std::size_t(t) + 2 < triangles.size(); ++t) out.spread(t);
    // Sweeps forth and back: each triangle is passed on through the whole body.
    const auto visit = [&](int x, int y, int z) {
        if (wanted[grid.index(x, y, z)] != 0) out.ask_around(x, y, z);
    };
    for (int z = 0; z < grid.nz; ++z)
        for (int y = 0; y < grid.ny; ++y)
            for (int x = 0; x < grid.nx; ++x) visit(x, y, z);
    for (int z = grid.nz - 1; z >= 0; --z)
        for (int y = grid.ny - 1; y >= 0; --y)
            for (int x = grid.nx - 1; x >= 0; --x) visit(x, y, z);
    return out.take();
}

namespace {

/// A place between the cells' centres.
struct Between {
    std::size_t cell = 0;
    float x = 0, y = 0, z = 0;
};

/// False outside of the grid.
bool find_between(const RestGrid& grid, Vec3 p, Between& out) {
    const Vec3 g = p - grid.first;
    if (!(g.x >= 0 && g.y >= 0 && g.z >= 0 && g.x < float(grid.nx - 1) && g.y < float(grid.ny - 1) &&
          g.z < float(grid.nz - 1)))
        return false;
    const int x = int(g.x), y = int(g.y), z = int(g.z);
    out = {grid.index(x, y, z), g.x - float(x), g.y - float(y), g.z - float(z)};
    return true;
}

template <class T>
T mixed(const RestGrid& grid, const T* cells, const Between& at) {
    const T* v = cells + at.cell;
    const std::size_t up = std::size_t(grid.nx), deep = up * std::size_t(grid.ny);
    const auto mix = [](const T& a, const T& b, float t) { return a + (b - a) * t; };
    const T low = mix(mix(v[0], v[1], at.x), mix(v[up], v[up + 1], at.x), at.y);
    const T high = mix(mix(v[deep], v[deep + 1], at.x), mix(v[deep + up], v[deep + up + 1], at.x), at.y);
    return mix(low, high, at.z);
}

}  // namespace

RestDistance::RestDistance(const RestGrid& grid, std::span<const float> distance)
    : grid_(grid), heights_(grid.size()), gradients_(grid.size()) {
    const auto value = [&](int x, int y, int z) {
        x = std::clamp(x, 0, grid.nx - 1), y = std::clamp(y, 0, grid.ny - 1), z = std::clamp(z, 0, grid.nz - 1);
        return std::min(distance[grid.index(x, y, z)], far);
    };
    for (int z = 0; z < grid.nz; ++z)
        for (int y = 0; y < grid.ny; ++y)
            for (int x = 0; x < grid.nx; ++x) {
                const std::size_t k = grid.index(x, y, z);
                heights_[k] = value(x, y, z);
                gradients_[k] = {0.5f * (value(x + 1, y, z) - value(x - 1, y, z)),
                                 0.5f * (value(x, y + 1, z) - value(x, y - 1, z)),
                                 0.5f * (value(x, y, z + 1) - value(x, y, z - 1))};
            }
}

float RestDistance::at(Vec3 p) const {
    Between place;
    return find_between(grid_, p, place) ? mixed(grid_, heights_.data(), place) : far;
}

Vec3 RestDistance::gradient_at(Vec3 p) const {
    Between place;
    return find_between(grid_, p, place) ? mixed(grid_, gradients_.data(), place) : Vec3{};
}

}  // namespace fascia::contact
