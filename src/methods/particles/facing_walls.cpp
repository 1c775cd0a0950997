#include "methods/particles/facing_walls.h"

#include <algorithm>
#include <map>
#include <queue>
#include <set>
#include <tuple>
#include <utility>

#include "base/union_find.h"
#include "contact/box_tree.h"
#include "methods/particles/particle_layers.h"

namespace fascia {

namespace {

constexpr double widest_gap = 0.06;     ///< of the size
constexpr double least_opposed = -0.5;  ///< cosine between the normals of two walls
constexpr double longest_way = 3;       ///< along the surface, in gap widths: anything nearer is a crease
constexpr double smallest_wall = 0.25;  ///< area, as a share of the area of a side
constexpr std::uint32_t none = 0xffffffffu;

class WallFinder {
public:
    explicit WallFinder(const WalledSurface& surface)
        : s_(surface),
          vertices_(surface.positions.size()),
          areas_(voronoi_areas(surface.positions, surface.triangles)),
          normals_(vertices_),
          part_(vertices_, none),
          wall_(vertices_, none) {
        for (std::size_t t = 0; t < s_.triangles.size(); t += 3) {
            const std::uint32_t* c = &s_.triangles[t];
            const Vec3d n = cross(at(c[1]) - at(c[0]), at(c[2]) - at(c[0]));
            for (std::size_t k = 0; k < 3; ++k) {
                normals_[c[k]] += n;
                part_[c[k]] = std::min(part_[c[k]], s_.part[t / 3]);
            }
        }
        for (Vec3d& n : normals_) n = normalized(n);
        for (std::size_t v = 0; v < vertices_; ++v)
            for (const std::uint32_t w : s_.edges.of(v)) spacing_ += length(at(w) - at(v)) / double(s_.edges.to.size());
    }

    std::vector<std::uint32_t> run() {
        find_pairs();
        find_walls();
        std::vector<std::uint32_t> out(s_.part.size(), 0);
        while (!facing_.empty()) {
            spread();
            group();
            const std::uint32_t small = smallest_group();
            if (small == none) {
                store(out);
                break;
            }
            forget(small);
        }
        return out;
    }

private:
    Vec3d at(std::size_t v) const { return s_.positions[v]; }

    // ---- which vertices face each other ----
    void find_pairs() {
        std::vector<contact::FloatBox> boxes(vertices_);
        for (std::size_t v = 0; v < vertices_; ++v) boxes[v].add(to_float(at(v)));
        const contact::BoxTree tree(s_.positions);
        std::vector<contact::FloatBox> fitted(tree.branch_count());
        tree.refit(boxes, fitted);
        const double reach = std::max(widest_gap * s_.size, spacing_);
        for (std::uint32_t v = 0; v < vertices_; ++v) {
            std::vector<std::uint32_t> found;
            contact::FloatBox box = boxes[v];
            box.add(to_float(at(v) + normals_[v] * reach));
            box.widen(float(spacing_));
            tree.find(box, boxes, fitted, [&](std::uint32_t w) {
                if (faces(v, w, reach)) found.push_back(w);
            });
            if (!found.empty()) keep_far_ones(v, found);
        }
    }
    bool faces(std::uint32_t v, std::uint32_t w, double reach) const {
        if (part_[v] != part_[w] || dot(normals_[v], normals_[w]) > least_opposed) return false;
        const Vec3d way = at(w) - at(v);
        const double along = dot(way, normals_[v]);
        const Vec3d aside = way - normals_[v] * along;
        return along >= -0.05 * spacing_ && along <= reach && dot(aside, aside) <= spacing_ * spacing_;
    }
    /// Drops vertices that are only on the other side of a crease.
    void keep_far_ones(std::uint32_t v, std::vector<std::uint32_t>& found) {
        double farthest = 0;
        const auto bound = [&](std::uint32_t w) { return longest_way * length(at(w) - at(v)) + 2 * spacing_; };
        for (const std::uint32_t w : found) farthest = std::max(farthest, bound(w));
        std::map<std::uint32_t, double> way{{v, 0.0}};
        std::priority_queue<std::pair<double, std::uint32_t>> queue;  // nearest first: distances are negative
        queue.push({0, v});
        while (!queue.empty()) {
            const auto [minus, a] = queue.top();
            queue.pop();
            if (-minus > way[a]) continue;
            for (const std::uint32_t b : s_.edges.of(a)) {
                const double next = way[a] + length(at(b) - at(a));
                if (next > farthest) continue;
                const auto [old, is_new] = way.try_emplace(b, next);
                if (!is_new && old->second <= next) continue;
                old->second = next;
                queue.push({-next, b});
            }
        }
        for (const std::uint32_t w : found) {
            const auto there = way.find(w);
            if (there == way.end() || there->second > bound(w)) pairs_.push_back({v, w});
        }
    }

