// The numbers by which one point swings about where it is driven.
#pragma once

#include <algorithm>
#include <cmath>

#include "base/portable_math.h"

namespace fascia {

/// u_next = alpha u + beta v, with v = (u - u_last) / dt
struct Oscillator {
    double alpha = 0, beta = 0;
};

/// The exact solution of u'' + 2 zeta w u' + w^2 u = 0.
inline Oscillator oscillator(double w, double zeta, double dt) {
    const double e = portable::exponential(-zeta * w * dt);
    const double turn = w * std::sqrt(std::abs(1 - zeta * zeta)) * dt;
    const double cosine =
        zeta <= 1 ? portable::cosine(turn) : 0.5 * (portable::exponential(turn) + portable::exponential(-turn));
    return {2 * e * cosine - e * e, e * e * dt};
}

/// The same stiffness, but damped so that it comes to rest as fast as possible without swinging: with b = beta / dt the
/// roots of z^2 - (alpha + b) z + b meet at sqrt(b) = 1 - sqrt(1 - alpha).
inline Oscillator settler(double w, double dt) {
    const double stiffness = 2 - 2 * portable::cosine(std::min(w * dt, 1.5));
    const double root = 1 - std::sqrt(stiffness);
    return {1 - stiffness, std::max(root * root, 0.01) * dt};
}

}  // namespace fascia
