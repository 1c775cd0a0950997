// The surface by plain skinning, with which a report compares every method.
#pragma once

#include <span>
#include <vector>

#include "fascia/fascia.h"

namespace fascia::cli {

class PlainSkinning {
public:
    explicit PlainSkinning(const Character& character);
    /// [skinned vertices], valid until the next call; empty if the character has no weights.
    std::span<const Vec3> at(const Pose& pose);

private:
    RigPtr rig_;
    State state_;
    Workspace work_;  ///< its own, so that its time is not counted as the method's
    std::vector<Vec3> positions_;
};

}  // namespace fascia::cli
