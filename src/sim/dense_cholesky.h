// Small dense symmetric systems in double by plain loops: the same bits on every machine.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>

namespace fascia::sim {

/// Replaces the lower triangle of `a` ([size * size] rows) by its Cholesky factor. The unknown of a vanishing pivot (a
/// constraint implied by others) then stays 0.
inline void factor_dense(std::span<double> a, std::size_t size) {
    double largest = 0;
    for (std::size_t i = 0; i < size; ++i) largest = std::fmax(largest, a[i * size + i]);
    for (std::size_t j = 0; j < size; ++j) {
        double pivot = a[j * size + j];
        for (std::size_t k = 0; k < j; ++k) pivot -= a[j * size + k] * a[j * size + k];
        const bool good = pivot > 1e-13 * largest;
        a[j * size + j] = good ? std::sqrt(pivot) : 1e150;
        for (std::size_t i = j + 1; i < size; ++i) {
            double value = a[i * size + j];
            for (std::size_t k = 0; k < j; ++k) value -= a[i * size + k] * a[j * size + k];
            a[i * size + j] = value / a[j * size + j];
        }
    }
}

/// Solves in place with the factor.
inline void solve_dense(std::span<const double> factor, std::size_t size, std::span<double> x) {
    for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t k = 0; k < i; ++k) x[i] -= factor[i * size + k] * x[k];
        x[i] /= factor[i * size + i];
    }
    for (std::size_t i = size; i-- > 0;) {
        for (std::size_t k = i + 1; k < size; ++k) x[i] -= factor[k * size + i] * x[k];
        x[i] /= factor[i * size + i];
    }
}

}  // namespace fascia::sim
