// How finely a body is filled: as requested, or as finely as its soft flesh asks for and a budget of points allows.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "body/body_cells.h"

namespace fascia {

struct Fineness {
    int resolution = 0;  ///< voxels along the longest side; 0: chosen by the body
    int budget = 12000;  ///< most points when it is chosen; the coarsest filling may have more
};

/// The bounds of a choice.
inline constexpr int coarsest_choice = 24, finest_choice = 96;

/// How many points a method makes of some cells.
using PointCount = std::function<std::size_t(const lattice::Tissue&)>;

/// bones: the skeleton that carries the flesh.
BodyCells fill_body(const BodySurface& surface, std::span<const lattice::Bone> bones, const Fineness& fineness,
                    const PointCount& count);

/// What the choice is based on, all as shares of the size. Thickness is that of the body below the skin.
struct FleshFeatures {
    double limbs = 0;     ///< thickness below the thinnest quarter of the skin
    double deep = 0;      ///< usual thickness below skin far from any bone; 0 if there is hardly any such skin
    double gap = 0;       ///< usual width of gaps between soft skin in close contact
    double together = 0;  ///< share of the soft skin that is in close contact with other skin
};
FleshFeatures flesh_features(const BodyCells& body, const BodySurface& surface, std::span<const lattice::Bone> bones);

/// The resolution that features ask for, within the bounds of a choice.
int resolution_for(const FleshFeatures& features);

}  // namespace fascia
