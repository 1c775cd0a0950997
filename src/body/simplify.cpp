#include "body/simplify.h"

#include <algorithm>
#include <queue>
#include <tuple>

namespace fascia {

namespace {

/// The cost of leaving the surface, relative to the square of an edge's length.
constexpr double off_surface = 64;
/// A triangle that turns so far that the cosine falls below this would fold.
constexpr double least_turn = 0.3;
/// A triangle with less of 4 sqrt(3) area / (sum of squared sides) is a needle.
constexpr double least_shape = 0.15;
constexpr std::size_t most_around = 14;  ///< triangles at a vertex, so that regions made of rings stay small

/// Sum of squared distances to planes, weighted by area.
struct Quadric {
    double m[6] = {}, v[3] = {}, c = 0, weight = 0;

    void add_plane(Vec3d n, Vec3d p, double area) {
        const double d = -dot(n, p), x[3] = {n.x, n.y, n.z};
        for (int k = 0, i = 0; i < 3; ++i)
            for (int j = i; j < 3; ++j, ++k) m[k] += area * x[i] * x[j];
        for (int i = 0; i < 3; ++i) v[i] += area * x[i] * d;
        c += area * d * d;
        weight += area;
    }
    void add(const Quadric& other) {
        for (int k = 0; k < 6; ++k) m[k] += other.m[k];
        for (int k = 0; k < 3; ++k) v[k] += other.v[k];
        c += other.c;
        weight += other.weight;
    }
    double mean_at(Vec3d p) const {
        const double q = m[0] * p.x * p.x + m[3] * p.y * p.y + m[5] * p.z * p.z +
                         2 * (m[1] * p.x * p.y + m[2] * p.x * p.z + m[4] * p.y * p.z) +
                         2 * (v[0] * p.x + v[1] * p.y + v[2] * p.z) + c;
        return weight > 0 ? std::max(q, 0.0) / weight : 0.0;
    }
};

class Simplifier {
public:
    Simplifier(std::span<const Vec3d> positions, std::span<const std::uint32_t> triangles)
        : positions_(positions),
          corners_(triangles.begin(), triangles.end()),
          alive_(triangles.size() / 3, 1),
          around_(positions.size()),
          into_(positions.size(), SimplerSurface::none),
          stamp_(positions.size(), 0),
          quadrics_(positions.size()) {
        for (std::uint32_t t = 0; t < alive_.size(); ++t) {
            const std::uint32_t* c = &corners_[3 * std::size_t(t)];
            if (c[0] == c[1] || c[1] == c[2] || c[2] == c[0]) {
                alive_[t] = 0;
                continue;
            }
            for (int k = 0; k < 3; ++k) around_[c[k]].push_back(t);
        }
        for (std::uint32_t v = 0; v < around_.size(); ++v)
            if (!around_[v].empty()) into_[v] = v, ++left_;
        find_quadrics();
    }

    void run(std::size_t most) {
        if (left_ <= most) return;
        for (std::uint32_t v = 0; v < around_.size(); ++v)
            for (const std::uint32_t to : neighbours(v)) offer(v, to);
        while (left_ > most && (!queue_.empty() || raise_limit())) {
            const Collapse next = queue_.top();
            queue_.pop();
            if (is_current(next) && is_allowed(next.from, next.to)) collapse(next.from, next.to);
        }
    }

    SimplerSurface result() {
        SimplerSurface out;
        std::vector<std::uint32_t> number(positions_.size(), SimplerSurface::none);
        std::vector<std::uint8_t> used(positions_.size(), 0);
        for (std::size_t t = 0; t < alive_.size(); ++t)
            for (std::size_t k = 3 * t; alive_[t] && k < 3 * t + 3; ++k) used[corners_[k]] = 1;
        for (std::uint32_t v = 0; v < used.size(); ++v)
            if (used[v]) number[v] = std::uint32_t(out.vertices.size()), out.vertices.push_back(v);
        for (std::size_t t = 0; t < alive_.size(); ++t)
            for (std::size_t k = 3 * t; alive_[t] && k < 3 * t + 3; ++k) out.triangles.push_back(number[corners_[k]]);
        for (std::uint32_t v = 0; v < into_.size(); ++v) {
            std::uint32_t last = into_[v];
            while (last != SimplerSurface::none && into_[last] != last) last = into_[last];
            out.into.push_back(last == SimplerSurface::none ? last : number[nearer(v, last)]);
        }
        return out;
    }

private:
    /// Cheapest first; of equal ones the lowest numbers.
    struct Collapse {
        double cost = 0;
        std::uint32_t from = 0, to = 0, from_stamp = 0, to_stamp = 0;
        bool operator<(const Collapse& other) const {
            return std::tie(cost, from, to) > std::tie(other.cost, other.from, other.to);
        }
    };

