#include "sim/segment_reference.h"

namespace fascia::sim {

void predict_reference(const ReferenceBody& rig, const ReferenceTuning& tuning, ReferenceArrays& arrays) {
    const std::size_t n = rig.stride;
    const float rate = 1.0f / tuning.dt;
    for (const std::size_t i : rig.points)
        for (std::size_t c = 0; c < 3; ++c) {
            const std::size_t k = c * n + i;
            const float a = arrays.driven[k], last = arrays.last_driven[k];
            const float speed = (a - last) * rate, change = (speed - arrays.last_speed[k]) - arrays.felt[c];
            const float u = arrays.positions[k] - last;
            float v = arrays.velocities[k] - tuning.drive[i] * change;
            if (!tuning.lag.empty()) v -= tuning.lag[i] * arrays.last_speed[k];
            if (!arrays.push.empty()) v += arrays.push[k];
            arrays.offset[k] = u;
            arrays.last_driven[k] = a;
            arrays.last_speed[k] = speed;
            arrays.positions[k] = a + rig.softness[i] * (tuning.alpha[i] * u + tuning.beta[i] * v);
        }
}

}  // namespace fascia::sim
