// Which points of a volumetric body the skeleton holds, and which edges join the others to them.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "methods/volumetric/volumetric_body.h"

namespace fascia {

/// The neighbour of each point on each side (-x +x -y +y -z +z), or the point itself; mutual. [points * 6]
std::vector<std::uint32_t> grid_ends(const lattice::CornerLattice& corners);

/// 1: held. Every connected piece has some held points: if there are no others, those that follow a joint most.
struct HeldPoints {
    std::vector<std::uint8_t> held;     ///< [points]
    std::vector<std::string> warnings;  ///< sentences for a person
};
/// As VolumetricArapSettings::hold and hold_above ask. ends: grid_ends
HeldPoints held_points(const VolumetricBody& body, std::span<const std::uint32_t> ends,
                       const VolumetricArapSettings& settings);

/// The joints, with each at its rest distance from its parent: bones keep their lengths, times the scale of the first
/// joint. parents come first. out: [joints]
void keep_bone_lengths(std::span<const Affine> pose, std::span<const Affine> rest, std::span<const int> parents,
                       std::span<Affine> out);

}  // namespace fascia
