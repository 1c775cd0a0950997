#include <algorithm>
#include <cmath>

#include "sim/segment_reference.h"

namespace fascia::sim {

namespace {

/// Share of a step's path that enters the velocity.
float kept_of(float way, const Drag& drag) {
    const float excess = std::max(0.0f, way - drag.free_way);
    return 1 / (1 + drag.most * excess / (excess + drag.half_way));
}

}  // namespace

/// [Iwamoto 2015, alg. line 9] [Iwamoto 2015, alg. line 10] [Iwamoto 2015, alg. line 11]
Motion update_reference(const ReferenceBody& rig, const ReferenceTuning& tuning, ReferenceArrays& arrays) {
    const std::size_t n = rig.stride;
    const float rate = 1.0f / tuning.dt;
    Motion motion;
    float fastest = 0;
    for (const std::size_t i : rig.points) {
        float u[3];
        for (std::size_t c = 0; c < 3; ++c) u[c] = arrays.positions[c * n + i] - arrays.driven[c * n + i];
        const float half = 0.5f * tuning.limit[i];
        const float size = std::sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
        if (size > half) {
            // half + half * t / (1 + t): leaves `half` with slope one and never reaches the limit.
            const float t = (size - half) / half;
            const float scale = half * (1.0f + t / (1.0f + t)) / size;
            for (float& v : u) v *= scale;
            motion.limited += t > 1.0f;
        }
        float way[3];
        for (std::size_t c = 0; c < 3; ++c) way[c] = u[c] - arrays.offset[c * n + i];
        const float kept = kept_of(std::sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]), tuning.drag);
        float square = 0;
        for (std::size_t c = 0; c < 3; ++c) {
            const std::size_t k = c * n + i;
            const float v = rig.softness[i] * (way[c] * kept * rate);
            arrays.positions[k] = arrays.driven[k] + u[c];
            arrays.velocities[k] = v;
            square += v * v;
        }
        // Written so that NaN wins.
        fastest = square <= fastest ? fastest : square;
    }
    motion.fastest = std::sqrt(fastest);
    return motion;
}

/// [Iwamoto 2015, alg. line 4] [Iwamoto 2015, alg. line 5] [Iwamoto 2015, alg. line 6] [Iwamoto 2015, alg. line 7]
Motion step_reference(const ReferenceBody& rig, const ReferenceTuning& tuning, ReferenceArrays& arrays) {
    predict_reference(rig, tuning, arrays);
    std::span<float> from = arrays.positions, to = arrays.other;
    stretch_reference(rig, tuning, arrays, from, to);
    std::swap(from, to);
    for (int sweep = 0; sweep < tuning.volume.count; ++sweep) {
        volume_reference(rig, tuning, tuning.volume.relaxation(sweep), arrays, from, to);
        std::swap(from, to);
    }
    match_reference(rig, tuning, arrays, from, to);
    if (to.data() != arrays.positions.data()) std::copy(to.begin(), to.end(), arrays.positions.begin());
    return update_reference(rig, tuning, arrays);
}

}  // namespace fascia::sim
