// Weights of points at the corners of cells, from those of the surface around them.
#pragma once

#include <span>

#include "fascia/character.h"
#include "lattice/corners.h"
#include "weights/influences.h"
#include "weights/nearest.h"

namespace fascia {

struct CornersOfBody {
    const lattice::Tissue& tissue;
    const lattice::CornerLattice& corners;
    std::span<const Vec3d> places;  ///< [corners] scene units
    double h = 1;
    std::span<const weights::Segment> bones;  ///< a piece without any weight follows the nearest
};

/// From the surface in the cells around each corner, passed inward from there. Four slots.
weights::Influences painted_corner_weights(const Character& character, const CornersOfBody& body);

}  // namespace fascia
