#include "methods/shared/joint_places.h"

#include <algorithm>
#include <cmath>

#include "skin/joint_maps.h"

namespace fascia {

namespace {

double mean_scale(const Affine& a) {
    double sum = 0;
    for (const auto& row : a.m) sum += row[0] * row[0] + row[1] * row[1] + row[2] * row[2];
    return std::sqrt(sum / 3);
}

/// Are the rows of equal length and at right angles, up to the rounding of files in float?
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

Quat negated(Quat q) {
    return {-q.w, -q.x, -q.y, -q.z};
}

/// Deviations this small come from the rounding of files in float; they are not a scale.
constexpr double file_noise = 1e-4;

bool is_stretched(const Affine& map, double scale, double common) {
    return std::abs(scale - common) > file_noise * common || !is_similarity(map, scale);
}

/// The scale of a joint relative to the common one, in the axes of the posed body: linear part of map R^T / common.
Affine stretch_of(const Affine& map, const JointPlace& place, double common) {
    Affine out;
    if (!is_stretched(map, place.scale, common)) return out;
    const Vec3d axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int c = 0; c < 3; ++c) {
        const Vec3d column = transform_vector(map, rotate(conjugate(place.rotation), axes[c])) * (1 / common);
        out.m[0][c] = column.x;
        out.m[1][c] = column.y;
        out.m[2][c] = column.z;
    }
    return out;
}

}  // namespace

void joint_places(std::span<const Affine> pose, const RestSkeleton& rest, std::span<JointPlace> out) {
    bool scaled = false;
    for (std::size_t j = 0; j < out.size(); ++j) {
        const Affine map = pose[j] * rest.inverse_rest[j];
        out[j].scale = mean_scale(map);
        out[j].rotation = rotation_of(map, out[j].scale);
        out[j].place = translation_of(pose[j]);
        scaled = scaled || is_stretched(map, out[j].scale, out[0].scale);
    }
    if (!scaled) return;
    for (std::size_t j = 0; j < out.size(); ++j) {
        const int p = rest.parents[j];
        if (p < 0 || std::size_t(p) >= j) continue;
        const Affine stretch = stretch_of(pose[p] * rest.inverse_rest[p], out[p], out[0].scale);
        const Vec3d arm = translation_of(pose[j]) - translation_of(pose[p]);
        out[j].place = out[p].place + transform_vector(inverse(stretch), arm);
    }
}

bool stretch_maps(std::span<const Affine> pose, const RestSkeleton& rest, std::span<const JointPlace> places,
                  Vec3d origin, std::span<Affine> out) {
    bool scaled = false;
    for (std::size_t j = 0; j < places.size() && !scaled; ++j)
        scaled = is_stretched(pose[j] * rest.inverse_rest[j], places[j].scale, places[0].scale);
    if (!scaled) return false;
    for (std::size_t j = 0; j < places.size(); ++j) {
        out[j] = stretch_of(pose[j] * rest.inverse_rest[j], places[j], places[0].scale);
        const Vec3d t = translation_of(pose[j]) - origin - transform_vector(out[j], places[j].place - origin);
        out[j].m[0][3] = t.x;
        out[j].m[1][3] = t.y;
        out[j].m[2][3] = t.z;
    }
    return true;
}

void choose_sides(std::span<const int> parents, std::span<JointPlace> places, std::span<float> sides) {
    for (std::size_t j = 0; j < places.size(); ++j) {
        const int p = parents[j];
        const bool turn = p >= 0 && std::size_t(p) < j && dot(places[p].rotation, places[j].rotation) < 0;
        sides[j] = turn ? -1.0f : 1.0f;
        if (turn) places[j].rotation = negated(places[j].rotation);
    }
}

void follow_sides(std::span<const JointPlace> before, std::span<JointPlace> after, std::span<float> sides) {
    for (std::size_t j = 0; j < after.size(); ++j) {
        const bool turn = dot(before[j].rotation, after[j].rotation) < 0;
        sides[j] = turn ? -1.0f : 1.0f;
        if (turn) after[j].rotation = negated(after[j].rotation);
    }
}

void take_sides(std::span<const float> sides, std::span<JointPlace> places) {
    for (std::size_t j = 0; j < places.size(); ++j)
        if (sides[j] < 0) places[j].rotation = negated(places[j].rotation);
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
