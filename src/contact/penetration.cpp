#include "fascia/penetration.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "contact/box_tree.h"

namespace fascia {

namespace {

/// Does the segment from p to q pass through the triangle? Coplanar ones do not.
bool passes_through(Vec3d p, Vec3d q, const Vec3d (&t)[3]) {
    const Vec3d n = cross(t[1] - t[0], t[2] - t[0]);
    const double above = dot(p - t[0], n), below = dot(q - t[0], n);
    if (!((above > 0 && below < 0) || (above < 0 && below > 0))) return false;
    const Vec3d at = p + (q - p) * (above / (above - below));
    for (int k = 0; k < 3; ++k)
        if (dot(cross(t[(k + 1) % 3] - t[k], at - t[k]), n) < 0) return false;
    return true;
}

double depth_behind(const Vec3d (&t)[3], const Vec3d (&other)[3]) {
    const Vec3d n = normalized(cross(t[1] - t[0], t[2] - t[0]));
    double out = 0;
    for (const Vec3d& p : other) out = std::max(out, -dot(p - t[0], n));
    return out;
}

}  // namespace

bool triangles_cross(const Vec3d (&a)[3], const Vec3d (&b)[3]) {
    for (int k = 0; k < 3; ++k)
        if (passes_through(a[k], a[(k + 1) % 3], b) || passes_through(b[k], b[(k + 1) % 3], a)) return true;
    return false;
}

double crossing_depth(const Vec3d (&a)[3], const Vec3d (&b)[3]) {
    return std::min(depth_behind(a, b), depth_behind(b, a));
}

struct CrossingMeter::Search {
    contact::BoxTree tree;  ///< over the triangles
};

CrossingMeter::CrossingMeter(std::span<const Vec3> rest, std::span<const std::uint32_t> triangles, double size)
    : triangles_(triangles.begin(), triangles.end()), weld_(weld_by_position(rest)), size_(size) {
    std::vector<Vec3d> centers;
    for (std::size_t t = 0; t + 2 < triangles_.size(); t += 3) {
        Vec3d sum;
        for (std::size_t k = t; k < t + 3; ++k) sum += to_double(rest[triangles_[k]]);
        centers.push_back(sum * (1.0 / 3));
    }
    search_ = std::make_shared<Search>(Search{contact::BoxTree(centers)});
    at_rest_ = pairs(rest);
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> CrossingMeter::pairs(std::span<const Vec3> positions) const {
    const std::size_t count = triangles_.size() / 3;
    const auto corners = [&](std::size_t t, Vec3d(&out)[3]) {
        for (std::size_t k = 0; k < 3; ++k) out[k] = to_double(positions[triangles_[3 * t + k]]);
    };
    const auto share_vertex = [&](std::size_t a, std::size_t b) {
        for (std::size_t i = 3 * a; i < 3 * a + 3; ++i)
            for (std::size_t k = 3 * b; k < 3 * b + 3; ++k)
                if (weld_.id[triangles_[i]] == weld_.id[triangles_[k]]) return true;
        return false;
    };
    const contact::BoxTree& tree = search_->tree;
    std::vector<contact::FloatBox> boxes(count), fitted(tree.branch_count());
    for (std::size_t t = 0; t < count; ++t)
        for (std::size_t k = 3 * t; k < 3 * t + 3; ++k) boxes[t].add(positions[triangles_[k]]);
    tree.refit(boxes, fitted);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> out;
    Vec3d a[3], b[3];
    for (std::uint32_t t = 0; t < count; ++t) {
        corners(t, a);
        tree.find(boxes[t], boxes, fitted, [&](std::uint32_t other) {
            if (other <= t || share_vertex(t, other)) return;
            corners(other, b);
            if (triangles_cross(a, b)) out.push_back({t, other});
        });
    }
    std::sort(out.begin(), out.end());
    return out;
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> CrossingMeter::new_pairs(std::span<const Vec3> positions) const {
    const auto now = pairs(positions);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> out;
    std::set_difference(now.begin(), now.end(), at_rest_.begin(), at_rest_.end(), std::back_inserter(out));
    return out;
}

Crossings CrossingMeter::measure(std::span<const Vec3> positions) const {
    Crossings out;
    Vec3d a[3], b[3];
    for (const auto& pair : new_pairs(positions)) {
        for (std::size_t k = 0; k < 3; ++k) {
            a[k] = to_double(positions[triangles_[3 * std::size_t(pair.first) + k]]);
            b[k] = to_double(positions[triangles_[3 * std::size_t(pair.second) + k]]);
        }
        ++out.pairs;
        out.depth = std::max(out.depth, crossing_depth(a, b) / size_);
    }
    return out;
}

}  // namespace fascia
