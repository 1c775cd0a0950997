#include "sim/sparse_cholesky.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

namespace fascia::sim {

namespace {

using Lists = std::vector<std::vector<std::uint32_t>>;

Lists neighbours_of(std::size_t size, std::span<const MatrixEntry> entries) {
    Lists out(size);
    for (const MatrixEntry& e : entries) {
        if (e.row == e.column) continue;
        out[e.row].push_back(e.column);
        out[e.column].push_back(e.row);
    }
    for (auto& list : out) {
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    return out;
}

/// Eliminates the point with the fewest neighbours, which become neighbours of one another. Afterwards near[p] are the
/// neighbours that were left when p was eliminated.
std::vector<std::uint32_t> least_degree_order(Lists& near) {
    std::set<std::pair<std::size_t, std::uint32_t>> waiting;
    for (std::uint32_t p = 0; p < near.size(); ++p) waiting.insert({near[p].size(), p});
    std::vector<std::uint32_t> order, merged;
    while (!waiting.empty()) {
        const std::uint32_t p = waiting.begin()->second;
        waiting.erase(waiting.begin());
        order.push_back(p);
        for (const std::uint32_t q : near[p]) {
            waiting.erase({near[q].size(), q});
            merged.clear();
            std::set_union(near[q].begin(), near[q].end(), near[p].begin(), near[p].end(), std::back_inserter(merged));
            merged.erase(std::remove_if(merged.begin(), merged.end(), [&](auto r) { return r == p || r == q; }),
                         merged.end());
            near[q] = merged;
            waiting.insert({near[q].size(), q});
        }
    }
    return order;
}

}  // namespace

SparseCholesky::SparseCholesky(std::span<const double> diagonal, std::span<const MatrixEntry> entries) {
    const std::size_t n = diagonal.size();
    Lists near = neighbours_of(n, entries);
    order_ = least_degree_order(near);
    std::vector<std::uint32_t> place(n);
    for (std::uint32_t k = 0; k < n; ++k) place[order_[k]] = k;

    first_.push_back(0);
    for (const std::uint32_t p : order_) {
        for (const std::uint32_t q : near[p]) rows_.push_back(place[q]);
        std::sort(rows_.begin() + first_.back(), rows_.end());
        first_.push_back(std::uint32_t(rows_.size()));
    }
    factor_.assign(rows_.size(), 0);
    std::vector<double> pivot(n);
    for (std::size_t p = 0; p < n; ++p) pivot[place[p]] = diagonal[p];
    for (const MatrixEntry& e : entries) {
        const std::uint32_t a = std::min(place[e.row], place[e.column]), b = std::max(place[e.row], place[e.column]);
        if (a == b) {
            pivot[a] += e.value;
            continue;
        }
        const auto at = std::lower_bound(rows_.begin() + first_[a], rows_.begin() + first_[a + 1], b);
        factor_[std::size_t(at - rows_.begin())] += e.value;
    }

    inverse_pivot_.resize(n);
    std::vector<std::uint32_t> found(n);
    for (std::size_t j = 0; j < n; ++j) {
        inverse_pivot_[j] = 1 / std::sqrt(pivot[j]);
        for (std::size_t k = first_[j]; k < first_[j + 1]; ++k) factor_[k] *= inverse_pivot_[j];
        for (std::size_t s = first_[j]; s < first_[j + 1]; ++s) {
            const std::uint32_t column = rows_[s];
            pivot[column] -= factor_[s] * factor_[s];
            for (std::size_t k = first_[column]; k < first_[column + 1]; ++k) found[rows_[k]] = std::uint32_t(k);
            for (std::size_t k = s + 1; k < first_[j + 1]; ++k) factor_[found[rows_[k]]] -= factor_[k] * factor_[s];
        }
    }
}

void SparseCholesky::solve(std::span<const Vec3d> b, std::span<Vec3d> out, std::vector<Vec3d>& scratch) const {
    const std::size_t n = size();
    if (scratch.size() < n) scratch.resize(n);
    for (std::size_t j = 0; j < n; ++j) scratch[j] = b[order_[j]];
    for (std::size_t j = 0; j < n; ++j) {
        const Vec3d value = scratch[j] = scratch[j] * inverse_pivot_[j];
        for (std::size_t k = first_[j]; k < first_[j + 1]; ++k) {
            Vec3d& at = scratch[rows_[k]];
            at = at - value * factor_[k];
        }
    }
    for (std::size_t j = n; j-- > 0;) {
        Vec3d value = scratch[j];
        for (std::size_t k = first_[j]; k < first_[j + 1]; ++k) value = value - scratch[rows_[k]] * factor_[k];
        scratch[j] = value * inverse_pivot_[j];
    }
    for (std::size_t j = 0; j < n; ++j) out[order_[j]] = scratch[j];
}

}  // namespace fascia::sim
