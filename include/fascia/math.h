// The few geometric types that cross the public interface: plain data, no hidden state.
//
// Column vectors, right-handed, y up, radians. A map is x -> A x + t.
// Surface data is float; joint matrices are double, so that a character may stand 10 km from the origin.
#pragma once

#include <cmath>
#include <cstddef>

#include "fascia/api.h"

FASCIA_API_BEGIN
namespace fascia {

struct Vec2 {
    float x = 0, y = 0;
};

struct Vec3 {
    float x = 0, y = 0, z = 0;
};

struct Vec4 {
    float x = 0, y = 0, z = 0, w = 0;
};

struct Vec3d {
    double x = 0, y = 0, z = 0;
};

/// Rotation as a unit quaternion; w = cos(angle / 2). q and -q are the same rotation.
struct Quat {
    double w = 1, x = 0, y = 0, z = 0;
};

/// Affine map x -> A x + t in double: row r is (A_r0, A_r1, A_r2, t_r). Default: identity.
struct Affine {
    double m[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
};

// ---- float vectors -------------------------------------------------------------------------------
inline Vec3 operator+(Vec3 a, Vec3 b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline Vec3 operator-(Vec3 a, Vec3 b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline Vec3 operator-(Vec3 a) {
    return {-a.x, -a.y, -a.z};
}
inline Vec3 operator*(Vec3 a, float s) {
    return {a.x * s, a.y * s, a.z * s};
}
inline Vec3 operator*(float s, Vec3 a) {
    return a * s;
}
inline Vec3& operator+=(Vec3& a, Vec3 b) {
    return a = a + b;
}
inline Vec3& operator-=(Vec3& a, Vec3 b) {
    return a = a - b;
}
inline Vec3& operator*=(Vec3& a, float s) {
    return a = a * s;
}
inline bool operator==(Vec3 a, Vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}
inline float dot(Vec3 a, Vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
inline Vec3 cross(Vec3 a, Vec3 b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline float length(Vec3 a) {
    return std::sqrt(dot(a, a));
}
/// Unit vector along a, or `fallback` if a has no direction.
inline Vec3 normalized(Vec3 a, Vec3 fallback = {0, 0, 0}) {
    const float l = length(a);
    return l > 0 ? a * (1.0f / l) : fallback;
}

// ---- double vectors ------------------------------------------------------------------------------
inline Vec3d to_double(Vec3 a) {
    return {a.x, a.y, a.z};
}
inline Vec3 to_float(Vec3d a) {
    return {static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z)};
}
inline bool operator==(Vec3d a, Vec3d b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}
inline Vec3d operator+(Vec3d a, Vec3d b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline Vec3d operator-(Vec3d a, Vec3d b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline Vec3d operator-(Vec3d a) {
    return {-a.x, -a.y, -a.z};
}
inline Vec3d operator*(Vec3d a, double s) {
    return {a.x * s, a.y * s, a.z * s};
}
inline Vec3d operator*(double s, Vec3d a) {
    return a * s;
}
inline Vec3d& operator+=(Vec3d& a, Vec3d b) {
    return a = a + b;
}
inline double dot(Vec3d a, Vec3d b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
inline Vec3d cross(Vec3d a, Vec3d b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double length(Vec3d a) {
    return std::sqrt(dot(a, a));
}
inline Vec3d normalized(Vec3d a, Vec3d fallback = {0, 0, 0}) {
    const double l = length(a);
    return l > 0 ? a * (1.0 / l) : fallback;
}

// ---- quaternions ---------------------------------------------------------------------------------
inline Quat operator*(Quat a, Quat b) {
    return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
inline Quat conjugate(Quat q) {
    return {q.w, -q.x, -q.y, -q.z};
}
inline double dot(Quat a, Quat b) {
    return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
}
inline Quat normalized(Quat q) {
    const double l = std::sqrt(dot(q, q));
    return l > 0 ? Quat{q.w / l, q.x / l, q.y / l, q.z / l} : Quat{};
}
inline Quat quat_from_axis_angle(Vec3d unit_axis, double angle) {
    const double s = std::sin(angle / 2);
    return {std::cos(angle / 2), unit_axis.x * s, unit_axis.y * s, unit_axis.z * s};
}
inline Vec3d rotate(Quat q, Vec3d v) {
    const Vec3d u{q.x, q.y, q.z};
    const Vec3d t = cross(u, v) * 2.0;
    return v + t * q.w + cross(u, t);
}
/// Shortest-arc spherical interpolation; t in [0, 1].
Quat slerp(Quat a, Quat b, double t);
/// Quaternion of a rotation matrix, the upper 3x3 (docs/formulas.md C1; stable for every angle).
Quat quat_from_matrix(const Affine& rotation);

// ---- affine maps ---------------------------------------------------------------------------------
inline Vec3d transform_point(const Affine& a, Vec3d p) {
    return {a.m[0][0] * p.x + a.m[0][1] * p.y + a.m[0][2] * p.z + a.m[0][3],
            a.m[1][0] * p.x + a.m[1][1] * p.y + a.m[1][2] * p.z + a.m[1][3],
            a.m[2][0] * p.x + a.m[2][1] * p.y + a.m[2][2] * p.z + a.m[2][3]};
}
inline Vec3d transform_vector(const Affine& a, Vec3d v) {
    return {a.m[0][0] * v.x + a.m[0][1] * v.y + a.m[0][2] * v.z, a.m[1][0] * v.x + a.m[1][1] * v.y + a.m[1][2] * v.z,
            a.m[2][0] * v.x + a.m[2][1] * v.y + a.m[2][2] * v.z};
}
inline Vec3d translation_of(const Affine& a) {
    return {a.m[0][3], a.m[1][3], a.m[2][3]};
}
/// a after b: x -> a(b(x)).
Affine operator*(const Affine& a, const Affine& b);
/// Determinant of the linear part.
double determinant(const Affine& a);
/// Inverse map; the identity if the linear part is singular or not finite (check with `is_invertible`).
Affine inverse(const Affine& a);
bool is_invertible(const Affine& a);
bool is_finite(const Affine& a);
/// Translation * rotation * scale.
Affine compose(Vec3d translation, Quat rotation, Vec3d scale);
/// Splits into translation, rotation and scale (a mirrored map gets a negative x scale); false when sheared.
bool decompose(const Affine& a, Vec3d& translation, Quat& rotation, Vec3d& scale);

}  // namespace fascia
FASCIA_API_END
