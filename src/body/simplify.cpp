#include "body/simplify.h"

#include <algorithm>

#include "body/least_of.h"

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
          quadrics_(positions.size()),
          choices_(positions.size()),
          cheapest_(positions.size()) {
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
        for (std::uint32_t v = 0; v < around_.size(); ++v) {
            for (const std::uint32_t to : neighbours(v)) offer(v, to);
            rank(v);
        }
        while (left_ > most && cheapest_.any()) {
            const auto from = std::uint32_t(cheapest_.first());
            const std::uint32_t to = best_choice(from)->to;
            if (is_allowed(from, to)) {
                collapse(from, to);
            } else {
                withdraw(from, to);
                rank(from);
            }
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
    /// A vertex that another one may be merged into.
    struct Choice {
        double cost = 0;
        std::uint32_t to = 0;
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

    void offer(std::uint32_t from, std::uint32_t to) {
        const Vec3d edge = positions_[to] - positions_[from];
        choices_[from].push_back({dot(edge, edge) + off_surface * quadrics_[from].mean_at(positions_[to]), to});
    }
    void withdraw(std::uint32_t from, std::uint32_t to) {
        std::erase_if(choices_[from], [&](const Choice& choice) { return choice.to == to; });
    }
    /// The cheapest one; of equal ones the lowest number.
    std::vector<Choice>::const_iterator best_choice(std::uint32_t from) const {
        return std::min_element(choices_[from].begin(), choices_[from].end(), [](const Choice& a, const Choice& b) {
            return a.cost < b.cost || (a.cost == b.cost && a.to < b.to);
        });
    }
    void rank(std::uint32_t from) {
        cheapest_.set(from, choices_[from].empty() ? LeastOf::none : best_choice(from)->cost);
    }

    bool is_border(std::uint32_t vertex, std::span<const std::uint32_t> ring) const {
        return std::any_of(ring.begin(), ring.end(), [&](std::uint32_t w) { return shared_triangles(vertex, w) != 2; });
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
        if (shared == 2 && is_border(from, a)) return false;
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
        const std::vector<std::uint32_t> beside[2] = {neighbours(from), neighbours(to)};
        move_triangles(from, to);
        quadrics_[to].add(quadrics_[from]);
        into_[from] = to;
        --left_;
        for (const auto& ring : beside)
            for (const std::uint32_t v : ring) withdraw(v, from), withdraw(v, to);
        choices_[from].clear();
        choices_[to].clear();
        for (const std::uint32_t v : neighbours(to)) {
            offer(to, v);
            offer(v, to);
        }
        for (const auto& ring : beside)  // each holds the other's vertex
            for (const std::uint32_t v : ring) rank(v);
    }
    void move_triangles(std::uint32_t from, std::uint32_t to) {
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
    }

    std::span<const Vec3d> positions_;
    std::vector<std::uint32_t> corners_;
    std::vector<std::uint8_t> alive_;                 ///< [triangles]
    std::vector<std::vector<std::uint32_t>> around_;  ///< [vertices] triangles
    std::vector<std::uint32_t> into_;                 ///< [vertices]
    std::vector<Quadric> quadrics_;                   ///< [vertices]
    std::vector<std::vector<Choice>> choices_;        ///< [vertices] that were not refused since either end changed
    LeastOf cheapest_;                                ///< of each vertex's choices
    std::size_t left_ = 0;
};

}  // namespace

SimplerSurface simplify(std::span<const Vec3d> positions, std::span<const std::uint32_t> triangles, std::size_t most) {
    Simplifier simplifier(positions, triangles);
    simplifier.run(most);
    return simplifier.result();
}

}  // namespace fascia
