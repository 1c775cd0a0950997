#include "lattice/winding.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/portable_math.h"

namespace fascia::lattice {

namespace {
constexpr std::uint32_t leaf_size = 8;
/// A group counts as distant when its distance exceeds this many radii.
constexpr double far_factor = 2.3;

/// Spreads the bits of v: each becomes every third bit of the result.
std::uint32_t spread(std::uint32_t v) {
    std::uint32_t out = 0;
    for (int bit = 0; bit < 10; ++bit) out |= (v >> bit & 1) << (3 * bit);
    return out;
}
}  // namespace

double solid_angle(Vec3d a, Vec3d b, Vec3d c, Vec3d p) {
    a = a - p;
    b = b - p;
    c = c - p;
    const double la = length(a), lb = length(b), lc = length(c);
    const double numerator = dot(a, cross(b, c));
    const double denominator = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
    return 2 * portable::arc_tangent(numerator, denominator);
}

/// Triangles in the order of a Morton curve through their middles: any run of them is compact, and the order does not
/// depend on the standard library's sort.
std::vector<std::uint32_t> WindingField::along_curve(const std::vector<Corners>& all) {
    Vec3d low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
    for (const Corners& t : all) {
        low = {std::min(low.x, t.a.x), std::min(low.y, t.a.y), std::min(low.z, t.a.z)};
        high = {std::max(high.x, t.a.x), std::max(high.y, t.a.y), std::max(high.z, t.a.z)};
    }
    const Vec3d extent = high - low;
    const double longest = std::max({extent.x, extent.y, extent.z, 1e-300});
    std::vector<std::pair<std::uint32_t, std::uint32_t>> keys(all.size());
    for (std::size_t t = 0; t < all.size(); ++t) {
        const Vec3d at = (all[t].a - low) * (1023 / longest);
        keys[t] = {spread(std::uint32_t(at.x)) | spread(std::uint32_t(at.y)) << 1 | spread(std::uint32_t(at.z)) << 2,
                   std::uint32_t(t)};
    }
    std::sort(keys.begin(), keys.end());
    std::vector<std::uint32_t> order;
    order.reserve(keys.size());
    for (const auto& [key, triangle] : keys) order.push_back(triangle);
    return order;
}

WindingField::WindingField(std::span<const Vec3> positions, std::span<const std::uint32_t> triangles) {
    std::vector<Corners> all(triangles.size() / 3);
    for (std::size_t t = 0; t < all.size(); ++t)
        all[t] = {to_double(positions[triangles[3 * t]]), to_double(positions[triangles[3 * t + 1]]),
                  to_double(positions[triangles[3 * t + 2]])};
    corners_.reserve(all.size());
    std::vector<Dipole> dipoles;
    dipoles.reserve(all.size());
    for (const std::uint32_t k : along_curve(all)) {
        const Corners& t = all[k];
        const Vec3d area = cross(t.b - t.a, t.c - t.a) * 0.5;
        corners_.push_back(t);
        dipoles.push_back({area, (t.a + t.b + t.c) * (1.0 / 3), length(area)});
    }
    if (!all.empty()) build(0, std::uint32_t(all.size()), dipoles);
}

void WindingField::build(std::uint32_t first, std::uint32_t count, const std::vector<Dipole>& dipoles) {
    const std::size_t self = nodes_.size();
    nodes_.emplace_back();
    Node node;
    node.first = first;
    node.count = count;
    double weight = 0;
    Vec3d plain;
    for (std::uint32_t k = first; k < first + count; ++k) {
        const Dipole& t = dipoles[k];
        node.area += t.area;
        node.center += t.middle * t.size;
        weight += t.size;
        plain += t.middle * (1.0 / count);
    }
    node.center = weight > 0 ? node.center * (1 / weight) : plain;
    double radius2 = 0;
    for (std::uint32_t k = first; k < first + count; ++k)
        for (const Vec3d& corner : {corners_[k].a, corners_[k].b, corners_[k].c}) {
            const Vec3d off = corner - node.center;
            radius2 = std::max(radius2, dot(off, off));
        }
    node.radius = std::sqrt(radius2);
    if (count > leaf_size) {
        const std::uint32_t half = count / 2;
        build(first, half, dipoles);
        node.right = std::uint32_t(nodes_.size());
        build(first + half, count - half, dipoles);
    }
    nodes_[self] = node;
}

double WindingField::at(Vec3d p) const {
    if (nodes_.empty()) return 0;
    double sum = 0;
    std::uint32_t stack[64];
    int depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const std::uint32_t index = stack[--depth];
        const Node& node = nodes_[index];
        const Vec3d away = node.center - p;
        const double distance = length(away);
        if (distance > far_factor * node.radius) {
            sum += dot(node.area, away) / (distance * distance * distance);
        } else if (node.right == 0) {
            for (std::uint32_t k = node.first; k < node.first + node.count; ++k)
                sum += solid_angle(corners_[k].a, corners_[k].b, corners_[k].c, p);
        } else {
            stack[depth++] = node.right;
            stack[depth++] = index + 1;
        }
    }
    return sum / (4 * portable::pi);
}

}  // namespace fascia::lattice
