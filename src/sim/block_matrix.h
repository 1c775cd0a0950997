// A sparse symmetric matrix of 3x3 blocks whose pattern never changes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sim/matrix3.h"

namespace fascia::sim {

class BlockPattern {
public:
    BlockPattern() = default;
    /// pairs: (row, column) with column <= row, in any order and any number of times
    BlockPattern(std::size_t size, std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs) : first_(size + 1) {
        std::sort(pairs.begin(), pairs.end());
        pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
        for (const auto& [row, column] : pairs) {
            ++first_[row + 1];
            columns_.push_back(column);
        }
        for (std::size_t row = 0; row < size; ++row) first_[row + 1] += first_[row];
    }

    std::size_t size() const { return first_.empty() ? 0 : first_.size() - 1; }
    std::size_t blocks() const { return columns_.size(); }
    /// Index of the block of a pair in the pattern.
    std::uint32_t slot(std::uint32_t row, std::uint32_t column) const {
        const auto from = columns_.begin() + first_[row], to = columns_.begin() + first_[row + 1];
        return std::uint32_t(std::lower_bound(from, to, column) - columns_.begin());
    }

    /// Adds A u. values: [blocks]
    void multiply(std::span<const Matrix3> values, std::span<const Vec3d> u, std::span<Vec3d> out) const {
        for (std::uint32_t row = 0; row < size(); ++row) {
            Vec3d sum;
            const Vec3d own = u[row];
            for (std::uint32_t k = first_[row]; k < first_[row + 1]; ++k) {
                const Matrix3& b = values[k];
                const std::uint32_t column = columns_[k];
                sum += b * u[column];
                if (column == row) continue;
                out[column] += {b.m[0][0] * own.x + b.m[1][0] * own.y + b.m[2][0] * own.z,
                                b.m[0][1] * own.x + b.m[1][1] * own.y + b.m[2][1] * own.z,
                                b.m[0][2] * own.x + b.m[1][2] * own.y + b.m[2][2] * own.z};
            }
            out[row] += sum;
        }
    }

private:
    std::vector<std::uint32_t> first_, columns_;
};

}  // namespace fascia::sim
