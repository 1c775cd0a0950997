#include "rigging/neck_measure.h"

#include <algorithm>
#include <cmath>

namespace fascia {

namespace {

std::vector<Vec3d> exactly(const std::vector<Vec3>& points) {
    std::vector<Vec3d> out;
    for (const Vec3& p : points) out.push_back(to_double(p));
    return out;
}

double between(double a, double b, double t) {
    return a + (b - a) * t;
}

}  // namespace

NeckSkin::NeckSkin(std::vector<Vec3> positions, std::vector<Vec3> normals, std::vector<std::uint32_t> triangles)
    : positions_(std::move(positions)),
      normals_(std::move(normals)),
      triangles_(std::move(triangles)),
      exact_(exactly(positions_)),
      near_(positions_, triangles_),
      rays_(exact_, triangles_) {}

NeckSkin::Below NeckSkin::below(Vec3d p) const {
    const SurfacePoint at = near_.find(p);
    Vec3d outward;
    for (std::size_t k = 0; k < 3; ++k) outward += to_double(normals_[triangles_[3 * at.triangle + k]]) * at.share[k];
    outward = normalized(outward, {0, 0, 1});
    const double inside = dot(at.point - p, outward) >= 0 ? 1 : -1;
    // Near the skin its own normal says more than the direction to the nearest point, which is all but rounding.
    return {inside * at.distance, outward * -1.0};
}

double NeckSkin::depth(Vec3d p) const {
    return below(p).depth;
}

Vec3d NeckSkin::sunk(Vec3d p, double depth) const {
    constexpr int rounds = 6;
    for (int i = 0; i < rounds; ++i) {
        const Below at = below(p);
        if (at.depth >= depth) break;
        p += at.inward * (depth - at.depth);
    }
    return p;
}

Vec3d NeckMeasure::line(double height) const {
    const double t = std::clamp((height - root.y) / (head.y - root.y), 0.0, 1.0);
    return {between(root.x, head.x, t), height, between(root.z, head.z, t)};
}

bool measure_neck(const NeckSkin& skin, NeckMeasure& neck) {
    const std::optional<double> up = skin.exit(neck.head, {0, 1, 0});
    if (!up) return false;
    neck.top = neck.head.y + *up;
    // The floor of the mouth is nearly level: where the front of the neck advances fastest, the chin begins.
    constexpr int samples = 60, window = 6;
    const double low = between(neck.root.y, neck.head.y, 0.1), high = between(neck.root.y, neck.head.y, 1.0);
    std::vector<double> front;
    for (int i = 0; i <= samples; ++i) {
        const double height = between(low, high, double(i) / samples);
        front.push_back(skin.exit(neck.line(height), {0, 0, 1}).value_or(0));
    }
    double most = 0.15 * (neck.top - neck.head.y);
    for (int i = window; i <= samples; ++i) {
        const double advance = front[std::size_t(i)] - front[std::size_t(i - window)];
        if (advance <= most || front[std::size_t(i - window)] == 0) continue;
        most = advance;
        neck.has_chin = true;
        neck.chin = between(low, high, (i - 0.5 * window) / samples);
    }
    return true;
}

std::vector<NeckSlice> slice_neck(const NeckSkin& skin, const NeckMeasure& neck, const std::vector<double>& heights) {
    constexpr std::ptrdiff_t half_window = 3;
    constexpr Vec3d front{0, 0, 1}, back{0, 0, -1}, left{1, 0, 0}, right{-1, 0, 0};
    std::vector<NeckSlice> raw;
    for (const double height : heights) {
        NeckSlice slice = raw.empty() ? NeckSlice{} : raw.back();
        Vec3d from = neck.line(height);
        const auto ahead = skin.exit(from, front), behind = skin.exit(from, back);
        if (ahead && behind) {
            slice.middle = from.z + 0.5 * (*ahead - *behind);
            slice.half_depth = 0.5 * (*ahead + *behind);
        }
        from.z = slice.middle;
        const auto one = skin.exit(from, left), other = skin.exit(from, right);
        if (one && other) slice.half_width = 0.5 * (*one + *other);
        raw.push_back(slice);
    }
    const auto smoothed = [&](std::size_t i, double NeckSlice::*of) {
        std::vector<double> values;
        for (std::ptrdiff_t d = -half_window; d <= half_window; ++d)
            values.push_back(
                raw[std::size_t(std::clamp<std::ptrdiff_t>(std::ptrdiff_t(i) + d, 0, std::ptrdiff_t(raw.size()) - 1))].*
                of);
        // The mean of the middle three: steps remain, spikes do not.
        std::sort(values.begin(), values.end());
        return (values[half_window - 1] + values[half_window] + values[half_window + 1]) / 3;
    };
    std::vector<NeckSlice> out;
    for (std::size_t i = 0; i < raw.size(); ++i)
        out.push_back({smoothed(i, &NeckSlice::middle), smoothed(i, &NeckSlice::half_depth),
                       smoothed(i, &NeckSlice::half_width)});
    return out;
}

}  // namespace fascia
