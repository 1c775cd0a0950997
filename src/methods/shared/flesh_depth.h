// How deep flesh is between bone and skin, and what follows from it: thin flesh is tight and does not go far.
#pragma once

#include <cstdint>
#include <vector>

#include "fascia/character.h"
#include "fascia/settings.h"
#include "lattice/layers.h"

namespace fascia {

/// A joint that steers flesh and is no bone: a leaf that rigs put into a belly or a breast. What is driven there by a
/// bone would not swing. A part's bone width decides where one is given: 0 means no bone.
std::vector<std::uint8_t> handle_joints(const Character& character, const std::vector<PartSettings>& parts);

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

/// How far flesh may go, in parts of the size: by its depth (1 / g), and less where it is to move less. A face at 0.3
/// keeps its features, whatever the flesh around it asks; a small motion is always free. A landing that would fling the
/// flesh of a back beyond its own depth bends it instead.
double flesh_reach(double g, double amount, double hz);

}  // namespace fascia
