#include "sim/tile_cholesky.h"

#include <algorithm>

namespace fascia::sim {

namespace {

constexpr std::size_t side = 8, tile_floats = side * side;

/// Sets not worth dividing: one dense front.
constexpr std::size_t undivided = 48;

// ---- the order of elimination ------------------------------------------------------------------------------------
struct Plane {
    int axis = 0, at = 0;
};

/// How many of a set are in front of, on and behind a plane.
struct Parting {
    std::size_t before = 0, on = 0, behind = 0;
    /// Low for few points on the plane, and for sides of similar size, since otherwise there would be many planes.
    double cost() const {
        const double larger = double(std::max(before, behind)), all = double(before + on + behind);
        return (double(on) + 1) * (larger > 0.7 * all ? 8 * larger / all : 1 + larger / all);
    }
};

class Dissection {
public:
    explicit Dissection(const PlacedGraph& graph) : graph_(graph), place_of_(graph.places.size(), 0) {
        std::vector<std::uint32_t> all(graph.places.size());
        for (std::uint32_t p = 0; p < all.size(); ++p) all[p] = p;
        if (!all.empty()) part(std::move(all));
    }
    std::vector<std::uint32_t> order;
    std::vector<TileFront> fronts;
    std::vector<std::uint32_t> rows;
    std::vector<std::vector<std::uint32_t>> children;  ///< [fronts] of each

private:
    struct Halves {
        std::vector<std::uint32_t> before, on, behind;
    };

    /// Eliminates a set; returns the fronts that pass something on.
    std::vector<std::uint32_t> part(std::vector<std::uint32_t> set) {
        Halves halves;
        if (set.size() <= undivided || !(graph_.weights.empty() ? part_grid(set, halves) : part_mesh(set, halves)))
            return {add_front(set, {})};
        auto& [before, on, behind] = halves;
        set = {};
        std::vector<std::uint32_t> below;
        for (auto* half : {&before, &behind}) {
            if (half->empty()) continue;
            const std::vector<std::uint32_t> more = part(std::move(*half));
            below.insert(below.end(), more.begin(), more.end());
        }
        if (on.empty()) return below;
        return {add_front(on, std::move(below))};
    }

    bool part_grid(const std::vector<std::uint32_t>& set, Halves& out) const {
        const Plane plane = best_plane(set);
        if (plane.axis < 0) return false;
        for (const std::uint32_t p : set) {
            const int at = graph_.places[p][std::size_t(plane.axis)];
            (at < plane.at ? out.before : at > plane.at ? out.behind : out.on).push_back(p);
        }
        return true;
    }

    /// Tries cuts across the three axes, and across the steps from one end, which follow a limb wherever it goes.
    bool part_mesh(const std::vector<std::uint32_t>& set, Halves& out) {
        height_.resize(graph_.places.size());
        in_set_.resize(graph_.places.size(), 0);
        ++sets_;
        for (const std::uint32_t p : set) in_set_[p] = sets_;
        double least = 1e300;
        int best_axis = -1, best_cut = 0;
        for (int axis = 0; axis < 4; ++axis) {
            measure(set, axis);
            sorted_.clear();
            for (const std::uint32_t p : set) sorted_.push_back(height_[p]);
            std::sort(sorted_.begin(), sorted_.end());
            for (const std::size_t tenths : {4, 5, 6}) {
                const int cut = sorted_[sorted_.size() * tenths / 10];
                if (cut == sorted_.front()) continue;
                Parting parting;
                for (const std::uint32_t p : set) {
                    const bool below = height_[p] < cut;
                    ++(!below ? parting.behind : touches(p, cut) ? parting.on : parting.before);
                }
                if (parting.before == 0) continue;
                if (const double cost = parting.cost(); cost < least) least = cost, best_axis = axis, best_cut = cut;
            }
        }
        if (best_axis < 0) return false;
        if (best_axis < 3) measure(set, best_axis);
        for (const std::uint32_t p : set)
            (height_[p] >= best_cut ? out.behind : touches(p, best_cut) ? out.on : out.before).push_back(p);
        return true;
    }
    /// Does a point of the set have a neighbour at or above the cut?
    bool touches(std::uint32_t p, int cut) const {
        for (std::uint32_t e = graph_.first[p]; e < graph_.first[p + 1]; ++e)
            if (in_set_[graph_.to[e]] == sets_ && height_[graph_.to[e]] >= cut) return true;
        return false;
    }
    /// height_ of a set along an axis; axis 3: steps from a point that is far from the others.
    void measure(const std::vector<std::uint32_t>& set, int axis) {
        if (axis < 3) {
            for (const std::uint32_t p : set) height_[p] = graph_.places[p][std::size_t(axis)];
            return;
        }
        std::uint32_t start = set[0];
        for (int round = 0; round < 2; ++round) start = count_steps(set, start);
    }
    /// Steps to all points of the set, piece after piece; returns the last one reached.
    std::uint32_t count_steps(const std::vector<std::uint32_t>& set, std::uint32_t start) {
        for (const std::uint32_t p : set) height_[p] = -1;
        queue_.clear();
        const auto begin = [&](std::uint32_t p, int height) { height_[p] = height, queue_.push_back(p); };
        begin(start, 0);
        std::size_t next = 0, done = 0;
        while (queue_.size() < set.size() || done < queue_.size()) {
            if (done == queue_.size()) {
                while (height_[set[next]] >= 0) ++next;
                begin(set[next], height_[queue_.back()] + 1);
            }
            const std::uint32_t p = queue_[done++];
            for (std::uint32_t e = graph_.first[p]; e < graph_.first[p + 1]; ++e)
                if (const std::uint32_t q = graph_.to[e]; in_set_[q] == sets_ && height_[q] < 0)
                    begin(q, height_[p] + 1);
        }
        return queue_.back();
    }

