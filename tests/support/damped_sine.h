// Fits a damped sine to samples: y = offset + amplitude e^(-decay t) cos(2 pi hz t + phase).
#pragma once

#include <cmath>
#include <span>

namespace fascia::test {

struct DampedSine {
    double hz = 0, decay = 0, amplitude = 0, phase = 0, offset = 0;
    double error = 0;  ///< RMS of the residual, divided by the RMS of the samples about their mean
};

namespace detail {

/// The three linear coefficients (cosine, sine, offset) that fit best for a given frequency and decay; returns the
/// residual.
inline double best_waves(std::span<const double> t, std::span<const double> y, double hz, double decay, double out[3]) {
    constexpr double turn = 6.283185307179586;
    double a[3][4] = {};
    for (std::size_t k = 0; k < t.size(); ++k) {
        const double e = std::exp(-decay * (t[k] - t[0])), w = turn * hz * (t[k] - t[0]);
        const double base[3] = {e * std::cos(w), e * std::sin(w), 1};
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) a[i][j] += base[i] * base[j];
            a[i][3] += base[i] * y[k];
        }
    }
    for (int i = 0; i < 3; ++i) {
        for (int r = i + 1; r < 3; ++r) {
            const double f = a[r][i] / a[i][i];
            for (int c = i; c < 4; ++c) a[r][c] -= f * a[i][c];
        }
    }
    for (int i = 2; i >= 0; --i) {
        out[i] = a[i][3];
        for (int j = i + 1; j < 3; ++j) out[i] -= a[i][j] * out[j];
        out[i] /= a[i][i];
    }
    double left = 0;
    for (std::size_t k = 0; k < t.size(); ++k) {
        const double e = std::exp(-decay * (t[k] - t[0])), w = turn * hz * (t[k] - t[0]);
        const double d = e * (out[0] * std::cos(w) + out[1] * std::sin(w)) + out[2] - y[k];
        left += d * d;
    }
    return left;
}

}  // namespace detail

/// Searches frequencies between `low` and `high` Hz and decays up to 12 / s on a coarse grid, then on ever finer ones.
/// `amplitude` and `phase` hold at t = 0 of the samples' own clock.
inline DampedSine fit_damped_sine(std::span<const double> t, std::span<const double> y, double low, double high) {
    double hz = 0, decay = 0, step_hz = (high - low) / 60, step_decay = 0.4, least = 1e300, waves[3];
    for (double f = low; f <= high; f += step_hz)
        for (double d = 0; d <= 12; d += step_decay)
            if (const double left = detail::best_waves(t, y, f, d, waves); left < least)
                least = left, hz = f, decay = d;
    while (step_hz > 1e-6 * high) {
        step_hz /= 2;
        step_decay /= 2;
        const double f0 = hz, d0 = decay;
        for (int i = -2; i <= 2; ++i)
            for (int j = -2; j <= 2; ++j) {
                const double f = f0 + i * step_hz, d = d0 + j * step_decay;
                const double left = detail::best_waves(t, y, f, d, waves);
                if (left < least) least = left, hz = f, decay = d;
            }
    }
    const double left = detail::best_waves(t, y, hz, decay, waves);
    double mean = 0, square = 0;
    for (const double v : y) mean += v / double(y.size());
    for (const double v : y) square += (v - mean) * (v - mean);
    DampedSine out;
    out.hz = hz;
    out.decay = decay;
    out.amplitude = std::hypot(waves[0], waves[1]) * std::exp(decay * t[0]);
    out.phase = std::remainder(std::atan2(-waves[1], waves[0]) - 6.283185307179586 * hz * t[0], 6.283185307179586);
    out.offset = waves[2];
    out.error = square > 0 ? std::sqrt(left / square) : 0;
    return out;
}

}  // namespace fascia::test
