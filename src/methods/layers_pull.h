// A hand that pulls at the flesh of `layers`: which nodes it holds, and what it does to them in a step.
#pragma once

#include <span>

#include "methods/joint_places.h"
#include "methods/layers_body.h"

namespace fascia {

/// Takes hold of the flesh nearest to a place in the scene; false where there is none. `give`: [nodes] 0..1, how far
/// the settings let a node move at all.
bool grip_flesh(const LayersBody& body, const PointFrame& frame, Vec3d point, std::span<const float> give,
                State& state);

/// Change of velocity of the nodes held, in the step that ends at `t` (0..1) of the frame. out: [3 * stride], zero
/// elsewhere.
void push_of_grip(const LayersBody& body, const PointFrame& frame, const State& state, double t, double dt,
                  std::span<float> out);

}  // namespace fascia
