// Where a figure is in the course of a motion, by plain skinning of some of its vertices: cheap, and the same for every
// method, so that all of them are shown from the same viewpoint.
#pragma once

#include <cstdint>
#include <vector>

#include "fascia/character.h"
#include "fascia/picture.h"

namespace fascia::cli {

struct MotionSurvey {
    std::vector<Moment> moments;
    double ground = 0;   ///< height
    double heading = 0;  ///< radians around y by which the figure is turned from +z
    double size = 1;     ///< longest side of the figure's box over all moments
};

/// Looks at the figure at `times`, in ascending order. `framed`: the vertices of Character::mesh that are framed; empty
/// for the whole figure.
MotionSurvey survey_motion(const Character& character, const Clip& clip, const std::vector<double>& times,
                           const std::vector<std::uint32_t>& framed);

}  // namespace fascia::cli
