// A perspective camera that just holds a box.
#pragma once

#include "fascia/picture.h"

namespace fascia::picture {

struct Camera {
    Vec3d eye;                 ///< world
    Vec3d right, up, forward;  ///< unit, world
    double focal = 1;          ///< pixels per unit of x / z
    double center_x = 0, center_y = 0;
    double near_plane = 0;
    double size = 1;  ///< longest side of what is framed

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

/// The box of the view, never flat; a unit box where it is empty or not finite.
void tidy_box(const View& view, Vec3d& box_min, Vec3d& box_max);

Camera make_camera(const View& view, int width, int height);

}  // namespace fascia::picture
