#include "rigging/thickness_rings.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/union_find.h"
#include "rigging/shape_diameter.h"

namespace fascia {

namespace {

constexpr int majority_rounds = 6;
/// Regions smaller than this, in squares of their thickness, are spots.
constexpr double least_area = 0.8;
/// A ring surrounds its centre: the directions to its members cancel to less than this.
constexpr double most_one_sided = 0.55;
/// How far a region's end must be from its ring, in thicknesses, to deserve a handle.
constexpr double least_reach = 1.2;

class Regions {
public:
    Regions(std::span<const Vec3d> positions, std::span<const std::uint32_t> triangles, int clusters)
        : positions_(positions),
          triangles_(triangles),
          diameters_(shape_diameter(positions, triangles)),
          beside_(triangles_beside(triangles)),
          cluster_(thickness_clusters(diameters_, clusters)) {
        for (int round = 0; round < majority_rounds; ++round) follow_majority();
        while (merge_a_spot()) {
        }
        find_corners();
    }

    std::vector<HandlePlace> places() const;

private:
    struct Ring {
        HandlePlace place;
        std::uint32_t one = 0, two = 0;  ///< the regions on either side
    };
    double area(std::size_t t) const {
        const Vec3d a = corner(t, 0);
        return 0.5 * length(cross(corner(t, 1) - a, corner(t, 2) - a));
    }
    Vec3d corner(std::size_t t, std::size_t k) const { return positions_[triangles_[3 * t + k]]; }

    void follow_majority();
    std::vector<std::uint32_t> labels() const;
    bool merge_a_spot();
    void find_corners();
    Vec3d inside_of(std::uint32_t v) const { return positions_[v] - normals_[v] * (0.5 * thickness_[v]); }
    std::vector<Ring> rings() const;
    void add_ring(const std::vector<std::uint32_t>& vertices, std::uint32_t one, std::uint32_t two,
                  std::vector<Ring>& out) const;
    void add_end(std::uint32_t region, const Ring& ring, std::vector<HandlePlace>& out) const;

