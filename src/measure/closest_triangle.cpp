#include "measure/closest_triangle.h"

#include <algorithm>
#include <numeric>

namespace fascia {

namespace {

constexpr std::uint32_t leaf_size = 4;

double share_of_segment(Vec3d p, Vec3d a, Vec3d b) {
    const Vec3d along = b - a;
    const double l2 = dot(along, along);
    return l2 > 0 ? std::clamp(dot(p - a, along) / l2, 0.0, 1.0) : 0.0;
}

}  // namespace

std::array<double, 3> nearest_shares(Vec3d p, Vec3d a, Vec3d b, Vec3d c) {
    // Inside: barycentric coordinates of the projection. Otherwise the nearest of the three edges, which also handles
    // triangles without area.
    const Vec3d normal = cross(b - a, c - a);
    const double area2 = dot(normal, normal);
    if (area2 > 0) {
        const double u = dot(cross(c - b, p - b), normal) / area2, v = dot(cross(a - c, p - c), normal) / area2;
        if (u >= 0 && v >= 0 && u + v <= 1) return {u, v, 1 - u - v};
    }
    const Vec3d corners[3] = {a, b, c};
    std::array<double, 3> best{1, 0, 0};
    double least = 1e300;
    for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t next = (k + 1) % 3;
        const double t = share_of_segment(p, corners[k], corners[next]);
        const Vec3d off = p - (corners[k] * (1 - t) + corners[next] * t);
        if (dot(off, off) >= least) continue;
        least = dot(off, off);
        best = {0, 0, 0};
        best[k] = 1 - t;
        best[next] = t;
    }
    return best;
}

void ClosestTriangle::Box::add(Vec3d p) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
}

double ClosestTriangle::Box::distance2(Vec3d p) const {
    const Vec3d inside{std::clamp(p.x, low.x, high.x), std::clamp(p.y, low.y, high.y), std::clamp(p.z, low.z, high.z)};
    return dot(p - inside, p - inside);
}

ClosestTriangle::ClosestTriangle(std::span<const Vec3> positions, std::span<const std::uint32_t> triangles)
    : positions_(positions), triangles_(triangles), order_(triangles.size() / 3) {
    std::iota(order_.begin(), order_.end(), 0u);
    std::vector<Vec3d> centers;
    centers.reserve(order_.size());
    for (const std::uint32_t t : order_) centers.push_back((corner(t, 0) + corner(t, 1) + corner(t, 2)) * (1.0 / 3));
    if (!order_.empty()) build(0, std::uint32_t(order_.size()), centers);
}

void ClosestTriangle::build(std::uint32_t first, std::uint32_t count, std::span<const Vec3d> centers) {
    Box box, middle;
    for (std::uint32_t k = first; k < first + count; ++k) {
        for (int c = 0; c < 3; ++c) box.add(corner(order_[k], c));
        middle.add(centers[order_[k]]);
    }
    const std::size_t self = branches_.size();
    branches_.push_back({box, first, count, 0});
    if (count <= leaf_size) return;
    const Vec3d extent = middle.high - middle.low;
    const auto along = [&](Vec3d v) {
        return extent.x >= extent.y && extent.x >= extent.z ? v.x : extent.y >= extent.z ? v.y : v.z;
    };
    const std::uint32_t half = count / 2;
    std::nth_element(order_.begin() + first, order_.begin() + first + half, order_.begin() + first + count,
                     [&](std::uint32_t a, std::uint32_t b) {
                         const double x = along(centers[a]), y = along(centers[b]);
                         return x < y || (x == y && a < b);
                     });
    build(first, half, centers);
    const std::uint32_t second = std::uint32_t(branches_.size());
    build(first + half, count - half, centers);
    branches_[self].count = 0;
    branches_[self].second = second;
}

void ClosestTriangle::search(std::uint32_t at, Vec3d p, SurfacePoint& best) const {
    const Branch& branch = branches_[at];
    for (std::uint32_t k = branch.first; k < branch.first + branch.count; ++k) {
        const std::uint32_t t = order_[k];
        const Vec3d a = corner(t, 0), b = corner(t, 1), c = corner(t, 2);
        const auto share = nearest_shares(p, a, b, c);
        const Vec3d point = a * share[0] + b * share[1] + c * share[2];
        const double distance = length(p - point);
        if (distance < best.distance || (distance == best.distance && t < best.triangle))
            best = {t, share, point, distance};
    }
    if (branch.count > 0) return;
    std::uint32_t near = at + 1, far = branch.second;
    if (branches_[far].box.distance2(p) < branches_[near].box.distance2(p)) std::swap(near, far);
    for (const std::uint32_t child : {near, far})
        if (branches_[child].box.distance2(p) <= best.distance * best.distance) search(child, p, best);
}

SurfacePoint ClosestTriangle::find(Vec3d p) const {
    SurfacePoint best;
    best.distance = 1e300;
    if (!branches_.empty()) search(0, p, best);
    return best;
}

}  // namespace fascia
