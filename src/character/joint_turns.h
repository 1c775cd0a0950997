// How joints are turned against their parents, seen from the rest pose.
#pragma once

#include <span>
#include <vector>

#include "fascia/character.h"
#include "fascia/pose.h"

namespace fascia {

class JointTurns {
public:
    explicit JointTurns(const Character& character);
    /// The turn of a joint with a parent; scale is left out.
    Quat of(std::size_t joint, const Pose& pose) const;

private:
    const Character& character_;
    std::vector<Affine> inverse_rest_;
};

}  // namespace fascia
