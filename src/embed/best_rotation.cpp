// Horn's quaternion: the eigenvector of the largest eigenvalue of a symmetric 4x4 matrix, which Newton's method finds
// from above (docs/formulas.md C10).
#include "embed/best_rotation.h"

#include <algorithm>
#include <cmath>

namespace fascia::embedding {

namespace {

struct Four {
    double m[4][4];
};

Four horn_matrix(const double (&a)[3][3]) {
    // a = moved rest^T
    const double xx = a[0][0], yy = a[1][1], zz = a[2][2];
    const double x = a[2][1] - a[1][2], y = a[0][2] - a[2][0], z = a[1][0] - a[0][1];
    const double xy = a[0][1] + a[1][0], xz = a[0][2] + a[2][0], yz = a[1][2] + a[2][1];
    return {{{xx + yy + zz, x, y, z}, {x, xx - yy - zz, xy, xz}, {y, xy, yy - xx - zz, yz}, {z, xz, yz, zz - xx - yy}}};
}

double minor_of(const Four& f, int row, int column) {
    int r[3], c[3];
    for (int k = 0, i = 0; k < 4; ++k)
        if (k != row) r[i++] = k;
    for (int k = 0, i = 0; k < 4; ++k)
        if (k != column) c[i++] = k;
    const auto at = [&](int i, int k) { return f.m[r[i]][c[k]]; };
    return at(0, 0) * (at(1, 1) * at(2, 2) - at(1, 2) * at(2, 1)) -
           at(0, 1) * (at(1, 0) * at(2, 2) - at(1, 2) * at(2, 0)) +
           at(0, 2) * (at(1, 0) * at(2, 1) - at(1, 1) * at(2, 0));
}

}  // namespace

Quat best_rotation(const Covariance& given) {
    double largest = 0;
    for (const auto& row : given.m)
        for (const double v : row) largest = std::max(largest, std::abs(v));
    if (!(largest > 0) || !std::isfinite(largest)) return {};
    double a[3][3];
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) a[i][k] = given.m[i][k] / largest;
    Four f = horn_matrix(a);
    // Characteristic polynomial t^4 + c2 t^2 + c1 t + c0; its trace is zero.
    double c2 = 0, det3 = 0;
    for (const auto& row : a)
        for (const double v : row) c2 -= 2 * v * v;
    det3 = a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) - a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
           a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
    const double c1 = -8 * det3;
    double c0 = 0;
    for (int k = 0; k < 4; ++k) c0 += (k % 2 ? -1 : 1) * f.m[0][k] * minor_of(f, 0, k);
    // No eigenvalue is above sqrt(-3 c2 / 2) (their sum is 0); from there Newton's steps only fall.
    double t = std::sqrt(-1.5 * c2);
    for (int round = 0; round < 40; ++round) {
        const double square = t * t;
        const double value = ((square + c2) * t + c1) * t + c0, slope = (4 * square + 2 * c2) * t + c1;
        if (!(slope > 1e-12)) break;
        const double next = t - value / slope;
        const bool done = !(t - next > 1e-12 * t);
        t = next;
        if (done) break;
    }
    for (int k = 0; k < 4; ++k) f.m[k][k] -= t;
    // Any column of the adjoint is the eigenvector; the longest is the safest.
    double best[4] = {1, 0, 0, 0}, size = 1e-20;
    for (int c = 0; c < 4; ++c) {
        double column[4], square = 0;
        for (int r = 0; r < 4; ++r) {
            column[r] = ((r + c) % 2 ? -1 : 1) * minor_of(f, c, r);
            square += column[r] * column[r];
        }
        if (square > size) size = square, std::copy_n(column, 4, best);
    }
    const double length = std::sqrt(best[0] * best[0] + best[1] * best[1] + best[2] * best[2] + best[3] * best[3]);
    return {best[0] / length, best[1] / length, best[2] / length, best[3] / length};
}

}  // namespace fascia::embedding