    /// Axis -1: no plane divides it.
    Plane best_plane(const std::vector<std::uint32_t>& set) const {
        Plane best{-1, 0};
        double least = 1e300;
        for (int axis = 0; axis < 3; ++axis) {
            int low = 1 << 30, high = -(1 << 30);
            for (const std::uint32_t p : set) {
                low = std::min(low, graph_.places[p][std::size_t(axis)]);
                high = std::max(high, graph_.places[p][std::size_t(axis)]);
            }
            std::vector<std::size_t> counts(std::size_t(high - low) + 1, 0);
            for (const std::uint32_t p : set) ++counts[std::size_t(graph_.places[p][std::size_t(axis)] - low)];
            Parting parting{0, 0, set.size()};
            for (std::size_t k = 0; k < counts.size(); ++k) {
                parting.before += parting.on;
                parting.on = counts[k];
                parting.behind -= counts[k];
                if (parting.before == 0 || parting.behind == 0) continue;
                if (const double cost = parting.cost(); cost < least) least = cost, best = {axis, low + int(k)};
            }
        }
        return best;
    }

    std::uint32_t add_front(const std::vector<std::uint32_t>& pivots, std::vector<std::uint32_t> below) {
        TileFront front;
        front.first = std::uint32_t(order.size());
        front.pivots = std::uint32_t(pivots.size());
        for (const std::uint32_t p : pivots) {
            place_of_[p] = std::uint32_t(order.size()) + 1;
            order.push_back(p);
        }
        later_.clear();
        for (const std::uint32_t p : pivots)
            for (std::uint32_t e = graph_.first[p]; e < graph_.first[p + 1]; ++e)
                if (place_of_[graph_.to[e]] == 0) later_.push_back(graph_.to[e]);
        for (const std::uint32_t child : below)
            for (std::uint32_t k = 0; k < fronts[child].rows; ++k) {
                const std::uint32_t p = rows[fronts[child].rows_first + k];
                if (place_of_[p] == 0) later_.push_back(p);
            }
        std::sort(later_.begin(), later_.end());
        later_.erase(std::unique(later_.begin(), later_.end()), later_.end());
        front.rows_first = std::uint32_t(rows.size());
        front.rows = std::uint32_t(later_.size());
        rows.insert(rows.end(), later_.begin(), later_.end());
        fronts.push_back(front);
        children.push_back(std::move(below));
        return std::uint32_t(fronts.size() - 1);
    }

    const PlacedGraph& graph_;
    std::vector<std::uint32_t> place_of_;  ///< [points] in the order, counted from 1; 0: not yet
    std::vector<std::uint32_t> later_;
    std::vector<int> height_, sorted_;  ///< [points], [points of the set]
    std::vector<std::uint32_t> in_set_, queue_;
    std::uint32_t sets_ = 0;
};

// ---- the factor ----------------------------------------------------------------------------------------------------
/// Where the element (row, column) of a front is: in the factor, or in what the front passes on.
struct FrontTiles {
    std::size_t pivots, all;
    float *factor, *rest;

