#include "rigging/ray_tree.h"

#include <algorithm>
#include <cmath>

namespace fascia {

namespace {

constexpr std::uint32_t leaf_size = 4;
constexpr int most_depth = 64;  ///< halves of halves: 2^32 triangles need 31

double along(Vec3d p, int axis) {
    return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

constexpr double nowhere = 1e300;

/// Where the ray enters the box, if that is before `reach`; otherwise nowhere.
double entry(const Box& box, Vec3d origin, Vec3d inverse, double reach) {
    double near = 0, far = reach;
    for (int axis = 0; axis < 3; ++axis) {
        const double a = (along(box.low, axis) - along(origin, axis)) * along(inverse, axis);
        const double b = (along(box.high, axis) - along(origin, axis)) * along(inverse, axis);
        near = std::max(near, std::min(a, b));
        far = std::min(far, std::max(a, b));
    }
    return near <= far ? near : nowhere;
}

/// Where the ray leaves the body through the triangle; negative: nowhere (Moeller and Trumbore).
double crossing(Vec3d origin, Vec3d direction, Vec3d a, Vec3d b, Vec3d c) {
    const Vec3d u = b - a, v = c - a, p = cross(direction, v);
    const double det = dot(u, p);
    if (!(det < 0)) return -1;  // parallel, or it would enter here
    const Vec3d s = origin - a;
    const double x = dot(s, p) / det;
    if (x < 0 || x > 1) return -1;
    const Vec3d q = cross(s, u);
    const double y = dot(direction, q) / det;
    return y < 0 || x + y > 1 ? -1 : dot(v, q) / det;
}

}  // namespace

RayTree::RayTree(std::span<const Vec3d> positions, std::span<const std::uint32_t> triangles)
    : positions_(positions), triangles_(triangles) {
    std::vector<Vec3d> centers;
    for (std::uint32_t t = 0; 3 * t + 2 < triangles.size(); ++t) {
        order_.push_back(t);
        centers.push_back(
            (positions[triangles[3 * t]] + positions[triangles[3 * t + 1]] + positions[triangles[3 * t + 2]]) *
            (1.0 / 3));
    }
    if (!order_.empty()) build(0, std::uint32_t(order_.size()), centers);
}

void RayTree::build(std::uint32_t first, std::uint32_t count, std::span<const Vec3d> centers) {
    const std::size_t own = branches_.size();
    branches_.emplace_back();
    Box box, middles;
    for (std::uint32_t k = first; k < first + count; ++k) {
        for (std::uint32_t c = 0; c < 3; ++c) box.add(positions_[triangles_[3 * order_[k] + c]]);
        middles.add(centers[order_[k]]);
    }
    branches_[own].box = box;
    if (count <= leaf_size) {
        branches_[own].first = first;
        branches_[own].count = count;
    } else {
        const Vec3d size = middles.high - middles.low;
        const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
        const auto begin = order_.begin() + first;
        std::nth_element(begin, begin + count / 2, begin + count, [&](std::uint32_t a, std::uint32_t b) {
            const double x = along(centers[a], axis), y = along(centers[b], axis);
            return x != y ? x < y : a < b;
        });
        build(first, count / 2, centers);
        build(first + count / 2, count - count / 2, centers);
    }
    branches_[own].after = std::uint32_t(branches_.size());
}

std::optional<double> RayTree::exit(Vec3d origin, Vec3d direction) const {
    // A ray parallel to a side meets it at no finite place: a huge number expresses that, and avoids 0 times infinity.
    const auto inverse_of = [](double d) { return std::abs(d) > 1e-30 ? 1 / d : 1e30; };
    const Vec3d inverse{inverse_of(direction.x), inverse_of(direction.y), inverse_of(direction.z)};
    double nearest = nowhere;
    // The half that the ray enters first is searched first: what is found there often rules out the other.
    struct Waiting {
        std::uint32_t branch;
        double at;
    } stack[most_depth];
    int waiting = 0;
    const auto wait = [&](std::uint32_t k) {
        const double at = entry(branches_[k].box, origin, inverse, nearest);
        if (at < nearest) stack[waiting++] = {k, at};
    };
    if (!branches_.empty()) wait(0);
    while (waiting > 0) {
        const auto [k, at] = stack[--waiting];
        if (at >= nearest) continue;
        const Branch& branch = branches_[k];
        for (std::uint32_t i = branch.first; i < branch.first + branch.count; ++i) {
            const std::uint32_t* c = &triangles_[3 * order_[i]];
            const double hit = crossing(origin, direction, positions_[c[0]], positions_[c[1]], positions_[c[2]]);
            if (hit > 0 && hit < nearest) nearest = hit;
        }
        if (branch.count > 0) continue;
        const int before = waiting;
        wait(branches_[k + 1].after);
        wait(k + 1);
        if (waiting == before + 2 && stack[before].at < stack[before + 1].at)
            std::swap(stack[before], stack[before + 1]);
    }
    if (nearest == nowhere) return std::nullopt;
    return nearest;
}

}  // namespace fascia
