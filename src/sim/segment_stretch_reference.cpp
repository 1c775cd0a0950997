#include <cmath>

#include "sim/segment_reference.h"

namespace fascia::sim {

void stretch_reference(const ReferenceBody& rig, const ReferenceTuning& tuning, const ReferenceArrays&,
                       std::span<const float> from, std::span<float> to) {
    const std::size_t n = rig.stride;
    // Rest distances to faces, edges and corners of the block.
    const float distance[4] = {0, rig.h, rig.h * 1.41421356f, rig.h * 1.73205081f};
    const float coincident = 1e-12f * rig.h * rig.h;
    for (const std::size_t i : rig.points) {
        const float px = from[i], py = from[n + i], pz = from[2 * n + i];
        float sx = 0, sy = 0, sz = 0, count = 0;
        for (int place = 0; place < 27; ++place) {
            const std::int32_t j = rig.neighbours[i * 27 + place];
            if (j < 0 || place == 13) continue;
            count += 1;
            const float dx = px - from[j], dy = py - from[n + j], dz = pz - from[2 * n + j];
            const float squared = dx * dx + dy * dy + dz * dz;
            if (squared <= coincident) continue;
            const int axes = (place % 3 != 1) + (place / 3 % 3 != 1) + (place / 9 != 1);
            // Flesh shares the correction with flesh and takes all of it against bone.
            const float share = 1.0f - 0.5f * rig.softness[j];
            const float factor = share * (1.0f - distance[axes] / std::sqrt(squared));
            sx += factor * dx;
            sy += factor * dy;
            sz += factor * dz;
        }
        const float scale = count > 0 ? rig.softness[i] * tuning.stretch[i] / count : 0.0f;
        to[i] = px - scale * sx;
        to[n + i] = py - scale * sy;
        to[2 * n + i] = pz - scale * sz;
    }
}

}  // namespace fascia::sim
