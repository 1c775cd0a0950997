#include "io/component_overlap.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace fascia::io {

namespace {

/// Rays go along +x, so triangles are sorted into a grid over (y, z).
class RayGrid {
public:
    RayGrid(std::span<const Vec3> positions, std::span<const std::uint32_t> triangles, const Components& components)
        : positions_(positions), triangles_(triangles), components_(components) {
        find_bounds();
        // Large triangles in a fine grid would fill too many cells: coarsen it until they fit.
        for (side_ = 256; side_ > 1 && references() > 16 * triangles.size() + 4096; side_ /= 2) {
        }
        fill();
    }

    /// Appends (own, other) for every other component that contains the point, by the parity of crossings.
    void inside(Vec3 p, std::uint32_t own, std::vector<std::uint32_t>& crossed,
                std::vector<std::pair<std::uint32_t, std::uint32_t>>& out) const {
        crossed.clear();
        const std::size_t cell = cell_of(p.y, low_y_, size_y_) * side_ + cell_of(p.z, low_z_, size_z_);
        for (std::size_t i = begin_[cell]; i < begin_[cell + 1]; ++i) {
            const std::uint32_t component = components_.of_triangle[list_[i]];
            if (component != own && crosses(p, list_[i])) crossed.push_back(component);
        }
        std::sort(crossed.begin(), crossed.end());
        for (std::size_t i = 0; i < crossed.size();) {
            std::size_t end = i;
            while (end < crossed.size() && crossed[end] == crossed[i]) ++end;
            if ((end - i) % 2 == 1) out.emplace_back(own, crossed[i]);
            i = end;
        }
    }

    std::size_t mean_column() const { return list_.size() / (side_ * side_) + 1; }

private:
    std::span<const Vec3> positions_;
    std::span<const std::uint32_t> triangles_;
    const Components& components_;
    double low_y_ = INFINITY, low_z_ = INFINITY, size_y_ = 0, size_z_ = 0;
    std::size_t side_ = 1;
    std::vector<std::size_t> begin_;
    std::vector<std::uint32_t> list_;

    bool counts(std::size_t triangle) const { return components_.closed[components_.of_triangle[triangle]]; }

    void find_bounds() {
        double high_y = -INFINITY, high_z = -INFINITY;
        for (const Vec3& p : positions_) {
            low_y_ = std::min<double>(low_y_, p.y);
            low_z_ = std::min<double>(low_z_, p.z);
            high_y = std::max<double>(high_y, p.y);
            high_z = std::max<double>(high_z, p.z);
        }
        size_y_ = high_y - low_y_;
        size_z_ = high_z - low_z_;
    }

    std::size_t cell_of(double value, double low, double size) const {
        const double at = size > 0 ? (value - low) / size * static_cast<double>(side_) : 0;
        return static_cast<std::size_t>(std::clamp(at, 0.0, static_cast<double>(side_ - 1)));
    }

    /// Calls visit(cell) for every cell that the triangle's box touches.
    template <class Visit>
    void for_cells(std::size_t t, const Visit& visit) const {
        const Vec3 a = positions_[triangles_[3 * t]], b = positions_[triangles_[3 * t + 1]],
                   c = positions_[triangles_[3 * t + 2]];
        const std::size_t y0 = cell_of(std::min({a.y, b.y, c.y}), low_y_, size_y_),
                          y1 = cell_of(std::max({a.y, b.y, c.y}), low_y_, size_y_);
        const std::size_t z0 = cell_of(std::min({a.z, b.z, c.z}), low_z_, size_z_),
                          z1 = cell_of(std::max({a.z, b.z, c.z}), low_z_, size_z_);
        for (std::size_t y = y0; y <= y1; ++y)
            for (std::size_t z = z0; z <= z1; ++z) visit(y * side_ + z);
    }

    std::size_t references() const {
        std::size_t count = 0;
        for (std::size_t t = 0; t < triangles_.size() / 3; ++t)
            if (counts(t)) for_cells(t, [&](std::size_t) { ++count; });
        return count;
    }

    void fill() {
        begin_.assign(side_ * side_ + 1, 0);
        const std::size_t triangles = triangles_.size() / 3;
        for (std::size_t t = 0; t < triangles; ++t)
            if (counts(t)) for_cells(t, [&](std::size_t cell) { ++begin_[cell + 1]; });
        for (std::size_t c = 0; c + 1 < begin_.size(); ++c) begin_[c + 1] += begin_[c];
        list_.resize(begin_.back());
        std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
        for (std::size_t t = 0; t < triangles; ++t)
            if (counts(t)) for_cells(t, [&](std::size_t cell) { list_[next[cell]++] = static_cast<std::uint32_t>(t); });
    }

    /// Which side of the edge (a, b) the point lies on in the (y, z) plane. The triangle across the edge gets exactly
    /// the negative, so that a ray through an edge crosses one of the two and not both.
    static bool left_of(Vec3 p, Vec3 a, Vec3 b) {
        const bool turned = std::pair(a.y, a.z) > std::pair(b.y, b.z);
        if (turned) std::swap(a, b);
        const double side = (double(b.y) - a.y) * (double(p.z) - a.z) - (double(b.z) - a.z) * (double(p.y) - a.y);
        return turned ? !(side >= 0) : side >= 0;
    }

    bool crosses(Vec3 p, std::uint32_t t) const {
        const Vec3 a = positions_[triangles_[3 * t]], b = positions_[triangles_[3 * t + 1]],
                   c = positions_[triangles_[3 * t + 2]];
        const bool side = left_of(p, a, b);
        if (left_of(p, b, c) != side || left_of(p, c, a) != side) return false;
        const Vec3d origin = to_double(a), normal = cross(to_double(b) - origin, to_double(c) - origin);
        // Along x the plane is met at p.x + s with s = -(p - a) . n / n_x.
        return normal.x != 0 && -dot(to_double(p) - origin, normal) / normal.x > 0;
    }
};

}  // namespace

std::size_t count_overlapping_components(std::span<const Vec3> positions, std::span<const std::uint32_t> triangles,
                                         const Components& components) {
    const auto closed = static_cast<std::size_t>(std::count(components.closed.begin(), components.closed.end(), true));
    if (closed < 2) return 0;
    const RayGrid grid(positions, triangles, components);

    // One corner of each triangle is enough, and in very large meshes a sample of the triangles.
    constexpr std::size_t most_tests = 500'000'000;
    const std::size_t count = triangles.size() / 3, step = count * grid.mean_column() / most_tests + 1;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> found;
    std::vector<std::uint32_t> crossed;
    std::vector<bool> overlapping(components.closed.size());
    for (std::size_t t = 0; t < count; t += step) {
        const std::uint32_t own = components.of_triangle[t];
        if (!components.closed[own]) continue;
        found.clear();
        grid.inside(positions[triangles[3 * t]], own, crossed, found);
        for (const auto& [inner, outer] : found) overlapping[inner] = overlapping[outer] = true;
    }
    return static_cast<std::size_t>(std::count(overlapping.begin(), overlapping.end(), true));
}

}  // namespace fascia::io