    float& at(std::size_t row, std::size_t column) const {
        if (row < column) std::swap(row, column);
        const std::size_t i = row / side, j = column / side;
        float* tiles = j < pivots ? factor : rest;
        const std::size_t from = j < pivots ? 0 : pivots, n = all - from, c = j - from;
        float* tile = tiles + tile_floats * (c * n - c * (c - 1) / 2 + (i - j));
        return tile[side * (column % side) + row % side];
    }
};

std::size_t tiles_in(std::size_t columns) {
    return columns * (columns + 1) / 2;
}

}  // namespace

TileCholesky::TileCholesky(const PlacedGraph& graph) {
    Dissection dissection(graph);
    order_ = std::move(dissection.order);
    fronts_ = std::move(dissection.fronts);
    rows_ = std::move(dissection.rows);
    std::vector<std::uint32_t> place(order_.size());
    for (std::uint32_t k = 0; k < order_.size(); ++k) place[order_[k]] = k;
    for (std::uint32_t& row : rows_) row = place[row];
    std::size_t floats = 0;
    for (TileFront& front : fronts_) {
        // In the order of elimination, so that solving walks through memory.
        std::sort(rows_.begin() + std::ptrdiff_t(front.rows_first),
                  rows_.begin() + std::ptrdiff_t(front.rows_first + front.rows));
        front.tiles = floats;
        const std::size_t all = front.all_tiles();
        floats += tile_floats * (tiles_in(all) - tiles_in(all - front.pivot_tiles()));
        most_tiles_ = std::max(most_tiles_, all);
    }
    tiles_.assign(floats, 0);

    std::vector<Floats> handed(fronts_.size());
    std::vector<std::uint32_t> local(order_.size(), 0);
    for (std::size_t f = 0; f < fronts_.size(); ++f) {
        const TileFront& front = fronts_[f];
        const std::size_t pivots = front.pivot_tiles(), all = front.all_tiles();
        handed[f].assign(tile_floats * tiles_in(all - pivots), 0);
        const FrontTiles tiles{pivots, all, tiles_.data() + front.tiles, handed[f].data()};
        const std::uint32_t* rows = rows_.data() + front.rows_first;
        for (std::uint32_t k = 0; k < front.pivots; ++k) local[front.first + k] = k;
        for (std::uint32_t k = 0; k < front.rows; ++k) local[rows[k]] = std::uint32_t(side * pivots) + k;
        for (std::uint32_t k = 0; k < front.pivots; ++k) {
            const std::uint32_t p = order_[front.first + k];
            tiles.at(k, k) = graph.diagonal[p];
            for (std::uint32_t e = graph.first[p]; e < graph.first[p + 1]; ++e)
                if (place[graph.to[e]] > front.first + k)
                    tiles.at(local[place[graph.to[e]]], k) = graph.weights.empty() ? -1 : -graph.weights[e];
        }
        for (std::size_t k = front.pivots; k < side * pivots; ++k) tiles.at(k, k) = 1;
        for (const std::uint32_t child : dissection.children[f]) {
            const TileFront& from = fronts_[child];
            const FrontTiles given{0, from.all_tiles() - from.pivot_tiles(), nullptr, handed[child].data()};
            const std::uint32_t* given_rows = rows_.data() + from.rows_first;
            for (std::uint32_t c = 0; c < from.rows; ++c)
                for (std::uint32_t r = c; r < from.rows; ++r)
                    tiles.at(local[given_rows[r]], local[given_rows[c]]) += given.at(r, c);
            handed[child] = {};
        }
        // Whatever the padding of the last tile of rows would pass on is never read.
        FASCIA_DISPATCH(eliminate_tiles)({tiles.factor, tiles.rest, pivots, all});
    }
}

void TileCholesky::solve(std::span<float> values, std::span<float> scratch) const {
    FASCIA_DISPATCH(solve_tiles)
    ({fronts_.data(), fronts_.size(), size(), rows_.data(), tiles_.data(), values.data(), scratch.data(),
      side * most_tiles_});
}

}  // namespace fascia::sim
