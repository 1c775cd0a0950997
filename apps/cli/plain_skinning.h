// The surface by plain skinning, which a report compares every method with.
#pragma once

#include <span>
#include <vector>

#include "fascia/fascia.h"

namespace fascia::cli {

class PlainSkinning {
public:
    explicit PlainSkinning(const Character& character);
    /// [skinned vertices], until the next call; empty where the character has no weights.
    std::span<const Vec3> at(const Pose& pose);

private:
    RigPtr rig_;
    State state_;
    Workspace work_;  ///< its own, so that its time is not counted as the method's
    std::vector<Vec3> positions_;
};

}  // namespace fascia::cli
