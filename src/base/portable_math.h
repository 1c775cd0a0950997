// Functions that the standard library may round differently on every machine, built from + - * / and sqrt only: the
// same bits natively and in WASM. Relative error below 1e-14 in the ranges that a character needs.
#pragma once

#include "fascia/math.h"

namespace fascia::portable {

double sine(double x);
double cosine(double x);
double exponential(double x);
/// Natural logarithm of x > 0.
double logarithm(double x);
/// Angle of (x, y) in (-pi, pi].
double arc_tangent(double y, double x);

/// Each coordinate rounded to float. Written as casts, gcc 12 drops the conversion to float and back when it packs two
/// coordinates into a vector.
Vec3d rounded_to_float(Vec3d v);

inline constexpr double pi = 3.14159265358979323846;

}  // namespace fascia::portable
