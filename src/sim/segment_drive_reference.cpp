#include <cmath>

#include "sim/segment_reference.h"

namespace fascia::sim {

namespace {

/// sum_k w_k (R_k p + t_k), each joint's rigid map being a unit dual quaternion.
void drive_linearly(const ReferenceBody& rig, std::span<const float> duals, std::size_t i, std::span<float> driven) {
    const std::size_t n = rig.stride;
    const float px = rig.rest[i], py = rig.rest[n + i], pz = rig.rest[2 * n + i];
    float sum[3] = {};
    for (int k = 0; k < 4; ++k) {
        const float weight = rig.weights[k * n + i];
        const float* d = &duals[8 * rig.joints[k * n + i]];
        const float w = d[0], x = d[1], y = d[2], z = d[3];
        const float cx = y * pz - z * py + w * px, cy = z * px - x * pz + w * py, cz = x * py - y * px + w * pz;
        const float tx = w * d[5] - d[4] * x + (y * d[7] - z * d[6]), ty = w * d[6] - d[4] * y + (z * d[5] - x * d[7]),
                    tz = w * d[7] - d[4] * z + (x * d[6] - y * d[5]);
        sum[0] += weight * (px + 2.0f * ((y * cz - z * cy) + tx));
        sum[1] += weight * (py + 2.0f * ((z * cx - x * cz) + ty));
        sum[2] += weight * (pz + 2.0f * ((x * cy - y * cx) + tz));
    }
    for (std::size_t c = 0; c < 3; ++c) driven[c * n + i] = sum[c];
}

}  // namespace

void drive_reference(const ReferenceBody& rig, std::span<const float> duals, std::span<float> driven,
                     std::span<float> turned) {
    const std::size_t n = rig.stride;
    for (const std::size_t i : rig.points) {
        float sum[8] = {};
        for (int k = 0; k < 4; ++k) {
            const float* dual = &duals[8 * rig.joints[k * n + i]];
            const float w = rig.weights[k * n + i];
            for (int c = 0; c < 8; ++c) sum[c] += w * dual[c];
        }
        const float square = sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2] + sum[3] * sum[3];
        const float scale = 1.0f / std::sqrt(square);
        const float w = sum[0] * scale, x = sum[1] * scale, y = sum[2] * scale, z = sum[3] * scale;
        const float dw = sum[4] * scale, dx = sum[5] * scale, dy = sum[6] * scale, dz = sum[7] * scale;
        const float px = rig.rest[i], py = rig.rest[n + i], pz = rig.rest[2 * n + i];
        // p + 2 v x (v x p + w p) + 2 (w d - dw v + v x d)
        const float cx = y * pz - z * py + w * px, cy = z * px - x * pz + w * py, cz = x * py - y * px + w * pz;
        const float tx = w * dx - dw * x + (y * dz - z * dy), ty = w * dy - dw * y + (z * dx - x * dz),
                    tz = w * dz - dw * z + (x * dy - y * dx);
        driven[i] = px + 2.0f * ((y * cz - z * cy) + tx);
        driven[n + i] = py + 2.0f * ((z * cx - x * cz) + ty);
        driven[2 * n + i] = pz + 2.0f * ((x * cy - y * cx) + tz);
        if (rig.linear) drive_linearly(rig, duals, i, driven);
        turned[i] = w;
        turned[n + i] = x;
        turned[2 * n + i] = y;
        turned[3 * n + i] = z;
    }
}

}  // namespace fascia::sim
