// How deep flesh is between bone and skin, and what follows from it: thin flesh is tight and does not go far.
#pragma once

#include <cstdint>
#include <vector>

#include "fascia/character.h"
#include "fascia/settings.h"
#include "lattice/layers.h"

namespace fascia {

/// A joint that steers flesh and is not a bone: a leaf that rigs put into a belly or a breast. Flesh driven by a bone
/// there would not swing. Where a part sets a bone width, that decides: 0 means no bone.
std::vector<std::uint8_t> handle_joints(const Character& character, const FleshSettings& flesh);

/// The tissue of a body with its layers.
struct LayeredTissue {
    const lattice::Grid& grid;
    const lattice::Tissue& tissue;
    const lattice::Layers& layers;
    const lattice::LayerPlan& plan;
};
/// g in (0, 1]: flesh that is thin between bone and skin, or lies in a thin part, is tighter and moves less. Measured
/// from the skeleton itself, not from the cells that became bone: the same at every resolution. [nodes]
std::vector<float> find_thinness(const Mesh& mesh, const LayeredTissue& body, double size);

/// How far flesh may move from where it is driven, relative to the size: less where it is thin (g), and less where it
/// is meant to move less. A face with an amount of 0.3 keeps its features, whatever the flesh around it does; a small
/// motion is always free. A landing that would fling the flesh of a back beyond its own depth is limited as well.
/// Flesh whose anatomy goes by its shape moves at most as far as it is deep, however soft it is: a sheared cell keeps
/// its shape, and a breast does not become a pancake.
double flesh_reach(double g, double amount, double hz, bool by_depth);

}  // namespace fascia