    Vec3d at(std::uint32_t triangle, int corner) const {
        return positions_[corners_[3 * std::size_t(triangle) + std::size_t(corner)]];
    }
    bool has(std::uint32_t triangle, std::uint32_t vertex) const {
        const std::uint32_t* c = &corners_[3 * std::size_t(triangle)];
        return c[0] == vertex || c[1] == vertex || c[2] == vertex;
    }
    std::vector<std::uint32_t> neighbours(std::uint32_t vertex) const {
        std::vector<std::uint32_t> out;
        for (const std::uint32_t t : around_[vertex])
            for (std::size_t k = 3 * std::size_t(t); k < 3 * std::size_t(t) + 3; ++k)
                if (corners_[k] != vertex) out.push_back(corners_[k]);
        std::sort(out.begin(), out.end());
        out.erase(std::unique(out.begin(), out.end()), out.end());
        return out;
    }
    /// Collapses drift: from where they led, walks along the edges to the nearest vertex.
    std::uint32_t nearer(std::uint32_t vertex, std::uint32_t from) const {
        const auto distance = [&](std::uint32_t w) { return length(positions_[w] - positions_[vertex]); };
        std::uint32_t next = from;
        do {
            from = next;
            for (const std::uint32_t w : neighbours(from))
                if (distance(w) < distance(next)) next = w;
        } while (next != from);
        return from;
    }
    std::size_t shared_triangles(std::uint32_t a, std::uint32_t b) const {
        return std::size_t(
            std::count_if(around_[a].begin(), around_[a].end(), [&](std::uint32_t t) { return has(t, b); }));
    }

    void find_quadrics() {
        for (std::uint32_t t = 0; t < alive_.size(); ++t) {
            if (!alive_[t]) continue;
            const Vec3d n = cross(at(t, 1) - at(t, 0), at(t, 2) - at(t, 0));
            const Vec3d unit = normalized(n);
            for (int k = 0; k < 3; ++k) {
                const std::uint32_t a = corners_[3 * std::size_t(t) + std::size_t(k)],
                                    b = corners_[3 * std::size_t(t) + std::size_t((k + 1) % 3)];
                quadrics_[a].add_plane(unit, positions_[a], length(n) / 2);
                if (shared_triangles(a, b) != 1) continue;
                // A plane across the surface keeps an open border on its line.
                const Vec3d along = positions_[b] - positions_[a], across = normalized(cross(along, unit));
                for (const std::uint32_t v : {a, b}) quadrics_[v].add_plane(across, positions_[a], dot(along, along));
            }
        }
    }

    bool is_current(const Collapse& c) const {
        return c.from_stamp == stamp_[c.from] && c.to_stamp == stamp_[c.to] && into_[c.from] == c.from;
    }
    /// Most collapses are out of date before their turn comes. So only the cheapest ones are in the queue, and the
    /// others wait in no order until these are done.
    bool raise_limit() {
        std::erase_if(later_, [&](const Collapse& c) { return !is_current(c); });
        if (later_.empty()) return false;
        const auto last = later_.begin() + std::ptrdiff_t(later_.size() / 16);
        std::nth_element(later_.begin(), last, later_.end(),
                         [](const Collapse& a, const Collapse& b) { return a.cost < b.cost; });
        limit_ = last->cost;
        const auto rest =
            std::partition(later_.begin(), later_.end(), [&](const Collapse& c) { return c.cost > limit_; });
        queue_ = std::priority_queue<Collapse>({}, std::vector<Collapse>(rest, later_.end()));
        later_.erase(rest, later_.end());
        return true;
    }