    // ---- walls ----
    /// Connected vertices that face others.
    void find_walls() {
        UnionFind sets(vertices_);
        std::vector<std::uint8_t> is_facing(vertices_, 0);
        for (const auto& [v, w] : pairs_) is_facing[v] = is_facing[w] = 1;
        for (std::uint32_t v = 0; v < vertices_; ++v)
            for (const std::uint32_t w : s_.edges.of(v))
                if (is_facing[v] && is_facing[w] && part_[v] == part_[w]) sets.join(v, w);
        std::vector<double> area(vertices_, 0);
        for (std::uint32_t v = 0; v < vertices_; ++v)
            if (is_facing[v]) area[sets.lead(v)] += areas_[v];
        for (std::uint32_t v = 0; v < vertices_; ++v)
            if (is_facing[v] && area[sets.lead(v)] >= smallest_wall * s_.smallest) wall_[v] = sets.lead(v);
        for (const auto& [v, w] : pairs_)
            if (wall_[v] != none && wall_[w] != none && wall_[v] != wall_[w])
                facing_.insert(std::minmax(wall_[v], wall_[w]));
    }
    bool is_used(std::uint32_t wall) const {
        return std::any_of(facing_.begin(), facing_.end(),
                           [&](const auto& pair) { return pair.first == wall || pair.second == wall; });
    }

    /// For each vertex, the nearest wall along its part, and the distance to it.
    void spread() {
        nearest_.assign(vertices_, none);
        way_.assign(vertices_, 1e300);
        using Next = std::tuple<double, std::uint32_t, std::uint32_t>;  // distance, wall, vertex
        std::priority_queue<Next, std::vector<Next>, std::greater<>> queue;
        std::map<std::uint32_t, bool> used;
        for (std::uint32_t v = 0; v < vertices_; ++v) {
            if (wall_[v] == none) continue;
            const auto [it, is_new] = used.try_emplace(wall_[v], false);
            if (is_new) it->second = is_used(wall_[v]);
            if (it->second) queue.push({0, wall_[v], v});
        }
        while (!queue.empty()) {
            const auto [way, wall, v] = queue.top();
            queue.pop();
            if (nearest_[v] != none) continue;
            nearest_[v] = wall;
            way_[v] = way;
            for (const std::uint32_t w : s_.edges.of(v))
                if (nearest_[w] == none && part_[w] == part_[v]) queue.push({way + length(at(w) - at(v)), wall, w});
        }
    }

    /// Joins walls that are nearest to each other, unless their groups face each other.
    void group() {
        std::vector<std::tuple<double, std::uint32_t, std::uint32_t>> bridges;
        for (std::uint32_t v = 0; v < vertices_; ++v)
            for (const std::uint32_t w : s_.edges.of(v))
                if (v < w && nearest_[v] != none && nearest_[w] != none && nearest_[v] != nearest_[w] &&
                    part_[v] == part_[w]) {
                    const auto [a, b] = std::minmax(nearest_[v], nearest_[w]);
                    bridges.push_back({way_[v] + way_[w] + length(at(v) - at(w)), a, b});
                }
        std::sort(bridges.begin(), bridges.end());
        groups_.reset(vertices_);
        for (const auto& [way, a, b] : bridges) {
            const auto one = groups_.lead(a), other = groups_.lead(b);
            if (one == other) continue;
            const bool apart = std::any_of(facing_.begin(), facing_.end(), [&](const auto& pair) {
                return std::minmax(groups_.lead(pair.first), groups_.lead(pair.second)) == std::minmax(one, other);
            });
            if (!apart) groups_.join(one, other);
        }
    }
    std::uint32_t group_of(std::size_t vertex) {
        return nearest_[vertex] == none ? none : groups_.lead(nearest_[vertex]);
    }

    /// The smallest of the groups that are too small to be a side.
    std::uint32_t smallest_group() {
        std::map<std::uint32_t, double> area;
        for (std::size_t v = 0; v < vertices_; ++v)
            if (nearest_[v] != none) area[group_of(v)] += areas_[v];
        std::uint32_t out = none;
        double least = s_.smallest;
        for (const auto& [which, size] : area)
            if (size < least) out = which, least = size;
        return out;
    }
    void forget(std::uint32_t which) {
        for (std::uint32_t& wall : wall_)
            if (wall != none && groups_.lead(wall) == which) wall = none;
        std::erase_if(facing_, [&](const auto& pair) {
            return groups_.lead(pair.first) == which || groups_.lead(pair.second) == which;
        });
    }

    void store(std::vector<std::uint32_t>& out) {
        std::map<std::uint32_t, std::map<std::uint32_t, std::uint32_t>> sides;  ///< of each part, by group
        for (std::size_t t = 0; t < out.size(); ++t) {
            const std::uint32_t* c = &s_.triangles[3 * t];
            std::uint32_t nearest = c[0];
            for (std::size_t k = 1; k < 3; ++k)
                if (way_[c[k]] < way_[nearest]) nearest = c[k];
            const std::uint32_t group = group_of(nearest);
            auto& own = sides[s_.part[t]];
            out[t] = own.try_emplace(group, std::uint32_t(own.size())).first->second;
        }
    }

    const WalledSurface& s_;
    std::size_t vertices_;
    std::vector<double> areas_;
    std::vector<Vec3d> normals_;
    std::vector<std::uint32_t> part_, wall_;  ///< [vertices]; a wall is named by its lowest vertex
    double spacing_ = 0;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_;  ///< of vertices
    std::set<std::pair<std::uint32_t, std::uint32_t>> facing_;    ///< pairs of walls
    std::vector<std::uint32_t> nearest_;                          ///< [vertices] wall
    std::vector<double> way_;                                     ///< [vertices]
    UnionFind groups_;                                            ///< of walls
};

}  // namespace

std::vector<std::uint32_t> sides_of_gaps(const WalledSurface& surface) {
    return WallFinder(surface).run();
}

}  // namespace fascia
