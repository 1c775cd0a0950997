#include <algorithm>
#include <cmath>

#include "fascia/math.h"

namespace fascia {

Affine operator*(const Affine& a, const Affine& b) {
    Affine out;
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 4; ++c) {
            out.m[r][c] = a.m[r][0] * b.m[0][c] + a.m[r][1] * b.m[1][c] + a.m[r][2] * b.m[2][c];
        }
        out.m[r][3] += a.m[r][3];
    }
    return out;
}

double determinant(const Affine& a) {
    const auto& m = a.m;
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

bool is_finite(const Affine& a) {
    for (const auto& row : a.m)
        for (double v : row)
            if (!std::isfinite(v)) return false;
    return true;
}

namespace {
/// Product of the row lengths, with which the determinant is compared so that scale does not matter.
double row_volume(const Affine& a) {
    double product = 1;
    for (const auto& row : a.m) product *= std::sqrt(row[0] * row[0] + row[1] * row[1] + row[2] * row[2]);
    return product;
}
}  // namespace

bool is_invertible(const Affine& a) {
    if (!is_finite(a)) return false;
    const double volume = row_volume(a);
    return volume > 0 && std::isfinite(volume) && std::abs(determinant(a)) > 1e-9 * volume;
}

Affine inverse(const Affine& a) {
    if (!is_invertible(a)) return {};
    const auto& m = a.m;
    const double s = 1.0 / determinant(a);
    Affine out;
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) {
            // Transposed cofactors; the cyclic indices carry the sign.
            const int r1 = (c + 1) % 3, r2 = (c + 2) % 3, c1 = (r + 1) % 3, c2 = (r + 2) % 3;
            out.m[r][c] = s * (m[r1][c1] * m[r2][c2] - m[r1][c2] * m[r2][c1]);
        }
    }
    for (int r = 0; r < 3; ++r) out.m[r][3] = -(out.m[r][0] * m[0][3] + out.m[r][1] * m[1][3] + out.m[r][2] * m[2][3]);
    return out;
}

Affine compose(Vec3d t, Quat q, Vec3d s) {
    const double x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
    const double xx = q.x * x2, yy = q.y * y2, zz = q.z * z2, xy = q.x * y2, xz = q.x * z2, yz = q.y * z2;
    const double wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
    Affine out;
    out.m[0][0] = (1 - (yy + zz)) * s.x;
    out.m[0][1] = (xy - wz) * s.y;
    out.m[0][2] = (xz + wy) * s.z;
    out.m[1][0] = (xy + wz) * s.x;
    out.m[1][1] = (1 - (xx + zz)) * s.y;
    out.m[1][2] = (yz - wx) * s.z;
    out.m[2][0] = (xz - wy) * s.x;
    out.m[2][1] = (yz + wx) * s.y;
    out.m[2][2] = (1 - (xx + yy)) * s.z;
    out.m[0][3] = t.x;
    out.m[1][3] = t.y;
    out.m[2][3] = t.z;
    return out;
}

bool decompose(const Affine& a, Vec3d& translation, Quat& rotation, Vec3d& scale) {
    translation = translation_of(a);
    Vec3d column[3];
    for (int c = 0; c < 3; ++c) column[c] = {a.m[0][c], a.m[1][c], a.m[2][c]};
    scale = {length(column[0]), length(column[1]), length(column[2])};
    if (determinant(a) < 0) scale.x = -scale.x;
    if (scale.x == 0 || scale.y == 0 || scale.z == 0) {
        rotation = {};
        return false;
    }
    Affine r;
    const double s[3] = {scale.x, scale.y, scale.z};
    for (int row = 0; row < 3; ++row)
        for (int c = 0; c < 3; ++c) r.m[row][c] = a.m[row][c] / s[c];
    rotation = quat_from_matrix(r);
    const double shear = std::max({std::abs(dot(column[0], column[1])) / std::abs(scale.x * scale.y),
                                   std::abs(dot(column[1], column[2])) / std::abs(scale.y * scale.z),
                                   std::abs(dot(column[2], column[0])) / std::abs(scale.z * scale.x)});
    return shear < 1e-4;
}

Quat quat_from_matrix(const Affine& a) {
    const auto& m = a.m;
    const double trace = m[0][0] + m[1][1] + m[2][2];
    Quat q;
    if (trace > 0) {
        const double s = 2 * std::sqrt(1 + trace);
        q = {s / 4, (m[2][1] - m[1][2]) / s, (m[0][2] - m[2][0]) / s, (m[1][0] - m[0][1]) / s};
    } else if (m[0][0] >= m[1][1] && m[0][0] >= m[2][2]) {
        const double s = 2 * std::sqrt(std::max(0.0, 1 + m[0][0] - m[1][1] - m[2][2]));
        q = {(m[2][1] - m[1][2]) / s, s / 4, (m[0][1] + m[1][0]) / s, (m[2][0] + m[0][2]) / s};
    } else if (m[1][1] >= m[2][2]) {
        const double s = 2 * std::sqrt(std::max(0.0, 1 + m[1][1] - m[0][0] - m[2][2]));
        q = {(m[0][2] - m[2][0]) / s, (m[0][1] + m[1][0]) / s, s / 4, (m[2][1] + m[1][2]) / s};
    } else {
        const double s = 2 * std::sqrt(std::max(0.0, 1 + m[2][2] - m[0][0] - m[1][1]));
        q = {(m[1][0] - m[0][1]) / s, (m[2][0] + m[0][2]) / s, (m[1][2] + m[2][1]) / s, s / 4};
    }
    return normalized(q);
}

Quat slerp(Quat a, Quat b, double t) {
    double cosine = dot(a, b);
    if (cosine < 0) {
        b = {-b.w, -b.x, -b.y, -b.z};
        cosine = -cosine;
    }
    double wa = 1 - t, wb = t;
    if (cosine < 1 - 1e-9) {
        const double angle = std::acos(std::min(cosine, 1.0));
        const double sine = std::sin(angle);
        wa = std::sin((1 - t) * angle) / sine;
        wb = std::sin(t * angle) / sine;
    }
    return normalized(Quat{wa * a.w + wb * b.w, wa * a.x + wb * b.x, wa * a.y + wb * b.y, wa * a.z + wb * b.z});
}

}  // namespace fascia
