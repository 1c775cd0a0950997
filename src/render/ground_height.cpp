// Where the ground is, judged from the motion alone.
#include <algorithm>
#include <cmath>
#include <vector>

#include "fascia/picture.h"

namespace fascia {
namespace {

constexpr double resting_speed = 0.25;  // sizes per second; a body rising or falling faster does not stand on anything
constexpr double reach = 0.02;          // of the size; heights this close together count as the same ground
constexpr double least_rest = 0.2;      // share of the time; a figure that rests for less is not standing on anything
constexpr double most_below = 0.15;     // share of the time; a ground has less of the motion below it
constexpr double hovering = 0.12;       // of the size; how far below a flying body the ground lies

struct Level {
    double height, weight;  ///< weight: seconds
};

/// Seconds that each moment stands for.
std::vector<double> seconds_of(std::span<const double> times) {
    const std::size_t n = times.size();
    std::vector<double> out(n, 1);
    for (std::size_t i = 0; i < n && n > 1; ++i)
        out[i] = (times[std::min(i + 1, n - 1)] - times[i == 0 ? 0 : i - 1]) / 2;
    return out;
}

double speed_at(std::size_t i, std::span<const double> times, std::span<const double> heights) {
    const std::size_t a = i == 0 ? 0 : i - 1, b = std::min(i + 1, times.size() - 1);
    const double seconds = times[b] - times[a];
    return seconds > 0 ? std::abs(heights[b] - heights[a]) / seconds : 0;
}

double weight_of(const std::vector<Level>& levels) {
    double sum = 0;
    for (const Level& level : levels) sum += level.weight;
    return sum;
}

/// The height below which the body spends this share of the time. `levels` ascend.
double quantile(const std::vector<Level>& levels, double share) {
    double left = share * weight_of(levels);
    for (const Level& level : levels)
        if ((left -= level.weight) <= 0) return level.height;
    return levels.back().height;
}

std::vector<Level> within(const std::vector<Level>& levels, double from, double to) {
    std::vector<Level> out;
    for (const Level& level : levels)
        if (level.height >= from && level.height <= to) out.push_back(level);
    return out;
}

/// The lowest of the heights at which the body rests about as long as at any other.
double most_rested(const std::vector<Level>& resting, double width) {
    std::vector<double> held;
    for (const Level& level : resting)
        held.push_back(weight_of(within(resting, level.height - width, level.height + width)));
    const double most = *std::max_element(held.begin(), held.end());
    std::size_t i = 0;
    while (held[i] < 0.5 * most) ++i;
    // The first that is held long enough lies at the lower edge of this ground; its middle is held longest.
    std::size_t middle = i;
    for (std::size_t k = i; k < held.size() && resting[k].height <= resting[i].height + 2 * width; ++k)
        if (held[k] > held[middle]) middle = k;
    return resting[middle].height;
}

}  // namespace

double lowest_height(std::span<const Vec3> points) {
    std::vector<float> heights;
    for (const Vec3 p : points)
        if (std::isfinite(p.y)) heights.push_back(p.y);
    if (heights.empty()) return 0;
    const std::size_t strays = std::min(heights.size() - 1, std::max<std::size_t>(1, heights.size() / 1000));
    std::nth_element(heights.begin(), heights.begin() + static_cast<std::ptrdiff_t>(strays), heights.end());
    return static_cast<double>(heights[strays]);
}

double ground_height(std::span<const double> times, std::span<const double> lowest, double size, double rest) {
    if (times.empty() || times.size() != lowest.size()) return 0;
    const std::vector<double> seconds = seconds_of(times);
    std::vector<Level> all, resting;
    for (std::size_t i = 0; i < times.size(); ++i) {
        all.push_back({lowest[i], seconds[i]});
        if (speed_at(i, times, lowest) <= resting_speed * size) resting.push_back(all.back());
    }
    const auto lower = [](const Level& a, const Level& b) { return a.height < b.height; };
    std::sort(all.begin(), all.end(), lower);
    std::sort(resting.begin(), resting.end(), lower);

    const double width = reach * size;
    const bool comes_to_zero = quantile(all, 0.05) <= 2 * width && quantile(all, 0.95) >= -2 * width;
    if (std::abs(rest) < 2 * width && comes_to_zero) {
        const std::vector<Level> standing = within(resting, -2 * width, 2 * width);
        return weight_of(standing) < 0.05 * weight_of(all) ? 0 : quantile(standing, 0.25);
    }
    const double flying = quantile(all, 0.02) - hovering * size;
    if (resting.empty() || weight_of(resting) < least_rest * weight_of(all)) return flying;
    const double height = most_rested(resting, width);
    if (weight_of(within(all, -INFINITY, height - 2 * width)) > most_below * weight_of(all)) return flying;
    return quantile(within(resting, height - width, height + width), 0.25);
}

}  // namespace fascia
