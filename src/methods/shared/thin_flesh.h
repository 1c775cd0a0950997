// How deep flesh is between bone and skin, and the consequence: thin flesh is tight and does not go far.
#pragma once

#include <cstdint>
#include <vector>

#include "fascia/character.h"
#include "fascia/settings.h"
#include "lattice/layers.h"

namespace fascia {

/// Joints that steer flesh and are not bones: leaves that rigs put into a belly or a breast. Flesh driven by a bone
/// there would not swing. If a part sets a bone width, that decides: 0 means no bone.
std::vector<std::uint8_t> handle_joints(const Character& character, const FleshSettings& flesh);

/// The tissue of a body with its layers.
struct LayeredTissue {
    const lattice::Grid& grid;
    const lattice::Tissue& tissue;
    const lattice::Layers& layers;
    const lattice::LayerPlan& plan;
};
/// g in (0, 1]: flesh that is thin between bone and skin, or is in a thin part, is tighter and moves less. Measured
/// from the skeleton itself, not from the cells that became bone: the same at every resolution. [nodes]
std::vector<float> find_thinness(const Mesh& mesh, const LayeredTissue& body, double size);

/// How far flesh may move from where it is driven, relative to the size: less where it is thin (g), and less where it
/// is meant to move less. A face with an amount of 0.3 keeps its features, however the flesh around it moves; a small
/// motion is always free. A landing that would fling the flesh of a back beyond its own depth is limited as well. With
/// an anatomy found by shape, flesh moves at most as far as it is deep, however soft it is: cells do not shear until a
/// breast becomes a pancake.
double flesh_reach(double g, double amount, double hz, bool by_depth);

}  // namespace fascia
