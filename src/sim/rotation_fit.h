// The rotation nearest to a 3x3 matrix, found from a good guess (docs/formulas.md 0.2).
#pragma once

#include <cmath>

namespace fascia::sim {

struct Rotation {
    float w = 1, x = 0, y = 0, z = 0;
};

inline Rotation operator*(Rotation a, Rotation b) {
    return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
inline Rotation conjugate(Rotation q) {
    return {q.w, -q.x, -q.y, -q.z};
}
inline Rotation unit(Rotation q) {
    const float s = 1.0f / std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return {q.w * s, q.x * s, q.y * s, q.z * s};
}

struct Matrix {
    float m[3][3];
};

inline Matrix matrix_of(Rotation q) {
    const float x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
    const float xx = q.x * x2, yy = q.y * y2, zz = q.z * z2, xy = q.x * y2, xz = q.x * z2, yz = q.y * z2;
    const float wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
    return {{{1 - (yy + zz), xy - wz, xz + wy}, {xy + wz, 1 - (xx + zz), yz - wx}, {xz - wy, yz + wx, 1 - (xx + yy)}}};
}

/// Newton's method on the rotations for the largest trace(R^T A): with M = R^T A, solve
///     (trace(M) I - sym(M)) w = axial(M)      and turn R by w.
/// At most three rounds; further ones are skipped once the half angle falls below 0.005, where another round changes
/// less than float can resolve. If the matrix is not positive (far from the guess, or turned inside out), the step
/// falls back to a short climb along axial(M).
inline Rotation fit_rotation(const Matrix& a, Rotation q) {
    for (int round = 0; round < 3; ++round) {
        const Matrix r = matrix_of(q);
        float m[3][3];
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) m[i][j] = r.m[0][i] * a.m[0][j] + r.m[1][i] * a.m[1][j] + r.m[2][i] * a.m[2][j];
        const float trace = m[0][0] + m[1][1] + m[2][2];
        const float gx = m[2][1] - m[1][2], gy = m[0][2] - m[2][0], gz = m[1][0] - m[0][1];
        const float hxx = trace - m[0][0], hyy = trace - m[1][1], hzz = trace - m[2][2];
        const float hxy = -0.5f * (m[0][1] + m[1][0]), hxz = -0.5f * (m[0][2] + m[2][0]),
                    hyz = -0.5f * (m[1][2] + m[2][1]);
        const float cxx = hyy * hzz - hyz * hyz, cxy = hxz * hyz - hxy * hzz, cxz = hxy * hyz - hxz * hyy;
        const float cyy = hxx * hzz - hxz * hxz, cyz = hxy * hxz - hxx * hyz, czz = hxx * hyy - hxy * hxy;
        const float det = hxx * cxx + hxy * cxy + hxz * cxz;
        const float size = std::abs(hxx) + std::abs(hyy) + std::abs(hzz) + 1e-20f;
        const bool good = trace > 0 && cxx + cyy + czz > 0 && det > 1e-6f * size * size * size;
        // Half of the turn, as the vector part of a quaternion.
        const float s = good ? 0.5f / det : 0.0f, t = good ? 0.0f : 0.5f / size;
        float wx = s * (cxx * gx + cxy * gy + cxz * gz) + t * gx;
        float wy = s * (cxy * gx + cyy * gy + cyz * gz) + t * gy;
        float wz = s * (cxz * gx + cyz * gy + czz * gz) + t * gz;
        q = unit(q * Rotation{1, wx, wy, wz});
        if (wx * wx + wy * wy + wz * wz <= 0.005f * 0.005f) break;
    }
    return q;
}

}  // namespace fascia::sim
