#include "skin/joint_maps.h"

#include <algorithm>
#include <cmath>

namespace fascia {

namespace {

Affine shift(Vec3d by) {
    Affine a;
    a.m[0][3] = by.x;
    a.m[1][3] = by.y;
    a.m[2][3] = by.z;
    return a;
}

/// det(A) * inverse-transpose(A): finite even if A is singular.
Affine cofactors(const Affine& a) {
    const auto& m = a.m;
    Affine out;
    for (int r = 0; r < 3; ++r) {
        const int r1 = (r + 1) % 3, r2 = (r + 2) % 3;
        for (int c = 0; c < 3; ++c) {
            const int c1 = (c + 1) % 3, c2 = (c + 2) % 3;
            out.m[r][c] = m[r1][c1] * m[r2][c2] - m[r1][c2] * m[r2][c1];
        }
        out.m[r][3] = 0;
    }
    return out;
}

void write_row_block(const Affine& a, float* out) {
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 4; ++c) out[4 * r + c] = static_cast<float>(a.m[r][c]);
    for (int c = 12; c < 16; ++c) out[c] = 0;
}

/// Largest difference of A^T A from a multiple of the identity, relative to that multiple.
double unevenness(const Affine& a) {
    double gram[3][3];
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) gram[r][c] = a.m[0][r] * a.m[0][c] + a.m[1][r] * a.m[1][c] + a.m[2][r] * a.m[2][c];
    const double mean = (gram[0][0] + gram[1][1] + gram[2][2]) / 3;
    double worst = 0;
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) worst = std::max(worst, std::abs(gram[r][c] - (r == c ? mean : 0)));
    return worst / mean;
}

/// Rounding errors that files written in float leave in matrices meant to be rigid.
constexpr double file_noise = 1e-5;

/// Mean length of the axes; a square root rather than the determinant's cube root, whose last bit differs by library.
double mean_scale(const Affine& a) {
    double sum = 0;
    for (const auto& row : a.m) sum += row[0] * row[0] + row[1] * row[1] + row[2] * row[2];
    return std::sqrt(sum / 3);
}

void write_dual(Quat q, Vec3d t, float* out) {
    const Quat e = Quat{0, t.x, t.y, t.z} * q;  // dual part: half of (0, t) q
    const double values[dual_floats] = {q.w, q.x, q.y, q.z, 0.5 * e.w, 0.5 * e.x, 0.5 * e.y, 0.5 * e.z};
    for (std::size_t i = 0; i < dual_floats; ++i) out[i] = static_cast<float>(values[i]);
}

double distance_from_identity(const Affine& a) {
    double worst = 0;
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) worst = std::max(worst, std::abs(a.m[r][c] - (r == c ? 1 : 0)));
    return worst;
}

Affine about(Vec3d pivot, const Affine& linear) {
    return shift(pivot) * linear * shift(-pivot);
}

}  // namespace

Affine centred_inverse(const Affine& rest, Vec3 centre) {
    return inverse(rest) * shift(to_double(centre));
}

Vec3 pose_origin(const Affine& pose, const Affine& centred_inverse) {
    const Vec3 o = to_float(transform_point(pose, translation_of(centred_inverse)));
    return o + Vec3{0, 0, 0};  // no negative zero: the last summand decides the sign of a zero coordinate
}

void joint_maps(std::span<const Affine> pose, std::span<const Affine> centred_inverses, Vec3 origin,
                std::span<Affine> maps) {
    for (std::size_t j = 0; j < maps.size(); ++j) {
        maps[j] = pose[j] * centred_inverses[j];
        maps[j].m[0][3] -= origin.x;
        maps[j].m[1][3] -= origin.y;
        maps[j].m[2][3] -= origin.z;
    }
}

void matrix_rows(std::span<const Affine> maps, std::span<float> rows) {
    for (std::size_t j = 0; j < maps.size(); ++j) write_row_block(maps[j], rows.data() + j * row_floats);
}

void cofactor_rows(std::span<const Affine> maps, std::span<float> rows) {
    for (std::size_t j = 0; j < maps.size(); ++j) write_row_block(cofactors(maps[j]), rows.data() + j * row_floats);
}

bool scales_unevenly(std::span<const Affine> maps) {
    return std::any_of(maps.begin(), maps.end(), [](const Affine& a) { return unevenness(a) > 10 * file_noise; });
}

Polar polar(const Affine& map) {
    // Newton's iteration for the polar factor, scaled first: quadratic, at most a dozen rounds in double.
    Polar out;
    Affine q = map;
    const double scale = 1 / mean_scale(map);
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) q.m[r][c] *= scale;
        q.m[r][3] = 0;
    }
    for (int round = 0; round < 60; ++round) {
        const Affine cof = cofactors(q);
        const double inverse_det = 1 / determinant(q);
        double change = 0;
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c) {
                const double next = 0.5 * (q.m[r][c] + cof.m[r][c] * inverse_det);
                change = std::max(change, std::abs(next - q.m[r][c]));
                q.m[r][c] = next;
            }
        if (change < 1e-8) break;  // another round would change nothing in double
    }
    out.rotation = q;
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
            out.stretch.m[r][c] = q.m[0][r] * map.m[0][c] + q.m[1][r] * map.m[1][c] + q.m[2][r] * map.m[2][c];
    return out;
}

RigidSplit split_rigid(std::span<const Affine> maps, std::span<const Vec3d> pivots, std::span<float> duals,
                       std::span<Affine> phase1) {
    RigidSplit split;
    split.common_scale = static_cast<float>(mean_scale(maps[0]));
    const double common = split.common_scale;
    for (std::size_t j = 0; j < maps.size(); ++j) {
        const Polar p = polar(maps[j]);
        Affine& stretch = phase1[j] = p.stretch;
        for (auto& row : stretch.m)
            for (int c = 0; c < 3; ++c) row[c] /= common;
        split.has_phase1 = split.has_phase1 || distance_from_identity(stretch) > file_noise;
        const Vec3d t = transform_point(maps[j], pivots[j]) - common * transform_vector(p.rotation, pivots[j]);
        write_dual(quat_from_matrix(p.rotation), t, duals.data() + j * dual_floats);
    }
    if (split.has_phase1)
        for (std::size_t j = 0; j < maps.size(); ++j) phase1[j] = about(pivots[j], phase1[j]);
    return split;
}

}  // namespace fascia
