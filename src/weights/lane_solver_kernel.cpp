#include "weights/lane_sums.h"

namespace fascia::weights::FASCIA_ISA_NAMESPACE {

namespace {
constexpr std::size_t lanes = solver_lanes;
}

void solver_descend(const float* scale, NodeRange range, const float* alpha, const SolverFields& fields,
                    float* partials) {
    sum_blocks(range, partials, [&](std::size_t i, float* partial) {
        const float s = scale[i];
        if (!(s > 0)) return;
        float *x = fields.x + i * lanes, *r = fields.r + i * lanes;
        const float *p = fields.p + i * lanes, *q = fields.q + i * lanes;
        for (std::size_t l = 0; l < lanes; ++l) {
            x[l] += alpha[l] * p[l];
            r[l] -= alpha[l] * q[l];
            partial[l] += r[l] * (r[l] * s);
        }
    });
}

void solver_turn(const float* scale, NodeRange range, const float* beta, const SolverFields& fields) {
    for (std::size_t i = range.begin; i < range.end; ++i) {
        const float s = scale[i];
        if (!(s > 0)) continue;
        float* p = fields.p + i * lanes;
        const float* r = fields.r + i * lanes;
        for (std::size_t l = 0; l < lanes; ++l) p[l] = r[l] * s + beta[l] * p[l];
    }
}

}  // namespace fascia::weights::FASCIA_ISA_NAMESPACE