    std::span<const Vec3d> positions_;
    std::span<const std::uint32_t> triangles_;
    std::vector<double> diameters_;
    std::vector<std::uint32_t> beside_;
    std::vector<int> cluster_;
    std::vector<std::uint32_t> region_;  ///< [triangles]
    std::vector<Vec3d> normals_;         ///< [vertices]
    std::vector<double> thickness_;      ///< [vertices]
};

void Regions::follow_majority() {
    const std::vector<int> before = cluster_;
    for (std::size_t t = 0; t < before.size(); ++t) {
        const int a = before[beside_[3 * t]], b = before[beside_[3 * t + 1]], c = before[beside_[3 * t + 2]];
        if (a == b || a == c)
            cluster_[t] = a;
        else if (b == c)
            cluster_[t] = b;
    }
}

std::vector<std::uint32_t> Regions::labels() const {
    UnionFind sets(cluster_.size());
    for (std::uint32_t s = 0; s < beside_.size(); ++s)
        if (cluster_[s / 3] == cluster_[beside_[s]]) sets.join(s / 3, beside_[s]);
    std::vector<std::uint32_t> out;
    for (std::uint32_t t = 0; t < cluster_.size(); ++t) out.push_back(sets.lead(t));
    return out;
}

/// The smallest spot takes the thickness of the region it shares most of its border with.
bool Regions::merge_a_spot() {
    region_ = labels();
    std::vector<double> areas(region_.size(), 0), sums(region_.size(), 0);
    for (std::size_t t = 0; t < region_.size(); ++t) {
        areas[region_[t]] += area(t);
        sums[region_[t]] += area(t) * diameters_[t];
    }
    std::size_t spot = region_.size();
    double least = least_area;
    std::map<std::uint32_t, double> borders;
    for (std::size_t r = 0; r < areas.size(); ++r) {
        if (!(areas[r] > 0) || !(sums[r] > 0)) continue;
        const double thickness = sums[r] / areas[r], size = areas[r] / (thickness * thickness);
        if (size < least) least = size, spot = r;
    }
    if (spot == region_.size()) return false;
    for (std::size_t s = 0; s < beside_.size(); ++s) {
        const std::uint32_t other = region_[beside_[s]];
        if (region_[s / 3] != spot || other == spot) continue;
        borders[other] += length(corner(s / 3, s % 3) - corner(s / 3, (s % 3 + 1) % 3));
    }
    const auto most = std::max_element(borders.begin(), borders.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    if (most == borders.end()) {
        // A separate piece: it stays as it is, and counts as large.
        for (std::size_t t = 0; t < region_.size(); ++t)
            if (region_[t] == spot) diameters_[t] = 0;
        return true;
    }
    for (std::size_t t = 0; t < region_.size(); ++t)
        if (region_[t] == spot) cluster_[t] = cluster_[most->first];
    return true;
}

void Regions::find_corners() {
    normals_.assign(positions_.size(), {});
    thickness_.assign(positions_.size(), 0);
    std::vector<double> counts(positions_.size(), 0);
    for (std::size_t t = 0; t < region_.size(); ++t) {
        const Vec3d n = cross(corner(t, 1) - corner(t, 0), corner(t, 2) - corner(t, 0));
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint32_t v = triangles_[3 * t + k];
            normals_[v] += n;
            thickness_[v] += diameters_[t];
            counts[v] += 1;
        }
    }
    for (std::size_t v = 0; v < positions_.size(); ++v) {
        normals_[v] = normalized(normals_[v]);
        if (counts[v] > 0) thickness_[v] /= counts[v];
    }
}

void Regions::add_ring(const std::vector<std::uint32_t>& vertices, std::uint32_t one, std::uint32_t two,
                       std::vector<Ring>& out) const {
    if (vertices.size() < 4) return;
    Vec3d around{};
    double thickness = 0;
    for (const std::uint32_t v : vertices) {
        around += positions_[v] * (1 / double(vertices.size()));
        thickness += thickness_[v] / double(vertices.size());
    }
    Vec3d sides{}, centre{};
    for (const std::uint32_t v : vertices) {
        sides += normals_[v] * (1 / double(vertices.size()));
        centre += inside_of(v) * (1 / double(vertices.size()));
    }
    if (length(sides) > most_one_sided) return;
    out.push_back({{centre, thickness}, one, two});
}

std::vector<Regions::Ring> Regions::rings() const {
    // Edges of the border between every two regions, joined at their ends.
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::pair<std::uint32_t, std::uint32_t>>> borders;
    for (std::size_t s = 0; s < beside_.size(); ++s) {
        const std::uint32_t one = region_[s / 3], two = region_[beside_[s]];
        if (one >= two) continue;
        borders[{one, two}].emplace_back(triangles_[s], triangles_[s % 3 == 2 ? s - 2 : s + 1]);
    }
    std::vector<Ring> out;
    UnionFind sets(positions_.size());
    for (const auto& [regions, edges] : borders) {
        sets.reset(positions_.size());
        std::map<std::uint32_t, std::vector<std::uint32_t>> loops;
        std::vector<std::uint32_t> ends;
        for (const auto& [a, b] : edges) sets.join(a, b), ends.push_back(a), ends.push_back(b);
        std::sort(ends.begin(), ends.end());
        ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
        for (const std::uint32_t v : ends) loops[sets.lead(v)].push_back(v);
        for (const auto& loop : loops) add_ring(loop.second, regions.first, regions.second, out);
    }
    return out;
}

/// The part of a region that is farthest from its ring.
void Regions::add_end(std::uint32_t region, const Ring& ring, std::vector<HandlePlace>& out) const {
    std::vector<std::uint32_t> vertices;
    for (std::size_t s = 0; s < triangles_.size(); ++s)
        if (region_[s / 3] == region) vertices.push_back(triangles_[s]);
    double most = 0;
    std::uint32_t tip = vertices[0];
    for (const std::uint32_t v : vertices)
        if (const double far = length(positions_[v] - ring.place.at); far > most) most = far, tip = v;
    const double thickness = std::max(thickness_[tip], 1e-12);
    Vec3d sum{};
    double all = 0;
    for (const std::uint32_t v : vertices)
        if (length(positions_[v] - positions_[tip]) < 0.75 * ring.place.thickness) sum += inside_of(v), all += 1;
    const HandlePlace end{sum * (1 / all), thickness};
    if (length(end.at - ring.place.at) > least_reach * ring.place.thickness * 0.5) out.push_back(end);
}

std::vector<HandlePlace> Regions::places() const {
    const std::vector<Ring> all = rings();
    std::vector<HandlePlace> out;
    std::map<std::uint32_t, std::vector<const Ring*>> around;
    for (const Ring& ring : all) {
        out.push_back(ring.place);
        around[ring.one].push_back(&ring);
        around[ring.two].push_back(&ring);
    }
    for (const auto& [region, own] : around) {
        if (own.size() == 1) add_end(region, *own[0], out);
        if (own.size() < 3) continue;
        Vec3d middle{};
        double thickness = 0;
        for (const Ring* ring : own) {
            middle += ring->place.at * (1 / double(own.size()));
            thickness = std::max(thickness, ring->place.thickness);
        }
        out.push_back({middle, thickness});
    }
    return out;
}

}  // namespace

std::vector<HandlePlace> thickness_rings(std::span<const Vec3d> positions, std::span<const std::uint32_t> triangles,
                                         int clusters) {
    if (triangles.empty()) return {};
    return Regions(positions, triangles, clusters).places();
}

}  // namespace fascia
