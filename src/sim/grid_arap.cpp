#include "sim/grid_arap.h"

#include <algorithm>
#include <cmath>

#include "base/workspace.h"

namespace fascia::sim {

namespace {

constexpr std::size_t group = 8, grain = 32, column_floats = 16;
constexpr std::uint32_t no_place = 0xffffffffu;

/// Repeats the last one until a group is full.
void fill_group(std::vector<std::uint32_t>& list) {
    while (!list.empty() && list.size() % group != 0) list.push_back(list.back());
}

/// [groups * 6 * 8]: for each group the ends on one side, then on the next.
template <class Value, class Find>
std::vector<Value> by_side(std::span<const std::uint32_t> list, Find find) {
    std::vector<Value> out;
    for (std::size_t g = 0; g < list.size(); g += group)
        for (std::size_t side = 0; side < 6; ++side)
            for (std::size_t k = g; k < g + group; ++k) out.push_back(find(list[k], side));
    return out;
}

struct FreeGraph {
    std::vector<std::uint32_t> points;  ///< the free ones
    std::vector<std::array<int, 3>> places;
    std::vector<std::uint32_t> first{0}, to;
    std::vector<float> diagonal;
};

/// [Luo 2016, eq. 2] without the rows and columns of held points.
FreeGraph free_graph(const ArapPoints& in) {
    FreeGraph out;
    std::vector<std::uint32_t> place(in.held.size(), no_place);
    for (std::uint32_t p = 0; p < in.held.size(); ++p)
        if (!in.held[p]) place[p] = std::uint32_t(out.points.size()), out.points.push_back(p);
    for (const std::uint32_t p : out.points) {
        float edges = 0;
        for (std::size_t k = 6 * std::size_t(p); k < 6 * std::size_t(p) + 6; ++k) {
            const std::uint32_t q = in.ends[k];
            if (q == p) continue;
            edges += 1;
            if (place[q] != no_place) out.to.push_back(place[q]);
        }
        out.first.push_back(std::uint32_t(out.to.size()));
        out.places.push_back(in.places[p]);
        out.diagonal.push_back(edges);
    }
    return out;
}

}  // namespace

GridArap::GridArap(const ArapPoints& in) : points_(in.held.size()) {
    const FreeGraph graph = free_graph(in);
    solver_ = TileCholesky({graph.places, graph.first, graph.to, graph.diagonal});
    for (const std::uint32_t k : solver_.order()) free_.push_back(graph.points[k]);
    turned_ = graph.points;
    for (const std::uint32_t p : graph.points)
        turned_.insert(turned_.end(), &in.ends[6 * std::size_t(p)], &in.ends[6 * std::size_t(p)] + 6);
    std::sort(turned_.begin(), turned_.end());
    turned_.erase(std::unique(turned_.begin(), turned_.end()), turned_.end());
    own_ = turned_;
    fill_group(own_);
    fill_group(free_);
    std::vector<std::uint32_t> turn_of(points_, 0);
    for (std::uint32_t k = 0; k < turned_.size(); ++k) turn_of[turned_[k]] = k;
    const auto end = [&](std::uint32_t p, std::size_t side) { return in.ends[6 * std::size_t(p) + side]; };
    own_ends_ = by_side<std::uint32_t>(own_, end);
    for (std::size_t g = 0; g < own_.size(); g += group)
        for (std::size_t axis = 0; axis < 3; ++axis)
            for (std::size_t k = g; k < g + group; ++k) {
                const int edges = (end(own_[k], 2 * axis) != own_[k]) + (end(own_[k], 2 * axis + 1) != own_[k]);
                own_shares_.push_back(edges > 0 ? 1 / float(edges) : 0);
            }
    const auto has_end = [&](std::uint32_t p, std::size_t side) { return end(p, side) == p ? 0.0f : 1.0f; };
    own_has_end_ = by_side<float>(own_, has_end);
    free_ends_ = by_side<std::uint32_t>(free_, end);
    end_turns_ = by_side<std::uint32_t>(free_, [&](std::uint32_t p, std::size_t s) { return turn_of[end(p, s)]; });
    has_end_ = by_side<float>(free_, has_end);
    for (const std::uint32_t p : free_) free_turn_.push_back(turn_of[p]);
}

void GridArap::fit(std::span<const float> places, std::span<float> rotations, ArapScratch& scratch,
                   ThreadPool& pool) const {
    const std::span<float> columns = sized(scratch.columns, column_floats * stride());
    const ArapFit task{own_ends_.data(), places.data(), rotations.data(), stride(), columns.data()};
    pool.for_ranges(own_.size() / group, grain, [&](std::size_t begin, std::size_t end, int) {
        FASCIA_DISPATCH(fit_arap)(task, begin, end);
    });
}

void GridArap::relax(std::span<float> places, float step, ArapScratch& scratch, ThreadPool& pool) const {
    move(places, 1, step, scratch, pool);
}

void GridArap::restore_volume(std::span<float> places, std::span<const float> rotations, float step,
                              ArapScratch& scratch, ThreadPool& pool) const {
    const std::span<float> columns = sized(scratch.columns, column_floats * stride());
    const ArapSwell task{own_ends_.data(), own_shares_.data(), places.data(),
                         rotations.data(), stride(),           columns.data()};
    pool.for_ranges(own_.size() / group, grain, [&](std::size_t begin, std::size_t end, int) {
        FASCIA_DISPATCH(swell_arap)(task, begin, end);
    });
    move(places, 0, step, scratch, pool);
}

std::span<float> GridArap::pulls(std::span<const float> places, float edges, ArapScratch& scratch,
                                 ThreadPool& pool) const {
    const std::size_t n = free_count(), padded = free_.size();
    const std::span<float> values = sized(scratch.values, 3 * padded);
    const ArapPull task{free_.data(),
                        free_ends_.data(),
                        free_turn_.data(),
                        end_turns_.data(),
                        has_end_.data(),
                        places.data(),
                        scratch.columns.data(),
                        values.data(),
                        padded,
                        edges};
    pool.for_ranges(padded / group, grain, [&](std::size_t begin, std::size_t end, int) {
        FASCIA_DISPATCH(pull_arap)(task, begin, end);
    });
    for (std::size_t c = 1; c < 3; ++c) std::copy_n(values.data() + c * padded, n, values.data() + c * n);
    return values.first(3 * n);
}

void GridArap::move(std::span<float> places, float edges, float step, ArapScratch& scratch, ThreadPool& pool) const {
    if (free_count() == 0) return;
    const std::span<float> values = pulls(places, edges, scratch, pool);
    solver_.solve(values, sized(scratch.tiles, solver_.scratch_floats()));
    add_to_free(values, step, places);
}

void GridArap::add_to_free(std::span<const float> values, float step, std::span<float> places) const {
    const std::size_t n = free_count();
    for (std::size_t k = 0; k < n; ++k) {
        float* to = &places[arap_floats * free_[k]];
        to[0] += step * values[k], to[1] += step * values[n + k], to[2] += step * values[2 * n + k];
    }
}

/// [Luo 2016, eq. 1]
double GridArap::energy(std::span<const float> places, std::span<const float> rotations) const {
    const auto place = [&](std::uint32_t p) {
        const float* at = &places[arap_floats * p];
        return Vec3d{at[0], at[1], at[2]};
    };
    constexpr Vec3d axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double sum = 0;
    for (std::size_t k = 0; k < turned_.size(); ++k) {
        const Quat q = normalized(
            Quat{rotations[k], rotations[stride() + k], rotations[2 * stride() + k], rotations[3 * stride() + k]});
        for (std::size_t side = 0; side < 6; ++side) {
            const std::uint32_t other = own_ends_[group * 6 * (k / group) + group * side + k % group];
            if (other == turned_[k]) continue;
            const Vec3d to = rotate(q, axes[side / 2]) * (side % 2 == 1 ? 1.0 : -1.0);
            const Vec3d off = place(other) - place(turned_[k]) - to;
            sum += dot(off, off);
        }
    }
    return sum;
}

}  // namespace fascia::sim
