// Sine and cosine that give the same bits everywhere: only additions and multiplications, no C library.
#pragma once

#include <cmath>

#include "fascia/math.h"

namespace fascia::characters {

/// sin(2 pi turns): a wave of period 1. Exact zeros at multiples of 1/2.
inline double wave(double turns) {
    double x = turns - std::floor(turns + 0.5);  // [-1/2, 1/2]
    if (x > 0.25) x = 0.5 - x;
    if (x < -0.25) x = -0.5 - x;
    const double a = x * 6.283185307179586;
    const double s = a * a;
    // Taylor to a^19: below 1e-15 on a quarter turn.
    double sum = 1;
    for (int n = 9; n >= 1; --n) sum = 1 - sum * s / ((2 * n) * (2 * n + 1));
    return a * sum;
}

/// cos(2 pi turns).
inline double cowave(double turns) {
    return wave(turns + 0.25);
}

/// Rotation by `degrees` about a unit axis.
inline Quat turned(Vec3d unit_axis, double degrees) {
    const double s = wave(degrees / 720), c = cowave(degrees / 720);
    return {c, unit_axis.x * s, unit_axis.y * s, unit_axis.z * s};
}
inline Quat turned_x(double degrees) {
    return turned({1, 0, 0}, degrees);
}
inline Quat turned_y(double degrees) {
    return turned({0, 1, 0}, degrees);
}
inline Quat turned_z(double degrees) {
    return turned({0, 0, 1}, degrees);
}

/// 0 below `from`, 1 above `to`, smooth between.
inline double smooth_step(double from, double to, double x) {
    double t = (x - from) / (to - from);
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return t * t * (3 - 2 * t);
}

inline double mix(double a, double b, double t) {
    return a + (b - a) * t;
}
inline Vec3d mix(Vec3d a, Vec3d b, double t) {
    return a + (b - a) * t;
}

}  // namespace fascia::characters
