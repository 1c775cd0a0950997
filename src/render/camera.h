// A perspective camera, and how far away it has to stand.
#pragma once

#include <algorithm>
#include <limits>

#include "fascia/picture.h"

namespace fascia::picture {

/// Tangent of half the vertical angle of view: about 25 degrees in total, a portrait lens.
constexpr double half_height_of_view = 0.22;

struct Camera {
    Vec3d eye;                 ///< world
    Vec3d right, up, forward;  ///< unit, world
    double focal = 1;          ///< pixels per unit of x / z
    double center_x = 0, center_y = 0;
    double near_plane = 0;
    double size = 1;  ///< longest side of the figure, or of what is seen of it

    /// x right, y up, z forward.
    Vec3d to_camera(Vec3d world) const {
        const Vec3d d = world - eye;
        return {dot(d, right), dot(d, up), dot(d, forward)};
    }
    Vec3d to_camera_direction(Vec3d v) const { return {dot(v, right), dot(v, up), dot(v, forward)}; }
    Vec3d to_world_direction(Vec3d v) const { return right * v.x + up * v.y + forward * v.z; }
    /// Direction through a place in the picture, in camera space with z = 1.
    Vec3d ray(double px, double py) const { return {(px - center_x) / focal, (center_y - py) / focal, 1}; }
};

/// Where along one axis of the picture, and how far away, a camera has to stand so that all points (a across, c towards
/// the camera) just fit: |a - offset| <= k (distance - c).
struct Fit {
    double right = -std::numeric_limits<double>::infinity(), left = right;
    void add(double a, double c, double k) {
        right = std::max(right, c + a / k);
        left = std::max(left, c - a / k);
    }
    double offset(double k) const { return (right - left) * k / 2; }
    double distance() const { return (right + left) / 2; }
};

/// The box of the view, never flat; a unit box if it is empty or non-finite.
void tidy_box(const View& view, Vec3d& box_min, Vec3d& box_max);

/// Points the axes of the camera where the view looks.
void turn_camera(const View& view, Camera& camera);

Camera make_camera(const View& view, int width, int height);

}  // namespace fascia::picture
