#include "render/camera.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fascia::picture {
namespace {

constexpr double margin = 1.10;

bool usable(Vec3d v) {
    constexpr double largest = 1e30;
    return std::abs(v.x) < largest && std::abs(v.y) < largest && std::abs(v.z) < largest;
}

/// Places the camera so that the whole box is in the picture.
Aim aim_at_box(const Camera& camera, Vec3d lo, Vec3d hi, int width, int height) {
    const double tan_y = half_height_of_view / margin;
    const double tan_x = tan_y * width / height;
    const Vec3d middle = (lo + hi) * 0.5, back = -camera.forward;
    Fit across, upward;
    for (int corner = 0; corner < 8; ++corner) {
        const Vec3d p{corner & 1 ? hi.x : lo.x, corner & 2 ? hi.y : lo.y, corner & 4 ? hi.z : lo.z};
        const Vec3d d = p - middle;
        across.add(dot(d, camera.right), dot(d, back), tan_x);
        upward.add(dot(d, camera.up), dot(d, back), tan_y);
    }
    return {middle + camera.right * across.offset(tan_x) + camera.up * upward.offset(tan_y),
            std::max(across.distance(), upward.distance())};
}

bool usable(const Aim& aim) {
    return usable(aim.target) && aim.distance > 0 && aim.distance < 1e30;
}

}  // namespace

void tidy_box(const View& view, Vec3d& box_min, Vec3d& box_max) {
    box_min = view.box_min;
    box_max = view.box_max;
    const bool in_order = box_min.x <= box_max.x && box_min.y <= box_max.y && box_min.z <= box_max.z;
    if (!in_order || !usable(box_min) || !usable(box_max)) {
        box_min = {-0.5, -0.5, -0.5};
        box_max = {0.5, 0.5, 0.5};
    }
    const Vec3d side = box_max - box_min;
    const double longest = std::max({side.x, side.y, side.z});
    const double scale = std::max({std::abs(box_max.x), std::abs(box_max.y), std::abs(box_max.z)});
    const double least = std::max({longest * 0.02, scale * 1e-6, 1e-12});
    for (double Vec3d::*axis : {&Vec3d::x, &Vec3d::y, &Vec3d::z}) {
        const double missing = least - (box_max.*axis - box_min.*axis);
        if (missing <= 0) continue;
        box_min.*axis -= missing / 2;
        box_max.*axis += missing / 2;
    }
}

void turn_camera(const View& view, Camera& camera) {
    const double yaw = std::isfinite(view.yaw) ? view.yaw : 0;
    const double pitch = std::isfinite(view.pitch) ? std::clamp(view.pitch, -1.55, 1.55) : 0;
    const Vec3d back{std::sin(yaw) * std::cos(pitch), std::sin(pitch), std::cos(yaw) * std::cos(pitch)};
    camera.forward = -back;
    camera.right = {std::cos(yaw), 0, -std::sin(yaw)};
    camera.up = cross(back, camera.right);
}

Camera make_camera(const View& view, int width, int height) {
    Vec3d lo, hi;
    tidy_box(view, lo, hi);
    Camera camera;
    turn_camera(view, camera);
    const Aim aim = view.aim && usable(*view.aim) ? *view.aim : aim_at_box(camera, lo, hi, width, height);
    camera.eye = aim.target - camera.forward * aim.distance;
    const Vec3d side = hi - lo;
    camera.size = std::max({side.x, side.y, side.z});
    // A close-up needs finer creases than the whole figure.
    const double seen = 2 * half_height_of_view * aim.distance * std::max(1.0, double(width) / height);
    if (view.aim) camera.size = std::min(camera.size, seen);
    camera.focal = height / 2.0 / half_height_of_view;
    camera.center_x = width / 2.0;
    camera.center_y = height / 2.0;
    camera.near_plane = aim.distance * 1e-3;
    return camera;
}

}  // namespace fascia::picture

namespace fascia {
namespace {

bool is_drawable(Vec3 p) {
    return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z);
}

}  // namespace

double distance_to_see(double height) {
    return height / (2 * picture::half_height_of_view);
}

void include_in_view(View& view, std::span<const Vec3> positions) {
    for (const Vec3 p : positions) {
        if (!is_drawable(p)) continue;
        view.box_min = {std::min<double>(view.box_min.x, p.x), std::min<double>(view.box_min.y, p.y),
                        std::min<double>(view.box_min.z, p.z)};
        view.box_max = {std::max<double>(view.box_max.x, p.x), std::max<double>(view.box_max.y, p.y),
                        std::max<double>(view.box_max.z, p.z)};
    }
}

View view_of(std::span<const Vec3> positions) {
    View view;
    for (const Vec3 p : positions) {
        if (!is_drawable(p)) continue;
        view.box_min = view.box_max = to_double(p);
        break;
    }
    include_in_view(view, positions);
    view.ground_y = view.box_min.y;
    return view;
}

}  // namespace fascia
