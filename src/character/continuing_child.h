// Where a bone goes on when a joint has several children.
#pragma once

#include <span>
#include <vector>

#include "fascia/math.h"

namespace fascia {

/// Shorter than this share of the skeleton, two joints are at one place.
inline constexpr double coincident_joints = 1e-4;

/// Diagonal of the box around all joints.
double skeleton_extent(std::span<const Vec3d> heads);

/// The direction in which a chain arrives at a joint: from its nearest ancestor at another place; 0 without one.
Vec3d arriving_direction(std::span<const Vec3d> heads, std::span<const int> parents, std::size_t joint);

/// [joints] the child that carries the bone on: the one most in line with the arriving bone (the neck, not an arm), for
/// a root the one with the most joints behind it, of equal ones the first; -1 where no child lies at another place.
std::vector<int> continuing_children(std::span<const Vec3d> heads, std::span<const int> parents);

}  // namespace fascia
