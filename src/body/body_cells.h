// A character's surface filled with cells that are connected as its tissue is: the starting point of every method with
// points inside the body.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fascia/character.h"
#include "lattice/connectivity.h"
#include "lattice/grid.h"
#include "lattice/layers.h"

namespace fascia {

/// Joints that hold any vertex; all of them if the file's weights are not used. [joints]
std::vector<std::uint8_t> used_joints(const Character& character, bool from_file);

/// The joint that each triangle follows most: by the file's weights, or that of the nearest bone.
std::vector<std::uint16_t> triangle_joints(const Character& character, const std::vector<lattice::Bone>& bones,
                                           bool from_file);

struct BodyCells {
    lattice::Grid grid;
    Vec3d centre;  ///< of the surface's box
    lattice::Tissue tissue;
    bool open = false;  ///< some part of the surface is not closed
};
/// followed: [triangles] the joint that each follows.
BodyCells fill_body(const Character& character, std::span<const std::uint16_t> followed, int resolution);

/// Sentences for a person about parts that touch within the same cells.
void warn_of_meetings(const Character& character, const lattice::Tissue& tissue, double size,
                      std::vector<std::string>& warnings);

}  // namespace fascia
