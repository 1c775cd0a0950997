// The squared graph Laplacian, never stored: two sums over the neighbours.
#include <cstddef>

#include "weights/biharmonic.h"
#include "weights/lane_sums.h"

namespace fascia::weights::FASCIA_ISA_NAMESPACE {

namespace {

constexpr std::size_t lanes = solver_lanes;

/// out = (L x) at node i
void laplacian(const BiharmonicGraph& graph, std::size_t i, const float* x, float* out) {
    const std::uint32_t begin = graph.first[i], end = graph.first[i + 1];
    const float degree = float(end - begin);
    float sum[lanes];
    for (std::size_t l = 0; l < lanes; ++l) sum[l] = degree * x[i * lanes + l];
    for (std::uint32_t k = begin; k < end; ++k) {
        const float* other = x + graph.to[k] * lanes;
        for (std::size_t l = 0; l < lanes; ++l) sum[l] -= other[l];
    }
    for (std::size_t l = 0; l < lanes; ++l) out[l] = sum[l];
}

}  // namespace

void biharmonic_between(const BiharmonicGraph& graph, NodeRange range, const float* p, float* between) {
    for (std::size_t i = range.begin; i < range.end; ++i) laplacian(graph, i, p, between + i * lanes);
}

void biharmonic_apply(const BiharmonicGraph& graph, NodeRange range, float rho, const float* p, const float* between,
                      float* q, float* partials) {
    sum_blocks(range, partials, [&](std::size_t i, float* partial) {
        float* out = q + i * lanes;
        if (!(graph.scale[i] > 0)) {
            for (std::size_t l = 0; l < lanes; ++l) out[l] = 0;
            return;
        }
        laplacian(graph, i, between, out);
        const float* own = p + i * lanes;
        for (std::size_t l = 0; l < lanes; ++l) {
            out[l] += rho * own[l];
            partial[l] += own[l] * out[l];
        }
    });
}

}  // namespace fascia::weights::FASCIA_ISA_NAMESPACE
