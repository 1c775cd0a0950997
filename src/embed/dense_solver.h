// Small dense systems in double by plain loops: the same bits on every machine.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace fascia::embedding {

/// LU factors of a square matrix, with rows exchanged for the largest pivot.
class DenseSolver {
public:
    DenseSolver() = default;
    /// matrix: [size * size] rows. A vanishing pivot is replaced by a large one: its unknown then stays 0.
    DenseSolver(std::vector<double> matrix, std::size_t size);

    std::size_t size() const { return order_.size(); }
    /// In place, `columns` right-hand sides at once. values: [size * columns] rows
    void solve(std::span<double> values, std::size_t columns, std::vector<double>& scratch) const;
    /// Solves for the first `columns` unit vectors. [size * columns] rows
    std::vector<double> inverse(std::size_t columns) const;

private:
    std::vector<double> factors_;     ///< [size * size] rows
    std::vector<std::size_t> order_;  ///< the row in each place
};

}  // namespace fascia::embedding
