#include "rigging/shape_diameter.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/portable_math.h"
#include "rigging/ray_tree.h"

namespace fascia {

namespace {

constexpr int rays = 30, smoothing_rounds_of_diameter = 4, cluster_rounds = 40;
constexpr double half_opening = portable::pi / 3;

/// Directions about +z, evenly over the cap of the cone: a spiral.
std::vector<Vec3d> cone() {
    std::vector<Vec3d> out;
    const double golden = portable::pi * (3 - std::sqrt(5.0));
    for (int k = 0; k < rays; ++k) {
        const double z = 1 - (1 - portable::cosine(half_opening)) * (k + 0.5) / rays;
        const double r = std::sqrt(1 - z * z);
        out.push_back({r * portable::cosine(k * golden), r * portable::sine(k * golden), z});
    }
    return out;
}

/// The mean of those within one standard deviation of the median; wide rays count for less.
double robust_mean(std::vector<std::pair<double, double>>& lengths) {
    if (lengths.empty()) return 0;
    std::sort(lengths.begin(), lengths.end());
    const double median = lengths[lengths.size() / 2].first;
    double square = 0, mean = 0;
    for (const auto& l : lengths) mean += l.first / double(lengths.size());
    for (const auto& l : lengths) square += (l.first - mean) * (l.first - mean) / double(lengths.size());
    const double reach = std::sqrt(square) * (1 + 1e-9);
    double sum = 0, all = 0;
    for (const auto& [length, weight] : lengths)
        if (std::abs(length - median) <= reach) sum += weight * length, all += weight;
    return all > 0 ? sum / all : median;
}

}  // namespace

std::vector<std::uint32_t> triangles_beside(std::span<const std::uint32_t> triangles) {
    struct Edge {
        std::uint32_t low, high, side;
    };
    std::vector<Edge> edges;
    for (std::uint32_t s = 0; s < triangles.size(); ++s) {
        const std::uint32_t a = triangles[s], b = triangles[s % 3 == 2 ? s - 2 : s + 1];
        edges.push_back({std::min(a, b), std::max(a, b), s});
    }
    std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
        return std::array{a.low, a.high, a.side} < std::array{b.low, b.high, b.side};
    });
    std::vector<std::uint32_t> out;
    for (std::uint32_t s = 0; s < triangles.size(); ++s) out.push_back(s / 3);
    for (std::size_t e = 0; e + 1 < edges.size(); ++e)
        if (edges[e].low == edges[e + 1].low && edges[e].high == edges[e + 1].high) {
            out[edges[e].side] = edges[e + 1].side / 3;
            out[edges[e + 1].side] = edges[e].side / 3;
        }
    return out;
}

std::vector<double> shape_diameter(std::span<const Vec3d> positions, std::span<const std::uint32_t> triangles) {
    const RayTree tree(positions, triangles);
    const std::vector<Vec3d> directions = cone();
    std::vector<double> out;
    std::vector<std::pair<double, double>> lengths;
    for (std::size_t t = 0; 3 * t < triangles.size(); ++t) {
        const Vec3d a = positions[triangles[3 * t]], b = positions[triangles[3 * t + 1]],
                    c = positions[triangles[3 * t + 2]];
        const Vec3d inward = normalized(cross(c - a, b - a));
        lengths.clear();
        if (dot(inward, inward) > 0) {
            const Vec3d across =
                normalized(std::abs(inward.x) < 0.8 ? cross(inward, Vec3d{1, 0, 0}) : cross(inward, Vec3d{0, 1, 0}));
            const Vec3d third = cross(inward, across);
            const Vec3d from = (a + b + c) * (1.0 / 3);
            for (const Vec3d d : directions) {
                const Vec3d to = across * d.x + third * d.y + inward * d.z;
                if (const auto hit = tree.exit(from, to)) lengths.emplace_back(*hit, d.z);
            }
        }
        out.push_back(robust_mean(lengths));
    }
    const std::vector<std::uint32_t> beside = triangles_beside(triangles);
    for (int round = 0; round < smoothing_rounds_of_diameter; ++round) {
        const std::vector<double> before = out;
        for (std::size_t t = 0; t < out.size(); ++t) {
            double sum = before[t], all = before[t] > 0 ? 1 : 0;
            for (std::size_t s = 3 * t; s < 3 * t + 3; ++s)
                if (before[beside[s]] > 0) sum += before[beside[s]], all += 1;
            out[t] = all > 0 ? sum / all : 0;
        }
    }
    return out;
}

std::vector<int> thickness_clusters(std::span<const double> diameters, int count) {
    std::vector<double> logs, sorted;
    double least = 1e300;
    for (const double d : diameters)
        if (d > 0) least = std::min(least, d);
    for (const double d : diameters) logs.push_back(portable::logarithm(d > 0 ? d : least));
    sorted = logs;
    std::sort(sorted.begin(), sorted.end());
    std::vector<double> middles;
    for (int k = 0; k < count && !sorted.empty(); ++k)
        middles.push_back(sorted[std::size_t(double(sorted.size()) * (k + 0.5) / count)]);
    std::vector<int> out(logs.size(), 0);
    for (int round = 0; round < cluster_rounds; ++round) {
        std::vector<double> sums(middles.size(), 0), counts(middles.size(), 0);
        for (std::size_t t = 0; t < logs.size(); ++t) {
            for (std::size_t k = 0; k < middles.size(); ++k)
                if (std::abs(logs[t] - middles[k]) < std::abs(logs[t] - middles[std::size_t(out[t])])) out[t] = int(k);
            sums[std::size_t(out[t])] += logs[t];
            counts[std::size_t(out[t])] += 1;
        }
        for (std::size_t k = 0; k < middles.size(); ++k)
            if (counts[k] > 0) middles[k] = sums[k] / counts[k];
    }
    return out;
}

}  // namespace fascia
