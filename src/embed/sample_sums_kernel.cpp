// Samples are added in their own order: the same bits for any width.
#include <cstring>

#include "embed/sample_sums.h"

namespace fascia::embedding::FASCIA_ISA_NAMESPACE {
namespace {

using f8 = float __attribute__((vector_size(32)));
using d8 = double __attribute__((vector_size(64)));
/// Rows that are folded at once: as many sums as stay in registers.
constexpr std::size_t together = 3;

template <class V, class Scalar>
inline void take(const Scalar* from, V& out) {
    std::memcpy(&out, from, sizeof out);
}
template <class V, class Scalar>
inline void put(V value, Scalar* to) {
    std::memcpy(to, &value, sizeof value);
}

/// kinds: 1, or 3 with two directions
template <std::size_t kinds>
void sum_block(const SampleSums& task, std::size_t block) {
    f8 sums[3 * kinds] = {};
    for (std::size_t e = task.first[block]; e < task.first[block + 1]; ++e) {
        const float* row = task.rows + 4 * task.samples[e];
        f8 factors[kinds];
        take(task.factors + sum_lanes * e, factors[0]);
        if constexpr (kinds == 3) {
            take(task.slopes + 2 * sum_lanes * e, factors[1]);
            take(task.slopes + 2 * sum_lanes * e + sum_lanes, factors[2]);
        }
        for (std::size_t kind = 0; kind < kinds; ++kind)
            for (std::size_t c = 0; c < 3; ++c) sums[3 * kind + c] = sums[3 * kind + c] + factors[kind] * row[c];
    }
    for (std::size_t k = 0; k < 3 * kinds; ++k) put(sums[k], task.out + sum_lanes * (3 * kinds * block + k));
}

template <std::size_t rows>
void fold(const FoldRows& task, std::size_t row) {
    for (std::size_t s = 0; s < task.columns; s += 8) {
        d8 sums[rows] = {};
        for (std::size_t k = 0; k < task.size; ++k) {
            d8 line;
            take(task.inverse + k * task.columns + s, line);
            for (std::size_t r = 0; r < rows; ++r) sums[r] = sums[r] + line * task.rows[(row + r) * task.size + k];
        }
        for (std::size_t r = 0; r < rows; ++r) put(sums[r], task.out + (row + r) * task.columns + s);
    }
}

}  // namespace

void sum_samples(const SampleSums& task, std::size_t begin, std::size_t end) {
    for (std::size_t block = begin; block < end; ++block) {
        if (task.slopes != nullptr)
            sum_block<3>(task, block);
        else
            sum_block<1>(task, block);
    }
}

void fold_rows(const FoldRows& task) {
    std::size_t row = 0;
    for (; row + 2 * together <= task.count; row += 2 * together) fold<2 * together>(task, row);
    for (; row < task.count; ++row) fold<1>(task, row);
}

}  // namespace fascia::embedding::FASCIA_ISA_NAMESPACE
