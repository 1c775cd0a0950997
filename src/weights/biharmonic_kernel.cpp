// Forward and backward substitution for sixteen right sides at once: the factor is read once for all of them.
#include <cstddef>

#include "weights/biharmonic.h"

namespace fascia::weights::FASCIA_ISA_NAMESPACE {

void solve_factored(const SparseFactor& factor, float* x) {
    constexpr std::size_t lanes = biharmonic_lanes;
    for (std::size_t j = 0; j < factor.n; ++j) {
        float own[lanes];
        for (std::size_t l = 0; l < lanes; ++l) own[l] = x[j * lanes + l];
        for (std::uint32_t k = factor.first[j]; k < factor.first[j + 1]; ++k) {
            float* to = x + factor.row[k] * lanes;
            const float v = factor.value[k];
            for (std::size_t l = 0; l < lanes; ++l) to[l] -= v * own[l];
        }
    }
    for (std::size_t j = factor.n; j-- > 0;) {
        float sum[lanes];
        for (std::size_t l = 0; l < lanes; ++l) sum[l] = x[j * lanes + l] * factor.inverse_diagonal[j];
        for (std::uint32_t k = factor.first[j]; k < factor.first[j + 1]; ++k) {
            const float* from = x + factor.row[k] * lanes;
            const float v = factor.value[k];
            for (std::size_t l = 0; l < lanes; ++l) sum[l] -= v * from[l];
        }
        for (std::size_t l = 0; l < lanes; ++l) x[j * lanes + l] = sum[l];
    }
}

}  // namespace fascia::weights::FASCIA_ISA_NAMESPACE
