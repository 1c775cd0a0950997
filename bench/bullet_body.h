// Bullet's soft body with a node at every voxel: what a game might use instead, measured in the same run.
#pragma once

#include <memory>

#include "methods/layers/layers_body.h"

namespace fascia::bench {

/// Which neighbours are linked: the edges of five tetrahedra per cube, as soft bodies are usually built, or all 26 as
/// in our stretch constraint.
enum class BulletLinks { tetrahedra, all };

class BulletBody {
public:
    BulletBody(const LayersBody& body, BulletLinks links);
    ~BulletBody();
    /// One step of 1/60 s with five iterations; bone nodes have no mass.
    void step();

private:
    struct World;
    std::unique_ptr<World> world_;
};

}  // namespace fascia::bench
