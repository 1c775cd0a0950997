// Contact constraints between features of triangles (docs/formulas.md E8). C >= 0 where they do not touch.
//
// All of them move along one direction n: the gradient of a point is its share times n, positive on the one side and
// negative on the other.
#pragma once

#include <array>
#include <cmath>

#include "fascia/math.h"

namespace fascia::contact {

/// C and its gradients: dC/dx_k = share_k n.
struct Touch {
    bool valid = false;
    float gap = 0;  ///< C without the thickness
    Vec3 normal;
    std::array<float, 4> share{};
};

/// Shares of the corners of a triangle at the projection of q.
inline Touch point_triangle(Vec3 q, Vec3 a, Vec3 b, Vec3 c) {
    Touch out;
    const Vec3 e = b - a, f = c - a, n = cross(e, f), d = q - a;
    const float twice = length(n);
    if (!(twice > 0)) return out;
    out.normal = n * (1 / twice);
    out.gap = dot(d, out.normal);
    const float v = dot(cross(d, f), out.normal) / twice, w = dot(cross(e, d), out.normal) / twice;
    out.share = {1, -(1 - v - w), -v, -w};
    out.valid = true;
    return out;
}
/// Does the projection lie in the triangle?
inline bool is_above(const Touch& touch, float slack = 0) {
    return touch.share[1] <= slack && touch.share[2] <= slack && touch.share[3] <= slack;
}

/// The lines through a, b and through c, d; the gap is measured from the first to the second along `side`. Parallel
/// edges touch along the vector between their nearest points.
inline Touch edge_edge(Vec3 a, Vec3 b, Vec3 c, Vec3 d, Vec3 side) {
    Touch out;
    const Vec3 e = b - a, f = d - c, between = c - a;
    const float ee = dot(e, e), ff = dot(f, f), ef = dot(e, f), de = dot(between, e), df = dot(between, f);
    Vec3 n = cross(e, f);
    const float l = length(n);
    float s, t;
    if (l > 1e-6f * std::sqrt(ee * ff)) {
        const float det = ee * ff - ef * ef;
        s = (de * ff - df * ef) / det;
        t = (de * ef - df * ee) / det;
        n = n * (1 / l);
    } else {
        if (!(ee > 0) || !(ff > 0)) return out;
        s = std::fmin(std::fmax(de / ee, 0.0f), 1.0f);
        const Vec3 near_s = a + e * s;
        t = std::fmin(std::fmax(dot(near_s - c, f) / ff, 0.0f), 1.0f);
        n = normalized((c + f * t) - near_s);
        if (dot(n, n) == 0) return out;
    }
    if (dot(n, side) < 0) n = -n;
    out.normal = n;
    out.gap = dot((c + f * t) - (a + e * s), n);
    out.share = {-(1 - s), -s, 1 - t, t};
    out.valid = true;
    return out;
}
/// Do the nearest points of the two lines lie within the edges?
inline bool is_within(const Touch& touch) {
    return touch.share[0] <= 0 && touch.share[1] <= 0 && touch.share[2] >= 0 && touch.share[3] >= 0;
}

}  // namespace fascia::contact
