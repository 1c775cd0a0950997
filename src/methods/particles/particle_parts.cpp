#include "methods/particles/particle_parts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/portable_math.h"
#include "base/union_find.h"
#include "methods/particles/facing_walls.h"
#include "sim/sub_volumes.h"

namespace fascia {

namespace {

constexpr double smallest_part = 0.03;   ///< of the whole area
constexpr double widest_hole = 0.15;     ///< of a piece's area: a disc with the circumference of all its holes
constexpr double smallest_piece = 1e-7;  ///< volume, of the cube of the size

using PieceJoint = std::pair<std::uint32_t, std::uint16_t>;

class PartFinder {
public:
    explicit PartFinder(const PartedSurface& surface) : s_(surface), sets_(surface.positions.size()) {
        for (std::size_t k = 0; k < s_.triangles.size(); k += 3)
            for (std::size_t c = 1; c < 3; ++c) sets_.join(s_.triangles[k], s_.triangles[k + c]);
        for (std::size_t t = 0; t < s_.follows.size(); ++t) keys_.push_back({piece_of(t), s_.follows[t]});
    }

    SurfaceParts run() {
        join_small_parts();
        const std::map<std::uint32_t, bool> solid = solid_pieces();
        SurfaceParts out;
        for (const auto& [piece, is_solid] : solid) out.open += !is_solid;
        const std::vector<std::uint32_t> sides = find_sides();
        std::map<std::pair<PieceJoint, std::uint32_t>, std::uint32_t> numbers;
        for (std::size_t t = 0; t < keys_.size(); ++t) {
            if (!solid.at(keys_[t].first)) {
                out.part.push_back(sim::no_part);
                continue;
            }
            const auto [at, is_new] = numbers.try_emplace({keys_[t], sides[t]}, std::uint32_t(numbers.size()));
            if (is_new) out.joint.push_back(keys_[t].second);
            out.part.push_back(at->second);
        }
        return out;
    }

private:
    std::uint32_t piece_of(std::size_t triangle) { return sets_.lead(s_.triangles[3 * triangle]); }
    Vec3d at(std::size_t triangle, std::size_t corner) const {
        return s_.positions[s_.triangles[3 * triangle + corner]];
    }
    double area_of(std::size_t t) const { return length(cross(at(t, 1) - at(t, 0), at(t, 2) - at(t, 0))) / 2; }

    void join_small_parts() {
        std::map<PieceJoint, double> areas;
        double total = 0;
        for (std::size_t t = 0; t < keys_.size(); ++t) areas[keys_[t]] += area_of(t), total += area_of(t);
        // Joints come after their parents, so that what a joint hands over can be passed on.
        std::map<PieceJoint, PieceJoint> into;
        std::vector<PieceJoint> order;
        for (const auto& [key, area] : areas) order.push_back(key);
        std::sort(order.begin(), order.end(), [&](const PieceJoint& a, const PieceJoint& b) {
            const int da = depth(a.second), db = depth(b.second);
            return da != db ? da > db : a < b;
        });
        for (const PieceJoint& key : order) {
            if (areas[key] >= smallest_part * total) continue;
            for (int up = s_.parents[key.second]; up >= 0; up = s_.parents[std::size_t(up)]) {
                const PieceJoint above{key.first, std::uint16_t(up)};
                if (areas.find(above) == areas.end()) continue;
                areas[above] += areas[key];
                into[key] = above;
                break;
            }
        }
        for (PieceJoint& key : keys_)
            for (auto found = into.find(key); found != into.end(); found = into.find(key)) key = found->second;
    }
    int depth(std::uint16_t joint) const {
        int out = 0;
        for (int up = s_.parents[joint]; up >= 0; up = s_.parents[std::size_t(up)]) ++out;
        return out;
    }

    std::vector<std::uint32_t> find_sides() const {
        std::map<PieceJoint, std::uint32_t> numbers;
        std::vector<std::uint32_t> part;
        double total = 0;
        for (std::size_t t = 0; t < keys_.size(); ++t) {
            part.push_back(numbers.try_emplace(keys_[t], std::uint32_t(numbers.size())).first->second);
            total += area_of(t);
        }
        return sides_of_gaps({s_.positions, s_.triangles, s_.edges, part, s_.size, smallest_part * total});
    }

    /// Pieces that are closed, or nearly so, and enclose a volume.
    std::map<std::uint32_t, bool> solid_pieces() {
        std::map<std::uint32_t, double> areas, volumes, holes;
        std::map<std::pair<std::uint32_t, std::uint32_t>, int> uses;
        for (std::size_t t = 0; t < keys_.size(); ++t) {
            areas[keys_[t].first] += area_of(t);
            volumes[keys_[t].first] +=
                dot(at(t, 0) - s_.positions[keys_[t].first],
                    cross(at(t, 1) - s_.positions[keys_[t].first], at(t, 2) - s_.positions[keys_[t].first])) /
                6;
            for (std::size_t c = 0; c < 3; ++c) {
                const std::uint32_t a = s_.triangles[3 * t + c], b = s_.triangles[3 * t + (c + 1) % 3];
                uses[std::minmax(a, b)] += a < b ? 1 : -1;
            }
        }
        for (const auto& [edge, count] : uses)
            if (count != 0)
                holes[sets_.lead(edge.first)] += length(s_.positions[edge.first] - s_.positions[edge.second]);
        std::map<std::uint32_t, bool> out;
        for (const auto& [piece, area] : areas) {
            const double disc = holes[piece] * holes[piece] / (4 * portable::pi);
            out[piece] =
                disc <= widest_hole * area && std::abs(volumes[piece]) > smallest_piece * s_.size * s_.size * s_.size;
        }
        return out;
    }

    const PartedSurface& s_;
    UnionFind sets_;
    std::vector<PieceJoint> keys_;  ///< [triangles]
};

}  // namespace

SurfaceParts find_parts(const PartedSurface& surface) {
    return PartFinder(surface).run();
}

}  // namespace fascia
