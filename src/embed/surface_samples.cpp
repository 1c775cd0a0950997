#include "embed/surface_samples.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace fascia::embedding {

namespace {

/// Darts thrown for each sample wanted.
constexpr std::size_t darts = 8;
/// Factor on the distance between samples when no more fit.
constexpr double closer = 0.85;

double fraction(double x) {
    return x - std::floor(x);
}

/// Takes places, in order, that keep their distance from those taken before, then repeats with a smaller distance,
/// until there are enough.
std::vector<std::uint32_t> thin_out(std::span<const Vec3d> places, double distance, std::size_t wanted) {
    std::vector<std::uint32_t> out;
    std::vector<std::uint8_t> taken(places.size(), 0);
    const double least = 1e-6 * distance;
    while (out.size() < wanted && distance > least) {
        for (std::uint32_t k = 0; k < places.size() && out.size() < wanted; ++k) {
            if (taken[k]) continue;
            const Vec3d at = places[k];
            const bool free = std::none_of(out.begin(), out.end(), [&](std::uint32_t other) {
                const Vec3d off = places[other] - at;
                return dot(off, off) < distance * distance;
            });
            if (free) taken[k] = 1, out.push_back(k);
        }
        distance *= closer;
        if (out.size() == places.size()) break;
    }
    std::sort(out.begin(), out.end());
    return out;
}

struct Dart {
    SurfaceSample sample;
    Vec3d place;
};

}  // namespace

SurfaceSamples sample_surface(std::span<const Vec3> positions, std::span<const std::uint32_t> triangles,
                              std::size_t wanted) {
    const auto at = [&](std::uint32_t v) { return to_double(positions[v]); };
    std::vector<double> area_to;  // of the triangles up to each one
    double area = 0;
    for (std::size_t t = 0; t + 2 < triangles.size(); t += 3) {
        const Vec3d a = at(triangles[t]), b = at(triangles[t + 1]), c = at(triangles[t + 2]);
        area += 0.5 * length(cross(b - a, c - a));
        area_to.push_back(area);
    }
    std::vector<Dart> thrown;
    if (area > 0) {
        // Fractions of multiples of irrational numbers fill the area evenly, in an order that jumps about.
        for (std::size_t k = 0; k < darts * wanted; ++k) {
            const double where = area * fraction(0.5 + double(k) * 0.61803398874989485);
            auto t = std::size_t(std::upper_bound(area_to.begin(), area_to.end(), where) - area_to.begin());
            t = std::min(t, area_to.size() - 1);
            double u = fraction(0.5 + double(k) * 0.75487766624669276),
                   v = fraction(0.5 + double(k) * 0.56984029099805327);
            if (u + v > 1) u = 1 - u, v = 1 - v;
            Dart dart;
            dart.sample.vertices = {triangles[3 * t], triangles[3 * t + 1], triangles[3 * t + 2]};
            dart.sample.shares = {1 - u - v, u, v};
            for (int c = 0; c < 3; ++c)
                dart.place += at(dart.sample.vertices[std::size_t(c)]) * dart.sample.shares[std::size_t(c)];
            thrown.push_back(dart);
        }
    } else {
        for (std::uint32_t v = 0; v < positions.size(); ++v) thrown.push_back({{{v, v, v}, {1, 0, 0}}, at(v)});
    }
    SurfaceSamples out;
    out.spacing = area > 0 ? std::sqrt(area / double(wanted)) : 0;
    std::vector<Vec3d> places;
    for (const Dart& dart : thrown) places.push_back(dart.place);
    double distance = out.spacing;
    if (!(distance > 0)) {
        Vec3d low = places.empty() ? Vec3d{} : places[0], high = low;
        for (const Vec3d p : places) {
            low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
            high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
        }
        distance = out.spacing = length(high - low);
    }
    for (const std::uint32_t k : thin_out(places, distance, wanted)) out.samples.push_back(thrown[k].sample);
    if (out.samples.empty() && !thrown.empty()) out.samples.push_back(thrown[0].sample);
    return out;
}

}  // namespace fascia::embedding
