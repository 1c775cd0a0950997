// Where a bone continues when a joint has several children.
#pragma once

#include <span>
#include <vector>

#include "fascia/math.h"

namespace fascia {

/// Two joints closer than this share of the skeleton's size count as at the same position.
inline constexpr double coincident_joints = 1e-4;

/// Diagonal of the box around all joints.
double skeleton_extent(std::span<const Vec3d> heads);

/// The direction in which a chain arrives at a joint: from its nearest ancestor farther away than `smallest`; 0 without
/// one.
Vec3d arriving_direction(std::span<const Vec3d> heads, std::span<const int> parents, std::size_t joint,
                         double smallest);

/// [joints] the child that continues the bone: the one most in line with the arriving bone (the neck, not an arm); for
/// a root the one with the most joints below it, the first in a tie; -1 if all children are at the joint's own
/// position.
std::vector<int> continuing_children(std::span<const Vec3d> heads, std::span<const int> parents);

}  // namespace fascia
