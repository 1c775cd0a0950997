#include "skin/skin_reference.h"

#include <array>
#include <cmath>

namespace fascia {

namespace {

// The order of every sum below is part of the result: the kernels follow it, for any vector width.

using Rows = std::array<float, 12>;
using Dual = std::array<float, dual_floats>;

/// sum_k w_k M_k
Rows blend_rows(std::span<const float> rows, const BoundWeights& weights, std::size_t vertex) {
    const std::size_t k_max = static_cast<std::size_t>(weights.influences);
    Rows sum;
    for (std::size_t k = 0; k < k_max; ++k) {
        const float w = weights.weights[vertex * k_max + k];
        const float* m = rows.data() + weights.joints[vertex * k_max + k] * row_floats;
        for (std::size_t i = 0; i < 12; ++i) sum[i] = k == 0 ? w * m[i] : sum[i] + w * m[i];
    }
    return sum;
}

/// sum_k w_k s_k q_k, signs relative to the pivot. Its length is at least the pivot's weight (no term has a negative
/// product with the pivot), so it never vanishes.
Dual blend_duals(std::span<const float> duals, const BoundWeights& weights, std::size_t vertex) {
    const std::size_t k_max = static_cast<std::size_t>(weights.influences);
    const float* pivot = duals.data() + weights.pivots[vertex] * dual_floats;
    Dual sum;
    for (std::size_t k = 0; k < k_max; ++k) {
        const float* q = duals.data() + weights.joints[vertex * k_max + k] * dual_floats;
        const float w = weights.weights[vertex * k_max + k] * aligned_sign(q, pivot);
        for (std::size_t i = 0; i < dual_floats; ++i) sum[i] = k == 0 ? w * q[i] : sum[i] + w * q[i];
    }
    return sum;
}

float twice_over_square(const Dual& b) {
    return 2.0f / ((b[0] * b[0] + b[1] * b[1]) + (b[2] * b[2] + b[3] * b[3]));
}

/// v + 2 / |b|^2 (u x (u x v + w v + e) + w e - we u) with b = (w, u) and dual (we, e): rotation and translation of C1
/// in one, without a square root.
Vec3 move_by(const Dual& b, Vec3 v) {
    const float w = b[0], x = b[1], y = b[2], z = b[3], we = b[4], xe = b[5], ye = b[6], ze = b[7];
    const Vec3 c{((y * v.z - z * v.y) + w * v.x) + xe, ((z * v.x - x * v.z) + w * v.y) + ye,
                 ((x * v.y - y * v.x) + w * v.z) + ze};
    const Vec3 d{(y * c.z - z * c.y) + (w * xe - we * x), (z * c.x - x * c.z) + (w * ye - we * y),
                 (x * c.y - y * c.x) + (w * ze - we * z)};
    const float s = twice_over_square(b);
    return {v.x + s * d.x, v.y + s * d.y, v.z + s * d.z};
}

/// The sign of a zero depends on how many zeros were added on the way, and the kernels skip some of them.
Vec3 without_negative_zeros(Vec3 v) {
    return {v.x + 0.0f, v.y + 0.0f, v.z + 0.0f};
}

Vec3 unit(Vec3 n) {
    const float square = (n.x * n.x + n.y * n.y) + n.z * n.z;
    if (!(square > 1e-30f)) return {0, 1, 0};
    const float s = 1.0f / std::sqrt(square);
    return without_negative_zeros({n.x * s, n.y * s, n.z * s});
}

}  // namespace

float aligned_sign(const float* q, const float* p) {
    return (q[0] * p[0] + q[1] * p[1]) + (q[2] * p[2] + q[3] * p[3]) < 0 ? -1.0f : 1.0f;
}

/// [Kavan 2003, eq. 5]
void lbs_reference(std::span<const float> rows, const BoundWeights& weights, std::span<const Vec3> in, Vec3 origin,
                   std::span<Vec3> out, bool onto) {
    for (std::size_t i = 0; i < in.size(); ++i) {
        Rows m = blend_rows(rows, weights, i);
        const Vec3 v = in[i];
        if (onto) m[3] += v.x, m[7] += v.y, m[11] += v.z;
        const auto row = [&](int r) { return (m[r] * v.x + m[r + 1] * v.y) + (m[r + 2] * v.z + m[r + 3]); };
        out[i] = {row(0) + origin.x, row(4) + origin.y, row(8) + origin.z};
    }
}

void lbs_directions_reference(std::span<const float> rows, const BoundWeights& weights, std::span<const Vec3> in,
                              std::span<Vec3> out, bool onto) {
    for (std::size_t i = 0; i < in.size(); ++i) {
        const Rows m = blend_rows(rows, weights, i);
        const Vec3 v = in[i], own = onto ? v : Vec3{};
        const auto row = [&](int r, float o) { return (m[r] * v.x + m[r + 1] * v.y) + (m[r + 2] * v.z + o); };
        out[i] = unit({row(0, own.x), row(4, own.y), row(8, own.z)});
    }
}

void dqs_reference(std::span<const float> duals, const BoundWeights& weights, std::span<const Vec3> in, float scale,
                   Vec3 origin, std::span<Vec3> out) {
    for (std::size_t i = 0; i < in.size(); ++i) {
        const Vec3 v = move_by(blend_duals(duals, weights, i), in[i] * scale);
        out[i] = {v.x + origin.x, v.y + origin.y, v.z + origin.z};
    }
}

void dqs_directions_reference(std::span<const float> duals, const BoundWeights& weights, std::span<const Vec3> in,
                              std::span<Vec3> out) {
    for (std::size_t i = 0; i < in.size(); ++i) {
        Dual b = blend_duals(duals, weights, i);
        for (std::size_t e = 4; e < dual_floats; ++e) b[e] = 0;
        out[i] = without_negative_zeros(move_by(b, in[i]));
    }
}

}  // namespace fascia
