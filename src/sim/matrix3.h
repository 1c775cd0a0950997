// 3x3 matrices in double, for stages that are solved implicitly.
#pragma once

#include <cmath>

#include "fascia/math.h"

namespace fascia::sim {

struct Matrix3 {
    double m[3][3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
};

inline Matrix3 scaled_identity(double s) {
    return {{{s, 0, 0}, {0, s, 0}, {0, 0, s}}};
}
inline Matrix3 outer(Vec3d a, Vec3d b) {
    return {{{a.x * b.x, a.x * b.y, a.x * b.z}, {a.y * b.x, a.y * b.y, a.y * b.z}, {a.z * b.x, a.z * b.y, a.z * b.z}}};
}
inline Vec3d operator*(const Matrix3& a, Vec3d v) {
    return {a.m[0][0] * v.x + a.m[0][1] * v.y + a.m[0][2] * v.z, a.m[1][0] * v.x + a.m[1][1] * v.y + a.m[1][2] * v.z,
            a.m[2][0] * v.x + a.m[2][1] * v.y + a.m[2][2] * v.z};
}
inline Matrix3 operator*(const Matrix3& a, const Matrix3& b) {
    Matrix3 out;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) out.m[i][j] = a.m[i][0] * b.m[0][j] + a.m[i][1] * b.m[1][j] + a.m[i][2] * b.m[2][j];
    return out;
}
inline Matrix3 operator*(const Matrix3& a, double s) {
    Matrix3 out;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) out.m[i][j] = a.m[i][j] * s;
    return out;
}
inline Matrix3 operator+(const Matrix3& a, const Matrix3& b) {
    Matrix3 out;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) out.m[i][j] = a.m[i][j] + b.m[i][j];
    return out;
}
inline Matrix3 transposed(const Matrix3& a) {
    Matrix3 out;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) out.m[i][j] = a.m[j][i];
    return out;
}
inline Vec3d column(const Matrix3& a, int j) {
    return {a.m[0][j], a.m[1][j], a.m[2][j]};
}
inline Matrix3 from_columns(Vec3d a, Vec3d b, Vec3d c) {
    return {{{a.x, b.x, c.x}, {a.y, b.y, c.y}, {a.z, b.z, c.z}}};
}
inline double determinant(const Matrix3& a) {
    return dot(column(a, 0), cross(column(a, 1), column(a, 2)));
}
/// Of an invertible matrix.
inline Matrix3 inverse(const Matrix3& a) {
    const Vec3d x = column(a, 0), y = column(a, 1), z = column(a, 2);
    const double s = 1 / determinant(a);
    return transposed(from_columns(cross(y, z) * s, cross(z, x) * s, cross(x, y) * s));
}
inline Matrix3 matrix_from(Quat q) {
    return from_columns(rotate(q, {1, 0, 0}), rotate(q, {0, 1, 0}), rotate(q, {0, 0, 1}));
}

/// A right-handed frame near the columns of any `a`.
inline Matrix3 frame_near(const Matrix3& a) {
    const Vec3d x = normalized(column(a, 0), {1, 0, 0});
    const Vec3d side = column(a, 1) - x * dot(x, column(a, 1));
    const Vec3d other = std::abs(x.y) < 0.8 ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1};
    const Vec3d y = normalized(side, normalized(other - x * dot(x, other)));
    return from_columns(x, y, cross(x, y));
}

/// The turn by about `w` (a half angle of tan |w| / 2) as a rotation; exactly a rotation for every w.
inline Quat cayley(Vec3d w) {
    return normalized(Quat{1, w.x / 2, w.y / 2, w.z / 2});
}

/// The rotation nearest to `a` (docs/formulas.md 0.2): Newton's method for the largest trace(R^T a), from the frame of
/// its columns. If that climbs no further (turned inside out), the frame found so far is as good as any.
inline Matrix3 nearest_rotation(const Matrix3& a) {
    Matrix3 r = frame_near(a);
    for (int round = 0; round < 12; ++round) {
        const Matrix3 s = transposed(r) * a;
        const double trace = s.m[0][0] + s.m[1][1] + s.m[2][2];
        const Vec3d axial{s.m[2][1] - s.m[1][2], s.m[0][2] - s.m[2][0], s.m[1][0] - s.m[0][1]};
        const Matrix3 h = scaled_identity(trace) + (s + transposed(s)) * -0.5;
        const double size = std::abs(h.m[0][0]) + std::abs(h.m[1][1]) + std::abs(h.m[2][2]) + 1e-300;
        const double minors =
            h.m[0][0] * h.m[1][1] - h.m[0][1] * h.m[0][1] + h.m[1][1] * h.m[2][2] - h.m[1][2] * h.m[1][2];
        const bool good = h.m[0][0] > 0 && minors > 0 && determinant(h) > 1e-9 * size * size * size;
        const Vec3d w = good ? inverse(h) * axial : axial * (1 / size);
        r = r * matrix_from(cayley(w));
        if (dot(w, w) < 1e-22) break;
    }
    return r;
}

}  // namespace fascia::sim
