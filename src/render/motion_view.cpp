// Framing a whole motion: where the camera goes, and how far away it stays.
#include <algorithm>
#include <cmath>

#include "fascia/picture.h"
#include "render/camera.h"

namespace fascia {
namespace {

using picture::Camera;
using picture::Fit;

constexpr double least_fill = 0.75;        // of the picture's width or height, by the smallest silhouette
constexpr double most_fill = 0.9;          // by the largest silhouette
constexpr double most_fill_of_all = 0.94;  // by all silhouettes on top of one another
constexpr double smoothing = 0.2;          // seconds; slower changes of place are followed

bool finite(Vec3 p) {
    return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z);
}

Vec3d center_of_points(const Moment& moment) {
    Vec3d lo{1e300, 1e300, 1e300}, hi{-1e300, -1e300, -1e300};
    for (const Vec3 p : moment.points) {
        if (!finite(p)) continue;
        for (double Vec3d::*axis : {&Vec3d::x, &Vec3d::y, &Vec3d::z}) {
            lo.*axis = std::min(lo.*axis, to_double(p).*axis);
            hi.*axis = std::max(hi.*axis, to_double(p).*axis);
        }
    }
    return lo.x <= hi.x ? (lo + hi) * 0.5 : (moment.box_min + moment.box_max) * 0.5;
}

/// The value at one moment of the line that best fits the values around it. A line, not a mean: steady travel is
/// followed exactly up to its ends.
Vec3d smoothed_at(std::size_t at, const std::vector<Moment>& moments, const std::vector<Vec3d>& values) {
    double sum = 0, sum_t = 0, sum_tt = 0;
    Vec3d sum_v, sum_tv;
    for (std::size_t i = 0; i < moments.size(); ++i) {
        const double t = (moments[i].time - moments[at].time) / smoothing;
        if (std::abs(t) > 4) continue;
        const double w = std::exp(-0.5 * t * t);
        sum += w, sum_t += w * t, sum_tt += w * t * t;
        sum_v += values[i] * w;
        sum_tv += values[i] * (w * t);
    }
    const double spread = sum * sum_tt - sum_t * sum_t;
    if (!(spread > 1e-6 * sum * sum)) return sum_v * (1 / sum);
    return (sum_v * sum_tt - sum_tv * sum_t) * (1 / spread);
}

std::vector<Vec3d> smoothed(const std::vector<Moment>& moments, const std::vector<Vec3d>& values) {
    std::vector<Vec3d> out;
    for (std::size_t i = 0; i < values.size(); ++i) out.push_back(smoothed_at(i, moments, values));
    return out;
}

/// How far away the camera has to stay, and how far beside the path it looks.
struct Placing {
    double distance = 0, right = 0, up = 0;
};

class Framer {
public:
    Framer(const std::vector<Moment>& moments, const View& look, double aspect) : moments_(moments), aspect_(aspect) {
        picture::turn_camera(look, camera_);
    }

    Vec3d right() const { return camera_.right; }
    Vec3d up() const { return camera_.up; }

    Placing place(const std::vector<Vec3d>& path) const {
        double smallest = INFINITY, largest = 0;
        Window all = window(most_fill_of_all);
        for (std::size_t i = 0; i < moments_.size(); ++i) {
            if (!moments_[i].shown) continue;
            Window at_least = window(least_fill), at_most = window(most_fill);
            for (const Vec3 p : moments_[i].points) {
                if (!finite(p)) continue;
                const Vec3d d = to_double(p) - path[i];
                for (Window* w : {&at_least, &at_most, &all}) add(d, *w);
            }
            if (!std::isfinite(at_least.distance())) continue;
            smallest = std::min(smallest, at_least.distance());
            largest = std::max(largest, at_most.distance());
        }
        if (!std::isfinite(smallest)) return {1, 0, 0};
        return {std::max({smallest, largest, all.distance()}), all.across.offset(all.k * aspect_),
                all.upward.offset(all.k)};
    }

