// Thin lines on the ground, fixed in the world: they show that a figure moves when the camera follows it.
#pragma once

#include "fascia/picture.h"
#include "render/camera.h"

namespace fascia::picture {

class GroundLines {
public:
    /// The lines fade with the distance from the middle of the view's box, and are thinner in close-ups.
    GroundLines(const View& view, const Camera& camera);
    /// Share of light that the lines take away at a place on the ground; `pixel_x` and `pixel_z` are how far the ground
    /// extends along x and z within a pixel.
    float darkness(double x, double z, double pixel_x, double pixel_z) const;

private:
    double spacing_, width_ = 0, middle_x_ = 0, middle_z_ = 0, size_ = 1;
};

}  // namespace fascia::picture
