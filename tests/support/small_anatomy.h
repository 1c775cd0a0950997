// What lies under the skin of the small character: a bone that follows its lower joint, one that moves freely on top of
// it within the upper half, and a muscle between them.
#pragma once

#include "fascia/anatomy_scene.h"

namespace fascia::test {

inline AnatomyScene bones_and_muscle() {
    AnatomyScene out;
    for (const bool free : {false, true}) {
        AnatomyScene::Body& body = out.bodies.emplace_back();
        body.name = free ? "top" : "hip", body.joint = free ? "upper" : "lower", body.free = free;
        body.solid = capsule_solid({0, free ? 1.2 : 0.1, 0}, {0, free ? 1.8 : 0.8, 0}, 0.1);
    }
    AnatomyScene::Joint& joint = out.joints.emplace_back();
    joint.a = "hip", joint.b = "top", joint.at = {0, 1, 0}, joint.limit = 40;
    AnatomyScene::Muscle& muscle = out.muscles.emplace_back();
    muscle.name = "m", muscle.young = 1e6;
    sweep_muscle({{0.12, 0.5, 0}, {0.14, 1, 0}, {0.12, 1.5, 0}}, {0.03}, 4, muscle);
    muscle.attachments = {{"hip", 0.08, 300}, {"top", 0.08, 300}};
    out.skin.reach = 0.2;
    return out;
}

}  // namespace fascia::test