    /// Moves the camera sideways until all silhouettes together are centred in the picture. Near points move more than
    /// far ones, so this takes a few rounds.
    void center(const std::vector<Vec3d>& path, Placing& placing) const {
        for (int round = 0; round < 4; ++round) {
            double left = INFINITY, right = -INFINITY, bottom = INFINITY, top = -INFINITY;
            for (std::size_t i = 0; i < moments_.size(); ++i) {
                if (!moments_[i].shown) continue;
                for (const Vec3 p : moments_[i].points) {
                    if (!finite(p)) continue;
                    const Vec3d d = to_double(p) - path[i];
                    const double depth = placing.distance + dot(d, camera_.forward);
                    const double x = (dot(d, camera_.right) - placing.right) / depth;
                    const double y = (dot(d, camera_.up) - placing.up) / depth;
                    left = std::min(left, x), right = std::max(right, x);
                    bottom = std::min(bottom, y), top = std::max(top, y);
                }
            }
            if (!(left <= right && bottom <= top)) return;
            placing.right += placing.distance * (left + right) / 2;
            placing.up += placing.distance * (bottom + top) / 2;
        }
    }

private:
    /// What fits into a given share of the picture.
    struct Window {
        double k;
        Fit across, upward;
        double distance() const { return std::max(across.distance(), upward.distance()); }
    };
    Window window(double fill) const { return {picture::half_height_of_view * fill, {}, {}}; }
    void add(Vec3d d, Window& window) const {
        const double towards = -dot(d, camera_.forward);
        window.across.add(dot(d, camera_.right), towards, window.k * aspect_);
        window.upward.add(dot(d, camera_.up), towards, window.k);
    }

    const std::vector<Moment>& moments_;
    double aspect_;
    Camera camera_;
};

struct Box {
    Vec3d lo, hi;
};

Box box_of(const std::vector<Vec3d>& points) {
    Box box{points.front(), points.front()};
    for (const Vec3d p : points) {
        box.lo = {std::min(box.lo.x, p.x), std::min(box.lo.y, p.y), std::min(box.lo.z, p.z)};
        box.hi = {std::max(box.hi.x, p.x), std::max(box.hi.y, p.y), std::max(box.hi.z, p.z)};
    }
    return box;
}

/// The path with its level part, its height, or both held still in the middle of their range.
std::vector<Vec3d> held(std::vector<Vec3d> path, bool level, bool height) {
    const Box box = box_of(path);
    const Vec3d middle = (box.lo + box.hi) * 0.5;
    for (Vec3d& p : path) {
        if (level) p.x = middle.x, p.z = middle.z;
        if (height) p.y = middle.y;
    }
    return path;
}

/// A camera that stands still shows motion best. It follows a figure only if that goes far away, or if the camera would
/// otherwise have to stand farther off.
std::vector<Vec3d> choose_path(const Framer& framer, const std::vector<Vec3d>& followed, double size) {
    constexpr double away = 0.25;  // of the size
    constexpr double farther = 1.06;
    const Box covered = box_of(followed);
    const bool travels = std::hypot(covered.hi.x - covered.lo.x, covered.hi.z - covered.lo.z) > away * size;
    const double closest = framer.place(followed).distance;
    for (const auto& [level, height] : {std::pair{true, true}, std::pair{false, true}, std::pair{true, false}}) {
        if (level && travels) continue;
        std::vector<Vec3d> path = held(followed, level, height);
        if (framer.place(path).distance <= farther * closest) return path;
    }
    return followed;
}

}  // namespace

MotionView::MotionView(std::vector<Moment> moments, const View& look, int width, int height) : look_(look) {
    if (moments.empty()) moments.push_back({});
    std::vector<Vec3d> centers, box_centers;
    for (const Moment& m : moments) {
        centers.push_back(center_of_points(m));
        box_centers.push_back((m.box_min + m.box_max) * 0.5);
        const Vec3d half = (m.box_max - m.box_min) * 0.5;
        half_box_ = {std::max(half_box_.x, half.x), std::max(half_box_.y, half.y), std::max(half_box_.z, half.z)};
    }
    const double size = 2 * std::max({half_box_.x, half_box_.y, half_box_.z});
    const Framer framer(moments, look, double(width) / std::max(height, 1));
    const std::vector<Vec3d> path = choose_path(framer, smoothed(moments, centers), size);
    Placing placing = framer.place(path);
    framer.center(path, placing);
    distance_ = placing.distance;
    const Vec3d beside = framer.right() * placing.right + framer.up() * placing.up;
    box_centers = smoothed(moments, box_centers);
    for (std::size_t i = 0; i < moments.size(); ++i)
        track_.push_back({moments[i].time, path[i] + beside, box_centers[i]});
}

View MotionView::at(double seconds) const {
    const auto after = std::upper_bound(track_.begin(), track_.end(), seconds,
                                        [](double s, const Track& track) { return s < track.time; });
    const Track& b = after == track_.end() ? track_.back() : *after;
    const Track& a = after == track_.begin() ? b : *(after - 1);
    const double t = b.time > a.time ? std::clamp((seconds - a.time) / (b.time - a.time), 0.0, 1.0) : 0;
    const Vec3d center = a.box_center + (b.box_center - a.box_center) * t;
    View view = look_;
    view.box_min = center - half_box_;
    view.box_max = center + half_box_;
    view.aim = Aim{a.target + (b.target - a.target) * t, distance_};
    return view;
}

}  // namespace fascia
