// The studio: a key light over the viewer's left shoulder, a soft fill, the sky above and the floor below.
#pragma once

#include "fascia/math.h"
#include "render/camera.h"

namespace fascia::picture {

/// Directions in camera space, so that a character is lit the same way from every angle.
struct Lights {
    Vec3 up, key, fill, back;
};

/// Direction to the key light, world space.
Vec3d key_direction(const Camera& camera);
Lights make_lights(const Camera& camera);

struct SurfacePoint {
    Vec3 normal;     ///< unit, camera space, towards the viewer
    Vec3 to_viewer;  ///< unit, camera space
    Vec3 color;      ///< linear
    float open = 1;  ///< share of the surroundings that is not blocked
    float lit = 1;   ///< share of the key light that reaches the point
};

/// Linear light that leaves the surface towards the viewer, 0..1.
Vec3 shade(const Lights& lights, const SurfacePoint& point);

/// Linear light of the backdrop, from the top of the picture (0) to the bottom (1).
Vec3 backdrop(float height);

}  // namespace fascia::picture
