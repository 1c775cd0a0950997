// Poses in which a computed result is tried out before it is used.
#pragma once

#include <span>
#include <vector>

#include "fascia/character.h"
#include "fascia/pose.h"

namespace fascia {

/// Poses of the clips that differ the most, from the rest pose and from one another, in how some joints are turned
/// against their parents: the deepest bends are among them. joints: with a parent each
std::vector<Pose> trial_poses(const Character& character, std::span<const int> joints, std::span<const Clip> clips,
                              std::span<const Clip> more_clips);

/// If no clip is known: all the joints turned at once by `angle` radians, in both directions about each axis of the
/// scene.
std::vector<Pose> turned_poses(const Character& character, std::span<const int> joints, double angle);

}  // namespace fascia
