// Ambient occlusion in screen space: creases are darker, estimated from the depth of the pixels around them.
#pragma once

#include "render/scene.h"

namespace fascia::picture {

class Occlusion {
public:
    Occlusion(const Scene& scene, int width, int height);
    /// Share of the surroundings that is not blocked, 0..1, at a point in camera space with this unit normal.
    float open(double px, double py, Vec3 position, Vec3 normal) const;

private:
    const Camera& camera_;
    float radius_;
    SampleBuffer<1> depth_;  ///< nearness at every pixel centre
};

}  // namespace fascia::picture
