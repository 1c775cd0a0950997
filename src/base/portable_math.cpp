#include "base/portable_math.h"

#include <cmath>
#include <cstdint>
#include <cstring>

namespace fascia::portable {

namespace {

/// 2^n without the library, for -1000 < n < 1000.
double power_of_two(int n) {
    const std::uint64_t bits = static_cast<std::uint64_t>(n + 1023) << 52;
    double out;
    std::memcpy(&out, &bits, sizeof out);
    return out;
}

double sine_series(double x) {
    const double y = x * x;
    double sum = 1;
    for (int n = 18; n >= 2; n -= 2) sum = 1 - y / (n * (n + 1)) * sum;
    return x * sum;
}

double cosine_series(double x) {
    const double y = x * x;
    double sum = 1;
    for (int n = 18; n >= 2; n -= 2) sum = 1 - y / (n * (n - 1)) * sum;
    return sum;
}

/// Beyond this, full turns are taken off first, so that n fits 32 bits; a number so large that it holds no angle any
/// more, or that is none, counts as 0.
constexpr double many_turns = 1e9, no_angle = 1e16;

/// x - n * pi / 2 with n the nearest integer, pi / 2 in two parts so that little is lost.
double reduce(double x, long& n) {
    if (!(std::abs(x) <= many_turns)) x = std::abs(x) < no_angle ? x - std::floor(x / (2 * pi)) * (2 * pi) : 0;
    n = static_cast<long>(std::floor(x / (pi / 2) + 0.5));
    constexpr double high = 1.57079632673412561417, low = 6.07710050650619224932e-11;
    return (x - n * high) - n * low;
}

double quadrant(double r, long n) {
    switch (n & 3) {
        case 0: return sine_series(r);
        case 1: return cosine_series(r);
        case 2: return -sine_series(r);
        default: return -cosine_series(r);
    }
}

double arc_tangent_positive(double x) {
    if (x > 1) return pi / 2 - arc_tangent_positive(1 / x);
    // Two half-angle steps leave |x| below 0.2, where the series is short.
    for (int k = 0; k < 2; ++k) x = x / (1 + std::sqrt(1 + x * x));
    const double y = x * x;
    double sum = 0;
    for (int n = 23; n >= 1; n -= 2) sum = 1.0 / n - y * sum;
    return 4 * x * sum;
}

}  // namespace

double sine(double x) {
    long n;
    const double r = reduce(x, n);
    return quadrant(r, n);
}

double cosine(double x) {
    long n;
    const double r = reduce(x, n);
    return quadrant(r, n + 1);
}

double exponential(double x) {
    if (!(x >= -690)) return 0;
    if (x > 690) x = 690;
    constexpr double high = 0.693147180369123816490, low = 1.90821492927058770002e-10;
    const int n = static_cast<int>(std::floor(x / (high + low) + 0.5));
    const double r = (x - n * high) - n * low;
    double sum = 1;
    for (int k = 16; k >= 1; --k) sum = 1 + r / k * sum;
    return sum * power_of_two(n);
}

double logarithm(double x) {
    int n = 0;
    while (x > 1.5) x *= 0.5, ++n;
    while (x < 0.75) x *= 2, --n;
    const double t = (x - 1) / (x + 1), y = t * t;
    double sum = 0;
    for (int k = 21; k >= 1; k -= 2) sum = 1.0 / k + y * sum;
    return 2 * t * sum + n * 0.693147180559945309417;
}

double arc_tangent(double y, double x) {
    const double ax = std::abs(x), ay = std::abs(y);
    if (ax == 0 && ay == 0) return 0;
    double angle = ax == 0 ? pi / 2 : arc_tangent_positive(ay / ax);
    if (x < 0) angle = pi - angle;
    return y < 0 ? -angle : angle;
}

Vec3d rounded_to_float(Vec3d v) {
    volatile float x = static_cast<float>(v.x), y = static_cast<float>(v.y), z = static_cast<float>(v.z);
    return {x, y, z};
}

}  // namespace fascia::portable