    void offer(std::uint32_t from) {
        for (const std::uint32_t to : neighbours(from)) {
            offer(from, to);
            offer(to, from);
        }
    }
    void offer(std::uint32_t from, std::uint32_t to) {
        const Vec3d edge = positions_[to] - positions_[from];
        const double cost = dot(edge, edge) + off_surface * quadrics_[from].mean_at(positions_[to]);
        const Collapse next{cost, from, to, stamp_[from], stamp_[to]};
        if (cost <= limit_)
            queue_.push(next);
        else
            later_.push_back(next);
    }

    bool is_border(std::uint32_t vertex) const {
        for (const std::uint32_t w : neighbours(vertex))
            if (shared_triangles(vertex, w) != 2) return true;
        return false;
    }

    /// The surface stays one sheet around the edge, and nothing folds.
    bool is_allowed(std::uint32_t from, std::uint32_t to) const {
        const std::vector<std::uint32_t> a = neighbours(from), b = neighbours(to);
        std::vector<std::uint32_t> both;
        std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
        const std::size_t shared = shared_triangles(from, to);
        if (shared == 0 || shared > 2 || both.size() != shared) return false;
        if (around_[from].size() + around_[to].size() - 2 * shared > most_around) return false;
        // A border may become shorter, but it does not move into the surface, nor do two borders meet.
        if (shared == 2 && is_border(from)) return false;
        // A closed piece keeps at least the faces of a tetrahedron.
        if (shared == 2 && around_[from].size() <= 3 && around_[to].size() <= 3) return false;
        for (const std::uint32_t t : around_[from])
            if (!has(t, to) && !keeps_shape(t, from, to)) return false;
        return true;
    }
    bool keeps_shape(std::uint32_t t, std::uint32_t from, std::uint32_t to) const {
        Vec3d before[3], after[3];
        for (int k = 0; k < 3; ++k) {
            before[k] = at(t, k);
            after[k] = corners_[3 * std::size_t(t) + std::size_t(k)] == from ? positions_[to] : before[k];
        }
        const Vec3d n = cross(before[1] - before[0], before[2] - before[0]),
                    m = cross(after[1] - after[0], after[2] - after[0]);
        const double old_size = length(n), new_size = length(m);
        if (dot(n, m) <= least_turn * old_size * new_size && old_size > 0) return false;
        double squares = 0;
        for (int k = 0; k < 3; ++k) squares += dot(after[k] - after[(k + 1) % 3], after[k] - after[(k + 1) % 3]);
        return new_size * 3.4641016151377544 >= least_shape * squares;
    }

    void collapse(std::uint32_t from, std::uint32_t to) {
        for (const std::uint32_t t : around_[from]) {
            if (has(t, to)) {
                alive_[t] = 0;
                for (std::size_t k = 3 * std::size_t(t); k < 3 * std::size_t(t) + 3; ++k)
                    if (corners_[k] != from) std::erase(around_[corners_[k]], t);
                continue;
            }
            for (std::size_t k = 3 * std::size_t(t); k < 3 * std::size_t(t) + 3; ++k)
                if (corners_[k] == from) corners_[k] = to;
            around_[to].push_back(t);
        }
        around_[from].clear();
        quadrics_[to].add(quadrics_[from]);
        into_[from] = to;
        --left_;
        ++stamp_[from];
        ++stamp_[to];
        offer(to);
    }

    std::span<const Vec3d> positions_;
    std::vector<std::uint32_t> corners_;
    std::vector<std::uint8_t> alive_;                 ///< [triangles]
    std::vector<std::vector<std::uint32_t>> around_;  ///< [vertices] triangles
    std::vector<std::uint32_t> into_, stamp_;         ///< [vertices]
    std::vector<Quadric> quadrics_;                   ///< [vertices]
    std::priority_queue<Collapse> queue_;             ///< those that cost no more than limit_
    std::vector<Collapse> later_;
    double limit_ = -1;
    std::size_t left_ = 0;
};

}  // namespace

SimplerSurface simplify(std::span<const Vec3d> positions, std::span<const std::uint32_t> triangles, std::size_t most) {
    Simplifier simplifier(positions, triangles);
    simplifier.run(most);
    return simplifier.result();
}

}  // namespace fascia
