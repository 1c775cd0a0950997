#include "methods/layers_pose.h"

#include <algorithm>
#include <cmath>

#include "base/portable_math.h"
#include "methods/layers_body.h"
#include "skin/joint_maps.h"

namespace fascia {

namespace {

double mean_scale(const Affine& a) {
    double sum = 0;
    for (const auto& row : a.m) sum += row[0] * row[0] + row[1] * row[1] + row[2] * row[2];
    return std::sqrt(sum / 3);
}

/// Rows of equal length at right angles, up to what float files leave.
bool is_similarity(const Affine& a, double scale) {
    const double limit = 1e-4 * scale * scale;
    for (int r = 0; r < 3; ++r)
        for (int c = r; c < 3; ++c) {
            const double d = a.m[r][0] * a.m[c][0] + a.m[r][1] * a.m[c][1] + a.m[r][2] * a.m[c][2];
            if (std::abs(d - (r == c ? scale * scale : 0)) > limit) return false;
        }
    return true;
}

Quat rotation_of(const Affine& map, double scale) {
    if (!is_similarity(map, scale)) return quat_from_matrix(polar(map).rotation);
    Affine unit = map;
    for (auto& row : unit.m)
        for (int c = 0; c < 3; ++c) row[c] /= scale;
    return quat_from_matrix(unit);
}

/// Slerp without the library's arc functions: the same bits everywhere.
Quat portable_slerp(Quat a, Quat b, double t) {
    double cosine = dot(a, b);
    if (cosine < 0) {
        b = {-b.w, -b.x, -b.y, -b.z};
        cosine = -cosine;
    }
    double wa = 1 - t, wb = t;
    const double sine = std::sqrt(std::max(0.0, 1 - cosine * cosine));
    if (sine > 1e-6) {
        const double angle = portable::arc_tangent(sine, cosine);
        wa = portable::sine((1 - t) * angle) / sine;
        wb = portable::sine(t * angle) / sine;
    }
    return normalized(Quat{wa * a.w + wb * b.w, wa * a.x + wb * b.x, wa * a.y + wb * b.y, wa * a.z + wb * b.z});
}

}  // namespace

void joint_places(std::span<const Affine> pose, std::span<const Affine> inverse_rest, std::span<JointPlace> out) {
    for (std::size_t j = 0; j < out.size(); ++j) {
        const Affine map = pose[j] * inverse_rest[j];
        out[j].scale = mean_scale(map);
        out[j].rotation = rotation_of(map, out[j].scale);
        out[j].place = translation_of(pose[j]);
    }
}

JointPlace between(const JointPlace& a, const JointPlace& b, double t) {
    return {portable_slerp(a.rotation, b.rotation, t), a.place * (1 - t) + b.place * t,
            a.scale * (1 - t) + b.scale * t};
}

void dual_quaternions(std::span<const JointPlace> places, std::span<const Vec3d> pivots, const PointFrame& frame,
                      std::span<float> out) {
    for (std::size_t j = 0; j < places.size(); ++j) {
        const Quat r = places[j].rotation;
        const Vec3d axis = to_axes({r.x, r.y, r.z}, frame.turn);
        const Quat q{r.w, axis.x, axis.y, axis.z};
        const Vec3d place = to_axes((places[j].place - frame.origin) * (1 / frame.scale), frame.turn);
        const Vec3d t = place - rotate(q, pivots[j]);
        const Quat d = Quat{0, t.x, t.y, t.z} * q;
        const double values[8] = {q.w, q.x, q.y, q.z, 0.5 * d.w, 0.5 * d.x, 0.5 * d.y, 0.5 * d.z};
        for (std::size_t k = 0; k < 8; ++k) out[8 * j + k] = float(values[k]);
    }
}

}  // namespace fascia
