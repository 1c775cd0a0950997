// Where the points inside a rig are.
#pragma once

#include <span>

#include "fascia/method.h"

namespace fascia::test {

inline void point_positions(const Rig& rig, const State& state, std::span<Vec3> out) {
    Workspace work;
    rig.inside()->point_positions(state, out, work);
}

}  // namespace fascia::test
