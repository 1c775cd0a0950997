// A sparse Cholesky factor of any symmetric, positive scalar matrix, in double: computed once, then used in every step
// for three right-hand sides at a time. Points are eliminated by least degree, ties by number, so that the factor
// follows from the matrix alone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fascia/math.h"

namespace fascia::sim {

/// An entry beside the diagonal; both places of the pair hold it. The same pair may be listed more than once: values
/// add up.
struct MatrixEntry {
    std::uint32_t row = 0, column = 0;
    double value = 0;
};

class SparseCholesky {
public:
    SparseCholesky() = default;
    SparseCholesky(std::span<const double> diagonal, std::span<const MatrixEntry> entries);

    std::size_t size() const { return order_.size(); }
    std::size_t entries() const { return rows_.size(); }
    /// out = inverse(A) b; they may be the same array.
    void solve(std::span<const Vec3d> b, std::span<Vec3d> out, std::vector<Vec3d>& scratch) const;

private:
    std::vector<std::uint32_t> order_;            ///< the point that is eliminated at each place
    std::vector<std::uint32_t> first_, rows_;     ///< later places that each place touches, ascending
    std::vector<double> factor_, inverse_pivot_;  ///< below the diagonal, and one over the diagonal
};

}  // namespace fascia::sim
