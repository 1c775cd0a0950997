#include <algorithm>
#include <cmath>

#include "sim/segment_reference.h"

namespace fascia::sim {

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
        float square = 0;
        for (std::size_t c = 0; c < 3; ++c) {
            const std::size_t k = c * n + i;
            const float v = rig.softness[i] * ((u[c] - arrays.offset[k]) * rate);
            arrays.positions[k] = arrays.driven[k] + u[c];
            arrays.velocities[k] = v;
            square += v * v;
        }
        // Written so that a number that is none wins.
        fastest = square <= fastest ? fastest : square;
    }
    motion.fastest = std::sqrt(fastest);
    return motion;
}

Motion step_reference(const ReferenceBody& rig, const ReferenceTuning& tuning, ReferenceArrays& arrays) {
    predict_reference(rig, tuning, arrays);
    std::span<float> from = arrays.positions, to = arrays.other;
    stretch_reference(rig, tuning, arrays, from, to);
    std::swap(from, to);
    for (int sweep = 0; sweep < tuning.volume_sweeps; ++sweep) {
        volume_reference(rig, tuning, arrays, from, to);
        std::swap(from, to);
    }
    match_reference(rig, tuning, arrays, from, to);
    if (to.data() != arrays.positions.data()) std::copy(to.begin(), to.end(), arrays.positions.begin());
    return update_reference(rig, tuning, arrays);
}

}  // namespace fascia::sim
