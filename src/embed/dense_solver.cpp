#include "embed/dense_solver.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace fascia::embedding {

namespace {

/// As a share of the largest entry: a smaller pivot is rounding.
constexpr double vanishing = 1e-14;

}  // namespace

DenseSolver::DenseSolver(std::vector<double> matrix, std::size_t size) : factors_(std::move(matrix)), order_(size) {
    std::iota(order_.begin(), order_.end(), std::size_t(0));
    double largest = 0;
    for (const double value : factors_) largest = std::max(largest, std::abs(value));
    const auto row = [&](std::size_t r) { return factors_.data() + r * size; };
    for (std::size_t c = 0; c < size; ++c) {
        std::size_t best = c;
        for (std::size_t r = c + 1; r < size; ++r)
            if (std::abs(row(r)[c]) > std::abs(row(best)[c])) best = r;
        if (best != c) {
            for (std::size_t k = 0; k < size; ++k) std::swap(row(c)[k], row(best)[k]);
            std::swap(order_[c], order_[best]);
        }
        double& pivot = row(c)[c];
        if (!(std::abs(pivot) > vanishing * largest)) pivot = 1e30 * (largest > 0 ? largest : 1);
        const double inverse = 1 / pivot;
        const double* const upper = row(c);
        for (std::size_t r = c + 1; r < size; ++r) {
            double* const lower = row(r);
            if (lower[c] == 0) continue;
            const double factor = lower[c] * inverse;
            lower[c] = factor;
            for (std::size_t k = c + 1; k < size; ++k) lower[k] -= factor * upper[k];
        }
    }
}

void DenseSolver::solve(std::span<double> values, std::size_t columns, std::vector<double>& scratch) const {
    const std::size_t n = size();
    scratch.resize(n * columns);
    for (std::size_t r = 0; r < n; ++r) {
        double* const to = &scratch[r * columns];
        for (std::size_t k = 0; k < columns; ++k) to[k] = values[order_[r] * columns + k];
        for (std::size_t c = 0; c < r; ++c) {
            const double factor = factors_[r * n + c];
            if (factor == 0) continue;
            for (std::size_t k = 0; k < columns; ++k) to[k] -= factor * scratch[c * columns + k];
        }
    }
    for (std::size_t r = n; r-- > 0;) {
        double* const to = &scratch[r * columns];
        for (std::size_t c = r + 1; c < n; ++c) {
            const double factor = factors_[r * n + c];
            if (factor == 0) continue;
            for (std::size_t k = 0; k < columns; ++k) to[k] -= factor * scratch[c * columns + k];
        }
        const double inverse = 1 / factors_[r * n + r];
        for (std::size_t k = 0; k < columns; ++k) to[k] *= inverse;
    }
    for (std::size_t k = 0; k < n * columns; ++k) values[k] = scratch[k];
}

std::vector<double> DenseSolver::inverse(std::size_t columns) const {
    std::vector<double> out(size() * columns, 0), scratch;
    for (std::size_t k = 0; k < columns; ++k) out[k * columns + k] = 1;
    solve(out, columns, scratch);
    return out;
}

}  // namespace fascia::embedding
