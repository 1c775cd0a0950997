// The inner loops of embedding by samples (docs/formulas.md C12): what samples add up to at each vertex, and at bind
// the weights that they have there.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/isa.h"

namespace fascia::embedding {

/// Vertices that share one list of samples.
inline constexpr std::size_t sum_lanes = 8;

struct SampleSums {
    const std::uint32_t* first = nullptr;    ///< [blocks + 1] into the entries
    const std::uint32_t* samples = nullptr;  ///< [entries]
    const float* factors = nullptr;          ///< [entries * 8] of the places
    const float* slopes = nullptr;           ///< [entries * 16] of two directions; null: places alone
    const float* rows = nullptr;             ///< [samples * 4] how far each has moved
    float* out = nullptr;                    ///< [blocks * 24], or [blocks * 72]: channels of eight
};
/// Blocks begin to end.
FASCIA_DECLARE_KERNEL(void sum_samples(const SampleSums& task, std::size_t begin, std::size_t end))

/// out = rows * inverse
struct FoldRows {
    const double* rows = nullptr;     ///< [count * size]
    const double* inverse = nullptr;  ///< [size * columns], columns: a multiple of 8
    double* out = nullptr;            ///< [count * columns]
    std::size_t count = 0, size = 0, columns = 0;
};
FASCIA_DECLARE_KERNEL(void fold_rows(const FoldRows& task))

}  // namespace fascia::embedding
