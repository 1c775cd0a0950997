#include "character/time_series.h"

#include <algorithm>
#include <cmath>

namespace fascia {
namespace {

template <class Pick>
TimeSeries running(const TimeSeries& values, std::size_t reach, Pick pick) {
    TimeSeries out(values.size());
    for (std::size_t f = 0; f < values.size(); ++f) {
        const std::size_t first = f > reach ? f - reach : 0, last = std::min(values.size(), f + reach + 1);
        out[f] = *pick(values.begin() + static_cast<std::ptrdiff_t>(first),
                       values.begin() + static_cast<std::ptrdiff_t>(last));
    }
    return out;
}

std::size_t gaussian_reach(double sigma) {
    return static_cast<std::size_t>(std::ceil(3 * sigma));
}

/// One end of a gap: its frame, its value, and the slope away from the known side.
struct GapEnd {
    double at = 0, value = 0, slope = 0;
};

/// How far a slope may carry the curve, in multiples of the larger of the two values.
constexpr double kOvershoot = 0.5;

double crossed(const GapEnd& a, const GapEnd& b, double at) {
    const double width = b.at - a.at, t = (at - a.at) / width;
    const double most = kOvershoot * std::max(std::abs(a.value), std::abs(b.value));
    const double rise_a = std::clamp(a.slope * width, -4 * most, 4 * most);
    const double rise_b = std::clamp(b.slope * width, -4 * most, 4 * most);
    const double s = t * t * (3 - 2 * t);
    return a.value * (1 - s) + b.value * s + rise_a * t * (1 - t) * (1 - t) - rise_b * t * t * (1 - t);
}

class Bridge {
public:
    Bridge(const TimeSeries& values, const std::vector<bool>& known, LongGap long_gap, double fade)
        : values_(values), known_(known), fade_(fade), fades_(long_gap == LongGap::fade_to_zero) {}

    /// `last` and `next` are the known frames on both sides of `f`, or -1.
    double value_at(int f, int last, int next) const {
        if (last < 0 && next < 0) return 0;
        if (last < 0) return towards_outside(end_at(next, 1), f);
        if (next < 0) return towards_outside(end_at(last, -1), f);
        if (!fades_ || next - last <= 2 * fade_) return crossed(end_at(last, -1), end_at(next, 1), f);
        if (f - last < fade_) return crossed(end_at(last, -1), {last + fade_, 0, 0}, f);
        if (next - f < fade_) return crossed({next - fade_, 0, 0}, end_at(next, 1), f);
        return 0;
    }

private:
    double towards_outside(const GapEnd& end, int f) const {
        if (!fades_) return end.value;
        const double away = std::abs(f - end.at);
        if (away >= fade_) return 0;
        const double t = away / fade_;
        return end.value * (1 - t * t * (3 - 2 * t));
    }

    /// `inwards` is the direction in which the known values lie.
    GapEnd end_at(int frame, int inwards) const {
        const int inner = frame + inwards;
        const bool has_inner = inner >= 0 && inner < static_cast<int>(values_.size()) && known_[inner];
        const double slope = has_inner ? (values_[inner] - values_[frame]) * inwards : 0;
        return {static_cast<double>(frame), values_[frame], slope};
    }

    const TimeSeries& values_;
    const std::vector<bool>& known_;
    double fade_;
    bool fades_;
};

}  // namespace

double quantile(TimeSeries values, double share) {
    const auto last = static_cast<double>(values.size() - 1);
    const auto rank = values.begin() + static_cast<std::ptrdiff_t>(std::clamp(share * last, 0.0, last));
    std::nth_element(values.begin(), rank, values.end());
    return *rank;
}

TimeSeries running_minimum(const TimeSeries& values, std::size_t reach) {
    return running(values, reach, [](auto first, auto last) { return std::min_element(first, last); });
}

TimeSeries running_maximum(const TimeSeries& values, std::size_t reach) {
    return running(values, reach, [](auto first, auto last) { return std::max_element(first, last); });
}

TimeSeries running_mean(const TimeSeries& values, std::size_t reach) {
    TimeSeries sums{0};
    for (double value : values) sums.push_back(sums.back() + value);
    TimeSeries out(values.size());
    for (std::size_t f = 0; f < values.size(); ++f) {
        const std::size_t first = f > reach ? f - reach : 0, last = std::min(values.size(), f + reach + 1);
        out[f] = (sums[last] - sums[first]) / static_cast<double>(last - first);
    }
    return out;
}

TimeSeries smoothed(const TimeSeries& values, double sigma) {
    const auto reach = static_cast<std::ptrdiff_t>(gaussian_reach(sigma));
    const auto count = static_cast<std::ptrdiff_t>(values.size());
    TimeSeries kernel, out;
    for (std::ptrdiff_t d = 0; d <= reach; ++d) {
        const double x = static_cast<double>(d) / sigma;
        kernel.push_back(std::exp(-0.5 * x * x));
    }
    for (std::ptrdiff_t f = 0; f < count; ++f) {
        double sum = 0, weights = 0;
        for (std::ptrdiff_t g = std::max<std::ptrdiff_t>(0, f - reach); g < std::min(count, f + reach + 1); ++g) {
            const double weight = kernel[static_cast<std::size_t>(g > f ? g - f : f - g)];
            sum += weight * values[static_cast<std::size_t>(g)];
            weights += weight;
        }
        out.push_back(sum / weights);
    }
    return out;
}

TimeSeries smooth_envelope(const TimeSeries& values, double sigma) {
    return smoothed(running_maximum(values, gaussian_reach(sigma)), sigma);
}

TimeSeries bridged(TimeSeries values, const std::vector<bool>& known, LongGap long_gap, double fade) {
    const TimeSeries given = values;
    const Bridge bridge(given, known, long_gap, fade);
    const int count = static_cast<int>(values.size());
    std::vector<int> next(values.size(), -1);
    for (int f = count - 1, seen = -1; f >= 0; --f) next[f] = seen = known[f] ? f : seen;
    for (int f = 0, last = -1; f < count; ++f) {
        if (known[f]) {
            last = f;
        } else {
            values[f] = bridge.value_at(f, last, next[f]);
        }
    }
    return values;
}

}  // namespace fascia
