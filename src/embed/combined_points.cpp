#include "embed/combined_points.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "embed/best_rotation.h"

namespace fascia::embedding {

void CombinedPoints::add(std::span<const std::uint32_t> from, std::span<const double> shares) {
    std::map<std::uint32_t, double> sums;
    double all = 0;
    for (std::size_t k = 0; k < from.size(); ++k)
        if (shares[k] != 0) sums[from[k]] += shares[k], all += shares[k];
    if (sums.empty()) sums[from[0]] = all = 1;
    for (const auto& [point, weight] : sums) points.push_back(point), weights.push_back(weight / all);
    first.push_back(std::uint32_t(points.size()));
}

void add_in_cells(const Trilinear& bound, const SurfaceSample& sample, CombinedPoints& out) {
    std::vector<std::uint32_t> points;
    std::vector<double> shares;
    for (std::size_t c = 0; c < 3; ++c)
        for (std::size_t k = 0; k < Trilinear::slots; ++k) {
            const std::size_t slot = Trilinear::slots * std::size_t(sample.vertices[c]) + k;
            points.push_back(bound.points[slot]);
            shares.push_back(sample.shares[c] * double(bound.weights[slot]));
        }
    out.add(points, shares);
}

void add_nearest(std::span<const Vec3d> points, Vec3d place, CombinedPoints& out) {
    std::vector<std::pair<double, std::uint32_t>> by_distance;
    for (std::uint32_t p = 0; p < points.size(); ++p)
        by_distance.push_back({dot(points[p] - place, points[p] - place), p});
    const std::size_t count = std::min<std::size_t>(Trilinear::slots, by_distance.size());
    std::partial_sort(by_distance.begin(), by_distance.begin() + std::ptrdiff_t(count), by_distance.end());
    std::vector<std::uint32_t> nearest;
    std::vector<double> shares;
    for (std::size_t k = 0; k < count; ++k) {
        const double far = std::sqrt(by_distance[k].first);
        nearest.push_back(by_distance[k].second);
        if (far < 1e-9) {
            nearest = {by_distance[k].second}, shares = {1};
            break;
        }
        shares.push_back(1 / far);
    }
    out.add(nearest, shares);
}

RigidSet::RigidSet(std::vector<std::uint32_t> members, std::span<const Vec3d> rest) : points(std::move(members)) {
    std::sort(points.begin(), points.end());
    points.erase(std::unique(points.begin(), points.end()), points.end());
    for (const std::uint32_t p : points) middle += rest[p];
    if (!points.empty()) middle = middle * (1 / double(points.size()));
}

Quat RigidSet::turn(std::span<const Vec3d> rest, std::span<const Vec3> moved, Vec3d& now) const {
    now = {};
    if (points.empty()) return {};
    for (const std::uint32_t p : points) now += to_double(moved[p]);
    now = now * (1 / double(points.size()));
    Covariance sum;
    for (const std::uint32_t p : points) sum.add(rest[p] - middle, to_double(moved[p]) - now);
    return best_rotation(sum);
}

}  // namespace fascia::embedding
