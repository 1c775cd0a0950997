// Creases are darker: how much of the surroundings a place sees, guessed from the depth of the picture around it.
#pragma once

#include "render/scene.h"

namespace fascia::picture {

class Occlusion {
public:
    Occlusion(const Scene& scene, int width, int height);
    /// Share of the surroundings that is open, 0..1, for a place in camera space with its unit normal.
    float open(double px, double py, Vec3 position, Vec3 normal) const;

private:
    const Camera& camera_;
    float radius_;
    SampleBuffer<1> depth_;  ///< nearness at every pixel centre
};

}  // namespace fascia::picture
