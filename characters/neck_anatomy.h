// What lies under the skin of the bust: bones and muscles that know how deep they are, and the scene made of them.
#pragma once

#include <memory>
#include <vector>

#include "fascia/anatomy_scene.h"
#include "neck.h"

namespace fascia::characters {

/// From centimetres of the drawing to its units.
inline Vec3d neck_place(Vec3d cm) {
    return Vec3d{cm.x, cm.y - neck_ground_cm, cm.z} * neck_units_per_cm;
}

/// How deep a place lies below the skin. In units of the drawing.
class SkinDepth {
public:
    explicit SkinDepth(const Field& skin) : skin_(skin) {}

    /// `p` itself if it lies deeper than `depth`, otherwise the place below it at that depth.
    Vec3d sunk(Vec3d p, double depth) const;
    /// The place below or above p at this depth.
    Vec3d at_depth(Vec3d p, double depth) const;
    Vec3d outward(Vec3d p) const { return normalized(skin_.gradient(p), {0, 0, 1}); }

private:
    const Field& skin_;
};

/// In metres, like everything that is handed out.
std::vector<AnatomyScene::Body> neck_bodies(const SkinDepth& skin);
std::vector<AnatomyScene::Muscle> neck_muscles(const SkinDepth& skin);
AnatomyScene neck_scene(const Field& skin);

}  // namespace fascia::characters
