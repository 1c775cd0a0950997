// The diffusion matrix, never stored: sums over the 26 neighbours.
#include <cstddef>

#include "weights/diffusion.h"
#include "weights/lane_sums.h"

namespace fascia::weights::FASCIA_ISA_NAMESPACE {

namespace {

constexpr std::size_t lanes = solver_lanes;
/// 1 / (1 + distance in cells)
constexpr float over_face = 0.5f, over_edge = 0.41421356f, over_corner = 0.36602540f;

template <int count>
void sum_rows(const std::uint32_t* to, const float* x, float* sum) {
    for (std::size_t l = 0; l < lanes; ++l) sum[l] = x[to[0] * lanes + l];
    for (int k = 1; k < count; ++k) {
        const float* row = x + to[k] * lanes;
        for (std::size_t l = 0; l < lanes; ++l) sum[l] += row[l];
    }
}

}  // namespace

void diffusion_apply(const DiffusionGraph& graph, NodeRange range, const float* p, float* q, float* partials) {
    sum_blocks(range, partials, [&](std::size_t i, float* partial) {
        const float degree = graph.degree[i];
        float* out = q + i * lanes;
        if (!(degree > 0)) {
            for (std::size_t l = 0; l < lanes; ++l) out[l] = 0;
            return;
        }
        const std::uint32_t* to = graph.to + i * 26;
        const float* own = p + i * lanes;
        float faces[lanes], edges[lanes], corners[lanes];
        sum_rows<6>(to, p, faces);
        sum_rows<12>(to + 6, p, edges);
        sum_rows<8>(to + 18, p, corners);
        for (std::size_t l = 0; l < lanes; ++l) {
            const float value =
                degree * own[l] - (over_face * faces[l] + (over_edge * edges[l] + over_corner * corners[l]));
            out[l] = value;
            partial[l] += own[l] * value;
        }
    });
}

}  // namespace fascia::weights::FASCIA_ISA_NAMESPACE
