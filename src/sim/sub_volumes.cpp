#include "sim/sub_volumes.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "base/union_find.h"

namespace fascia::sim {

namespace {

using VertexPair = std::pair<std::uint32_t, std::uint32_t>;

/// How many more times a part uses each edge upwards than downwards: its border, with directions.
std::vector<std::map<VertexPair, int>> borders_by_part(const DividedSurface& surface) {
    std::vector<std::map<VertexPair, int>> out(surface.parts);
    for (std::size_t t = 0; t < surface.part.size(); ++t) {
        if (surface.part[t] == no_part) continue;
        auto& uses = out[surface.part[t]];
        for (std::size_t c = 0; c < 3; ++c) {
            const std::uint32_t a = surface.triangles[3 * t + c], b = surface.triangles[3 * t + (c + 1) % 3];
            const VertexPair edge = std::minmax(a, b);
            if ((uses[edge] += a < b ? 1 : -1) == 0) uses.erase(edge);
        }
    }
    return out;
}

}  // namespace

std::vector<std::vector<std::uint32_t>> find_borders(const DividedSurface& surface) {
    UnionFind sets(surface.positions.size());
    std::vector<std::uint8_t> on_border(surface.positions.size(), 0);
    for (const auto& part : borders_by_part(surface))
        for (const auto& [edge, uses] : part) {
            sets.join(edge.first, edge.second);
            on_border[edge.first] = on_border[edge.second] = 1;
        }
    std::map<std::uint32_t, std::vector<std::uint32_t>> by_set;
    for (std::uint32_t v = 0; v < on_border.size(); ++v)
        if (on_border[v]) by_set[std::uint32_t(sets.lead(v))].push_back(v);
    std::vector<std::vector<std::uint32_t>> out;
    for (auto& [set, vertices] : by_set) out.push_back(std::move(vertices));
    return out;
}

SubVolumes close_parts(const DividedSurface& surface, const std::vector<std::vector<std::uint32_t>>& borders,
                       std::vector<SubVolumes::Apex> apexes) {
    std::vector<std::uint32_t> border_of(surface.positions.size(), 0);
    for (std::uint32_t b = 0; b < borders.size(); ++b)
        for (const std::uint32_t v : borders[b]) border_of[v] = b;
    // Corners by vertex first, then by entry of the part.
    std::vector<std::vector<std::uint32_t>> corners(surface.parts);
    for (std::size_t t = 0; t < surface.part.size(); ++t)
        if (surface.part[t] != no_part)
            corners[surface.part[t]].insert(corners[surface.part[t]].end(), &surface.triangles[3 * t],
                                            &surface.triangles[3 * t] + 3);
    const auto borders_of = borders_by_part(surface);
    for (std::size_t p = 0; p < surface.parts; ++p)
        for (const auto& [edge, uses] : borders_of[p])
            for (int k = 0; k < std::abs(uses); ++k) {
                // Opposite to the direction in which the part itself uses the edge.
                const auto [a, b] = uses > 0 ? VertexPair{edge.second, edge.first} : edge;
                corners[p].insert(corners[p].end(), {a, b, SubVolumes::is_apex + border_of[edge.first]});
            }
    SubVolumes out;
    out.apexes = std::move(apexes);
    out.first_entry.push_back(0);
    out.first_corner.push_back(0);
    std::vector<std::vector<std::uint32_t>> uses(surface.positions.size());
    for (std::size_t p = 0; p < surface.parts; ++p) {
        std::vector<std::uint32_t> members = corners[p];
        std::sort(members.begin(), members.end());
        members.erase(std::unique(members.begin(), members.end()), members.end());
        for (const std::uint32_t corner : corners[p])
            out.corners.push_back(
                std::uint32_t(std::lower_bound(members.begin(), members.end(), corner) - members.begin()));
        for (const std::uint32_t member : members) {
            if (member < SubVolumes::is_apex) uses[member].push_back(std::uint32_t(out.entries.size()));
            out.entries.push_back(member);
            out.part_of.push_back(std::uint32_t(p));
        }
        out.first_entry.push_back(std::uint32_t(out.entries.size()));
        out.first_corner.push_back(std::uint32_t(out.corners.size()));
    }
    out.first_use.push_back(0);
    for (const auto& list : uses) {
        out.uses.insert(out.uses.end(), list.begin(), list.end());
        out.first_use.push_back(std::uint32_t(out.uses.size()));
    }
    for (std::size_t p = 0; p < surface.parts; ++p) {
        const auto place = [&](std::uint32_t corner) {
            const std::uint32_t entry = out.entries[out.first_entry[p] + corner];
            return entry < SubVolumes::is_apex ? surface.positions[entry]
                                               : out.apexes[entry - SubVolumes::is_apex].rest;
        };
        double volume = 0;
        for (std::uint32_t k = out.first_corner[p]; k < out.first_corner[p + 1]; k += 3)
            volume += dot(place(out.corners[k]), cross(place(out.corners[k + 1]), place(out.corners[k + 2]))) / 6;
        out.rest_volume.push_back(volume);
    }
    return out;
}

void measure_volumes(const SubVolumes& s, const VolumePlaces& places, const VolumeState& out, ThreadPool& pool) {
    const auto place = [&](std::uint32_t entry) {
        if (entry >= SubVolumes::is_apex) return places.apexes[entry - SubVolumes::is_apex];
        return Vec3{places.channels[entry], places.channels[places.stride + entry],
                    places.channels[2 * places.stride + entry]};
    };
    pool.for_ranges(s.parts(), 1, [&](std::size_t begin, std::size_t end, int) {
        for (std::size_t p = begin; p < end; ++p) {
            const std::uint32_t first = s.first_entry[p];
            out.volume[p] = 0;
            if (first == s.first_entry[p + 1]) continue;
            std::fill(&out.gradients[first], &out.gradients[first] + (s.first_entry[p + 1] - first), Vec3{});
            const Vec3 origin = place(s.entries[first]);
            double volume = 0;
            for (std::uint32_t k = s.first_corner[p]; k < s.first_corner[p + 1]; k += 3) {
                const std::uint32_t *c = &s.corners[k], *entry = &s.entries[first];
                const Vec3 a = place(entry[c[0]]) - origin, b = place(entry[c[1]]) - origin,
                           d = place(entry[c[2]]) - origin;
                const Vec3 normal = cross(b - a, d - a);
                volume += double(dot(a, normal));
                for (int i = 0; i < 3; ++i) out.gradients[first + c[i]] += normal;
            }
            out.volume[p] = volume / 6;
            for (std::uint32_t e = first; e < s.first_entry[p + 1]; ++e) out.gradients[e] *= 1.0f / 6;
        }
    });
}

namespace {

/// How far along its gradient each part goes, per unit of inverse mass: what / sum w |g|^2. [parts]
template <class What>
void multipliers(const SubVolumes& s, const VolumeState& state, std::span<const float> weights, What&& what,
                 std::span<double> out) {
    for (std::size_t p = 0; p < s.parts(); ++p) {
        double sum = 0;
        for (std::uint32_t e = s.first_entry[p]; e < s.first_entry[p + 1]; ++e)
            if (s.entries[e] < SubVolumes::is_apex)
                sum += double(weights[s.entries[e]]) * double(dot(state.gradients[e], state.gradients[e]));
        out[p] = sum > 1e-12 ? what(p) / sum : 0.0;
    }
}

/// Moves every vertex along the gradients of its parts.
void go_along_gradients(const SubVolumes& s, const VolumeState& state, std::span<const float> weights,
                        std::span<const double> by, float* channels, std::size_t stride) {
    for (std::size_t v = 0; v + 1 < s.first_use.size(); ++v) {
        Vec3 way;
        for (std::uint32_t k = s.first_use[v]; k < s.first_use[v + 1]; ++k) {
            const std::uint32_t e = s.uses[k];
            way += state.gradients[e] * float(by[s.part_of[e]]);
        }
        channels[v] -= weights[v] * way.x;
        channels[stride + v] -= weights[v] * way.y;
        channels[2 * stride + v] -= weights[v] * way.z;
    }
}

}  // namespace

void correct_volumes(const SubVolumes& s, const VolumeState& state, std::span<const float> weights, float share,
                     std::span<double> scratch, float* channels, std::size_t stride) {
    multipliers(
        s, state, weights, [&](std::size_t p) { return double(share) * (state.volume[p] - s.rest_volume[p]); },
        scratch);
    go_along_gradients(s, state, weights, scratch, channels, stride);
}

void remove_divergence(const SubVolumes& s, const VolumeState& state, std::span<const float> weights,
                       std::span<const Vec3> apex_speeds, std::span<double> scratch, float* velocities,
                       std::size_t stride) {
    const auto growth = [&](std::size_t p) {
        double sum = 0;
        for (std::uint32_t e = s.first_entry[p]; e < s.first_entry[p + 1]; ++e) {
            const std::uint32_t v = s.entries[e];
            const Vec3 speed = v >= SubVolumes::is_apex
                                   ? apex_speeds[v - SubVolumes::is_apex]
                                   : Vec3{velocities[v], velocities[stride + v], velocities[2 * stride + v]};
            sum += double(dot(state.gradients[e], speed));
        }
        return sum;
    };
    multipliers(s, state, weights, growth, scratch);
    go_along_gradients(s, state, weights, scratch, velocities, stride);
}

}  // namespace fascia::sim
