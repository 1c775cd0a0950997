#include "sim/surface_arap.h"

#include <algorithm>
#include <cmath>

#include "base/workspace.h"

namespace fascia::sim {

namespace {

constexpr std::size_t lanes = 8, surface_grain = 32, entry_floats = 4 * lanes, turn_floats = 16;
/// Coordinates of a mesh as whole numbers: fine enough to tell points apart where it is cut in two.
constexpr double cut_steps = 4096;

std::vector<std::uint32_t> by_valence(const CotangentGraph& graph) {
    std::vector<std::uint32_t> out(graph.size());
    for (std::uint32_t p = 0; p < out.size(); ++p) out[p] = p;
    const auto valence = [&](std::uint32_t p) { return graph.first[p + 1] - graph.first[p]; };
    std::stable_sort(out.begin(), out.end(), [&](std::uint32_t a, std::uint32_t b) { return valence(a) < valence(b); });
    return out;
}

CotangentGraph renumbered(const CotangentGraph& graph, std::span<const std::uint32_t> order) {
    std::vector<std::uint32_t> place(order.size());
    for (std::uint32_t k = 0; k < order.size(); ++k) place[order[k]] = k;
    CotangentGraph out;
    out.first = {0};
    for (const std::uint32_t p : order) {
        for (std::uint32_t e = graph.first[p]; e < graph.first[p + 1]; ++e) {
            out.to.push_back(place[graph.to[e]]);
            out.weights.push_back(graph.weights[e]);
        }
        out.first.push_back(std::uint32_t(out.to.size()));
    }
    return out;
}

std::vector<std::array<int, 3>> whole_places(std::span<const Vec3> rest) {
    Vec3 low{1e30f, 1e30f, 1e30f}, high = -low;
    for (const Vec3 p : rest) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    const double longest = std::max({double(high.x - low.x), double(high.y - low.y), double(high.z - low.z), 1e-30});
    const auto whole = [&](float at, float from) { return int(cut_steps * (double(at) - double(from)) / longest); };
    std::vector<std::array<int, 3>> out;
    for (const Vec3 p : rest) out.push_back({whole(p.x, low.x), whole(p.y, low.y), whole(p.z, low.z)});
    return out;
}

}  // namespace

SurfaceArap::SurfaceArap(std::span<const Vec3> positions, const CotangentGraph& graph)
    : order_(by_valence(graph)), graph_(renumbered(graph, order_)) {
    for (const std::uint32_t p : order_) rest_.push_back(positions[p]);
    const std::size_t groups = (order_.size() + lanes - 1) / lanes;
    for (std::uint32_t k = 0; k < groups * lanes; ++k) own_.push_back(std::min(k, std::uint32_t(order_.size()) - 1));
    group_first_ = {0};
    for (std::size_t g = 0; g < groups; ++g) {
        std::size_t most = 0;
        for (std::size_t k = 0; k < lanes; ++k) {
            const std::uint32_t p = own_[lanes * g + k];
            most = std::max(most, std::size_t(graph_.first[p + 1] - graph_.first[p]));
        }
        sums_.resize(3 * lanes * (g + 1), 0);
        float* const sum = &sums_[3 * lanes * g];
        for (std::size_t n = 0; n < most; ++n) {
            const std::size_t at = edges_.size();
            edges_.resize(at + entry_floats, 0);
            for (std::size_t k = 0; k < lanes; ++k) {
                const std::uint32_t p = own_[lanes * g + k];
                const std::size_t e = graph_.first[p] + n;
                const bool there = e < graph_.first[p + 1];
                ends_.push_back(there ? graph_.to[e] : p);
                const float w = there ? graph_.weights[e] : 0;
                const Vec3 edge = (rest_[p] - rest_[ends_.back()]) * w;
                const float values[4] = {edge.x, edge.y, edge.z, w};
                for (std::size_t c = 0; c < 4; ++c) edges_[at + lanes * c + k] = values[c];
                for (std::size_t c = 0; c < 3; ++c) sum[lanes * c + k] += values[c];
            }
        }
        group_first_.push_back(std::uint32_t(ends_.size() / lanes));
    }
}

void SurfaceArap::fit(std::span<const float> places, std::span<float> rotations, ArapScratch& scratch,
                      ThreadPool& pool) const {
    const std::span<float> columns = sized(scratch.columns, turn_floats * stride());
    const SurfaceArapTask task{own_.data(),   group_first_.data(), ends_.data(),   edges_.data(), sums_.data(),
                               places.data(), rotations.data(),    columns.data(), nullptr,       stride()};
    pool.for_ranges(own_.size() / lanes, surface_grain, [&](std::size_t begin, std::size_t end, int) {
        FASCIA_DISPATCH(fit_surface)(task, begin, end);
    });
}

void SurfaceArap::pull(std::span<const float> places, ArapScratch& scratch, ThreadPool& pool) const {
    const std::span<float> values = sized(scratch.values, 3 * stride());
    const SurfaceArapTask task{
        own_.data(), group_first_.data(),    ends_.data(),  edges_.data(), sums_.data(), places.data(),
        nullptr,     scratch.columns.data(), values.data(), stride()};
    pool.for_ranges(own_.size() / lanes, surface_grain, [&](std::size_t begin, std::size_t end, int) {
        FASCIA_DISPATCH(pull_surface)(task, begin, end);
    });
}

/// [Luo 2016, eq. 4], its objective
double SurfaceArap::energy(std::span<const float> places, std::span<const float> rotations) const {
    const auto place = [&](std::size_t p) {
        const float* at = &places[arap_floats * p];
        return Vec3d{at[0], at[1], at[2]};
    };
    double sum = 0;
    for (std::size_t p = 0; p < point_count(); ++p) {
        const Quat q = normalized(
            Quat{rotations[p], rotations[stride() + p], rotations[2 * stride() + p], rotations[3 * stride() + p]});
        for (std::uint32_t e = graph_.first[p]; e < graph_.first[p + 1]; ++e) {
            const std::uint32_t other = graph_.to[e];
            const Vec3d off = place(p) - place(other) - rotate(q, to_double(rest_[p]) - to_double(rest_[other]));
            sum += double(graph_.weights[e]) * dot(off, off);
        }
    }
    return sum;
}

SurfaceHold::SurfaceHold(const SurfaceArap& arap, std::span<const std::uint8_t> held) {
    constexpr std::uint32_t nowhere = 0xffffffffu;
    const CotangentGraph& graph = arap.graph();
    std::vector<std::uint32_t> place(arap.point_count(), nowhere), points;
    for (std::uint32_t p = 0; p < place.size(); ++p) {
        if (held[p])
            held_.push_back(p);
        else
            place[p] = std::uint32_t(points.size()), points.push_back(p);
    }
    const std::vector<std::array<int, 3>> all = whole_places(arap.rest());
    std::vector<std::array<int, 3>> places;
    std::vector<std::uint32_t> first{0}, to;
    std::vector<float> weights, diagonal;
    for (const std::uint32_t p : points) {
        double sum = 0;
        for (std::uint32_t e = graph.first[p]; e < graph.first[p + 1]; ++e) {
            sum += double(graph.weights[e]);
            if (place[graph.to[e]] == nowhere) continue;
            to.push_back(place[graph.to[e]]);
            weights.push_back(graph.weights[e]);
        }
        first.push_back(std::uint32_t(to.size()));
        diagonal.push_back(float(sum));
        places.push_back(all[p]);
    }
    weights.push_back(0);  // never empty, because that would mean a grid
    solver_ = TileCholesky({places, first, to, diagonal, weights});
    for (const std::uint32_t k : solver_.order()) free_.push_back(points[k]);
}

void SurfaceHold::relax(const SurfaceArap& arap, std::span<float> places, ArapScratch& scratch,
                        ThreadPool& pool) const {
    const std::size_t n = free_.size(), stride = arap.stride();
    if (n == 0) return;
    arap.pull(places, scratch, pool);
    const std::span<float> wanted = sized(scratch.ordered, 3 * n);
    for (std::size_t c = 0; c < 3; ++c)
        for (std::size_t k = 0; k < n; ++k) wanted[c * n + k] = scratch.values[c * stride + free_[k]];
    solver_.solve(wanted, sized(scratch.tiles, solver_.scratch_floats()));
    for (std::size_t k = 0; k < n; ++k) {
        float* to = &places[arap_floats * free_[k]];
        to[0] += wanted[k], to[1] += wanted[n + k], to[2] += wanted[2 * n + k];
    }
}

}  // namespace fascia::sim
